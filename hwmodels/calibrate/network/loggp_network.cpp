#include "hwmodels/calibrate/network/loggp_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hwmodels/calibrate/network/agreed_changes.hpp"
#include "hwmodels/calibrate/network/loggp.hpp"
#include "hwmodels/calibrate/transport.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestTrains = 4;

struct Trains {
  std::vector<RoundTrips> points;
  std::uint32_t messages = 0;
};

class LogGPNetwork {
 public:
  LogGPNetwork(const Structure& structure, const Observations& observations, const std::string& source,
               Calibration& into)
      : structure_(structure), observations_(observations), source_(source), into_(into) {}

  std::optional<Transport> fit(PairKind kind, std::optional<std::uint64_t> rendezvous, const char* where) {
    const Trains trains = trains_of(kind);
    if (trains.points.size() < kFewestTrains || trains.messages < 2) return std::nullopt;
    const LogGPFit fit = fit_loggp(trains.points, trains.messages, kLogGPChanges, changes(kind, where));
    if (!fit.delay_too_short.empty())
      into_.notes.push_back(
          fmt::format("{}: at {} of {} sizes the delay was shorter than the interface is busy; their "
                      "overhead is taken from the others",
                      where, fit.delay_too_short.size(), trains.points.size()));
    return loggp_transport(fit, rendezvous.value_or(0), source_);
  }

  // One behind another: ranges of nodes that follow each other, as a platform names them.
  void add_pairs(const Transport& near) {
    const std::vector<std::uint32_t>& group_of = structure_.grouping.group_of;
    const auto ranges = [&](std::uint32_t group) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
      for (std::uint32_t node = 0; node < group_of.size(); ++node) {
        if (group_of[node] != group) continue;
        if (!result.empty() && result.back().second + 1 == node)
          result.back().second = node;
        else
          result.emplace_back(node, node);
      }
      return result;
    };
    for (std::uint32_t group = 0; group < structure_.grouping.groups; ++group) {
      const auto own = ranges(group);
      for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t j = i; j < own.size(); ++j)
          into_.platform.pairs.push_back({own[i].first, own[i].second, own[j].first, own[j].second, near});
    }
  }

 private:
  // First sizes behind the changes that runs agree on.
  std::vector<double> changes(PairKind kind, const char* where) const {
    std::vector<SeenChange> own;
    for (const SeenChange& change : observations_.changes)
      if (change.places.size() == 2 && structure_.kind(change.places[0], change.places[1]) == kind)
        own.push_back(change);
    std::vector<double> sizes;
    const std::uint32_t runs = runs_of(kind);
    for (const AgreedChange& change : agreed_changes(std::move(own), runs)) {
      sizes.push_back(static_cast<double>(change.high));
      into_.notes.push_back(fmt::format("{}: messages change between {} and {} B, in {} of {} runs", where, change.low,
                                        change.high, change.runs, runs));
    }
    return sizes;
  }

  // That measured trains of such pairs.
  std::uint32_t runs_of(PairKind kind) const {
    std::size_t runs = 0;
    for (const auto& [places, curve] : curves_of(observations_, "prtt", "one"))
      for (const auto& [size, figure] : curve)
        if (places.size() == 2 && structure_.kind(places[0], places[1]) == kind)
          runs = std::max(runs, figure.runs.size());
    return static_cast<std::uint32_t>(runs);
  }

  Curve curve(const char* part, PairKind kind) const {
    return centre_of_kind(structure_, observations_, "prtt", part, kind);
  }

  Trains trains_of(PairKind kind) const {
    const Curve one = curve("one", kind), many = curve("many", kind), spaced = curve("spaced", kind),
                receives = curve("receives", kind);
    Trains trains;
    for (const auto& [size, figure] : one) {
      const auto train = many.find(size);
      if (train == many.end() || size == 0) continue;
      RoundTrips point;
      point.size = static_cast<double>(size);
      point.one = figure.value;
      point.many = train->second.value;
      trains.messages = train->second.messages;
      const double others = trains.messages - 1;
      if (const auto found = spaced.find(size); found != spaced.end()) {
        point.delay = found->second.wait;
        point.spaced = found->second.value + others * point.delay;  // observe() has taken the waits out
      }
      if (const auto found = receives.find(size); found != receives.end()) {
        point.receive_delay = found->second.wait;
        point.receives = found->second.value + others * point.receive_delay;
      }
      trains.points.push_back(point);
    }
    return trains;
  }

  const Structure& structure_;
  const Observations& observations_;
  const std::string& source_;
  Calibration& into_;
};

}  // namespace

Transport assumed_inside(Transport between) {
  for (MessageRange& range : between.ranges) {
    for (Parameter<Duration>* const each : {&range.send, &range.receive, &range.latency, &range.gap}) {
      each->spread = 1;
      each->source = "assumed: as between nodes";
    }
  }
  return between;
}

void fit_loggp_network(const Structure& structure, const Observations& observations,
                       std::optional<std::uint64_t> rendezvous, const std::string& source, Calibration& into) {
  LogGPNetwork network(structure, observations, source, into);
  const Curve late = centre_of_kind(structure, observations, "protocol", "late", PairKind::kInside);
  const std::optional<Transport> inside = network.fit(PairKind::kInside, first_waiting(late), "inside of nodes");
  const std::optional<Transport> near = network.fit(PairKind::kNear, rendezvous, "between nodes");
  const std::optional<Transport> far = network.fit(PairKind::kFar, rendezvous, "across switches");
  const bool has_network = observations.nodes.size() > 1;
  if (has_network && !near)
    throw Error(
        "", "networks of LogGP and sampled ones need trains of messages (`prtt`) of four sizes and more between nodes",
        "measure them, or calibrate without --network", ExitCode::kTooNoisy);
  if (!has_network && !inside)
    throw Error("", "LogGP needs trains of messages (`prtt`) of four sizes and more", "measure them",
                ExitCode::kTooNoisy);
  if (has_network) into.platform.between = far.value_or(*near);
  if (far) network.add_pairs(*near);
  if (!inside) into.notes.push_back("no trains were measured inside of nodes: taken as between them");
  into.platform.inside = inside ? *inside : assumed_inside(into.platform.between);
  into.platform.network = NetworkKind::kLogGP;
}

}  // namespace plumbline::hw::calibration
