// What three methods of timing say of one operation: a broadcast whose root is late by a known delay. They take turns,
// so that what the machine does meanwhile happens to all. By definition `global` is longer than `max` by what ranks
// begin apart, and `root` is wrong by what its barrier takes longer or shorter than those that were measured before. A
// turn is one value, its median, with barriers of its own: repetitions of one turn resemble each other.

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/statistics/order.hpp"
#include "bench/library/mpi_calls.hpp"
#include "bench/library/plumbline/bench.h"

namespace {

using namespace plumbline::bench;
using plumbline::statistics::Interval;

constexpr std::int64_t kDelay_ns = 1'000'000;
constexpr std::uint32_t kTurns = 20, kRepetitions = 30;  // of each turn

struct Method {
  plumbline_timing timing;
  const char* name;
};
constexpr std::array kMethods = {Method{PLUMBLINE_TIMING_MAX, "max"}, Method{PLUMBLINE_TIMING_ROOT, "root"},
                                 Method{PLUMBLINE_TIMING_GLOBAL, "global"}};

int late_broadcast(void*, MPI_Comm comm) {
  const std::int64_t end = now_ns() + (rank_in(comm) == 0 ? kDelay_ns : 0);
  while (now_ns() < end) {
  }
  int number = 0;
  return MPI_Bcast(&number, 1, MPI_INT, 0, comm);
}

// Rank 0: the median of a turn, in seconds, is added to `times`.
void measure(plumbline_timing timing, std::vector<double>& times) {
  plumbline_settings settings = plumbline_default_settings();
  settings.timing = timing;
  settings.isolation = PLUMBLINE_ISOLATION_DISSEMINATION;
  settings.stop = PLUMBLINE_STOP_COUNT;
  settings.least = settings.most = kRepetitions;
  plumbline_operation operation{};
  operation.name = "late broadcast";
  operation.execute = late_broadcast;
  plumbline_measured measured{};
  must(plumbline_measure(MPI_COMM_WORLD, &operation, 0, &settings, &measured));
  if (measured.seconds != nullptr && measured.valid > 0) times.push_back(measured.median);
  plumbline_free_measured(&measured);
}

void print(const std::array<std::vector<double>, kMethods.size()>& times) {
  std::array<Interval, kMethods.size()> intervals;
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    if (times[m].empty()) {
      fmt::print("  {} gave no valid time\n", kMethods[m].name);
      return;
    }
    intervals[m] = plumbline::statistics::interval_of_median(times[m]);
    fmt::print("  {:<7} {:8.2f} us  ({:.2f} .. {:.2f}), {} turns of {}\n", kMethods[m].name,
               plumbline::statistics::median(times[m]) * 1e6, intervals[m].low * 1e6, intervals[m].high * 1e6,
               times[m].size(), kRepetitions);
  }
  for (std::size_t a = 0; a < kMethods.size(); ++a)
    for (std::size_t b = a + 1; b < kMethods.size(); ++b) {
      const double apart = std::max(intervals[a].low - intervals[b].high, intervals[b].low - intervals[a].high) * 1e6;
      fmt::print("  {} and {}: {}\n", kMethods[a].name, kMethods[b].name,
                 apart <= 0 ? "intervals overlap" : fmt::format("intervals are {:.2f} us apart", apart));
    }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::array<std::vector<double>, kMethods.size()> times;
  for (std::uint32_t turn = 0; turn < kTurns; ++turn)
    for (std::size_t m = 0; m < kMethods.size(); ++m) measure(kMethods[m].timing, times[m]);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    const std::string_view name(version);
    fmt::print("{}, {} ranks: a broadcast whose root is late by {} us\n", name.substr(0, name.find_first_of(",\n")),
               size_of(MPI_COMM_WORLD), kDelay_ns / 1000);
    print(times);
  }
  MPI_Finalize();
}
