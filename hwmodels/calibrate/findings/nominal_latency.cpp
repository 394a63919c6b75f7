#include "hwmodels/calibrate/findings/nominal_latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/statistics/sign_test.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

double nanoseconds_in(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

Platform without_latencies(Platform platform) {
  for (Edge& edge : platform.edges) edge.latency.value = {};
  return platform;
}

// A way between two nodes.
struct Way {
  double nominal_ns = 0;
  std::vector<double> times;  // runs: latency over the nominal one
  double band = 0;            // relative to the nominal latency
};

class LatencyJudge {
 public:
  LatencyJudge(const Structure& structure, const Observations& observations, const Platform& platform,
               const Loopback& loopback)
      : structure_(structure),
        observations_(observations),
        platform_(platform),
        loopback_(loopback),
        full_(platform),
        bare_(without_latencies(platform)) {}

  std::vector<Finding> run() {
    std::map<std::uint32_t, std::vector<Way>> ways;  // by node
    for (const auto& [pair, curve] : structure_.alike) {
      if (structure_.kind(pair.first, pair.second) == PairKind::kInside || curve.empty()) continue;
      const Way way = way_of(pair, curve);
      if (way.nominal_ns <= 0) continue;
      ways[pair.first.node].push_back(way);
      ways[pair.second.node].push_back(way);
    }
    std::vector<Finding> findings;
    for (auto& [node, of_node] : ways)
      if (const auto finding = judge(node, nearer_half(std::move(of_node)))) findings.push_back(*finding);
    return findings;
  }

 private:
  double route_ns(Topology& topology, const PlacePair& pair, Bytes size) const {
    const auto hops = topology.hops(topology.endpoint(pair.first.node, 0), topology.endpoint(pair.second.node, 0));
    return nanoseconds_in(idle_time(topology, hops, size, platform_.packets));
  }

  double latency_spread() const {
    double most = 0;
    for (const Edge& edge : platform_.edges) most = std::max(most, edge.latency.spread);
    return most;
  }

  // By the size of the loopback where the pair has it, else by its smallest.
  Way way_of(const PlacePair& pair, const Curve& curve) {
    auto at = curve.find(loopback_.bytes);
    if (at == curve.end()) at = curve.begin();
    const Figure& figure = at->second;
    const Bytes size{at->first};
    const double wire = route_ns(bare_, pair, size);
    Way way;
    way.nominal_ns = route_ns(full_, pair, size) - wire;
    if (way.nominal_ns <= 0) return way;
    for (const double run : figure.runs) way.times.push_back((run - loopback_.ns - wire) / way.nominal_ns);
    way.band = (figure.spread * figure.value + loopback_.uncertainty_ns()) / way.nominal_ns + latency_spread() +
               kLatencyAllowance;
    return way;
  }

  // A partner's bad cable is not laid at this node's door.
  static std::vector<Way> nearer_half(std::vector<Way> ways) {
    std::ranges::stable_sort(ways, {}, [](const Way& way) { return median(way.times); });
    ways.resize((ways.size() + 1) / 2);
    return ways;
  }

  std::optional<Finding> judge(std::uint32_t node, const std::vector<Way>& ways) const {
    std::vector<double> times, bands, nominals;
    for (const Way& way : ways) {
      times.insert(times.end(), way.times.begin(), way.times.end());
      bands.push_back(way.band);
      nominals.push_back(way.nominal_ns);
    }
    const double found = median(times), limit = 1 + median(bands);
    if (found <= limit) return std::nullopt;
    const auto above = std::ranges::count_if(times, [&](double time) { return time > limit; });
    Finding finding;
    finding.reference = Reference::kNominal;
    finding.component = "link " + cable_of(node);
    finding.quantity = "latency of the way to nodes";
    finding.expected = median(nominals);
    finding.measured = finding.expected * found;
    finding.unit = "ns";
    finding.severity = found - 1;
    finding.samples = static_cast<std::uint32_t>(times.size());
    finding.p = statistics::sign_test(static_cast<std::uint64_t>(above), finding.samples);
    finding.basis =
        fmt::format("{} of {} medians of runs, less the loopback's, are above the band of {:.1f} %; sign test", above,
                    finding.samples, 100 * (limit - 1));
    return finding;
  }

  std::string cable_of(std::uint32_t node) const {
    for (const Edge& edge : platform_.edges)
      if (edge.from == node || edge.to == node) return edge.name;
    return "of " + observations_.nodes[node].name;
  }

  const Structure& structure_;
  const Observations& observations_;
  const Platform& platform_;
  const Loopback& loopback_;
  Topology full_, bare_;
};

}  // namespace

std::vector<Finding> beyond_nominal_latency(const Structure& structure, const Observations& observations,
                                            const Platform& platform, const Loopback& loopback) {
  return LatencyJudge(structure, observations, platform, loopback).run();
}

}  // namespace plumbline::hw::calibration
