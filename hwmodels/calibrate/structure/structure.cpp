#include "hwmodels/calibrate/structure/structure.hpp"

#include <algorithm>

#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

// Of each pair of nodes, at the smallest size that most pairs have.
Distances distances_of(const std::map<PlacePair, Curve>& one_way) {
  std::map<std::uint64_t, std::size_t> pairs_at;
  for (const auto& [pair, curve] : one_way)
    if (pair.first.node != pair.second.node)
      for (const auto& [size, figure] : curve) ++pairs_at[size];
  if (pairs_at.empty()) return {};
  const auto most = std::max_element(pairs_at.begin(), pairs_at.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const Figure*>> by_nodes;
  for (const auto& [pair, curve] : one_way) {
    const auto found = curve.find(most->first);
    if (pair.first.node == pair.second.node || found == curve.end()) continue;
    by_nodes[std::minmax(pair.first.node, pair.second.node)].push_back(&found->second);
  }
  Distances distances;
  for (const auto& [nodes, figures] : by_nodes) {
    std::vector<double> values, spreads;
    for (const Figure* const figure : figures) {
      values.push_back(figure->value);
      spreads.push_back(figure->spread);
    }
    distances[nodes] = {median(values), median(spreads)};
  }
  return distances;
}

}  // namespace

Curve Structure::curve(PairKind wanted) const {
  std::size_t most = 0;
  for (const auto& [pair, curve] : one_way)
    if (kind(pair.first, pair.second) == wanted) most = std::max(most, curve.size());
  std::vector<const Curve*> curves;
  for (const auto& [pair, curve] : one_way)
    if (kind(pair.first, pair.second) == wanted && 2 * curve.size() >= most) curves.push_back(&curve);
  return centre(curves);
}

Curve Structure::alike_curve(PairKind wanted) const {
  std::vector<const Curve*> curves;
  for (const auto& [pair, curve] : alike)
    if (kind(pair.first, pair.second) == wanted) curves.push_back(&curve);
  return centre(curves);
}

PairKind Structure::measured_best() const {
  return curve(PairKind::kFar).size() > curve(PairKind::kNear).size() ? PairKind::kFar : PairKind::kNear;
}

Structure find_structure(const Observations& observations) {
  Structure structure;
  structure.one_way = one_way_times(observations);
  structure.alike = one_way_times(observations, "pairs");
  if (structure.alike.empty()) structure.alike = structure.one_way;
  const Streams streams(observations, structure.one_way);
  structure.grouping = find_groups(static_cast<std::uint32_t>(observations.nodes.size()), distances_of(structure.alike),
                                   streams.contentions());
  structure.sockets = find_socket_classes(observations, structure.one_way, structure.alike, streams);
  return structure;
}

Curve centre_of_kind(const Structure& structure, const Observations& observations, std::string_view operation,
                     std::string_view part, PairKind kind) {
  const auto all = curves_of(observations, operation, part);
  std::vector<const Curve*> curves;
  for (const auto& [places, curve] : all)
    if (places.size() > 1 && structure.kind(places.front(), places.back()) == kind) curves.push_back(&curve);
  if (curves.empty() && kind == PairKind::kNear)
    return centre_of_kind(structure, observations, operation, part, PairKind::kFar);
  if (curves.empty() && kind == PairKind::kInside && operation != "streams")
    return centre_of_kind(structure, observations, operation, part, PairKind::kOtherSocket);
  return centre(curves);
}

}  // namespace plumbline::hw::calibration
