// What the viewer's analyses cost: to match operations, to fold ranks, and to answer for a whole run.
// Usage: viewer_analyses_bench [operations] [ranks]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

#include "replay/compare/compare.hpp"
#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"
#include "viewer/index/aggregates/efficiency.hpp"
#include "viewer/index/aggregates/profile.hpp"
#include "viewer/index/aggregates/ranking.hpp"
#include "viewer/index/aggregates/waterfall.hpp"
#include "viewer/index/filter/select.hpp"
#include "viewer/index/lanes/folds.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/waits/critical_path.hpp"

namespace plumbline::viewer {
namespace {

using perf::cpu_seconds;
using replay::OpKind;

constexpr std::uint32_t kRound = 31;  // ten times receive, send, wait, and a reduction

template <class Work>
void measure(std::string_view what, double operations, Work work) {
  const double before = cpu_seconds();
  work();
  const double seconds = cpu_seconds() - before;
  fmt::print("{:44} {:8.3f} s CPU, {:7.1f} million operations/s\n", what, seconds, operations * 1e-6 / seconds);
}

// A ring: each rank receives from its left, sends to its right, and waits; every tenth time all meet.
class Ring {
 public:
  Ring(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t each) : builder_(file), ranks_(ranks) {
    std::vector<std::uint32_t> world(ranks);
    std::iota(world.begin(), world.end(), 0U);
    builder_.comm(world);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) add_rank(rank, each);
  }

  replay::Program take() { return builder_.finish(); }

 private:
  void add_rank(std::uint32_t rank, std::uint32_t each) {
    builder_.begin_rank(builder_.node(fmt::format("n{}", rank / 64)), 64);
    std::mt19937_64 random(rank);
    Time now;
    for (std::uint32_t i = 0; i < each; ++i) {
      now += nanoseconds(500 + static_cast<std::int64_t>(random() % 1000));
      const Time begin = now;
      now += nanoseconds(300 + static_cast<std::int64_t>(random() % 3000));
      builder_.add(operation(rank, i), {begin, now});
    }
    builder_.end_rank(1);
  }

  replay::Operation operation(std::uint32_t rank, std::uint32_t i) {
    if (i % kRound == kRound - 1) {
      const std::uint32_t tail = builder_.add(replay::CollectiveTail{});
      return {.kind = OpKind::kCollective,
              .call = builder_.call("MPI_Allreduce"),
              .comm = 0,
              .tag = static_cast<std::int32_t>(replay::Collective::kAllreduce),
              .extra = tail,
              .bytes = 8};
    }
    const auto to = static_cast<std::int32_t>((rank + 1) % ranks_),
               from = static_cast<std::int32_t>((rank + ranks_ - 1) % ranks_);
    switch (i % kRound % 3) {
      case 0:
        return {.kind = OpKind::kIrecv,
                .call = builder_.call("MPI_Irecv"),
                .comm = 0,
                .peer = from,
                .extra = 0,
                .bytes = 4096};
      case 1:
        return {.kind = OpKind::kSend, .call = builder_.call("MPI_Send"), .comm = 0, .peer = to, .bytes = 4096};
      default:
        return {.kind = OpKind::kWait, .flags = replay::kNoRequestList, .call = builder_.call("MPI_Wait"), .extra = 0};
    }
  }

  replay::ProgramBuilder builder_;
  const std::uint32_t ranks_;
};

// Three ranks are slower than the others by a tenth of the run.
Runs make_runs(const std::filesystem::path& directory, std::uint32_t ranks, std::uint32_t each) {
  Runs runs{.observed = Ring(directory / "program", ranks, each).take(), .expected = {}, .comparison = {}};
  replay::Expected& expected = runs.expected.emplace();
  expected.scratch = scratch_in(directory);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    replay::ExpectedRank& columns = expected.ranks.emplace_back(replay::columns_in(expected.scratch));
    const bool is_slow = rank == 1 || rank == ranks / 2 || rank + 1 == ranks;
    for (const replay::OperationTimes& times : runs.observed.rank(rank).times) {
      const Duration observed = times.end - times.begin;
      const Duration upper{observed.ps / (is_slow ? 2 : 1)};
      columns.free.push_back({times.begin, times.begin + upper});
      for (auto* column : {&columns.lower, &columns.upper, &columns.as_run, &columns.as_run_upper})
        column->push_back(upper);
      columns.band.push_back(Duration{observed.ps / 20});
      columns.ideal_io.push_back(0);
      columns.not_judged.push_back(replay::kNone);
    }
  }
  runs.comparison = replay::compare(runs.observed, expected);
  return runs;
}

void run(std::uint32_t ranks, std::uint32_t each) {
  each = std::max(each / kRound, 1U) * kRound;
  const test::TemporaryDirectory directory;
  const Runs runs = make_runs(directory.path(), ranks, each);
  const double operations = static_cast<double>(ranks) * each;
  const Span span = span_of(runs.observed);
  const TimeRange whole{span.begin, span.begin + span.length};
  std::vector<std::uint32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0U);
  Matches matches;
  Folds folds;
  measure("match", operations, [&] { matches = match_operations(runs.observed, runs.expected->scratch); });
  measure("fold ranks", operations, [&] { folds = fold_ranks(runs); });
  fmt::print("{} folds of {} ranks; {} unmatched\n", folds.folds.size(), ranks, matches.unmatched);
  for (const char* text : {"call == MPI_Send & bytes > 1MiB", "rank in 0-3,7", "own > 1ms", "kind == wait", "peer == 3",
                           "observed > 3us & !send"})
    measure(fmt::format("count {}", text), operations, [&] { count(runs, Selection(runs, text)); });
  measure("next hit of nothing", operations, [&] { next_hit(runs, Selection(runs, "own > 1h"), {}); });
  measure("hits and ticks", operations, [&] { hits_of(runs, Selection(runs, "send"), 4096); });
  measure("200 worst", operations, [&] { ranked(runs, Selection(runs, ""), whole, all, SortBy::kOwn, 0, 200); });
  measure("waterfall", operations, [&] { time_parts_of(runs, whole, all); });
  measure("profile", operations, [&] { profile_of(runs, whole, all); });
  measure("efficiency", operations, [&] { efficiency_of(runs, matches, whole, 256); });
  measure("critical path", operations, [&] { critical_path_of(runs, matches, TimesOf::kObserved, 10'000); });
  measure("critical path of the free run", operations,
          [&] { critical_path_of(runs, matches, TimesOf::kFree, 10'000); });
}

}  // namespace
}  // namespace plumbline::viewer

int main(int argc, char** argv) {
  const std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const auto ranks = static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 64);
  plumbline::viewer::run(ranks, static_cast<std::uint32_t>(operations / ranks));
}
