// A small message to one node while data goes to another: what a node has queued for one is before what it sends the
// next. docs/models/calibration-sender.md.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/network/stations.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kQueueParameters[] = {
    {"a", "the rank that sends; -1: the first ranks of the first three nodes", "-1"},
    {"b", "the rank that it sends data", "-1"},
    {"c", "the rank that it sends a small message meanwhile", "-1"},
    {"seconds", "for one size; of longer ones there are six repetitions", "1"},
};

constexpr std::uint64_t kSmall = 1;
constexpr double kTripsBefore = 4;  // of a small message, after which data is on its way, its receiver's answer too

struct QueueRanks {
  std::uint32_t sender = 0, of_data = 0, of_small = 0;
};

// None where there are fewer than three nodes and no ranks are given.
std::optional<QueueRanks> three_asked_for(const Request& request, const Places& places) {
  if (number(request, "a") == -1 && number(request, "b") == -1 && number(request, "c") == -1) {
    const std::vector<std::uint32_t> first = first_ranks(places);
    if (first.size() < 3) return std::nullopt;
    return QueueRanks{first[0], first[1], first[2]};
  }
  const std::array<std::uint64_t, 3> ranks = {count(request, "a"), count(request, "b"), count(request, "c")};
  if (ranks[0] == ranks[1] || ranks[0] == ranks[2] || ranks[1] == ranks[2] ||
      *std::ranges::max_element(ranks) >= places.node_of.size())
    throw Error(request.operation,
                fmt::format("ranks {}, {} and {} are no three of {} ranks", ranks[0], ranks[1], ranks[2],
                            places.node_of.size()),
                "give three of them as 'a', 'b' and 'c', or none");
  return QueueRanks{static_cast<std::uint32_t>(ranks[0]), static_cast<std::uint32_t>(ranks[1]),
                    static_cast<std::uint32_t>(ranks[2])};
}

// Seconds of all repetitions, those to warm up too.
struct QueueTimes {
  std::vector<double> alone, behind, data, late;
};

void keep_last(std::vector<double>& values, std::size_t wanted) {
  values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(wanted));
}

double seconds_since(std::int64_t begin_ns) { return static_cast<double>(since_ns(begin_ns)) * 1e-9; }

// Progress of what is under way until the time has come; at least one look.
void look_after(MPI_Request& request, std::int64_t end_ns) {
  int over = 0;
  do {
    must(MPI_Test(&request, &over, MPI_STATUS_IGNORE));
  } while (now_ns() < end_ns);
}

// Until the receiver of the small message is about to wait for it.
void call_up(RankPair& small) {
  small.told(true);
  small.receive(0);
}

// One repetition of the sender. Before the small message that is alone, too, it is in MPI for as long.
void send_both(RankPair& data, RankPair& small, std::uint64_t bytes, std::int64_t late_ns, QueueTimes& times) {
  call_up(small);
  small.be_in_calls_for(late_ns);
  times.alone.push_back(small.round_trip(kSmall));

  call_up(small);
  data.receive(0);  // its receive is posted
  const std::int64_t begin = now_ns();
  MPI_Request request = data.isend(bytes);
  look_after(request, begin + late_ns);
  times.late.push_back(seconds_since(begin));
  times.behind.push_back(small.round_trip(kSmall));
  must(MPI_Wait(&request, MPI_STATUS_IGNORE));
  data.receive(0);
  times.data.push_back(seconds_since(begin));
}

void receive_data(RankPair& data, std::uint64_t bytes) {
  MPI_Request request = data.irecv(bytes);
  data.send(0);
  must(MPI_Wait(&request, MPI_STATUS_IGNORE));
  data.send(0);
}

// As often as it is called up.
void answer(RankPair& small) {
  while (small.told(false)) {
    small.send(0);
    small.round_trip(kSmall);
  }
}

// Of one size, on the ranks that exchange the data.
QueueTimes queue_times(RankPair& data, RankPair* small, std::uint64_t bytes, const Effort& effort, bool& reached) {
  const double trip = small != nullptr ? typical_trip(*small, kSmall) : 0;
  QueueTimes times;
  const Samples samples = repeat(data, effort, [&] {
    if (small != nullptr)
      send_both(data, *small, bytes, static_cast<std::int64_t>(kTripsBefore * trip * 1e9), times);
    else
      receive_data(data, bytes);
    return Once{small != nullptr ? times.behind.back() : 0, 0};
  });
  reached = samples.reached;
  if (small == nullptr) return times;
  small->told(false);
  for (std::vector<double>* const each : {&times.alone, &times.behind, &times.data, &times.late})
    keep_last(*each, samples.seconds.size());
  return times;
}

void give_size(const Request& request, const QueueRanks& three, std::uint64_t bytes, const Effort& effort,
               const QueueTimes& times, bool reached, Found& found) {
  const double late_ns = std::round(statistics::median(times.late) * 1e9);
  const std::array<std::pair<const char*, const std::vector<double>*>, 3> parts = {
      std::pair{"alone", &times.alone}, {"behind", &times.behind}, {"data", &times.data}};
  for (const auto& [part, seconds] : parts) {
    Cell cell = cell_of_pair(request, {three.sender, three.of_data}, bytes, part);
    cell.ranks.push_back(three.of_small);
    cell.numbers["late_ns"] = late_ns;
    fill(cell, effort, *seconds, reached);
    found.cells.push_back(std::move(cell));
  }
}

void measure_three(const Context& context, const Request& request, const QueueRanks& three) {
  const auto own = static_cast<std::uint32_t>(rank_in(context.world));
  const Pair of_data{three.sender, three.of_data}, of_small{three.sender, three.of_small};
  const bool sends = own == three.sender;
  const auto data =
      rank_pair_in(context.world, sends || own == three.of_data ? &of_data : nullptr, largest_of(request));
  const auto small = rank_pair_in(context.world, sends || own == three.of_small ? &of_small : nullptr, kSmall);
  const Effort effort = within(request.effort, number(request, "seconds"));
  Found found;
  for (const std::uint64_t size : sizes_of(request)) {
    if (small && !sends) {
      typical_trip(*small, kSmall);
      answer(*small);
    }
    if (!data) continue;
    bool reached = false;
    const QueueTimes times = queue_times(*data, small.get(), size, effort, reached);
    if (sends) give_size(request, three, size, effort, times, reached, found);
  }
  give_all(context, found);
}

void measure_queue(const Context& context, const Request& request) {
  if (const auto three = three_asked_for(request, context.places)) measure_three(context, request, *three);
}

}  // namespace

const Family kQueue = {"queue",          "a small message to one node while data goes to another: what it waits for",
                       "the data",       kOnlyLibrary,
                       kQueueParameters, 2,
                       measure_queue};

}  // namespace plumbline::bench::network
