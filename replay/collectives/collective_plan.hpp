#pragma once
// A collective with its algorithm, expanded round by round: for each rank that runs it, either from a function of the
// number of the round, or from the rank's whole schedule, which is kept while it is used.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "replay/collectives/schedule.hpp"
#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives {

// The rounds of one rank, one behind the other.
struct RankSchedule {
  std::vector<schedules::Transfer> transfers;
  std::vector<std::uint32_t> ends;  // of each round, in transfers
  std::uint32_t users = 0;
};

// What all ranks of a call have in common; calls that are equal share it.
struct CollectivePlan {
  schedules::Call call;
  schedules::Algorithm algorithm;            // that runs: effective()
  schedules::RoundFunction round = nullptr;  // null: by whole schedules
  bool is_empty = false;
  std::vector<RankSchedule> ranks;  // of those that ran it; empty: not made, or given up
};

// Throws Error where the algorithm cannot run the call.
CollectivePlan plan_of(const schedules::Algorithm& asked, const schedules::Call& call);

// Expands the collectives of a replay.
class Expansion {
 public:
  // A rank begins; then its rounds can be asked for, until it ends.
  void begin(const Shape& shape);
  void end(const Shape& shape);

  // What the rank posts in a round, which may be nothing; no span at all behind the last one. Valid until the rank
  // ends, or until `scratch` is used again.
  std::optional<std::span<const schedules::Transfer>> round_of(const Shape& shape, std::uint32_t index,
                                                               schedules::Round& scratch) const;

 private:
  std::uint64_t bytes_ = 0;  // of the schedules that are kept
};

}  // namespace plumbline::replay::collectives
