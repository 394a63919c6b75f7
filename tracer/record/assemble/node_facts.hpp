#pragma once
// What was read of each node in /proc and /sys at the beginning and at the end of the run, into the archive: settings,
// and by how much counters have grown (docs/reference/trace-format-nodes.md).

#include <functional>
#include <string>
#include <vector>

#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/definition_registry.hpp"

namespace plumbline::record {

// `show`: a host as the archive names it. `is_anonymous`: facts that users have named are left out.
void describe_nodes(const std::vector<Recording>& recordings, const Clocks& clocks,
                    const std::function<std::string(const std::string&)>& show, bool is_anonymous,
                    DefinitionRegistry& world, AssembleSummary& summary);

}  // namespace plumbline::record
