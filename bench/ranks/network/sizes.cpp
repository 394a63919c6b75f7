#include "bench/ranks/network/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace plumbline::bench::network {
namespace {

using Value = double SizePoint::*;

// How far `at` is above the line through the other two, of its own value.
double above(const SizePoint& first, const SizePoint& second, const SizePoint& at, Value value) {
  const auto size = [](const SizePoint& point) { return static_cast<double>(point.size); };
  const double slope = (second.*value - first.*value) / (size(second) - size(first));
  const double expected = second.*value + slope * (size(at) - size(second));
  return (at.*value - expected) / std::max(at.*value, 1e-30);
}

std::uint64_t distance(const SizePoint& a, const SizePoint& b) {
  return a.size < b.size ? b.size - a.size : a.size - b.size;
}

// The other point of the line through points[near] that is drawn on over `gap` bytes: the nearest that is half as far
// away, for a line through two that are close together is wrong far from them.
std::size_t anchor(std::span<const SizePoint> points, std::size_t near, int step, std::uint64_t gap) {
  std::size_t at = near;
  const std::size_t end = step < 0 ? 0 : points.size() - 1;
  while (at != end && distance(points[at], points[near]) * 2 < gap) at += static_cast<std::size_t>(step);
  return at;
}

// What lies low before a change that rises lies low when seen from behind it.
double rise_over(std::span<const SizePoint> points, std::size_t gap, Value value) {
  const SizePoint &low = points[gap], &high = points[gap + 1];
  if (gap == 0) return -above(points[anchor(points, 1, 1, distance(low, high))], high, low, value);
  const double ahead = above(points[anchor(points, gap, -1, distance(low, high))], low, high, value);
  if (gap + 2 == points.size()) return ahead;
  const double behind = -above(points[anchor(points, gap + 1, 1, distance(low, high))], high, low, value);
  return std::abs(ahead) < std::abs(behind) ? ahead : behind;
}

std::uint64_t width(std::span<const SizePoint> points, std::size_t gap) {
  return points[gap + 1].size - points[gap].size;
}

// Indices of points that no change parts.
struct Piece {
  std::size_t first = 0, count = 0;
};

std::vector<Piece> pieces(std::span<const SizePoint> points, std::span<const Bracket> changes) {
  std::vector<Piece> result;
  std::size_t first = 0;
  for (const Bracket& change : changes) {
    std::size_t end = first;
    while (end < points.size() && points[end].size < change.high) ++end;
    result.push_back({first, end - first});
    first = end;
  }
  result.push_back({first, points.size() - first});
  return result;
}

std::optional<std::uint64_t> middle_of_widest(std::span<const SizePoint> points) {
  std::size_t best = 0;
  for (std::size_t gap = 0; gap + 1 < points.size(); ++gap)
    if (width(points, gap) > width(points, best)) best = gap;
  if (points.size() < 2 || width(points, best) < 2) return std::nullopt;
  return middle_of({points[best].size, points[best + 1].size});
}

}  // namespace

double Suspect::deviation() const { return std::max(std::abs(one), std::abs(busy)); }

std::uint64_t middle_of(const Bracket& bracket) { return bracket.low + (bracket.high - bracket.low) / 2; }

std::vector<std::uint64_t> doubling_sizes(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = std::max<std::uint64_t>(first, 1); size < last; size *= 2) {
    sizes.push_back(size);
    if (size > last / 2) break;
  }
  sizes.push_back(last);
  return sizes;
}

std::vector<Suspect> suspects(std::span<const SizePoint> points, std::span<const Bracket> changes) {
  std::vector<Suspect> all;
  for (const Piece& piece : pieces(points, changes)) {
    const std::span<const SizePoint> own = points.subspan(piece.first, piece.count);
    for (std::size_t gap = piece.first > 0 && own.size() > 2 ? 0 : 1; gap + 1 < own.size(); ++gap)
      all.push_back({piece.first + gap, rise_over(own, gap, &SizePoint::one), rise_over(own, gap, &SizePoint::busy)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Suspect& a, const Suspect& b) { return a.deviation() > b.deviation(); });
  return all;
}

std::optional<std::uint64_t> beside(std::span<const SizePoint> points, std::span<const Bracket> changes,
                                    const Bracket& change, const RefineRule& rule) {
  for (const Piece& piece : pieces(points, changes)) {
    if (piece.count == 0 || piece.count >= rule.least_beside) continue;
    const std::span<const SizePoint> own = points.subspan(piece.first, piece.count);
    if (own.back().size != change.low && own.front().size != change.high) continue;
    if (const auto middle = middle_of_widest(own)) return middle;
  }
  return std::nullopt;
}

}  // namespace plumbline::bench::network
