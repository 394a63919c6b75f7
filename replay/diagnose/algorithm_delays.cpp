#include "replay/diagnose/algorithm_delays.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "replay/compare/result/excess.hpp"
#include "replay/compare/tally.hpp"

namespace plumbline::replay {
namespace {

// The same collective call on all its ranks.
struct Call {
  Time ideal{std::numeric_limits<std::int64_t>::min()}, as_run = ideal;  // when its last rank is done
  CallPlace place;                                                       // of the last one by as-run
};

class Delays {
 public:
  Delays(const Program& observed, const Expected& expected) : observed_(observed), expected_(expected) {}

  std::map<CallPlace, TimeSum> run() {
    for (std::uint32_t rank = 0; rank < observed_.ranks(); ++rank) add_rank(rank);
    std::map<CallPlace, TimeSum> delays;
    for (const auto& [comm, calls] : calls_)
      for (const Call& call : calls) delays[call.place] += call.as_run - call.ideal;
    return delays;
  }

 private:
  // All ranks of a communicator call its collectives in the same order (MPI 3.1, 5.12).
  void add_rank(std::uint32_t rank) {
    const RankProgram& program = observed_.rank(rank);
    std::unordered_map<std::uint32_t, std::size_t> seen;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      const Operation& operation = program.operations[i];
      if (!is_data_collective(operation.kind)) continue;
      Column<Call>& calls = calls_.try_emplace(operation.comm, expected_.scratch).first->second;
      const std::size_t number = seen[operation.comm]++;
      if (number == calls.size()) calls.emplace_back();
      add(rank, i, calls[number]);
    }
  }

  void add(std::uint32_t rank, std::size_t i, Call& call) const {
    const OperationTimes& times = observed_.rank(rank).times[i];
    const ExpectedRank& columns = expected_.ranks[rank];
    Time ideal = times.end, as_run = times.end;
    if (reason_not_judged(observed_, expected_, rank, i).empty()) {
      const Duration took = times.end - times.begin;
      ideal = times.begin + columns.upper[i];
      as_run = ideal + excess_of(took, columns.lower[i], columns.upper[i], columns.as_run_upper[i]).structure;
    }
    call.ideal = std::max(call.ideal, ideal);
    if (as_run <= call.as_run) return;
    const Operation& operation = observed_.rank(rank).operations[i];
    call.as_run = as_run;
    call.place = {operation.call, operation.site};
  }

  const Program& observed_;
  const Expected& expected_;
  std::unordered_map<std::uint32_t, Column<Call>> calls_;  // by communicator
};

}  // namespace

std::map<CallPlace, TimeSum> delays_by_algorithms(const Program& observed, const Expected& expected) {
  return Delays(observed, expected).run();
}

}  // namespace plumbline::replay
