#include "base/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumbline::clocks {
namespace {

constexpr double kReading = 1;  // clocks are read in whole ns, rounded down
constexpr std::int64_t kShortestFit = 1'000'000;

// What the exchanges say of a line over [begin, ..] whose values count from `offset`.
struct Constraints {
  std::span<const Burst> bursts;
  std::int64_t begin, offset;
  double length, highest;

  Lines lines(double slack) const {
    Lines possible(length, highest + slack);
    for (const Burst& burst : bursts) {
      for (const Exchange& e : burst) {
        possible.stay_below(at(e.sent), static_cast<double>(e.taken - e.sent - offset) + kReading + slack);
        possible.stay_above(at(e.received), static_cast<double>(e.answered - e.received - offset) - kReading - slack);
        if (possible.none()) return possible;
      }
    }
    return possible;
  }

 private:
  double at(std::int64_t node_ns) const { return static_cast<double>(node_ns - begin); }
};

// The smallest slack with which there is a line, to a hundredth.
double least_slack(const Constraints& constraints) {
  double enough = 1;
  while (constraints.lines(enough).none() && enough < constraints.highest) enough *= 2;
  double too_little = enough / 2;
  while (enough - too_little > enough / 100) {
    const double between = (enough + too_little) / 2;
    (constraints.lines(between).none() ? too_little : enough) = between;
  }
  return enough;
}

std::int64_t middle_of(const Burst& burst) { return burst.front().sent / 2 + burst.back().received / 2; }

// How far the truth may be from a line that is only a compromise. At a burst it is off by the slack and the burst's own
// width at most; between two of them the clock was where the one or the other found it.
double uncertainty_of_compromise(std::span<const Burst> bursts, const ClockFit& fit) {
  double widest = 0, longest = 0;
  const Burst* previous = nullptr;
  for (const Burst& burst : bursts) {
    if (burst.empty()) continue;
    const Bounds bounds = bounds_of(burst);
    const auto lasted = static_cast<double>(burst.back().received - burst.front().sent);
    widest = std::max(widest,
                      static_cast<double>(std::max<std::int64_t>(0, bounds.upper - bounds.lower)) + lasted * kSteepest);
    if (previous != nullptr) longest = std::max(longest, static_cast<double>(middle_of(burst) - middle_of(*previous)));
    previous = &burst;
  }
  return fit.slack_ns + widest + std::abs(fit.drift()) * longest;
}

}  // namespace

Lines::Lines(double length, double highest) : length_(length) {
  const double steepest = kSteepest * length;
  corners_ = {{-highest, -highest - steepest},
              {highest, highest - steepest},
              {highest, highest + steepest},
              {-highest, -highest + steepest}};
}

void Lines::stay_below(double x, double y) { require(1 - x / length_, x / length_, y); }
void Lines::stay_above(double x, double y) { require(x / length_ - 1, -x / length_, -y); }

// Cuts the polygon along a straight edge (Sutherland and Hodgman).
void Lines::require(double a, double b, double c) {
  const auto beyond = [&](const Ends& corner) { return a * corner.begin + b * corner.end - c; };
  std::vector<Ends> kept;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Ends& here = corners_[i];
    const Ends& next = corners_[(i + 1) % corners_.size()];
    const double d = beyond(here), e = beyond(next);
    if (d <= 0) kept.push_back(here);
    if ((d < 0 && e > 0) || (d > 0 && e < 0)) {
      const double part = d / (d - e);
      kept.push_back({here.begin + part * (next.begin - here.begin), here.end + part * (next.end - here.end)});
    }
  }
  corners_ = std::move(kept);
}

Ends Lines::lowest() const {
  constexpr double kHuge = std::numeric_limits<double>::max();
  Ends ends{kHuge, kHuge};
  for (const Ends& corner : corners_) ends = {std::min(ends.begin, corner.begin), std::min(ends.end, corner.end)};
  return ends;
}

Ends Lines::highest() const {
  constexpr double kLow = std::numeric_limits<double>::lowest();
  Ends ends{kLow, kLow};
  for (const Ends& corner : corners_) ends = {std::max(ends.begin, corner.begin), std::max(ends.end, corner.end)};
  return ends;
}

// A convex polygon touches all four sides of the box around it, so it reaches the middle of the box.
Ends Lines::middle() const {
  const Ends low = lowest(), high = highest();
  return {(low.begin + high.begin) / 2, (low.end + high.end) / 2};
}

Ends Lines::closest_to(Ends wanted) const {
  Ends best = corners_.front();
  double best_distance = std::numeric_limits<double>::max();
  bool inside = true;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Ends& here = corners_[i];
    const Ends& next = corners_[(i + 1) % corners_.size()];
    const Ends edge{next.begin - here.begin, next.end - here.end};
    const Ends to{wanted.begin - here.begin, wanted.end - here.end};
    if (edge.begin * to.end - edge.end * to.begin < 0) inside = false;  // corners go round anticlockwise
    const double squared = edge.begin * edge.begin + edge.end * edge.end;
    const double part = squared > 0 ? std::clamp((edge.begin * to.begin + edge.end * to.end) / squared, 0.0, 1.0) : 0.0;
    const Ends point{here.begin + part * edge.begin, here.end + part * edge.end};
    const double distance = std::hypot(point.begin - wanted.begin, point.end - wanted.end);
    if (distance < best_distance) {
      best_distance = distance;
      best = point;
    }
  }
  return inside ? wanted : best;
}

std::int64_t ClockFit::difference(std::int64_t node_ns) const {
  return offset + std::llround(line.begin + drift() * static_cast<double>(node_ns - begin));
}

void ClockFit::move(Ends by) {
  line = {line.begin + by.begin, line.end + by.end};
  const Ends low = possible.lowest(), high = possible.highest();
  const double farthest =
      std::max({high.begin - line.begin, high.end - line.end, line.begin - low.begin, line.end - low.end});
  uncertainty_ns = std::max(uncertainty_ns, kReading + farthest);
}

std::optional<ClockFit> fit_clock(std::span<const Burst> bursts, std::int64_t from, std::int64_t to) {
  ClockFit fit;
  fit.begin = from;
  fit.end = to;
  double widest = 0;
  for (const Burst& burst : bursts) {
    for (const Exchange& e : burst) {
      if (fit.exchanges++ == 0) fit.offset = e.taken - e.sent;
      fit.begin = std::min(fit.begin, e.sent);
      fit.end = std::max(fit.end, e.received);
      widest = std::max({widest, std::abs(static_cast<double>(e.taken - e.sent - fit.offset)),
                         std::abs(static_cast<double>(e.answered - e.received - fit.offset))});
    }
  }
  if (fit.exchanges == 0) return std::nullopt;
  fit.end = std::max(fit.end, fit.begin + kShortestFit);
  const auto length = static_cast<double>(fit.end - fit.begin);
  const Constraints constraints{bursts, fit.begin, fit.offset, length, 2 * widest + kSteepest * length + 1e9};
  fit.possible = constraints.lines(0);
  if (fit.possible.none()) {
    fit.slack_ns = least_slack(constraints);
    fit.possible = constraints.lines(fit.slack_ns);
  }
  fit.line = fit.possible.middle();
  const Ends low = fit.possible.lowest(), high = fit.possible.highest();
  // The highest of the lines bends upwards, the lowest downwards: they are farthest apart at an end.
  fit.uncertainty_ns = kReading + std::max(high.begin - low.begin, high.end - low.end) / 2;
  if (fit.slack_ns > 0) fit.uncertainty_ns += uncertainty_of_compromise(bursts, fit);
  return fit;
}

Bounds bounds_of(const Burst& burst) {
  Bounds bounds{std::numeric_limits<std::int64_t>::min() / 4, std::numeric_limits<std::int64_t>::max() / 4};
  for (const Exchange& e : burst) {
    bounds.upper = std::min(bounds.upper, e.taken - e.sent);
    bounds.lower = std::max(bounds.lower, e.answered - e.received);
  }
  return bounds;
}

Burst tightest(const Burst& burst, std::size_t each) {
  if (burst.size() <= each) return burst;
  std::vector<bool> kept(burst.size(), false);
  std::vector<std::size_t> order(burst.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto keep_first_by = [&](auto bound) {
    std::ranges::stable_sort(order, {}, bound);
    for (std::size_t i = 0; i < each; ++i) kept[order[i]] = true;
  };
  keep_first_by([&](std::size_t i) { return burst[i].taken - burst[i].sent; });
  keep_first_by([&](std::size_t i) { return burst[i].received - burst[i].answered; });
  Burst few;
  for (std::size_t i = 0; i < burst.size(); ++i)
    if (kept[i]) few.push_back(burst[i]);
  return few;
}

}  // namespace plumbline::clocks
