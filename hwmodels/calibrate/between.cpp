#include "hwmodels/calibrate/between.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/graph.hpp"
#include "hwmodels/calibrate/ranges.hpp"
#include "hwmodels/calibrate/summary.hpp"
#include "hwmodels/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

Parameter<Duration> split(Parameter<Duration> latency, std::uint32_t parts, const char* of) {
  latency.value.ps /= parts;
  latency.source += fmt::format("; {}", of);
  return latency;
}

class BetweenFitter {
 public:
  BetweenFitter(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                const std::string& source, Calibration& into)
      : structure_(structure), observations_(observations), rendezvous_(rendezvous), source_(source), into_(into) {}

  void run(bool keep_latencies) {
    const PairKind best = structure_.measured_best();
    RangeFit fitted = fit(best);
    if (fitted.ranges.empty())
      throw Error("", "no round trips were measured between nodes", "measure `prtt` or `pairs`", ExitCode::kTooNoisy);
    into_.notes.insert(into_.notes.end(), fitted.notes.begin(), fitted.notes.end());
    into_.between_ranges = fitted.reports;
    if (!keep_latencies) {
      const Parameter<Duration> taken = take_latency_out(fitted.ranges);
      const Duration more = beyond_a_switch();
      Parameter<Duration> near = taken;
      if (best == PairKind::kFar) near.value = std::max(Duration{}, taken.value - more);
      Parameter<Duration> uplink{more, taken.spread,
                                 fmt::format("{}: round trips across switches beyond those within", source_)};
      set_latencies(
          split(near, 2, "half of it for each of the two cables"),
          split(uplink, uplinks_on_the_way(structure_.grouping), "shared out over the cables between switches"),
          into_.platform);
    }
    into_.platform.between.ranges = std::move(fitted.ranges);
  }

 private:
  // Of two nodes of a kind, on the platform as it is.
  Duration route(PairKind kind, Bytes size) const {
    const auto [a, b] = example(kind);
    Topology topology(into_.platform);
    return idle_time(topology, topology.hops(topology.endpoint(a, 0), topology.endpoint(b, 0)), size,
                     into_.platform.packets);
  }

  RangeFit fit(PairKind kind) {
    RangeFitInput input;
    input.one_way = structure_.curve(kind);
    if (input.one_way.empty()) return {};
    input.sends = centre_of_kind(structure_, observations_, "overheads", "send", PairKind::kNear);
    input.receives = centre_of_kind(structure_, observations_, "overheads", "receive", PairKind::kNear);
    input.rendezvous = rendezvous_;
    input.source = source_;
    input.route = [this, kind](Bytes size) { return route(kind, size); };
    return fit_ranges(input);
  }

  // How much farther pairs across switches are than pairs within, beside the time on the wires; by the smallest size
  // that both were measured at.
  Duration beyond_a_switch() {
    if (structure_.grouping.groups < 2) return {};
    const Curve near = structure_.alike_curve(PairKind::kNear), far = structure_.alike_curve(PairKind::kFar);
    for (const auto& [size, figure] : near) {
      const auto farther = far.find(size);
      if (farther == far.end()) continue;
      const Duration more = duration_from_seconds((farther->second.value - figure.value) * 1e-9);
      return std::max(Duration{}, more - (route(PairKind::kFar, Bytes{size}) - route(PairKind::kNear, Bytes{size})));
    }
    into_.notes.push_back(
        "no round trips within and across switches were measured alike: cables between switches are "
        "taken without latency");
    return {};
  }

  // Two nodes of which a pair was measured.
  std::pair<std::uint32_t, std::uint32_t> example(PairKind kind) const {
    for (const auto& [pair, curve] : structure_.one_way)
      if (structure_.kind(pair.first, pair.second) == kind) return {pair.first.node, pair.second.node};
    return {0, 0};
  }

  const Structure& structure_;
  const Observations& observations_;
  std::optional<std::uint64_t> rendezvous_;
  const std::string& source_;
  Calibration& into_;
};

}  // namespace

std::optional<std::uint64_t> rendezvous_between(const Structure& structure, const Observations& observations,
                                                std::vector<std::string>& notes) {
  for (const char* const part : {"late", "away"})
    if (const Curve sends = centre_of_kind(structure, observations, "protocol", part, PairKind::kNear); !sends.empty())
      return first_waiting(sends);
  notes.push_back("no test of the protocol between nodes: all messages are taken as eager");
  return std::nullopt;
}

void fit_between(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                 const std::string& source, bool keep_latencies, Calibration& into) {
  BetweenFitter(structure, observations, rendezvous, source, into).run(keep_latencies);
}

}  // namespace plumbline::hw::calibration
