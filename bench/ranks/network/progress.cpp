// Whether a message goes on while its ranks compute: alone, the computation alone, both together, and with MPI_Test.

#include "base/statistics/order.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kProgressParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"tests", "calls of MPI_Test during a computation, in \"tested\"", "32"},
    {"seconds", "for each of the four parts of a size", "1"},
};

// A fixed amount of arithmetic, not a time: who takes the processor away makes it longer.
double work(std::uint64_t steps) {
  volatile double x = 1;
  for (std::uint64_t i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

double step_ns() {
  std::vector<double> each;
  for (int i = 0; i < 9; ++i) {
    constexpr std::uint64_t kSteps = 20'000;
    const std::int64_t begin = now_ns();
    work(kSteps);
    each.push_back(static_cast<double>(since_ns(begin)) / kSteps);
  }
  return statistics::median(each);
}

struct Overlap {
  std::uint64_t bytes = 0, steps = 0;
  std::uint64_t tests = 0;  // 0: none
  bool transfer = true;
};

void compute(const Overlap& of, MPI_Request& request) {
  if (of.tests == 0) {
    work(of.steps);
    return;
  }
  for (std::uint64_t i = 0; i < of.tests; ++i) {
    work(of.steps / of.tests);
    int done = 0;
    must(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  }
}

// From when both have begun until the leader knows that the other one has finished. The receive is posted by then.
double once(RankPair& pair_of_ranks, const Overlap& of) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (pair_of_ranks.leads()) {
    pair_of_ranks.receive(0);
    const std::int64_t begin = now_ns();
    if (of.transfer) request = pair_of_ranks.isend(of.bytes);
    compute(of, request);
    must(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (of.transfer) pair_of_ranks.receive(0);
    return static_cast<double>(since_ns(begin)) * 1e-9;
  }
  if (of.transfer) request = pair_of_ranks.irecv(of.bytes);
  pair_of_ranks.send(0);
  compute(of, request);
  must(MPI_Wait(&request, MPI_STATUS_IGNORE));
  if (of.transfer) pair_of_ranks.send(0);
  return 0;
}

class Parts {
 public:
  Parts(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Found& found)
      : request_(request),
        ranks_(pair_of_ranks),
        pair_(pair),
        found_(found),
        effort_(within(request.effort, number(request, "seconds"))),
        step_ns_(step_ns()) {}

  void measure(std::uint64_t size) {
    const double alone = ranks_.told(record("alone", {size, 0, 0, true}, 0));
    const auto steps = static_cast<std::uint64_t>(alone * 1e9 / step_ns_);  // each rank its own
    record("computing", {size, steps, 0, false}, alone);
    record("together", {size, steps, 0, true}, alone);
    record("tested", {size, steps, count(request_, "tests", 1), true}, alone);
  }

 private:
  double record(std::string_view part, const Overlap& overlap, double computing) {
    const Samples samples = repeat(ranks_, effort_, [&] { return Once{once(ranks_, overlap), 0}; });
    if (!ranks_.leads()) return 0;
    Cell cell = cell_of_pair(request_, pair_, overlap.bytes, part);
    cell.numbers["compute_ns"] = computing * 1e9;
    if (overlap.tests > 0) cell.numbers["tests"] = static_cast<double>(overlap.tests);
    fill(cell, effort_, samples.seconds, samples.reached);
    found_.cells.push_back(std::move(cell));
    return statistics::median(samples.seconds);
  }

  const Request& request_;
  RankPair& ranks_;
  const Pair& pair_;
  Found& found_;
  Effort effort_;
  double step_ns_;
};

void measure_progress(const Context& context, const Request& request) {
  count(request, "tests", 1);
  measure_pairs(context, pairs_asked_for(request, context.places), largest_of(request),
                [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
                  Parts parts(request, pair_of_ranks, pair, found);
                  for (const std::uint64_t size : sizes_of(request)) parts.measure(size);
                });
}

}  // namespace

const Family kProgress = {"progress",          "whether a message goes on while its ranks compute",
                          "a message",         kOnlyLibrary,
                          kProgressParameters, 2,
                          measure_progress};

}  // namespace plumbline::bench::network
