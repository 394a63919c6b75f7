#include "bench/ranks/network/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace plumbline::bench::network {
namespace {

using Value = double SizePoint::*;

// How far `at` is off the line through the other two, of its own value.
double off(const SizePoint& first, const SizePoint& second, const SizePoint& at, Value value) {
  const auto size = [](const SizePoint& point) { return static_cast<double>(point.size); };
  const double slope = (second.*value - first.*value) / (size(second) - size(first));
  const double expected = second.*value + slope * (size(at) - size(second));
  return std::abs(at.*value - expected) / std::max(at.*value, 1e-30);
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

double deviation_over(std::span<const SizePoint> points, std::size_t gap) {
  const SizePoint &low = points[gap], &high = points[gap + 1];
  const SizePoint& below = points[anchor(points, gap, -1, distance(low, high))];
  const SizePoint& above = points[anchor(points, gap + 1, 1, distance(low, high))];
  const auto by = [&](Value value) {
    const double ahead = off(below, low, high, value);
    return gap + 2 == points.size() ? ahead : std::min(ahead, off(above, high, low, value));
  };
  return std::max(by(&SizePoint::one), by(&SizePoint::busy));
}

std::uint64_t middle(const SizePoint& low, const SizePoint& high) { return low.size + (high.size - low.size) / 2; }

std::uint64_t width(std::span<const SizePoint> points, std::size_t gap) {
  return points[gap + 1].size - points[gap].size;
}

// More points beside a change that is known: in the nearest gap on a side that has too few.
std::optional<std::uint64_t> beside(std::span<const SizePoint> points, std::size_t gap, const RefineRule& rule) {
  const auto widest = [&](std::size_t begin, std::size_t end) -> std::optional<std::uint64_t> {
    std::size_t best = begin;
    for (std::size_t i = begin; i < end; ++i)
      if (width(points, i) > width(points, best)) best = i;
    if (begin >= end || width(points, best) < 2) return std::nullopt;
    return middle(points[best], points[best + 1]);
  };
  if (gap + 1 < rule.least_beside) return widest(0, gap);
  if (points.size() - gap - 1 < rule.least_beside) return widest(gap + 1, points.size() - 1);
  return std::nullopt;
}

}  // namespace

std::vector<std::uint64_t> doubling_sizes(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = std::max<std::uint64_t>(first, 1); size < last; size *= 2) {
    sizes.push_back(size);
    if (size > last / 2) break;
  }
  sizes.push_back(last);
  return sizes;
}

std::vector<Suspect> suspects(std::span<const SizePoint> points) {
  std::vector<Suspect> all;
  for (std::size_t gap = 1; gap + 1 < points.size(); ++gap) all.push_back({gap, deviation_over(points, gap)});
  std::stable_sort(all.begin(), all.end(),
                   [](const Suspect& a, const Suspect& b) { return a.deviation > b.deviation; });
  return all;
}

std::optional<std::uint64_t> next_size(std::span<const SizePoint> points, const RefineRule& rule) {
  for (const Suspect& suspect : suspects(points)) {
    if (suspect.deviation < rule.deviation) break;
    if (width(points, suspect.gap) > rule.resolution) return middle(points[suspect.gap], points[suspect.gap + 1]);
    if (const auto more = beside(points, suspect.gap, rule)) return more;
  }
  return std::nullopt;
}

}  // namespace plumbline::bench::network
