#include "replay/expect/archive/time_map.hpp"

#include <algorithm>

namespace plumbline::replay {

void TimeMap::add(Time observed, Time expected) {
  if (!points_.empty()) {
    observed = std::max(observed, points_.back().observed);
    expected = std::max(expected, points_.back().expected);
  }
  points_.push_back({observed, expected});
}

Time TimeMap::before(std::size_t next, Time observed) const {
  if (points_.empty()) return observed;
  if (next == 0) return std::max(points_.front().expected - (points_.front().observed - observed), Time{});
  const Point& last = points_[next - 1];
  if (next == points_.size()) return last.expected + (observed - last.observed);
  const Point& after = points_[next];
  if (after.observed <= last.observed) return last.expected;
  __extension__ using Wide = __int128;
  const Wide part =
      Wide{(observed - last.observed).ps} * (after.expected - last.expected).ps / (after.observed - last.observed).ps;
  return last.expected + Duration{static_cast<std::int64_t>(part)};
}

Time TimeMap::operator()(Time observed) const {
  const auto later = std::ranges::upper_bound(points_, observed, {}, &Point::observed);
  return before(static_cast<std::size_t>(later - points_.begin()), observed);
}

}  // namespace plumbline::replay
