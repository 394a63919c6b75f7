#include "hwmodels/calibrate/network/between.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/network/graph.hpp"
#include "hwmodels/calibrate/network/ranges.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

Parameter<Duration> split(Parameter<Duration> latency, std::uint32_t parts, const char* of) {
  latency.value.ps /= parts;
  latency.source += fmt::format("; {}", of);
  return latency;
}

constexpr double kOff = 0.01;  // what the line of a range may make of the latency of cables

double nanoseconds_in(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

class BetweenFitter {
 public:
  BetweenFitter(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                const std::string& source, const std::optional<Loopback>& loopback, Calibration& into)
      : structure_(structure),
        observations_(observations),
        rendezvous_(rendezvous),
        source_(source),
        loopback_(loopback),
        into_(into) {}

  void run(bool keep_latencies) {
    const PairKind best = structure_.measured_best();
    RangeFit fitted = fit(best);
    if (fitted.ranges.empty())
      throw Error("", "no round trips were measured between nodes", "measure `prtt` or `pairs`", ExitCode::kTooNoisy);
    into_.notes.insert(into_.notes.end(), fitted.notes.begin(), fitted.notes.end());
    into_.between_ranges = fitted.reports;
    if (!keep_latencies) give_latencies_to_cables(best, fitted.ranges);
    into_.platform.between.ranges = std::move(fitted.ranges);
  }

 private:
  void give_latencies_to_cables(PairKind best, std::vector<MessageRange>& ranges) {
    const Duration more = beyond_a_switch();
    const Duration uplinks = best == PairKind::kFar ? more : Duration{};
    const Parameter<Duration> taken = take_latency_out(ranges, of_software(best, ranges.front(), uplinks));
    Parameter<Duration> near = said_of_cables(taken);
    near.value = std::max(Duration{}, taken.value - uplinks);
    Parameter<Duration> uplink{more, taken.spread,
                               fmt::format("{}: round trips across switches beyond those within", source_)};
    set_latencies(split(near, 2, "half of it for each of the two cables"),
                  split(uplink, uplinks_on_the_way(structure_.grouping), "shared out over the cables between switches"),
                  into_.platform);
  }

  // Both at the size of the loopback: what a message takes beside the wires more than through it, and what that takes
  // beside both calls.
  double of_cables_ns(PairKind kind) const {
    const double one_way = value_at(structure_.curve(kind), static_cast<double>(loopback_->bytes));
    return one_way - loopback_->ns - nanoseconds_in(route(kind, Bytes{loopback_->bytes}));
  }
  double beside_calls_ns(const MessageRange& range) const {
    const auto bytes_ns = [&](const std::optional<Parameter<BytesPerSecond>>& rate) {
      return rate ? nanoseconds_in(transfer_time(Bytes{loopback_->bytes}, rate->value)) : 0;
    };
    return loopback_->ns - nanoseconds_in(range.send.value + range.receive.value) - bytes_ns(range.send_rate) -
           bytes_ns(range.receive_rate);
  }

  // What of the latency of the smallest messages is kernel and library, and says so there. The latency is of the line
  // through many sizes: cables and software are its parts in proportion, as long as cables are near to what was
  // measured of them. The least that they have is `uplinks`.
  Duration of_software(PairKind kind, MessageRange& first, Duration uplinks) {
    if (!loopback_) return {};
    const double cables = std::max(0.0, of_cables_ns(kind)), software = std::max(0.0, beside_calls_ns(first));
    if (cables <= 0)
      into_.notes.push_back("the loopback takes as long as messages between nodes: cables are left without latency");
    if (software <= 0)
      into_.notes.push_back(
          "sending and receiving alone take as long as messages through the loopback: all that is left is the cables'");
    const Duration whole = first.latency.value;
    const double sum = cables + software, whole_ns = nanoseconds_in(whole);
    const double in_proportion = sum > 0 ? whole_ns * cables / sum : 0;
    const double left = std::clamp(in_proportion, (1 - kOff) * cables, (1 + kOff) * cables);
    const Duration part =
        std::clamp(duration_from_seconds((whole_ns - left) * 1e-9), Duration{}, std::max(Duration{}, whole - uplinks));
    first.latency.source = fmt::format("{}: through the loopback of a node, less both calls, {} repetitions", source_,
                                       loopback_->repetitions);
    first.latency.spread = std::max(first.latency.spread, relative(loopback_->uncertainty_ns(), part));
    return part;
  }

  static double relative(double ns, Duration whole) {
    return whole > Duration{} ? std::min(1.0, ns * 1000 / static_cast<double>(whole.ps)) : 0;
  }

  Parameter<Duration> said_of_cables(Parameter<Duration> taken) const {
    if (!loopback_) {
      taken.source += "; kernel and library are in it";
      return taken;
    }
    taken.source = fmt::format("{}: round trips beyond those through the loopback of a node", source_);
    taken.spread = std::max(taken.spread, relative(loopback_->uncertainty_ns(), taken.value));
    return taken;
  }

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
  const std::optional<Loopback>& loopback_;
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
                 const std::string& source, bool keep_latencies, const std::optional<Loopback>& loopback,
                 Calibration& into) {
  BetweenFitter(structure, observations, rendezvous, source, loopback, into).run(keep_latencies);
}

}  // namespace plumbline::hw::calibration
