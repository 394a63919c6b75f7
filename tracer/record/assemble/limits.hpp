#pragma once
// What an archive says of the limits that the user set for its recording: nothing that was dropped or left out goes
// unmentioned, and none of it is called damage.

#include <vector>

#include "tracer/archive/model.hpp"
#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

// "1,3-5": in ascending order.
std::string rank_list(const std::vector<std::uint32_t>& ranks);

// Properties of names.hpp on what has given way to newer records, and on a window outside of which something happened.
void describe_limits(archive::LocationGroup& group, const pl_file_header& header, const ProcessFacts& facts,
                     const LinearClock& clock);

// The same in sentences; ranks that were left out in one.
void remark_limits(const std::vector<Recording>& recordings, const std::vector<archive::LocationGroup>& groups,
                   AssembleSummary& summary);

}  // namespace plumbline::record
