// Two messages in opposite directions at once: whether the answer to one's own request waits behind the other's data.
// docs/models/serialised-rendezvous.md.

#include <array>

#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kOrderParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"seconds", "for the three parts of a size; of longer ones there are six repetitions", "1"},
};

// Where the leader is while the other one's request comes in. Alone: nobody asks, there is one message.
enum class Before : std::uint8_t { kAlone, kOutside, kTaken };

struct OrderPart {
  const char* name;
  Before before;
};
constexpr std::array<OrderPart, 3> kParts = {OrderPart{"alone", Before::kAlone}, OrderPart{"apart", Before::kOutside},
                                             OrderPart{"inside", Before::kTaken}};

// As MPI_Sendrecv: first the receive, so that a request that was taken is answered before the own one is sent.
void exchange(RankPair& pair_of_ranks, std::uint64_t bytes) {
  std::array<MPI_Request, 2> requests = {pair_of_ranks.irecv(bytes), pair_of_ranks.isend(bytes)};
  must(MPI_Waitall(requests.size(), requests.data(), MPI_STATUSES_IGNORE));
}

// From when the leader begins until it knows that the other one has all.
double lead(RankPair& pair_of_ranks, std::uint64_t bytes, Before before, std::int64_t late_ns) {
  pair_of_ranks.receive(0);
  if (before == Before::kOutside) spin(late_ns);
  if (before == Before::kTaken) pair_of_ranks.find();
  const std::int64_t begin = now_ns();
  if (before == Before::kAlone)
    pair_of_ranks.send(bytes);
  else
    exchange(pair_of_ranks, bytes);
  pair_of_ranks.receive(0);
  return static_cast<double>(since_ns(begin)) * 1e-9;
}

void follow(RankPair& pair_of_ranks, std::uint64_t bytes, Before before, std::int64_t late_ns) {
  if (before == Before::kAlone) {
    MPI_Request request = pair_of_ranks.irecv(bytes);
    pair_of_ranks.send(0);
    must(MPI_Wait(&request, MPI_STATUS_IGNORE));
  } else {
    pair_of_ranks.send(0);
    if (before == Before::kOutside) spin(late_ns / 2);  // what comes right behind the word is taken with it
    exchange(pair_of_ranks, bytes);
  }
  pair_of_ranks.send(0);
}

// The three in turn, so that what drifts falls on all alike. When to stop is decided by the last of them.
std::array<std::vector<double>, 3> times_of(RankPair& pair_of_ranks, std::uint64_t bytes, const Effort& effort,
                                            bool& reached) {
  constexpr double kTrips = 8;  // a request has come in by then
  const auto late_ns = static_cast<std::int64_t>(kTrips * typical_trip(pair_of_ranks, 1) * 1e9);
  std::array<std::vector<double>, 3> times;
  const Samples last = repeat(pair_of_ranks, effort, [&] {
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      if (pair_of_ranks.leads())
        times[i].push_back(lead(pair_of_ranks, bytes, kParts[i].before, late_ns));
      else
        follow(pair_of_ranks, bytes, kParts[i].before, late_ns);
    }
    return Once{pair_of_ranks.leads() ? times.back().back() : 0, 0};
  });
  for (std::vector<double>& each : times)  // what came first was to warm up
    if (pair_of_ranks.leads()) each.erase(each.begin(), each.end() - static_cast<std::ptrdiff_t>(last.seconds.size()));
  reached = last.reached;
  return times;
}

void measure_order_of_pair(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Found& found) {
  const Effort effort = within(request.effort, number(request, "seconds"));
  for (const std::uint64_t size : sizes_of(request)) {
    bool reached = false;
    const auto times = times_of(pair_of_ranks, size, effort, reached);
    for (std::size_t i = 0; pair_of_ranks.leads() && i < kParts.size(); ++i) {
      Cell cell = cell_of_pair(request, pair, size, kParts[i].name);
      fill(cell, effort, times[i], reached);
      found.cells.push_back(std::move(cell));
    }
  }
}

void measure_order(const Context& context, const Request& request) {
  measure_pairs(context, pairs_asked_for(request, context.places), largest_of(request),
                [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
                  measure_order_of_pair(request, pair_of_ranks, pair, found);
                });
}

}  // namespace

const Family kOrder = {"order",          "two messages in opposite directions at once: whether they are kept in order",
                       "each message",   kOnlyLibrary,
                       kOrderParameters, 2,
                       measure_order};

}  // namespace plumbline::bench::network
