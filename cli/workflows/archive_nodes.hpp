#pragma once
// What the nodes of a recorded run show by their settings and counters, by the rules of plumbline validate.

#include <map>
#include <string>
#include <vector>

#include "replay/validate/validation.hpp"
#include "tracer/archive/node_facts.hpp"

namespace plumbline::cli {

std::vector<replay::validate::Observation> observations_on(const std::map<std::string, archive::NodeFacts>& nodes);

// Those by which a counter has grown during the run.
std::vector<replay::validate::Observation> growth_on(const std::map<std::string, archive::NodeFacts>& nodes);

}  // namespace plumbline::cli
