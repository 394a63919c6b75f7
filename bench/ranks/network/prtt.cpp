// Parametrised round trips, of which LogGP is made (Hoefler, Lichei, Rehm, "Low-Overhead LogGP Parameter Assessment",
// 2007). docs/operations-measured.md, "What a network is measured by".

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/statistics/order.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/network/sizes.hpp"
#include "bench/ranks/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kPrttParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"messages", "n of PRTT(n, d, s)", "10"},
    {"resolution", "bytes within which a change of protocol is looked for; 0: the sizes are taken as they are", "256"},
    {"most_sizes", "no more sizes than this, those of the request included", "80"},
    {"seconds", "for one pair; sizes of which six repetitions take longer take longer", "20"},
};

struct Train {
  std::uint32_t messages = 1;
  std::uint64_t bytes = 0;
  std::int64_t delay_ns = 0;  // before each message but the first
};

// PRTT(n, d, s), on the leader. What waits took beyond the delay is not part of it, and neither is reading the clock.
double trip_of(Duo& duo, const Train& train) {
  const std::int64_t begin = now_ns();
  std::int64_t beyond = 0;
  for (std::uint32_t i = 0; i < train.messages; ++i) {
    if (!duo.leads()) {
      duo.receive(train.bytes);
      continue;
    }
    if (i > 0 && train.delay_ns > 0) beyond += spin(train.delay_ns) + clock_cost_ns();
    duo.send(train.bytes);
  }
  if (duo.leads())
    duo.receive(train.bytes);
  else
    duo.send(train.bytes);
  return static_cast<double>(std::max<std::int64_t>(since_ns(begin) - beyond, 0)) * 1e-9;
}

// What the server takes from the end of its first receive to that of its last, waiting before each; on both.
double receives_of(Duo& duo, const Train& train) {
  double taken = 0;
  if (duo.leads()) {
    for (std::uint32_t i = 0; i < train.messages; ++i) duo.send(train.bytes);
  } else {
    duo.receive(train.bytes);
    std::int64_t beyond = 0;
    const std::int64_t begin = now_ns();
    for (std::uint32_t i = 1; i < train.messages; ++i) {
      beyond += spin(train.delay_ns) + clock_cost_ns();
      duo.receive(train.bytes);
    }
    taken = static_cast<double>(std::max<std::int64_t>(since_ns(begin) - beyond, 0)) * 1e-9;
  }
  return duo.reported(taken);
}

class Trips {
 public:
  Trips(const Request& request, Duo& duo, const Pair& pair, Found& found)
      : request_(request),
        duo_(duo),
        pair_(pair),
        found_(found),
        messages_(static_cast<std::uint32_t>(count(request, "messages", 2))),
        until_ns_(now_ns() + static_cast<std::int64_t>(number(request, "seconds") * 1e9)) {}

  void measure() {
    std::vector<std::uint64_t> sizes = sizes_of(request_);
    for (std::size_t i = 0; i < sizes.size(); ++i) measure_size(sizes[i], sizes.size() - i + kExpected);
    while (const std::uint64_t size = duo_.told(refined())) measure_size(size, kExpected);
    note_delays(longer_delay_, "a round trip is no longer than the gap: the delay is PRTT(2, 0, s)");
    note_delays(still_too_short_, "PRTT(2, 0, s) is no longer than the gap, either: o_s is not known from that delay");
  }

 private:
  static constexpr std::size_t kExpected = 20;  // sizes more

  void note_delays(const std::vector<std::uint64_t>& sizes, const char* what) const {
    if (sizes.empty()) return;
    found_.notes.push_back(
        fmt::format("prtt of ranks {} and {}, at {} B: {}", pair_.a, pair_.b, fmt::join(sizes, ", "), what));
  }

  // On the leader; 0: no more.
  std::uint64_t refined() {
    RefineRule rule;
    rule.resolution = count(request_, "resolution");
    if (!duo_.leads() || rule.resolution == 0) return 0;
    const std::uint64_t next = next_size(points_, rule).value_or(0);
    const char* why = nullptr;
    if (next != 0 && points_.size() >= count(request_, "most_sizes")) why = "'most_sizes' were measured";
    if (next != 0 && now_ns() > until_ns_) why = "the time was over";
    if (why == nullptr) return next;
    found_.notes.push_back(
        fmt::format("prtt of ranks {} and {}: {} before all changes of the protocol were placed; the next "
                    "size would have been {}",
                    pair_.a, pair_.b, why, next));
    return 0;
  }

  // An equal share of the time that is left for each of the sizes that are expected, and of that for each part.
  Effort effort_for(std::size_t sizes) const {
    const double left = static_cast<double>(until_ns_ - now_ns()) * 1e-9;
    return within(request_.effort, std::max(left, 1e-6) / static_cast<double>(sizes) / 4);
  }

  double record(std::string_view part, const Train& train, const Effort& effort, const std::function<double()>& once) {
    const Samples samples = repeat(duo_, effort, [&] { return Once{once(), 0}; });
    if (!duo_.leads()) return 0;
    Cell cell = cell_of_pair(request_, pair_, train.bytes, part);
    cell.numbers = {{"messages", train.messages}, {"delay_ns", static_cast<double>(train.delay_ns)}};
    fill(cell, effort, samples.seconds, samples.reached);
    found_.cells.push_back(std::move(cell));
    return statistics::median(samples.seconds);
  }

  double record_trip(std::string_view part, const Train& train, const Effort& effort) {
    return record(part, train, effort, [&] { return trip_of(duo_, train); });
  }

  // d = PRTT(1, 0, s), or PRTT(2, 0, s) where that is no longer than the gap between two messages (equation 4).
  std::int64_t delay(double one, double busy, const Train& two, const Effort& effort) {
    const bool too_short = duo_.told(duo_.leads() && one <= busy);
    double seconds = one;
    if (too_short) {
      const Samples samples = repeat(duo_, effort, [&] { return Once{trip_of(duo_, two), 0}; });
      if (duo_.leads()) seconds = statistics::median(samples.seconds);
      if (duo_.leads()) (seconds <= busy ? still_too_short_ : longer_delay_).push_back(two.bytes);
    }
    return duo_.told(static_cast<std::int64_t>(seconds * 1e9));
  }

  void measure_size(std::uint64_t size, std::size_t expected) {
    const Effort effort = duo_.leads() ? effort_for(expected) : request_.effort;
    const double one = record_trip("one", {1, size, 0}, effort);
    const double many = record_trip("many", {messages_, size, 0}, effort);
    const double busy = (many - one) / (messages_ - 1);
    const std::int64_t wait = delay(one, busy, {2, size, 0}, effort);
    record_trip("spaced", {messages_, size, wait}, effort);
    const Train train{messages_, size, wait};
    record("receives", train, effort, [&] { return receives_of(duo_, train); });
    if (duo_.leads()) add({size, one, std::max(busy, 1e-12)});
  }

  void add(const SizePoint& point) {
    const auto at =
        std::find_if(points_.begin(), points_.end(), [&](const SizePoint& other) { return other.size >= point.size; });
    if (at == points_.end() || at->size != point.size) points_.insert(at, point);
  }

  const Request& request_;
  Duo& duo_;
  const Pair& pair_;
  Found& found_;
  std::uint32_t messages_;
  std::int64_t until_ns_;
  std::vector<SizePoint> points_;  // on the leader, as what follows
  std::vector<std::uint64_t> longer_delay_, still_too_short_;
};

void measure_prtt(const Context& context, const Request& request) {
  count(request, "messages", 2);
  count(request, "resolution");
  count(request, "most_sizes");
  measure_pairs(context, pairs_asked_for(request, context.places), largest_of(request),
                [&](Duo& duo, const Pair& pair, Found& found) { Trips(request, duo, pair, found).measure(); });
}

}  // namespace

const Family kPrtt = {
    "prtt",
    "parametrised round trips of a pair, of which LogGP is made; more sizes where the protocol changes",
    "a message",
    kOnlyLibrary,
    kPrttParameters,
    2,
    measure_prtt};

}  // namespace plumbline::bench::network
