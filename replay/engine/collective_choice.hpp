#pragma once
// Which algorithm each collective of a program is replayed by: forced, from the tables of a library, or the fastest on
// this platform (docs/models/replay-collectives.md). All ranks of a call get the same.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/collectives/collective_call.hpp"
#include "replay/collectives/collective_plan.hpp"
#include "replay/engine/replay.hpp"
#include "replay/mpi/best_schedule.hpp"

namespace plumbline::replay {

// One rank's part of a collective, from its own record.
collectives::Shape shape_of(const Program& program, std::uint32_t world_rank, const Operation& op, std::uint32_t size,
                            std::uint32_t rank);

// The algorithm that a choice names for an operation: "ring", or "mpich:ring" where several libraries have one. Of
// those, that of `library` first. Nothing: no library has it.
std::optional<collectives::schedules::Algorithm> algorithm_named(collectives::schedules::Operation operation,
                                                                 std::string_view name, std::string_view library);

class CollectiveChoice {
 public:
  // `nodes`: of each rank; they and the platform outlive this. Throws Error for a library or an algorithm that does not
  // exist.
  CollectiveChoice(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> nodes,
                   const ReplayOptions& options);

  // Of the n-th collective on the communicator; null: the stand-in.
  collectives::CollectivePlan* plan(std::uint32_t comm, std::uint32_t number) {
    const std::vector<std::uint32_t>& plans = by_comm_[comm];
    return number < plans.size() && plans[number] != kNone ? &plans_[plans[number]] : nullptr;
  }

  // Of a collective that the library makes inside of another call on the communicator; null: the stand-in. Not in the
  // ideal form, which has no such collectives.
  collectives::CollectivePlan* inside(std::uint32_t comm, const collectives::schedules::Call& call);

  // That was asked for, else the recorded one: "openmpi", "mpich", ..; "" of none that is known.
  const std::string& library() const { return library_; }

  // By call, then by algorithm.
  std::vector<CollectiveUse> uses() const;

  // Whether every call has the same algorithm in both, which are of one program.
  bool is_same(const CollectiveChoice& other) const;

 private:
  struct Chosen {
    std::optional<collectives::schedules::Algorithm> algorithm;  // nothing: the stand-in
    ChosenBy by = ChosenBy::kNobody;
  };
  struct Planned {
    std::uint32_t plan = kNone;  // kNone: the stand-in
    ChosenBy by = ChosenBy::kNobody;
    auto operator<=>(const Planned&) const = default;
  };
  struct Use {
    std::string_view call;
    Collective kind;
    Planned planned;
    auto operator<=>(const Use&) const = default;
  };
  Chosen choose(const collectives::CollectiveCall& call, const collectives::schedules::Call& read);
  Chosen as_configured(const collectives::schedules::Call& read) const;
  Planned planned(const collectives::CollectiveCall& call);
  Planned planned(const collectives::CollectiveCall& call, const collectives::schedules::Call& read);
  Collective kind_of(const collectives::CollectiveCall& call) const;

  const Program& program_;
  const hw::Platform& platform_;
  const std::span<const std::uint32_t> nodes_;
  const ReplayOptions& options_;
  std::string library_;
  std::shared_ptr<BestSchedules> best_;  // ideal only; null: nothing has been looked for yet
  std::deque<collectives::CollectivePlan> plans_;
  std::map<std::string, Planned> known_;             // equal calls share a plan
  std::vector<std::vector<std::uint32_t>> by_comm_;  // plans by number
  std::map<Use, std::uint64_t> uses_;                // number of calls
};

// Whether some collective has another algorithm with these options than with those.
bool collectives_differ(const Program& program, const hw::Platform& platform, const ReplayOptions& these,
                        const ReplayOptions& those);

}  // namespace plumbline::replay
