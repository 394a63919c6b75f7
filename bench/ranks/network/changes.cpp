#include "bench/ranks/network/changes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"

namespace plumbline::bench::network {
namespace {

constexpr std::uint32_t kFirstTimes = 8;   // of 8 against 8 the smallest p is 0.0002
constexpr std::uint32_t kMostTimes = 200;  // a step of a third of the scatter is seen by then

std::vector<double> differences(const std::vector<double>& from, const std::vector<double>& to) {
  std::vector<double> result;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) result.push_back(to[i] - from[i]);
  return result;
}

// What this half adds more than the other.
double step_of(const Comparison& comparison, Half half) {
  const double more = statistics::median(differences(comparison.low, comparison.middle)) -
                      statistics::median(differences(comparison.middle_again, comparison.high));
  return half == Half::kLower ? more : -more;
}

// How a suspect is looked at: by single messages or by trains.
struct Sight {
  bool train = false;
  double rise = 0;
};

enum class Search { kPlaced, kNothing, kLost };  // lost: it was there in wider brackets

class Finder {
 public:
  Finder(std::vector<SizePoint>& points, const RefineRule& rule, const Meter& meter)
      : points_(points), rule_(rule), meter_(meter) {}

  Refined run() {
    while (const auto suspect = next()) {
      const Bracket bracket{points_[suspect->gap].size, points_[suspect->gap + 1].size};
      tried_.push_back(bracket);
      for (const Sight& sight : sights(*suspect))
        if (is_placed(bracket, sight)) break;
    }
    std::ranges::sort(refined_.changes, {}, [](const Change& change) { return change.within.low; });
    return std::move(refined_);
  }

 private:
  std::optional<Suspect> next() {
    for (const Suspect& suspect : suspects(points_, brackets_)) {
      if (suspect.deviation() < rule_.deviation) break;
      const Bracket bracket{points_[suspect.gap].size, points_[suspect.gap + 1].size};
      if (!is_worth_a_search(bracket) || std::ranges::find(tried_, bracket) != tried_.end()) continue;
      if (!meter_.is_over() && points_.size() < rule_.most_sizes) return suspect;
      refined_.not_tried.push_back(bracket);
    }
    return std::nullopt;
  }

  // Narrow gaps between sizes that were added are near a change that is known.
  bool is_worth_a_search(const Bracket& bracket) const {
    const std::uint64_t width = bracket.high - bracket.low;
    return width > rule_.resolution || (width > 1 && !std::ranges::binary_search(added_, bracket.low) &&
                                        !std::ranges::binary_search(added_, bracket.high));
  }

  // Those that are far enough off, first the one that tells more in the same time: scatter falls with its root.
  std::vector<Sight> sights(const Suspect& suspect) const {
    const SizePoint& high = points_[suspect.gap + 1];
    const double train_time = high.one + (rule_.messages - 1) * high.busy;
    std::vector<Sight> result = {{false, suspect.one}, {true, suspect.busy}};
    if (std::abs(suspect.busy) / std::sqrt(train_time) > std::abs(suspect.one) / std::sqrt(high.one))
      std::swap(result[0], result[1]);
    std::erase_if(result, [&](const Sight& sight) { return std::abs(sight.rise) < rule_.deviation; });
    return result;
  }

  // Whether it rises was seen between sizes that were measured at different times, and may be wrong.
  bool is_placed(const Bracket& bracket, Sight sight) {
    Search search = place(bracket, sight);
    if (search == Search::kLost) {
      sight.rise = -sight.rise;
      search = place(bracket, sight);
    }
    return search == Search::kPlaced;
  }

  // Halves the bracket until it is narrow enough, and once where it is. The last half is asked for twice.
  Search place(Bracket bracket, const Sight& sight) {
    for (Search lost = Search::kNothing; true; lost = Search::kLost) {
      Comparison comparison;
      const Half half = decide(bracket, sight, comparison);
      if (half == Half::kUnknown) return lost;
      const std::uint64_t middle = middle_of(bracket);
      const Bracket whole = bracket;
      bracket = half == Half::kLower ? Bracket{bracket.low, middle} : Bracket{middle, bracket.high};
      if (bracket.high - bracket.low > std::max<std::uint64_t>(rule_.resolution, 1)) continue;
      Comparison again;
      if (decide(whole, sight, again) != half) return Search::kLost;
      const std::vector<double>& times = half == Half::kLower ? again.middle : again.high;
      return keep({bracket, sight.train, step_of(again, half), times}) ? Search::kPlaced : Search::kLost;
    }
  }

  Half decide(const Bracket& bracket, const Sight& sight, Comparison& comparison) {
    for (std::uint32_t times = kFirstTimes; comparison.low.size() < kMostTimes;) {
      if (!meter_.compare(bracket, sight.train, times, comparison)) {
        refined_.not_tried.push_back(bracket);
        return Half::kUnknown;
      }
      if (const Half half = half_of(comparison, sight.rise > 0); half != Half::kUnknown) return half;
      times = std::max<std::uint32_t>(static_cast<std::uint32_t>(comparison.low.size()) / 2, 4);
    }
    return Half::kUnknown;
  }

  bool keep(const Change& change) {
    if (std::abs(change.step) < rule_.deviation * statistics::median(change.times)) return false;
    refined_.changes.push_back(change);
    brackets_.insert(std::ranges::upper_bound(brackets_, change.within.low, {}, &Bracket::low), change.within);
    add(change.within.low);
    add(change.within.high);
    while (points_.size() < rule_.most_sizes && !meter_.is_over()) {
      const auto size = beside(points_, brackets_, change.within, rule_);
      if (!size) break;
      add(*size);
    }
    return true;
  }

  void add(std::uint64_t size) {
    const auto at = std::ranges::lower_bound(points_, size, {}, &SizePoint::size);
    if (at != points_.end() && at->size == size) return;
    points_.insert(at, meter_.point(size));
    added_.insert(std::ranges::upper_bound(added_, size), size);
  }

  std::vector<SizePoint>& points_;
  const RefineRule& rule_;
  const Meter& meter_;
  std::vector<Bracket> brackets_;  // of the changes, ascending
  std::vector<Bracket> tried_;
  std::vector<std::uint64_t> added_;  // sizes, ascending
  Refined refined_;
};

}  // namespace

Half half_of(const Comparison& comparison, bool rises, double p) {
  const std::vector<double> lower = differences(comparison.low, comparison.middle),
                            upper = differences(comparison.middle_again, comparison.high);
  if (lower.empty() || upper.empty()) return Half::kUnknown;
  if (statistics::rank_sum_test(lower, upper, statistics::Alternative::kDifferent).p > p) return Half::kUnknown;
  const bool lower_adds_more = statistics::median(lower) > statistics::median(upper);
  return lower_adds_more == rises ? Half::kLower : Half::kUpper;
}

Refined find_changes_between(std::vector<SizePoint>& points, const RefineRule& rule, const Meter& meter) {
  return Finder(points, rule, meter).run();
}

}  // namespace plumbline::bench::network
