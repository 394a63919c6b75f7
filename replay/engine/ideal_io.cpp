// The number of POSIX data operations of the ideal form, without a replay.

#include <algorithm>
#include <vector>

#include "replay/engine/access.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/io/collective_calls.hpp"
#include "replay/io/plan.hpp"

namespace plumbline::replay {
namespace {

class Count {
 public:
  Count(const Program& program, const hw::Platform& platform, const Scratch& scratch)
      : program_(program),
        platform_(platform),
        coverage_(program, platform),
        views_(program),
        nodes_(place_ranks(program, platform)),
        calls_(program,
               [this](const RankProgram& own, const Operation& op) {
                 return coverage_.file_system(op.comm).has_value() && coverage_.gathers(own, op);
               }),
        found_(scratch) {}

  Column<IdealIo> run() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) read(rank);
    for (std::uint32_t comm = 0; comm < program_.comms(); ++comm) collectives(comm);
    std::sort(found_.begin(), found_.end(), [](const IdealIo& a, const IdealIo& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.operation < b.operation;
    });
    return std::move(found_);
  }

 private:
  // Counts independent accesses.
  void read(std::uint32_t rank) {
    const RankProgram& own = program_.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if ((op.kind != OpKind::kIoRead && op.kind != OpKind::kIoWrite) || !(op.flags & kIoIsMpi)) continue;
      const std::optional<std::uint32_t> file_system = coverage_.file_system(op.comm);
      if (!file_system) continue;
      if (coverage_.gathers(own, op)) continue;
      const io::Footprint footprint = views_.footprint(own, op, 0);
      note(rank, i, io::best_accesses(platform_.file_systems[*file_system], access_of(op), footprint.runs));
    }
  }

  void collectives(std::uint32_t comm) {
    const auto members = program_.comm(comm).members;
    for (std::uint32_t call = 0; call < calls_.calls(comm); ++call) {
      std::vector<io::Member> now;
      for (std::uint32_t m = 0; m < members.size(); ++m)
        now.push_back({nodes_[members[m]], members[m], *calls_.operation(comm, m, call)});
      collective(now);
    }
  }

  void collective(const std::vector<io::Member>& members) {
    const Operation& op = program_.rank(members.front().world_rank).operations[members.front().operation];
    const io::CollectivePlan plan = io::plan_collective(platform_.file_systems[*coverage_.file_system(op.comm)],
                                                        access_of(op), io::parts_of(program_, views_, members));
    for (const io::Domain& domain : plan.domains)
      note(members[domain.aggregator].world_rank, members[domain.aggregator].operation, domain.accesses);
  }

  void note(std::uint32_t rank, std::uint32_t operation, const io::Accesses& accesses) {
    if (accesses.operations() > 0) found_.push_back({rank, operation, accesses.operations()});
  }

  const Program& program_;
  const hw::Platform& platform_;
  const ModelCoverage coverage_;
  const io::FileViews views_;
  const std::vector<std::uint32_t> nodes_;
  const io::CollectiveCalls calls_;
  Column<IdealIo> found_;
};

}  // namespace

Column<IdealIo> ideal_io(const Program& program, const hw::Platform& platform, const Scratch& scratch) {
  return Count(program, platform, scratch).run();
}

}  // namespace plumbline::replay
