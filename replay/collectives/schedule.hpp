#pragma once
// The stand-ins: one simple schedule per collective, as pure functions of what one rank knows, for calls of libraries
// whose algorithms are not known, and where a recording does not tell enough to ask the tables (schedule_name() says
// which, reports repeat it). docs/models/replay-collectives.md describes them; each is checked to be complete and free
// of deadlock for many sizes in tests/replay/engine.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "replay/collectives/neighbourhood.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::collectives {

struct CollectivePlan;

// One collective as one of its ranks sees it.
struct Shape {
  Collective kind = Collective::kBarrier;
  bool irregular = false;  // a v-variant: amounts differ between ranks, so nobody can forward on behalf of others
  std::uint32_t size = 1, rank = 0, root = 0;
  std::uint64_t sent = 0, received = 0;  // by this rank, all peers together; of a broadcast: its size
  std::span<const std::uint64_t> sent_counts, received_counts;  // per peer; may be empty
  CollectivePlan* plan = nullptr;                               // what all its ranks run; null: the stand-in
  std::optional<NeighbourLists> neighbours = {};                // instead of all of the above but rank and size
};

// A step is over when its receive has been received and its send is free. Both are under way at once.
struct Step {
  std::optional<std::uint32_t> to, from;  // ranks of the communicator
  std::uint64_t sent = 0;                 // bytes to `to`; the sender knows how much a receiver gets
  std::uint64_t combined = 0;             // bytes from `from` that a reduction combines
};

// The steps of a rank are numbered from 0; nothing after the last one.
std::optional<Step> step_of(const Shape& shape, std::uint32_t index);

// "binomial tree", "ring", "pairwise", ..
std::string_view schedule_name(Collective kind);

}  // namespace plumbline::replay::collectives
