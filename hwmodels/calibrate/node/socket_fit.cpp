#include "hwmodels/calibrate/node/socket_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/network/cables.hpp"
#include "hwmodels/calibrate/node/inside.hpp"
#include "hwmodels/calibrate/node/socket_gap.hpp"
#include "hwmodels/calibrate/node/socket_parts.hpp"
#include "hwmodels/calibrate/node/socket_streams.hpp"
#include "hwmodels/calibrate/node/this_machine.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

// Of the time of a byte on a cable, the part that a way through sockets may take: a message between nodes is longer by
// half of that on a star of two cables, which still leaves what MPI costs for each byte.
constexpr double kMostOfACable = 0.5;

double ns_of(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

Parameter<BytesPerSecond> rate_of_byte_time(double per_byte, double spread, std::string source) {
  return {{static_cast<std::uint64_t>(std::llround(1e9 / per_byte))}, std::min(spread, 1.0), std::move(source)};
}

constexpr double kNotSlowed = 0.9;  // of what streams carry alone

double byte_time(double rate) { return rate > 0 ? 1e9 / rate : 0; }

// `local`: ns for a byte in one socket.
CrossingSeen crossing_seen(const SocketGap& gap, const CrossingRates& rates, double local) {
  CrossingSeen seen;
  seen.packet = gap.per_byte + local;
  seen.one_way = byte_time(std::max(rates.alone, rates.together));
  if (seen.one_way <= 0 && gap.beyond) seen.one_way = *gap.beyond + local;
  for (const BothRates& each : rates.both)
    seen.both.push_back({byte_time(each.crossing), byte_time(each.socket), each.crossing < kNotSlowed * each.alone});
  if (rates.apart > 0 && rates.apart < kNotSlowed * 2 * rates.alone) seen.apart = byte_time(rates.apart);
  return seen;
}

bool is_on(const SocketGroup& group, std::uint32_t node) {
  return std::find(group.nodes.begin(), group.nodes.end(), node) != group.nodes.end();
}

class SocketFitter {
 public:
  SocketFitter(const Structure& structure, const Observations& observations, const std::string& source,
               Calibration& into)
      : structure_(structure),
        observations_(observations),
        source_(source),
        into_(into),
        platform_(into.platform),
        local_(1e9 / static_cast<double>(platform_.nodes.front().memory_rate.value.count)) {}

  void run() {
    std::vector<const SocketGroup*> given;
    for (const SocketGroup& group : structure_.sockets.groups)
      if (group.apart && give(group)) given.push_back(&group);
    if (!given.empty()) take_header_out();
    for (const SocketGroup* const group : given) {
      note_placement(*group);
      note_fit(*group);
    }
  }

 private:
  bool give(const SocketGroup& group) {
    const SocketGap gap = fit_gap(group, platform_.packets.granularity, rendezvous_inside(structure_, observations_));
    const Streams streams(observations_, structure_.one_way);
    const CrossingRates rates = crossing_rates(streams, observations_, group, platform_.packets.header,
                                               platform_.nodes.front().memory_rate.value);
    const CrossingSeen seen = crossing_seen(gap, rates, local_);
    if (holds_up_cables(group, seen.packet)) return false;
    const CrossingParts parts = parts_of_crossing(seen);
    if (!parts.note.empty()) into_.notes.push_back(fmt::format("{}: {}", name_of(group), parts.note));
    Sockets sockets = sockets_of_group(gap, parts, rates.spread, group);
    for (const std::uint32_t number : group.nodes) {
      Node& node = platform_.nodes[number];
      const bool is_here = here_ && here_->host == node.name;
      sockets.count = std::max(group.count, is_here ? sockets_of(*here_) : 0);
      node.cores = std::max(node.cores, sockets.count);
      node.sockets = sockets;
    }
    return true;
  }

  std::string name_of(const SocketGroup& group) const {
    const std::string& first = observations_.nodes[group.nodes.front()].name;
    return group.nodes.size() == 1 ? first : fmt::format("{} and {} more", first, group.nodes.size() - 1);
  }

  bool holds_up_cables(const SocketGroup& group, double per_byte) {
    double cable = 0;  // B/ns
    for (const Edge& edge : platform_.edges)
      if (edge.from == group.nodes.front() || edge.to == group.nodes.front())
        cable = std::max(cable, static_cast<double>(edge.rate.value.count) / 1e9);
    if (cable * per_byte <= kMostOfACable) return false;
    into_.notes.push_back(
        fmt::format("{}: in the platform messages between nodes would cross its sockets, too, and take longer than was "
                    "measured: it has none, and pairs across sockets take what pairs in one do",
                    name_of(group)));
    return true;
  }

  Sockets sockets_of_group(const SocketGap& gap, const CrossingParts& parts, double spread,
                           const SocketGroup& group) const {
    const Parameter<BytesPerSecond>& memory = platform_.nodes.front().memory_rate;
    Sockets sockets;
    sockets.local_rate = memory;
    const double header = static_cast<double>(platform_.packets.header.count);
    const double both_links = std::max(0.0, gap.start - header * gap.per_byte);
    sockets.latency = {
        duration_from_seconds(both_links / 2 * 1e-9), spread_of_start(group, both_links),
        fmt::format("{}: round trips across sockets beyond those in one, half of it for each link", source_)};
    const double times = std::max(spread, std::max(typical_spread(group.same), typical_spread(group.other)));
    sockets.rate = rate(parts.socket, times, memory.value);
    sockets.link_rate = rate(parts.link, times, memory.value);
    sockets.interconnect_rate = rate(parts.interconnect, times, memory.value);
    return sockets;
  }

  Parameter<BytesPerSecond> rate(const CrossingPart& part, double spread, BytesPerSecond memory) const {
    constexpr double kNothing = 1e-3;  // of what a byte takes in one socket
    constexpr double kCertain = 0.01;
    if (part.per_byte < kNothing * local_) {
      Parameter<BytesPerSecond> unseen = unseen_rate(memory);
      unseen.source = "not seen: 1000 times the rate in a socket, so that it decides nothing";
      unseen.spread = part.doubt;
      return unseen;
    }
    const char* const how = part.doubt > kCertain ? "; cannot be told apart from the other parts of the way" : "";
    return rate_of_byte_time(part.per_byte, std::max(spread, part.doubt),
                             fmt::format("{}: streams and round trips across sockets{}", source_, how));
  }

  // Of a difference of two times.
  static double spread_of_start(const SocketGroup& group, double start) {
    for (const auto& [size, other] : group.other)
      if (const auto same = group.same.find(size); same != group.same.end() && start > 0)
        return std::min(1.0, (other.spread * other.value + same->second.spread * same->second.value) / start);
    return 0;
  }

  // Ranges have it in their latency: they were fitted to a memory without it (one_way_time()).
  void take_header_out() {
    const Duration header = duration_from_seconds(local_ * static_cast<double>(platform_.packets.header.count) * 1e-9);
    for (MessageRange& range : platform_.inside.ranges)
      range.latency.value = std::max(Duration{}, range.latency.value - header);
  }

  // A platform fills one socket after the other.
  void note_placement(const SocketGroup& group) {
    for (const auto& [pair, curve] : structure_.one_way) {
      const auto& [a, b] = pair;
      if (a.node != b.node || !is_on(group, a.node)) continue;
      const Node& node = platform_.nodes[a.node];
      const bool together = socket_of_core(node.sockets->count, node.cores, a.slot) ==
                            socket_of_core(node.sockets->count, node.cores, b.slot);
      if (!is_of(a, b, together ? Crossing::kOther : Crossing::kSame)) continue;
      into_.notes.push_back(
          fmt::format("{}: ranks {} and {} of a node were {} socket{}; in a replay, which fills one socket after the "
                      "other, they are not",
                      name_of(group), a.slot, b.slot, together ? "on two" : "on one", together ? "s" : ""));
      return;
    }
  }

  void note_fit(const SocketGroup& group) {
    Topology topology(platform_);
    const std::uint32_t node = group.nodes.front();
    const auto hops = topology.hops(topology.endpoint(node, 0), topology.endpoint(node, 1));
    const std::vector<Hop> way(hops.begin(), hops.end());
    const auto route = [&](Bytes size) { return ns_of(idle_time(topology, way, size, platform_.packets)); };
    std::vector<double> deviations;
    for (const auto& [size, figure] : group.other)
      deviations.push_back(std::abs(across(Bytes{size}, route) - figure.value) / figure.value);
    into_.notes.push_back(fmt::format("{}: fits {} sizes across sockets within {} (median), {} (worst)", name_of(group),
                                      deviations.size(), format_percent(median(deviations)),
                                      format_percent(*std::max_element(deviations.begin(), deviations.end()))));
  }

  // ns of a message across sockets, on the platform as it is.
  template <class Route>
  double across(Bytes size, const Route& route) const {
    const auto fixed = [](const MessageRange& range) {
      return ns_of(range.send.value + range.latency.value + range.receive.value);
    };
    const MessageRange& range = range_of(platform_.inside, size);
    double ns = fixed(range) + route(size);
    for (const auto* const per_byte : {&range.send_rate, &range.receive_rate})
      if (*per_byte) ns += ns_of(transfer_time(size, (*per_byte)->value));
    if (range.protocol == Protocol::kRendezvous) ns += 2 * (fixed(platform_.inside.ranges.front()) + route(Bytes{0}));
    return ns;
  }

  const Structure& structure_;
  const Observations& observations_;
  const std::string& source_;
  Calibration& into_;
  Platform& platform_;
  double local_;                                        // ns for a byte in one socket
  const std::optional<Machine> here_ = this_machine();  // CPUs of another are those that ranks were bound to
};

}  // namespace

void fit_sockets(const Structure& structure, const Observations& observations, const std::string& source,
                 Calibration& into) {
  SocketFitter(structure, observations, source, into).run();
}

}  // namespace plumbline::hw::calibration
