// What the measuring library must do, tried inside of an MPI job. Delays are injected, so that the truth is known on
// any machine. What the times of repetitions are: methods_cases.cpp.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "bench/library/isolation.hpp"
#include "bench/library/plumbline/bench.h"
#include "bench/library/shared_clock.hpp"
#include "tests/bench/mpi_cases.hpp"

namespace {

using plumbline::bench::now_ns;
using plumbline::bench::SharedClock;
using plumbline::test::rank;
using plumbline::test::size;

void work_for(double seconds) {
  const std::int64_t end = now_ns() + static_cast<std::int64_t>(seconds * 1e9);
  while (now_ns() < end) usleep(0);  // lets others have the core
}

// Takes `shared` on every rank, and `extra` on the last one.
struct Delays {
  double shared = 0, extra = 0;
  int calls = 0, fails_at = -1;
};

int take_delays(void* state, MPI_Comm) {
  auto& delays = *static_cast<Delays*>(state);
  work_for(delays.shared + (rank == size - 1 ? delays.extra : 0));
  return delays.calls++ == delays.fails_at ? MPI_ERR_OTHER : MPI_SUCCESS;
}

plumbline_measured measure(const plumbline_settings& settings, Delays& delays,
                           int (*execute)(void*, MPI_Comm) = take_delays, int expected = MPI_SUCCESS) {
  plumbline_operation operation{};
  operation.name = "delays";
  operation.execute = execute;
  operation.state = &delays;
  plumbline_measured measured{};
  const int code = plumbline_measure(MPI_COMM_WORLD, &operation, 0, &settings, &measured);
  EXPECT(code == expected, "{} instead of {}", code, expected);
  return measured;
}

plumbline_settings few() {
  plumbline_settings settings = plumbline_default_settings();
  settings.least = 10;
  settings.most = 20;
  settings.budget = 20;
  return settings;
}

// Rank 0 knows every repetition of every rank.
void ranks() {
  Delays delays{0.2e-3, 2e-3};
  plumbline_measured found = measure(few(), delays);
  EXPECT(found.ranks == static_cast<unsigned>(size), "{}", found.ranks);
  EXPECT((found.of_ranks != nullptr) == (rank == 0), "on rank 0 only");
  EXPECT(found.least >= delays.shared + delays.extra, "max is the slow rank's: {}", found.least);
  for (std::uint32_t i = 0; i < found.repetitions && rank == 0; ++i) {
    const double* of = found.of_ranks + static_cast<std::size_t>(i) * found.ranks;
    EXPECT(of[size - 1] >= delays.shared + delays.extra, "{}", of[size - 1]);
    EXPECT(std::abs(found.seconds[i] - *std::max_element(of, of + size)) < 1e-12, "{}", found.seconds[i]);
  }
  plumbline_free_measured(&found);
}

void stopping() {
  plumbline_settings settings = few();
  settings.stop = PLUMBLINE_STOP_COUNT;
  settings.most = 17;
  Delays delays{1e-5};
  plumbline_measured found = measure(settings, delays);
  EXPECT(found.valid == 17, "{}", found.valid);
  plumbline_free_measured(&found);

  settings = few();
  settings.most = 100000;
  settings.precision = 1e-9;  // never
  settings.budget = 0.3;
  const std::int64_t begin = now_ns();
  found = measure(settings, delays);
  EXPECT(found.reached == 0 && found.valid >= 10, "{}", found.valid);
  EXPECT(found.valid < 100000, "the budget ends it after {} s", static_cast<double>(now_ns() - begin) * 1e-9);
  plumbline_free_measured(&found);

  settings.precision = 1e6;  // at once, whatever disturbs it
  found = measure(settings, delays);
  EXPECT(found.reached == 1 && found.valid == 10, "{}", found.valid);
  plumbline_free_measured(&found);
}

void windows() {
  plumbline_settings settings = few();
  settings.isolation = PLUMBLINE_ISOLATION_WINDOW;
  Delays delays{1e-4};
  plumbline_measured found = measure(settings, delays);
  EXPECT(found.valid >= 1 && found.window >= delays.shared, "{} valid, window {}", found.valid, found.window);
  plumbline_free_measured(&found);

  settings.window = 2e-5;  // a fifth of what the operation takes
  settings.most = 10;
  found = measure(settings, delays);
  EXPECT(found.valid == 0 && found.repetitions > 0, "{} of {}", found.valid, found.repetitions);
  for (std::uint32_t i = 0; rank == 0 && i < found.repetitions; ++i)
    EXPECT((found.flags[i] & (PLUMBLINE_STARTED_LATE | PLUMBLINE_TOO_LONG)) != 0, "repetition {}", i);
  plumbline_free_measured(&found);

  settings = few();
  settings.isolation = PLUMBLINE_ISOLATION_ROUND_TIME;
  settings.timing = PLUMBLINE_TIMING_GLOBAL;
  found = measure(settings, delays);
  EXPECT(found.valid >= 1 && found.least >= delays.shared, "{} valid, {}", found.valid, found.least);
  plumbline_free_measured(&found);
}

// An error on one rank is an error on all of them, and nobody hangs.
void failures() {
  Delays delays{1e-5};
  if (rank == size - 1) delays.fails_at = 5;
  measure(few(), delays, take_delays, MPI_ERR_OTHER);
  plumbline_settings wrong = few();
  wrong.root = size;
  measure(wrong, delays, take_delays, PLUMBLINE_BAD_SETTING);
  wrong = few();
  wrong.least = wrong.most + 1;
  measure(wrong, delays, take_delays, PLUMBLINE_BAD_SETTING);
  measure(few(), delays, nullptr, PLUMBLINE_BAD_SETTING);
}

// Nobody leaves before the last has come. One node: one clock.
void barrier() {
  for (int round = 0; round < 20; ++round) {
    work_for(1e-4 * ((rank + round) % size));
    std::int64_t come = now_ns();
    plumbline::bench::dissemination_barrier(MPI_COMM_WORLD);
    std::int64_t left = now_ns();
    MPI_Allreduce(MPI_IN_PLACE, &come, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    EXPECT(left >= come, "left {} ns before the last came", come - left);
  }
}

// Clocks that are wrong by a second and 50 ppm, compared over ways that are slower in one direction: readings stay
// within the bound that is said. The truth is the clock of the machine.
void clocks() {
  const std::int64_t origin = [] {
    std::int64_t now = now_ns();
    MPI_Bcast(&now, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    return now;
  }();
  const double ppm = rank % 2 == 0 ? 50e-6 : -50e-6;
  const std::int64_t ahead = rank * std::int64_t{1'000'000'000};
  const auto wrong = [&](std::int64_t now) {
    return now + ahead + std::llround(ppm * static_cast<double>(now - origin));
  };
  plumbline::bench::OwnClock own;
  own.read = [&] {
    if (rank % 3 == 1) usleep(20);  // answers and questions of this one are slow to begin
    return wrong(now_ns());
  };
  own.name = static_cast<std::uint64_t>(rank);
  SharedClock clock(MPI_COMM_WORLD, 2000, own);
  std::vector<std::int64_t> moments;
  for (int round = 0; round < 6; ++round) {
    clock.synchronise();
    if (round < 5) moments.push_back(now_ns());
    usleep(50'000);
  }
  const double bound = clock.bound_ns();
  for (const std::int64_t moment : moments) {
    // The shared clock is that of rank 0, which is wrong by 50 ppm itself.
    const std::int64_t truth = moment + std::llround(50e-6 * static_cast<double>(moment - origin));
    const double error = static_cast<double>(clock.shared(wrong(moment)) - truth);
    EXPECT(std::abs(error) <= bound, "{} ns, bound {}", error, bound);
    EXPECT(std::abs(clock.own(clock.shared(wrong(moment))) - wrong(moment)) <= 1, "the inverse");
  }
  if (rank == 0) fmt::print("bound {:.0f} ns\n", bound);
}

// Ranks of one clock need no comparison.
void one_node() {
  SharedClock clock(MPI_COMM_WORLD, 1000);
  clock.synchronise();
  EXPECT(clock.shared(12345) == 12345, "{}", clock.shared(12345));
  EXPECT(clock.bound_ns() == 0, "{}", clock.bound_ns());
}

}  // namespace

int main(int argc, char** argv) {
  return plumbline::test::run_cases(argc, argv,
                                    {{"ranks", ranks},
                                     {"stopping", stopping},
                                     {"windows", windows},
                                     {"failures", failures},
                                     {"barrier", barrier},
                                     {"clocks", clocks},
                                     {"one_node", one_node}});
}
