#pragma once
// What one process of a model does, one thing after the other.

#include <cstdint>
#include <functional>

#include "replay/model/compile/instance.hpp"

namespace plumbline::replay::model {

// A message with its numbers for one process, or computation.
struct Action {
  Place place;
  const Message* message = nullptr;           // null: computes
  Duration compute;                           // of a message: what it takes at least
  bool delays = false;                        // the time passes, and nothing is computed
  std::int32_t to = kNoPeer, from = kNoPeer;  // ranks, or kNoPeer: MPI_PROC_NULL
  bool from_any = false;
  std::int32_t root = 0, tag = 0, receive_tag = 0;
  std::uint64_t size = 0, receive_size = 0, offset = 0, displacement = 0;
};

struct UnrollLimits {
  std::uint64_t actions = std::uint64_t{1} << 31;  // of one process
  std::uint64_t steps = std::uint64_t{1} << 36;    // statements that are looked at, also those that do nothing
};

// Calls visit(action) for each. What is wrong for this rank goes into `faults`, and is left out.
void unroll(const Instance& instance, std::uint32_t rank, Faults& faults,
            const std::function<void(const Action&)>& visit, const UnrollLimits& limits = {});

}  // namespace plumbline::replay::model
