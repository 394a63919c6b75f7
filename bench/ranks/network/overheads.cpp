// o_s(s) and o_r(s): a send that needs no receiver, and a receive of a message that is there. And what is left of a
// message when its send has waited for the receiver and returns.

#include <algorithm>

#include "bench/ranks/network/absence.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kOverheadsParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"seconds", "for one size; of longer calls there are six repetitions", "1"},
};
constexpr double kLate = 200e-6;
constexpr double kArrives =
    5e-6;  // at the earliest, however fast round trips are; the sender must hear of the last one

struct Calls {
  std::uint64_t bytes = 0;
  bool non_blocking = false;
  double arrives = 0;  // when the receiver looks for it, s
};

Samples calls(RankPair& pair_of_ranks, const Calls& of, const Effort& effort) {
  return repeat(pair_of_ranks, effort, [&] {
    if (pair_of_ranks.leads()) {
      MPI_Request request = MPI_REQUEST_NULL;
      const std::int64_t begin = now_ns();
      if (of.non_blocking)
        request = pair_of_ranks.isend(of.bytes);
      else
        pair_of_ranks.send(of.bytes);
      const double taken = static_cast<double>(since_ns(begin)) * 1e-9;
      must(MPI_Wait(&request, MPI_STATUS_IGNORE));
      return Once{taken, pair_of_ranks.reported(0.0)};
    }
    spin(static_cast<std::int64_t>(of.arrives * 1e9));
    const std::int64_t begin = now_ns();
    pair_of_ranks.receive(of.bytes);
    return Once{0, pair_of_ranks.reported(static_cast<double>(since_ns(begin)) * 1e-9)};
  });
}

// From when the send has returned until an answer to the message has come; its receive is posted before it is sent.
Samples rests(RankPair& pair_of_ranks, std::uint64_t bytes, const Effort& effort) {
  return repeat(pair_of_ranks, effort, [&] {
    if (pair_of_ranks.leads()) {
      pair_of_ranks.receive(0);
      pair_of_ranks.send(bytes);
      const std::int64_t begin = now_ns();
      pair_of_ranks.receive(0);
      return Once{static_cast<double>(since_ns(begin)) * 1e-9, 0};
    }
    MPI_Request request = pair_of_ranks.irecv(bytes);
    pair_of_ranks.send(0);
    must(MPI_Wait(&request, MPI_STATUS_IGNORE));
    pair_of_ranks.send(0);
    return Once{};
  });
}

void measure_rest(const Request& request, RankPair& pair_of_ranks, const Pair& pair, std::uint64_t size,
                  const Effort& effort, Found& found) {
  const Samples samples = rests(pair_of_ranks, size, effort);
  if (!pair_of_ranks.leads()) return;
  Cell cell = cell_of_pair(request, pair, size, "rest");
  fill(cell, effort, samples.seconds, samples.reached);
  found.cells.push_back(std::move(cell));
}

// Sends that would wait are only begun; their receives find the announcement.
void measure_pair(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Found& found) {
  std::vector<std::uint64_t> sizes = sizes_of(request);
  std::sort(sizes.begin(), sizes.end());
  const Effort effort = within(request.effort, number(request, "seconds"));
  bool waiting = false;
  for (const std::uint64_t size : sizes) {
    const double late = lateness(pair_of_ranks, size, kLate);
    if (!waiting)
      waiting =
          waits(pair_of_ranks,
                sends_to_absent(pair_of_ranks, size, Absence::kAway, late, counted(request.effort, kAskedOften)), late);
    const double arrives = std::max(kArrives, 4 * typical_trip(pair_of_ranks, waiting ? 1 : size));
    const Samples samples = calls(pair_of_ranks, {size, waiting, arrives}, effort);
    if (waiting) measure_rest(request, pair_of_ranks, pair, size, effort, found);
    if (!pair_of_ranks.leads()) continue;
    Cell sends = cell_of_pair(request, pair, size, waiting ? "isend" : "send");
    fill(sends, effort, samples.seconds, samples.reached);
    Cell receives = cell_of_pair(request, pair, size, "receive");
    fill(receives, effort, samples.others, false);
    found.cells.push_back(std::move(sends));
    found.cells.push_back(std::move(receives));
  }
}

void measure_overheads(const Context& context, const Request& request) {
  measure_pairs(context, pairs_asked_for(request, context.places), largest_of(request),
                [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
                  measure_pair(request, pair_of_ranks, pair, found);
                });
}

}  // namespace

const Family kOverheads = {"overheads",          "what send and receive calls take of the processor",
                           "a message",          kOnlyLibrary,
                           kOverheadsParameters, 2,
                           measure_overheads};

}  // namespace plumbline::bench::network
