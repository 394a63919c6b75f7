// What the measuring library adds to a timed repetition: an operation that does nothing, on a communicator of this
// process alone. Processor time, so that other programs on the machine do not count; the median of many batches. What
// is between repetitions, the isolation, is measured by itself and taken off.

#include <fmt/format.h>
#include <mpi.h>

#include <ctime>
#include <vector>

#include "base/statistics/order.hpp"
#include "bench/library/plumbline/choose.h"
#include "bench/library/repetitions.hpp"

namespace {

using namespace plumbline::bench;

constexpr std::uint32_t kRepetitions = 1000;  // of a batch
constexpr int kBatches = 300;

double processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Of one of kRepetitions that `batch` makes.
template <class Batch>
double median_of(Batch batch) {
  std::vector<double> each;
  for (int i = 0; i < kBatches; ++i) {
    const double begin = processor_ns();
    batch();
    each.push_back((processor_ns() - begin) / kRepetitions);
  }
  return plumbline::statistics::median(each);
}

int do_nothing(void*, MPI_Comm) { return MPI_SUCCESS; }

// The library's broadcast of eight bytes, called by itself and through the chooser.
void print_chooser() {
  plumbline_chooser* chooser = nullptr;
  must(plumbline_make_chooser(MPI_COMM_SELF, PLUMBLINE_WITH_OURS, &chooser));
  double number = 0;
  const double alone = median_of([&] {
    for (std::uint32_t i = 0; i < kRepetitions; ++i) MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_SELF);
  });
  const double chosen = median_of([&] {
    for (std::uint32_t i = 0; i < kRepetitions; ++i) plumbline_bcast(&number, 1, MPI_DOUBLE, 0, chooser);
  });
  fmt::print("  added to a call by the chooser {:.1f} ns\n", chosen - alone);
  plumbline_free_chooser(chooser);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  plumbline_operation operation{};
  operation.name = "nothing";
  operation.execute = do_nothing;
  const plumbline_settings settings = plumbline_default_settings();
  {
    const OwnComm comm(MPI_COMM_SELF);
    Isolation isolation(comm, settings.isolation, nullptr);
    Repetitions repetitions(comm, comm, operation, settings, nullptr);
    Times times;
    const double whole = median_of([&] { times = repetitions.run(kRepetitions, 0); });
    const double isolated = median_of([&] {
      for (std::uint32_t i = 0; i < kRepetitions; ++i) isolation.await();
    });
    const double stamp = median_of([] {
      for (std::uint32_t i = 0; i < kRepetitions; ++i) now_ns();
    });
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    const std::string_view name(version);
    fmt::print("{}\n", name.substr(0, name.find_first_of(",\n")));
    fmt::print("  added to a repetition {:6.1f} ns (aim: under 50), of which two readings of the clock {:.1f} ns\n",
               whole - isolated, 2 * stamp);
    fmt::print("  in the time itself    {:6.1f} ns: what nothing takes\n",
               plumbline::statistics::median(times.seconds) * 1e9);
    fmt::print("  the isolation alone   {:6.1f} ns: a barrier of one rank\n", isolated);
  }
  print_chooser();
  MPI_Finalize();
}
