#pragma once
// Plays the schedules of all ranks with rendezvous: a transfer ends when both sides have posted it, a round when all
// its transfers have ended. What a rank knows goes along with its messages.

#include <set>
#include <string>

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

struct Played {
  std::string fault;        // empty: complete. Else who waits for whom, which sizes differ, what was never received.
  std::uint64_t bytes = 0;  // of all messages
  std::vector<std::uint64_t> received;         // bytes, per rank
  std::vector<std::set<std::uint32_t>> knows;  // whose contribution each rank has in the end, its own too
};

Played play(const std::vector<Schedule>& schedules);

std::vector<Schedule> schedules_of(const Algorithm& algorithm, const Call& call);

// Built-in, commutative, no counts.
Call call_of(Operation operation, std::uint32_t ranks, std::uint64_t count, std::uint64_t type_bytes = 1,
             std::uint32_t root = 0);

Algorithm algorithm_named(std::string_view library, Operation operation, std::string_view name);

}  // namespace plumbline::replay::collectives::schedules
