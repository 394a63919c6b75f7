// The times that each method of timing gives, against what they are by its definition: for every repetition, from
// moments that a witness saw on the one clock of the machine. What the witness does not know is when exactly the
// library read the clock, between two of these moments; within that, no time may be wrong, on however busy a machine.

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/statistics/order.hpp"
#include "bench/library/mpi_calls.hpp"
#include "bench/library/plumbline/bench.h"
#include "tests/bench/library/witness.hpp"
#include "tests/bench/mpi_cases.hpp"

namespace {

using plumbline::bench::now_ns;
using plumbline::test::rank;
using plumbline::test::Seen;
using plumbline::test::size;

constexpr std::int64_t kDelay_ns = 300'000;

struct Range {
  double least = 0, most = 0;  // ns
};

// Between which moments the library read the clock, before and behind one execution on one rank.
struct Readings {
  std::int64_t begin_least = 0, begin_most = 0, end_least = 0, end_most = 0;

  Range length() const {
    return {static_cast<double>(end_least - begin_most), static_cast<double>(end_most - begin_least)};
  }
};

// Of each execution. `confirmed`: the call behind it, a barrier or what receives an acknowledgement, belongs to its
// time.
std::vector<Readings> readings_of(std::span<const Seen> seen, bool confirmed) {
  std::vector<Readings> all;
  for (std::size_t i = 1; i + 2 < seen.size(); ++i) {
    if (seen[i].what != Seen::What::kOperation) continue;
    const std::size_t last = confirmed ? i + 1 : i;
    all.push_back({seen[i - 1].end, seen[i].begin, seen[last].end, seen[last + 1].begin});
  }
  return all;
}

// What the library takes off for a barrier: the median of those that it measures before the first execution. The last
// one before that execution isolates it.
Range measured_barrier(std::span<const Seen> seen) {
  std::vector<double> least, most;
  for (std::size_t i = 1; i + 1 < seen.size() && seen[i].what != Seen::What::kOperation; ++i) {
    if (seen[i].what != Seen::What::kBarrier || seen[i + 1].what == Seen::What::kOperation) continue;
    least.push_back(static_cast<double>(seen[i].end - seen[i].begin));
    most.push_back(static_cast<double>(seen[i + 1].begin - seen[i - 1].end));
  }
  EXPECT(!least.empty(), "no barrier was measured");
  if (least.empty()) return {};
  return {plumbline::statistics::median(least), plumbline::statistics::median(most)};
}

// Likewise for the way of an acknowledgement from each rank but 0: half of the median of the ways there and back that
// the library made before the first execution, of one rank after the other.
std::vector<Range> measured_ways(std::span<const Seen> seen) {
  std::vector<double> least, most;
  for (std::size_t i = 2; i + 1 < seen.size() && seen[i].what != Seen::What::kOperation; ++i) {
    if (seen[i].what != Seen::What::kReceive) continue;
    least.push_back(static_cast<double>(seen[i].end - seen[i - 1].begin));
    most.push_back(static_cast<double>(seen[i + 1].begin - seen[i - 2].end));
  }
  const std::size_t ranks = static_cast<std::size_t>(size) - 1, each = least.size() / ranks;
  EXPECT(each > 0 && least.size() % ranks == 0, "{} ways of {} ranks", least.size(), ranks);
  std::vector<Range> ways;
  for (std::size_t r = 0; each > 0 && r < ranks; ++r) {
    const auto of_rank = [&](const std::vector<double>& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(r * each);
      return plumbline::statistics::median(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(each))) / 2;
    };
    ways.push_back({of_rank(least), of_rank(most)});
  }
  return ways;
}

Range longest_of(std::span<const Readings> ranks) {
  Range longest;
  for (const Readings& each : ranks)
    longest = {std::max(longest.least, each.length().least), std::max(longest.most, each.length().most)};
  return longest;
}

Range from_first_begin_to_last_end(std::span<const Readings> ranks) {
  Readings all = ranks.front();
  for (const Readings& each : ranks)
    all = {std::min(all.begin_least, each.begin_least), std::min(all.begin_most, each.begin_most),
           std::max(all.end_least, each.end_least), std::max(all.end_most, each.end_most)};
  return all.length();
}

struct Method {
  plumbline_timing timing;
  const char* name;
};

// The time of a repetition, by docs/models/measuring.md.
Range by_definition(plumbline_timing timing, std::span<const Readings> ranks, const Range& barrier) {
  if (timing == PLUMBLINE_TIMING_MAX) return longest_of(ranks);
  if (timing == PLUMBLINE_TIMING_GLOBAL) return from_first_begin_to_last_end(ranks);
  const Range root = ranks.front().length();
  return {root.least - barrier.most, root.most - barrier.least};
}

// Rank 0: of each repetition those of all ranks.
std::vector<std::vector<Readings>> gathered(const std::vector<Readings>& own) {
  constexpr int kNumbers = sizeof(Readings) / sizeof(std::int64_t);
  const int count = static_cast<int>(own.size()) * kNumbers;
  std::vector<Readings> all(rank == 0 ? own.size() * static_cast<std::size_t>(size) : 0);
  PMPI_Gather(own.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, 0, MPI_COMM_WORLD);
  std::vector<std::vector<Readings>> of_repetitions(rank == 0 ? own.size() : 0);
  for (std::size_t at = 0; at < all.size(); ++at) of_repetitions[at % own.size()].push_back(all[at]);
  return of_repetitions;
}

// A broadcast whose root comes late by a known delay.
int late_broadcast(void* state, MPI_Comm comm) {
  const int late = *static_cast<const int*>(state);
  plumbline::test::watch_operation([&] {
    const std::int64_t end = now_ns() + kDelay_ns;
    while (rank == late && now_ns() < end) {
    }
    int number = 0;
    PMPI_Bcast(&number, 1, MPI_INT, late, comm);
  });
  return MPI_SUCCESS;
}

plumbline_measured measure(plumbline_timing timing, int late) {
  plumbline_settings settings = plumbline_default_settings();
  settings.timing = timing;
  settings.stop = PLUMBLINE_STOP_COUNT;
  settings.least = settings.most = 40;
  settings.budget = 10;
  plumbline_operation operation{};
  operation.name = "late broadcast";
  operation.execute = late_broadcast;
  operation.state = &late;
  plumbline_measured measured{};
  const int code = plumbline_measure(MPI_COMM_WORLD, &operation, 0, &settings, &measured);
  EXPECT(code == MPI_SUCCESS, "{}", code);
  return measured;
}

bool is_within(double seconds, const Range& truth) {
  constexpr double kRounding = 1;  // ns
  return seconds * 1e9 >= truth.least - kRounding && seconds * 1e9 <= truth.most + kRounding;
}

void print(const Method& method, int late, const plumbline_measured& found, const std::vector<Range>& truths) {
  std::vector<double> unknown;
  for (const Range& truth : truths) unknown.push_back(truth.most - truth.least);
  const double least = *std::ranges::min_element(unknown);
  fmt::print("{}, rank {} late: {:.1f} us ({:.1f} .. {:.1f}); the witness knew each to {:.0f} ns, the best to {:.0f}\n",
             method.name, late, found.median * 1e6, found.low * 1e6, found.high * 1e6,
             plumbline::statistics::median(unknown), least);
  EXPECT(least < 0.1 * kDelay_ns, "the witness knows too little to see a fault: {:.0f} ns", least);
}

void expect_definition(const Method& method, int late) {
  plumbline::test::begin_to_watch();
  plumbline_measured found = measure(method.timing, late);
  const std::vector<Seen> seen = plumbline::test::end_to_watch();
  const bool confirmed = method.timing == PLUMBLINE_TIMING_ROOT;
  std::vector<Readings> own = readings_of(seen, confirmed);
  if (own.size() < found.repetitions) throw std::runtime_error("the witness missed executions");
  own.erase(own.begin(), own.end() - static_cast<std::ptrdiff_t>(found.repetitions));  // warming up
  const Range barrier = confirmed ? measured_barrier(seen) : Range{};
  const std::vector<std::vector<Readings>> repetitions = gathered(own);
  std::vector<Range> truths;
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    const Range truth = by_definition(method.timing, repetitions[i], barrier);
    EXPECT(is_within(found.seconds[i], truth), "{}, rank {} late, repetition {}: {:.0f} ns, not {:.0f} to {:.0f}",
           method.name, late, i, found.seconds[i] * 1e9, truth.least, truth.most);
    EXPECT(confirmed || truth.least >= kDelay_ns, "{}: the delay is in it: {:.0f} ns", method.name, truth.least);
    for (std::size_t r = 0; r < repetitions[i].size(); ++r) {
      const Range of_rank = repetitions[i][r].length();
      const double seconds = found.of_ranks[i * repetitions[i].size() + r];
      EXPECT(is_within(seconds, of_rank), "{}, repetition {}: of rank {} {:.0f} ns, not {:.0f} to {:.0f}", method.name,
             i, r, seconds * 1e9, of_rank.least, of_rank.most);
    }
    truths.push_back(truth);
  }
  if (rank == 0) print(method, late, found, truths);
  plumbline_free_measured(&found);
}

// A repetition is an execution for each rank but 0, whose acknowledgement rank 0 waits for.
void expect_acknowledged() {
  const Method method{PLUMBLINE_TIMING_ACKNOWLEDGED, "acknowledged"};
  plumbline::test::begin_to_watch();
  plumbline_measured found = measure(method.timing, 0);
  const std::vector<Seen> seen = plumbline::test::end_to_watch();
  const auto others = static_cast<std::size_t>(size) - 1;
  std::vector<Range> truths;
  if (rank == 0) {
    const std::vector<Range> ways = measured_ways(seen);
    const std::vector<Readings> all = readings_of(seen, true);
    if (ways.size() < others || all.size() < found.repetitions * others)
      throw std::runtime_error("the witness missed executions");
    const Readings* execution = &all[all.size() - found.repetitions * others];
    for (std::size_t i = 0; i < found.repetitions; ++i) {
      Range longest;
      for (std::size_t other = 0; other < others; ++other, ++execution) {
        const Range until{execution->length().least - ways[other].most, execution->length().most - ways[other].least};
        const double seconds = found.of_ranks[i * found.ranks + other + 1];
        EXPECT(is_within(seconds, until), "repetition {}: of rank {} {:.0f} ns, not {:.0f} to {:.0f}", i, other + 1,
               seconds * 1e9, until.least, until.most);
        longest = {std::max(longest.least, until.least), std::max(longest.most, until.most)};
      }
      EXPECT(is_within(found.seconds[i], longest), "acknowledged, repetition {}: {:.0f} ns, not {:.0f} to {:.0f}", i,
             found.seconds[i] * 1e9, longest.least, longest.most);
      truths.push_back(longest);
    }
    print(method, 0, found, truths);
  }
  plumbline_free_measured(&found);
}

void definitions() {
  for (const Method& method : {Method{PLUMBLINE_TIMING_MAX, "max"}, Method{PLUMBLINE_TIMING_ROOT, "root"},
                               Method{PLUMBLINE_TIMING_GLOBAL, "global"}})
    for (const int late : {0, size - 1}) expect_definition(method, late);
  expect_acknowledged();
}

}  // namespace

int main(int argc, char** argv) { return plumbline::test::run_cases(argc, argv, {{"definitions", definitions}}); }
