#include "hwmodels/calibrate/findings/nominal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/statistics/sign_test.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/network/links.hpp"

namespace plumbline::hw::calibration {
namespace {

template <class T>
void name_source(Parameter<T>& parameter, const std::string& source) {
  if (parameter.source.empty()) parameter.source = source;
}

void name_sources(Platform& platform, const std::string& source) {
  for (Node& node : platform.nodes) {
    name_source(node.memory_rate, source);
    name_source(node.interface_rate, source);
  }
  for (Switch& each : platform.switches) name_source(each.rate, source);
  for (Edge& edge : platform.edges) {
    name_source(edge.latency, source);
    name_source(edge.rate, source);
  }
}

const Edge* cable_of(const Platform& platform, std::uint32_t node) {
  for (const Edge& edge : platform.edges)
    if (edge.from == node || edge.to == node) return &edge;
  return nullptr;
}

}  // namespace

Observations on_nodes_of(const Platform& nominal, const Observations& observations, const std::string& name) {
  std::vector<std::uint32_t> number;  // [measured nodes], in the platform
  std::vector<std::string> missing;
  for (const SeenNode& seen : observations.nodes) {
    const auto found = std::find_if(nominal.nodes.begin(), nominal.nodes.end(),
                                    [&](const Node& node) { return node.name == seen.name; });
    if (found == nominal.nodes.end()) missing.push_back(seen.name);
    number.push_back(static_cast<std::uint32_t>(found - nominal.nodes.begin()));
  }
  if (!missing.empty())
    throw Error(name, fmt::format("has no node of these names, which were measured: {}", fmt::join(missing, ", ")),
                "name its nodes as the hosts are named");
  Observations result = observations;
  result.nodes.clear();
  for (const Node& node : nominal.nodes) result.nodes.push_back({node.name});
  for (std::size_t i = 0; i < number.size(); ++i) result.nodes[number[i]] = observations.nodes[i];
  const auto renumber = [&](std::vector<Place> places) {
    for (Place& place : places) place.node = number[place.node];
    return places;
  };
  for (auto* const figures : {&result.figures, &result.loopback}) {
    std::map<Experiment, Figure> moved;
    for (const auto& [experiment, figure] : *figures) {
      Experiment its = experiment;
      its.places = renumber(its.places);
      its.others = renumber(its.others);
      moved.emplace(std::move(its), figure);
    }
    *figures = std::move(moved);
  }
  for (SeenChange& change : result.changes) change.places = renumber(change.places);
  return result;
}

Platform hardware_of(const Platform& nominal, const std::string& name) {
  Platform platform = nominal;
  platform.network = NetworkKind::kStoreAndForward;
  platform.inside = {};
  platform.between = {};
  platform.pairs.clear();
  name_sources(platform, "nominal: " + name);
  return platform;
}

std::vector<Finding> below_nominal(const Structure& structure, const Observations& observations,
                                   const Platform& platform) {
  std::vector<Finding> findings;
  const Streams streams(observations, structure.one_way);
  for (const LinkSide& side : link_sides(structure, streams.alone())) {
    const Edge* const cable = cable_of(platform, side.node);
    if (cable == nullptr) continue;
    const double nominal = static_cast<double>(cable->rate.value.count), measured = 1e9 / side.centre;
    const double band = cable->rate.spread + spread_of_median(side.per_byte.runs) + kHeaderAllowance;
    if (measured >= nominal * (1 - band)) continue;
    Finding finding;
    finding.reference = Reference::kNominal;
    finding.component =
        fmt::format("link {}, {} {}", cable->name, side.out ? "from" : "to", observations.nodes[side.node].name);
    finding.quantity = "rate";
    finding.measured = measured;
    finding.expected = nominal;
    finding.unit = "B/s";
    finding.severity = 1 - measured / nominal;
    const double limit = 1e9 / (nominal * (1 - band));
    const auto below = std::count_if(side.per_byte.runs.begin(), side.per_byte.runs.end(),
                                     [&](double per_byte) { return per_byte > limit; });
    finding.samples = static_cast<std::uint32_t>(side.per_byte.runs.size());
    finding.p = statistics::sign_test(static_cast<std::uint64_t>(below), finding.samples);
    finding.basis = fmt::format("{} of {} medians of runs are below the band of {:.1f} %; sign test", below,
                                finding.samples, 100 * band);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::hw::calibration
