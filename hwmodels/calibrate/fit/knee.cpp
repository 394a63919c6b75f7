#include "hwmodels/calibrate/fit/knee.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestForKnee = 6;
constexpr double kWorthAKnee = 0.7;  // it must reduce the sum of deviations to this share
constexpr double kStep = 1.0905;     // 2^(1/8): eight packets an octave are tried first
constexpr int kRefinements = 40;     // of a golden section, each to 62 %
constexpr double kGolden = 0.61803398875;

// Deviations from the best line of latency and cost of the receiver per byte, beside packets of this size.
double cost(std::span<const RestPoint> points, const Path& path, double packet) {
  std::vector<RestPoint> rest(points.begin(), points.end());
  for (RestPoint& each : rest)
    each.value -= ((path.stages - 1) * std::min(each.size, packet) + each.size) * path.per_byte;
  return sum_of_deviations(fit_rest(rest), rest);
}

double refine(std::span<const RestPoint> points, const Path& path, double low, double high) {
  for (int i = 0; i < kRefinements; ++i) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    if (cost(points, path, left) <= cost(points, path, right))
      high = right;
    else
      low = left;
  }
  return (low + high) / 2;
}

}  // namespace

Knee find_knee(std::span<const RestPoint> points, const Path& path, double smallest) {
  if (points.size() < kFewestForKnee || path.stages <= 1) return {};
  const double largest = points.back().size;
  double best = largest, least = cost(points, path, largest);
  const double without = least;
  double packet = smallest;
  while (packet < largest) {
    if (const double its = cost(points, path, packet); its < least) {
      least = its;
      best = packet;
    }
    packet *= kStep;
  }
  if (best < largest) {
    best = refine(points, path, best / kStep, std::min(best * kStep, largest));
    least = cost(points, path, best);
  }
  constexpr double kNoise = 1e-6;  // of exact data nothing is left
  const auto count = static_cast<double>(points.size());
  return {best, least < kWorthAKnee * without && without > kNoise * count, least / count};
}

}  // namespace plumbline::hw::calibration
