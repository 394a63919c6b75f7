// Post, start, complete and wait (MPI 4.0, 12.5.2): the n-th start of an origin that names a target belongs to the n-th
// post of the target that names the origin; likewise complete and wait.

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "viewer/index/matches/match_parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::Operation;
using replay::OpKind;
using replay::Program;
using replay::RankProgram;

struct Pair {
  std::uint32_t window = 0, origin = 0, target = 0;
  auto operator<=>(const Pair&) const = default;
};

// In the order in which they were made.
struct Epochs {
  std::vector<std::uint32_t> posts, completes;
  std::size_t starts = 0, waits = 0;  // that have had theirs
};

class WindowGroups {
 public:
  WindowGroups(const Program& program, Matches& matches) : program_(program), matches_(matches) {}

  void run() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) walk(rank, &WindowGroups::offer);
    if (epochs_.empty()) return;
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) walk(rank, &WindowGroups::take);
  }

 private:
  // Calls visit(operation, what opened its epoch) for each of the four.
  void walk(std::uint32_t rank, void (WindowGroups::*visit)(OperationId, const Operation&)) {
    const RankProgram& own = program_.rank(rank);
    std::map<std::uint32_t, std::uint32_t> started, posted;  // by window
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if (op.kind == OpKind::kWinStart) started[op.comm] = i;
      if (op.kind == OpKind::kWinPost) posted[op.comm] = i;
      if (op.kind == OpKind::kWinStart || op.kind == OpKind::kWinPost) (this->*visit)({rank, i}, op);
      if (op.kind != OpKind::kWinComplete && op.kind != OpKind::kWinWait) continue;
      const auto& opened = op.kind == OpKind::kWinComplete ? started : posted;
      if (const auto by = opened.find(op.comm); by != opened.end())
        (this->*visit)({rank, i}, own.operations[by->second]);
    }
  }

  template <class Visit>
  void for_each_of_group(OperationId id, const Operation& opened_by, Visit visit) {
    const auto members = program_.comm(program_.windows()[opened_by.comm].comm).members;
    for (const std::uint32_t other : program_.rank(id.rank).group_of(opened_by)) {
      const bool is_origin = opened_by.kind == OpKind::kWinStart;
      visit(epochs_[Pair{opened_by.comm, is_origin ? id.rank : members[other], is_origin ? members[other] : id.rank}],
            members[other]);
    }
  }

  void offer(OperationId id, const Operation& opened_by) {
    const OpKind kind = kind_of(id);
    if (kind != OpKind::kWinPost && kind != OpKind::kWinComplete) return;
    for_each_of_group(id, opened_by, [&](Epochs& epochs, std::uint32_t) {
      (kind == OpKind::kWinPost ? epochs.posts : epochs.completes).push_back(id.operation);
    });
  }

  void take(OperationId id, const Operation& opened_by) {
    const OpKind kind = kind_of(id);
    OperationId& partner = matches_.ranks[id.rank].partner[id.operation];
    if (kind == OpKind::kWinStart)
      for_each_of_group(id, opened_by, [&](Epochs& epochs, std::uint32_t target) {
        if (const std::size_t n = epochs.starts++; n < epochs.posts.size())
          keep_later(partner, target, epochs.posts[n]);
      });
    if (kind == OpKind::kWinComplete)  // data may have to wait for the post as well
      for_each_of_group(id, opened_by, [&](Epochs& epochs, std::uint32_t target) {
        const std::size_t n = epochs.starts;
        if (n > 0 && n <= epochs.posts.size()) keep_later(partner, target, epochs.posts[n - 1]);
      });
    if (kind == OpKind::kWinWait)
      for_each_of_group(id, opened_by, [&](Epochs& epochs, std::uint32_t origin) {
        if (const std::size_t n = epochs.waits++; n < epochs.completes.size())
          keep_later(partner, origin, epochs.completes[n]);
      });
  }

  OpKind kind_of(OperationId id) const { return program_.rank(id.rank).operations[id.operation].kind; }
  Time begin(OperationId id) const { return program_.rank(id.rank).times[id.operation].begin; }

  void keep_later(OperationId& partner, std::uint32_t rank, std::uint32_t operation) const {
    const OperationId other{rank, operation};
    if (!partner.exists() || begin(other) > begin(partner)) partner = other;
  }

  const Program& program_;
  Matches& matches_;
  std::map<Pair, Epochs> epochs_;
};

}  // namespace

void match_window_groups(const Program& program, Matches& matches) {
  if (!program.windows().empty()) WindowGroups(program, matches).run();
}

}  // namespace plumbline::viewer
