#pragma once
// What settings and counters of nodes, and control variables of the MPI library, say without timing: observations with
// their raw rows. What an observation costs is for others to find out.

#include <vector>

#include "replay/validate/validation.hpp"
#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::replay::validate {

// What several nodes have in common is one observation; its places are empty where all of several nodes have it.
std::vector<Observation> witness(const WitnessInput& input);

}  // namespace plumbline::replay::validate
