#pragma once
// The clocks of a recording's nodes brought together, and what there is to say about it.

#include <filesystem>
#include <vector>

#include "base/team/processes.hpp"
#include "tracer/archive/model.hpp"
#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

// Fits `clocks`, which have all readings. Exchanges that cannot be read, nodes by real time only, clocks that did not
// run straight, and messages that contradict the exchanges are remarked. All processes that share the recordings do it
// together, and come to the same.
void align_clocks(const std::vector<Recording>& recordings, const std::vector<ProcessFacts>& facts,
                  const std::vector<std::filesystem::path>& exchanges, Clocks& clocks, AssembleSummary& summary,
                  Processes& processes);

// Properties of a process (names.hpp), where the recording has more than one node.
void describe_clock(archive::LocationGroup& group, const Clocks& clocks, const ClockId& clock);

}  // namespace plumbline::record
