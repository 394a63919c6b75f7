#pragma once
// What settings and counters of nodes, and control variables of the MPI library, say without timing: observations with
// their raw rows. What an observation costs is for others to find out.

#include <string_view>
#include <vector>

#include "replay/validate/validation.hpp"
#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::replay::validate {

// The check of memory that is slow when it is used first, and the row of its observation with the rate, B/s.
inline constexpr std::string_view kFirstUse = "memory.first-use";
inline constexpr std::string_view kFirstUseIdle = "memory.first_use_idle_bytes_s";

// What several nodes have in common is one observation; its places are empty where all of several nodes have it.
std::vector<Observation> witness(const WitnessInput& input);

}  // namespace plumbline::replay::validate
