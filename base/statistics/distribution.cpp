#include "base/statistics/distribution.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

#include "base/check.hpp"

namespace plumbline::statistics {
namespace {

constexpr double kStated[] = {0.5, 0.99, 0.999};  // knots in any case

Knot knot_at(std::span<const Knot> knots, double share) {
  PLUMBLINE_CHECK(share >= 0 && share <= 1, "a quantile is of a share");
  const auto behind = std::upper_bound(knots.begin(), knots.end() - 1, share,
                                       [](double s, const Knot& knot) { return s < knot.share; });
  const Knot &high = *behind, &low = *(behind - 1);
  return {share, low.value + (high.value - low.value) * ((share - low.share) / (high.share - low.share))};
}

// The last knot up to `last` to which a straight piece from `first` passes those between within the tolerance: the
// slopes that do narrow with each knot.
std::size_t reach(std::span<const Knot> knots, std::size_t first, std::size_t last, double tolerance) {
  double least = -std::numeric_limits<double>::infinity(), most = -least;
  std::size_t reached = first + 1;
  for (std::size_t i = first + 1; i <= last && least <= most; ++i) {
    const double run = knots[i].share - knots[first].share;
    const double slope = (knots[i].value - knots[first].value) / run, slack = tolerance * knots[i].value / run;
    if (least <= slope && slope <= most) reached = i;
    least = std::max(least, slope - slack);
    most = std::min(most, slope + slack);
  }
  return reached;
}

bool is_stated(double share) { return share == 1 || std::ranges::find(kStated, share) != std::end(kStated); }

}  // namespace

Distribution exact(std::span<const double> sorted) {
  PLUMBLINE_CHECK(!sorted.empty(), "a distribution is of values");
  if (sorted.size() == 1) return {1, {{0, sorted[0]}, {1, sorted[0]}}};
  Distribution result{sorted.size(), {}};
  const auto last = static_cast<double>(sorted.size() - 1);
  for (std::size_t i = 0; i < sorted.size(); ++i) result.knots.push_back({static_cast<double>(i) / last, sorted[i]});
  return result;
}

Distribution binned(std::span<const double> sorted, double tolerance) {
  Distribution all = exact(sorted);
  for (const double share : kStated) {
    const Knot stated = knot_at(all.knots, share);
    const auto place = std::ranges::lower_bound(all.knots, share, {}, &Knot::share);
    if (place->share != share) all.knots.insert(place, stated);
  }
  Distribution result{all.count, {all.knots.front()}};
  for (std::size_t at = 0; at + 1 < all.knots.size();) {
    std::size_t last = at + 1;
    while (!is_stated(all.knots[last].share)) ++last;
    at = reach(all.knots, at, last, tolerance);
    result.knots.push_back(all.knots[at]);
  }
  return result;
}

double value_at(const Distribution& distribution, double share) { return knot_at(distribution.knots, share).value; }

std::vector<double> merged(std::span<const double> a, std::span<const double> b) {
  std::vector<double> result;
  result.reserve(a.size() + b.size());
  std::ranges::merge(a, b, std::back_inserter(result));
  return result;
}

}  // namespace plumbline::statistics
