#pragma once
// Collectives that a library runs inside another one, through its own choice of algorithm.

#include <utility>

#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {

// The same ranks, operator and nodes; everything else to be filled in.
inline Call inner_call(const Call& outer, Operation operation, std::uint32_t root, std::uint64_t count) {
  Call call = outer;
  call.operation = operation;
  call.root = root;
  call.count = count;
  call.counts.clear();
  call.in_place = false;
  return call;
}

inline Schedule openmpi_inner(const Call& call, std::uint32_t rank) {
  return schedule_of(openmpi_choice(call), call, rank);
}

}  // namespace plumbline::replay::collectives::schedules
