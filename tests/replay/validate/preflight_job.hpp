#pragma once
// A job as its ranks tell it: healthy, so that each test changes one thing.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "replay/validate/preflight/judgement.hpp"

namespace plumbline::replay::validate::test {

// `nodes` named n0, n1, .. with `per_node` ranks each, one processor for each rank, and as many again that are free.
PreFlightInput healthy_job(std::uint32_t nodes = 2, std::uint32_t per_node = 2);

node::Facts facts_of(const std::map<std::string, std::string>& values);

std::vector<std::string> ids_of(const std::vector<Observation>& observations);
std::vector<std::string> ids_of(const std::vector<Diagnosis>& diagnoses);

}  // namespace plumbline::replay::validate::test
