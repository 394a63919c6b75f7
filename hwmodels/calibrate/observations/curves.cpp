#include "hwmodels/calibrate/observations/curves.hpp"

#include <algorithm>
#include <iterator>

#include "base/check.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/transport.hpp"

namespace plumbline::hw::calibration {
namespace {

Figure half(Figure figure) {
  figure.value /= 2;
  for (double& run : figure.runs) run /= 2;
  return figure;
}

PlacePair in_order(const std::vector<Place>& places) { return std::minmax(places[0], places[1]); }

// Experiments ascend in the number of messages at once: the first one counts.
void add_halves(const Observations& observations, std::string_view operation, std::string_view part,
                std::map<PlacePair, Curve>& to) {
  for (const auto& [experiment, figure] : observations.figures)
    if (experiment.operation == operation && experiment.part == part && experiment.places.size() == 2)
      to[in_order(experiment.places)].emplace(experiment.bytes, half(figure));
}

}  // namespace

std::map<PlacePair, Curve> one_way_times(const Observations& observations, std::string_view only) {
  std::map<PlacePair, Curve> times;
  if (only != "pairs") add_halves(observations, "prtt", "one", times);
  if (only != "prtt") add_halves(observations, "pairs", "", times);
  return times;
}

std::map<PlacePair, Curve> waited_one_way_times(const Observations& observations) {
  std::map<PlacePair, Curve> times;
  add_halves(observations, "pairs", "waited", times);
  return times;
}

std::map<std::vector<Place>, Curve> curves_of(const Observations& observations, std::string_view operation,
                                              std::string_view part) {
  std::map<std::vector<Place>, Curve> curves;
  for (const auto& [experiment, figure] : observations.figures)
    if (experiment.operation == operation && experiment.part == part)
      curves[experiment.places].emplace(experiment.bytes, figure);
  return curves;
}

Curve centre(std::span<const Curve* const> curves) {
  std::map<std::uint64_t, std::vector<const Figure*>> by_size;
  for (const Curve* const curve : curves)
    for (const auto& [size, figure] : *curve) by_size[size].push_back(&figure);
  Curve result;
  for (const auto& [size, figures] : by_size) {
    std::vector<double> values, spreads, waits;
    Figure figure;
    for (const Figure* const each : figures) {
      values.push_back(each->value);
      spreads.push_back(each->spread);
      waits.push_back(each->wait);
      figure.runs.insert(figure.runs.end(), each->runs.begin(), each->runs.end());
      figure.repetitions += each->repetitions;
      figure.messages = each->messages;
    }
    figure.value = median(values);
    figure.spread = std::max(median(spreads), spread_of_median(values));
    figure.wait = median(waits);
    result.emplace(size, std::move(figure));
  }
  return result;
}

double value_at(const Curve& curve, double size) {
  PLUMBLINE_CHECK(!curve.empty(), "a curve has a point");
  const auto above = std::find_if(curve.begin(), curve.end(),
                                  [&](const auto& each) { return static_cast<double>(each.first) >= size; });
  if (above == curve.begin()) return above->second.value;
  if (above == curve.end()) return curve.rbegin()->second.value;
  const auto below = std::prev(above);
  const auto low = static_cast<double>(below->first), high = static_cast<double>(above->first);
  return below->second.value + (above->second.value - below->second.value) * (size - low) / (high - low);
}

std::vector<Point> points_of(const Curve& curve) {
  std::vector<Point> points;
  for (const auto& [size, figure] : curve)
    if (figure.value > 0) points.push_back({static_cast<double>(size), figure.value});
  return points;
}

std::vector<Point> points_between(const Curve& curve, double first, double last) {
  std::vector<Point> points = points_of(curve);
  std::erase_if(points, [&](const Point& point) { return point.size < first || point.size > last; });
  return points;
}

double typical_spread(const Curve& curve) {
  std::vector<double> spreads;
  for (const auto& [size, figure] : curve) spreads.push_back(figure.spread);
  return spreads.empty() ? 0 : median(spreads);
}

std::optional<std::uint64_t> first_waiting(const Curve& sends) {
  std::vector<std::pair<std::uint64_t, bool>> waits;
  for (const auto& [size, figure] : sends)
    if (figure.wait > 0) waits.emplace_back(size, figure.value >= figure.wait / 2);
  return first_that_waits(waits);
}

}  // namespace plumbline::hw::calibration
