#include "bench/ranks/runtime/overlap.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

// Arithmetic that touches no memory: each step waits for the last one.
void compute_steps(std::uint64_t steps) {
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < steps; ++i) {
    value = value * 6364136223846793005U + 1;
    asm volatile("" : "+r"(value));
  }
}

// Of a core that nobody takes away: the fastest of some attempts.
double steps_per_second() {
  static const double rate = [] {
    constexpr std::uint64_t kSteps = 50'000;
    std::int64_t fastest = INT64_MAX;
    for (int i = 0; i < 20; ++i) {
      const std::int64_t begin = now_ns();
      compute_steps(kSteps);
      fastest = std::min(fastest, now_ns() - begin);
    }
    return static_cast<double>(kSteps) / (static_cast<double>(fastest) * 1e-9);
  }();
  return rate;
}

// On every rank for as long as rank 0 found; `pieces` with a test between two.
struct Computation {
  std::uint64_t pieces = 1, steps_each = 0;

  int run(MPI_Request* request) const {
    int code = MPI_SUCCESS, done = 0;
    for (std::uint64_t i = 0; i < pieces; ++i) {
      compute_steps(steps_each);
      if (request != nullptr && i + 1 < pieces)
        code = first_failure({code, MPI_Test(request, &done, MPI_STATUS_IGNORE)});
    }
    return code;
  }
};

int wait_until_complete(MPI_Request& request) { return MPI_Wait(&request, MPI_STATUS_IGNORE); }

}  // namespace

double overlap_percent(double alone, double compute, double together) {
  const double shorter = std::min(alone, compute);
  if (!(shorter > 0)) return 0;
  return std::clamp(100 * (alone + compute - together) / shorter, 0.0, 100.0);
}

double measure_overlap(const Context& context, MPI_Comm comm, const Request& request, const Cell& named,
                       const StartOperation& start) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  const double share = number(request, kCompute.name);
  if (!(share >= 0 && share <= 1e6)) throw Error(request.operation, "'compute' is not between 0 and a million");
  const auto measure = [&](const char* phase, double compute_s, auto body) {
    Cell cell = named;
    cell.words[kPhase] = phase;
    cell.numbers["compute_s"] = compute_s;
    return measure_cell(comm, operation_of(phase, body), request.effort, std::move(cell));
  };

  const Cell alone = measure(kAlone, 0, [&](MPI_Comm) {
    MPI_Request handle = MPI_REQUEST_NULL;
    return first_failure({start(&handle), wait_until_complete(handle)});
  });
  context.give(alone);
  double compute_s = share * median_time(alone);
  must(MPI_Bcast(&compute_s, 1, MPI_DOUBLE, 0, comm));

  const std::uint64_t pieces = count(request, kTests.name) + 1;
  const double steps = compute_s * steps_per_second() / static_cast<double>(pieces);
  const Computation computation{pieces, static_cast<std::uint64_t>(std::llround(steps))};
  const Cell compute = measure(kPhaseOfComputing, compute_s, [&](MPI_Comm) { return computation.run(nullptr); });
  context.give(compute);

  Cell together = measure(kTogether, compute_s, [&](MPI_Comm) {
    MPI_Request handle = MPI_REQUEST_NULL;
    const int code = first_failure({start(&handle), computation.run(&handle)});
    return first_failure({code, wait_until_complete(handle)});
  });
  together.numbers["overlap_percent"] =
      overlap_percent(median_time(alone), median_time(compute), median_time(together));
  context.give(together);
  return median_time(alone);
}

}  // namespace plumbline::bench
