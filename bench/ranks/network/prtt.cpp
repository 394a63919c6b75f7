// Parametrised round trips, of which LogGP is made (Hoefler, Lichei, Rehm, "Low-Overhead LogGP Parameter Assessment",
// 2007). docs/models/measuring-network.md.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "base/statistics/order.hpp"
#include "bench/ranks/network/changes.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

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
double trip_of(RankPair& pair_of_ranks, const Train& train) {
  const std::int64_t begin = now_ns();
  std::int64_t beyond = 0;
  for (std::uint32_t i = 0; i < train.messages; ++i) {
    if (!pair_of_ranks.leads()) {
      pair_of_ranks.receive(train.bytes);
      continue;
    }
    if (i > 0 && train.delay_ns > 0) beyond += spin(train.delay_ns) + clock_cost_ns();
    pair_of_ranks.send(train.bytes);
  }
  if (pair_of_ranks.leads())
    pair_of_ranks.receive(train.bytes);
  else
    pair_of_ranks.send(train.bytes);
  return static_cast<double>(std::max<std::int64_t>(since_ns(begin) - beyond, 0)) * 1e-9;
}

// What the server takes from the end of its first receive to that of its last, waiting before each; on both.
double receives_of(RankPair& pair_of_ranks, const Train& train) {
  double taken = 0;
  if (pair_of_ranks.leads()) {
    for (std::uint32_t i = 0; i < train.messages; ++i) pair_of_ranks.send(train.bytes);
  } else {
    pair_of_ranks.receive(train.bytes);
    std::int64_t beyond = 0;
    const std::int64_t begin = now_ns();
    for (std::uint32_t i = 1; i < train.messages; ++i) {
      beyond += spin(train.delay_ns) + clock_cost_ns();
      pair_of_ranks.receive(train.bytes);
    }
    taken = static_cast<double>(std::max<std::int64_t>(since_ns(begin) - beyond, 0)) * 1e-9;
  }
  return pair_of_ranks.reported(taken);
}

// What both ranks do next, as the leader says.
struct Step {
  enum class Kind : std::uint8_t { kEnd, kSize, kCompare } kind = Kind::kEnd;
  Bracket bracket = {};  // kSize: its low end
  std::uint32_t messages = 1, times = 0;
};

// Of `seconds`: until when the sizes of the request are measured, and until when changes are looked for. What is left
// is for delayed messages.
constexpr double kUntilSizes = 0.35, kUntilChanges = 0.75;

class Trips {
 public:
  Trips(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Found& found)
      : request_(request),
        ranks_(pair_of_ranks),
        pair_(pair),
        found_(found),
        messages_(static_cast<std::uint32_t>(count(request, "messages", 2))),
        begin_ns_(now_ns()) {}

  void measure() {
    const std::vector<std::uint64_t> sizes = sizes_of(request_);
    for (std::size_t i = 0; i < sizes.size(); ++i) measure_trips(sizes[i], until(kUntilSizes, 2 * (sizes.size() - i)));
    const std::size_t asked = trips_.size();
    if (count(request_, "resolution") > 0) {
      if (ranks_.leads()) look_for_changes();
      follow();
    }
    measure_delayed(asked);
    note_delays(longer_delay_, "a round trip is no longer than the gap: the delay is PRTT(2, 0, s)");
    note_delays(still_too_short_, "PRTT(2, 0, s) is no longer than the gap, either: o_s is not known from that delay");
  }

 private:
  static constexpr std::size_t kPartsBeside = 40;  // of sizes beside changes, expected

  // An equal share for each of so many parts of what is left until then. On the leader; others need none.
  Effort until(double share, std::size_t parts) const {
    const double left = share * number(request_, "seconds") - static_cast<double>(now_ns() - begin_ns_) * 1e-9;
    return within(request_.effort, std::max(left, 1e-6) / static_cast<double>(std::max<std::size_t>(parts, 1)));
  }
  bool is_over(double share) const {
    return static_cast<double>(now_ns() - begin_ns_) * 1e-9 > share * number(request_, "seconds");
  }

  void note(const std::string& text) const {
    found_.notes.push_back(fmt::format("prtt of ranks {} and {}{}", pair_.a, pair_.b, text));
  }
  void note_delays(const std::vector<std::uint64_t>& sizes, const char* what) const {
    if (!sizes.empty()) note(fmt::format(", at {} B: {}", fmt::join(sizes, ", "), what));
  }

  double record(std::string_view part, const Train& train, const Effort& effort, const std::function<double()>& once) {
    const Samples samples = repeat(ranks_, effort, [&] { return Once{once(), 0}; });
    if (!ranks_.leads()) return 0;
    Cell cell = cell_of_pair(request_, pair_, train.bytes, part);
    cell.numbers = {{"messages", train.messages}, {"delay_ns", static_cast<double>(train.delay_ns)}};
    fill(cell, effort, samples.seconds, samples.reached);
    found_.cells.push_back(std::move(cell));
    return statistics::median(samples.seconds);
  }

  double record_trip(std::string_view part, const Train& train, const Effort& effort) {
    return record(part, train, effort, [&] { return trip_of(ranks_, train); });
  }

  // One message and its answer, and a train. The values are the leader's.
  SizePoint measure_trips(std::uint64_t size, const Effort& effort) {
    const double one = record_trip("one", {1, size, 0}, effort);
    const double many = record_trip("many", {messages_, size, 0}, effort);
    trips_.push_back({size, one, std::max((many - one) / (messages_ - 1), 1e-12)});
    return trips_.back();
  }

  // On the leader: what the other one does in follow().
  void look_for_changes() {
    RefineRule rule;
    rule.resolution = count(request_, "resolution");
    rule.most_sizes = count(request_, "most_sizes");
    rule.messages = messages_;
    std::vector<SizePoint> points = trips_;
    std::ranges::sort(points, {}, &SizePoint::size);
    const auto same = std::ranges::unique(points, {}, &SizePoint::size);
    points.erase(same.begin(), same.end());
    Meter meter;
    meter.is_over = [this] { return is_over(kUntilChanges); };
    meter.point = [this](std::uint64_t size) {
      ranks_.told(Step{Step::Kind::kSize, {size, size}});
      return measure_trips(size, until(kUntilChanges, kPartsBeside));
    };
    meter.compare = [this](const Bracket& bracket, bool train, std::uint32_t times, Comparison& to) {
      if (is_over(kUntilChanges)) return false;
      compare(ranks_.told(Step{Step::Kind::kCompare, bracket, train ? messages_ : 1, times}), to);
      return true;
    };
    const Refined refined = find_changes_between(points, rule, meter);
    ranks_.told(Step{});
    for (const Change& change : refined.changes) record(change);
    if (refined.not_tried.empty()) return;
    const Bracket& worst = refined.not_tried.front();
    note(fmt::format(": {} before all changes of the protocol were placed; one may be between {} and {} B",
                     meter.is_over() ? "the time was over" : "'most_sizes' were measured", worst.low, worst.high));
  }

  void follow() {
    if (ranks_.leads()) return;
    while (true) {
      const Step step = ranks_.told(Step{});
      if (step.kind == Step::Kind::kEnd) return;
      Comparison ignored;
      if (step.kind == Step::Kind::kSize)
        measure_trips(step.bracket.low, request_.effort);
      else
        compare(step, ignored);
    }
  }

  // Forth and back over the bracket, so that what drifts falls on both halves.
  void compare(const Step& step, Comparison& to) {
    const std::uint64_t middle = middle_of(step.bracket);
    const auto time = [&](std::uint64_t size, std::vector<double>& times) {
      times.push_back(trip_of(ranks_, {step.messages, size, 0}));
    };
    for (std::uint32_t i = 0; i < step.times; ++i) {
      if (i % 2 == 0) {
        time(step.bracket.low, to.low);
        time(middle, to.middle);
        time(middle, to.middle_again);
        time(step.bracket.high, to.high);
      } else {
        time(step.bracket.high, to.high);
        time(middle, to.middle_again);
        time(middle, to.middle);
        time(step.bracket.low, to.low);
      }
    }
  }

  void record(const Change& change) {
    Cell cell = cell_of_pair(request_, pair_, change.within.high, "change");
    cell.numbers = {{"messages", change.train ? messages_ : 1},
                    {"low_bytes", static_cast<double>(change.within.low)},
                    {"step_ns", change.step * 1e9}};
    fill(cell, request_.effort, change.times, true);
    cell.stop = "rank sums";
    found_.cells.push_back(std::move(cell));
  }

  // Of the first `asked` sizes at any rate, of those that were added as long as there is time.
  void measure_delayed(std::size_t asked) {
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      if (i >= asked && ranks_.told(is_over(1))) return;
      const SizePoint& trips = trips_[i];
      const Effort effort = ranks_.leads() ? until(1, 2 * (trips_.size() - i)) : request_.effort;
      const std::int64_t wait = delay(trips, effort);
      const Train train{messages_, trips.size, wait};
      record_trip("spaced", train, effort);
      record("receives", train, effort, [&] { return receives_of(ranks_, train); });
    }
  }

  // d = PRTT(1, 0, s), or PRTT(2, 0, s) where that is no longer than the gap between two messages (equation 4).
  std::int64_t delay(const SizePoint& trips, const Effort& effort) {
    const bool too_short = ranks_.told(ranks_.leads() && trips.one <= trips.busy);
    double seconds = trips.one;
    if (too_short) {
      const Samples samples = repeat(ranks_, effort, [&] { return Once{trip_of(ranks_, {2, trips.size, 0}), 0}; });
      if (ranks_.leads()) seconds = statistics::median(samples.seconds);
      if (ranks_.leads()) (seconds <= trips.busy ? still_too_short_ : longer_delay_).push_back(trips.size);
    }
    return ranks_.told(static_cast<std::int64_t>(seconds * 1e9));
  }

  const Request& request_;
  RankPair& ranks_;
  const Pair& pair_;
  Found& found_;
  std::uint32_t messages_;
  std::int64_t begin_ns_;
  std::vector<SizePoint> trips_;  // in the order of measuring; values on the leader
  std::vector<std::uint64_t> longer_delay_, still_too_short_;
};

void measure_prtt(const Context& context, const Request& request) {
  count(request, "messages", 2);
  count(request, "resolution");
  count(request, "most_sizes");
  measure_pairs(context, pairs_asked_for(request, context.places), largest_of(request),
                [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
                  Trips(request, pair_of_ranks, pair, found).measure();
                });
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
