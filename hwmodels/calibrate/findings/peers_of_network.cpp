#include "hwmodels/calibrate/findings/peers_of_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "hwmodels/calibrate/fit/peers.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/network/links.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kLeastOfDuplex = 0.25;  // acknowledgements of the other direction take a part, a shared wire half

// Members of one class with what is said of those that stand out.
struct Candidate {
  std::string component;
  Member member;
};

std::vector<Member> members_of(const std::vector<Candidate>& candidates) {
  std::vector<Member> members;
  for (const Candidate& each : candidates) members.push_back(each.member);
  return members;
}

class NetworkPeers {
 public:
  NetworkPeers(const Structure& structure, const Observations& observations, const Platform& platform)
      : structure_(structure),
        observations_(observations),
        platform_(platform),
        streams_(observations, structure.one_way),
        compared_(streams_.loaded().size() > streams_.alone().size() ? streams_.loaded() : streams_.alone()) {}

  std::vector<Finding> run() {
    duplex();
    cables();
    latencies();
    pairs();
    calls("send", "send call");
    calls("receive", "receive call");
    inside();
    return std::move(findings_);
  }

 private:
  const std::string& name(std::uint32_t node) const { return observations_.nodes[node].name; }

  std::string cable_of(std::uint32_t node) const {
    for (const Edge& edge : platform_.edges)
      if (edge.from == node || edge.to == node) return "link " + edge.name;
    return "link of " + name(node);
  }

  // `unit` of `typical`, the value of a component that is like the others.
  Finding finding(const Candidate& candidate, const Outlier& outlier, std::string quantity, double typical,
                  std::string unit, std::size_t members) const {
    Finding finding;
    finding.component = candidate.component;
    finding.quantity = std::move(quantity);
    finding.unit = std::move(unit);
    const bool is_rate = finding.unit == "B/s";
    finding.expected = typical;
    finding.measured = is_rate ? typical / outlier.times : typical * outlier.times;
    finding.severity = is_rate ? 1 - 1 / outlier.times : outlier.times - 1;
    finding.p = outlier.p;
    finding.samples = static_cast<std::uint32_t>(candidate.member.runs.size());
    finding.basis = basis_of(finding.samples, members);
    return finding;
  }

  // Where all nodes stream both ways at once, a half-duplex cable is slow in each direction for the other one's sake:
  // so by streams of one direction, where these tell of half as many pairs.
  void cables() {
    sides_ = link_sides(structure_, compared_);
    const std::vector<StreamRate> one_direction = streams_.one_direction();
    cables_of(2 * one_direction.size() >= compared_.size() ? link_sides(structure_, one_direction) : sides_);
  }

  // A cable by its slower direction: both have what the node does in common, and are no two witnesses.
  void cables_of(const std::vector<LinkSide>& sides) {
    std::map<std::uint32_t, std::pair<const LinkSide*, const LinkSide*>> nodes;  // slower, and the other
    std::vector<double> centres;
    for (const LinkSide& side : sides) {
      auto& [slower, other] = nodes[side.node];
      other = slower == nullptr || slower->centre < side.centre ? slower : &side;
      if (other != &side) slower = &side;
      centres.push_back(side.centre);
    }
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> node_of;
    for (const auto& [node, both] : nodes) {
      node_of.push_back(node);
      candidates.push_back(
          {cable_of(node) + ", " + directions_of(*both.first, both.second, median(centres)), both.first->per_byte});
    }
    for (const Outlier& outlier : slower_than_peers(members_of(candidates))) {
      slow_nodes_.insert(node_of[outlier.member]);
      findings_.push_back(
          finding(candidates[outlier.member], outlier, "rate", 1e9 / median(centres), "B/s", candidates.size()));
    }
  }

  // Both where the other direction has half of what is too much, and more.
  std::string directions_of(const LinkSide& slower, const LinkSide* other, double typical) const {
    if (other != nullptr && other->centre - typical > (slower.centre - typical) / 2) return "both directions";
    return fmt::format("{} {}", slower.out ? "from" : "to", name(slower.node));
  }

  // Both directions at once, over one alone.
  void duplex() {
    std::map<std::uint32_t, Member> members = both_of_nodes();
    if (members.size() < 2) members = both_of_pairs();
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> node_of;
    std::vector<double> all;
    for (auto& [node, member] : members) {
      all.push_back(median(member.runs));
      node_of.push_back(node);
      candidates.push_back({cable_of(node), std::move(member)});
    }
    const double carried = 2 * link_rate() / (all.empty() ? 1 : std::max(median(all), 1.0));
    for (const Outlier& outlier : slower_than_peers(members_of(candidates), {.least = kLeastOfDuplex})) {
      half_duplex_nodes_.insert(node_of[outlier.member]);
      findings_.push_back(finding(candidates[outlier.member], outlier, "rate of both directions at once", carried,
                                  "B/s", candidates.size()));
    }
  }

  // Where all nodes stream: the direction that suffers more, over what it carries alone.
  std::map<std::uint32_t, Member> both_of_nodes() const {
    std::map<std::pair<std::uint32_t, bool>, double> alone;
    for (const LinkSide& side : link_sides(structure_, streams_.one_direction()))
      alone[{side.node, side.out}] = side.centre;
    std::map<std::uint32_t, Member> members;
    for (const LinkSide& side : link_sides(structure_, streams_.both_directions())) {
      const auto one = alone.find({side.node, side.out});
      if (one == alone.end()) continue;
      Member relative = side.per_byte;
      for (double& each : relative.runs) each /= one->second;
      Member& worse = members[side.node];
      if (worse.runs.empty() || median(worse.runs) < median(relative.runs)) worse = std::move(relative);
    }
    return members;
  }

  // A pair is laid at the door of the end whose best pair is worse, and once: counted for both its ends it would be two
  // witnesses.
  std::map<std::uint32_t, Member> both_of_pairs() const {
    const auto pairs = streams_.both_ways_of_pairs();
    std::map<std::uint32_t, double> best;
    for (const auto& [pair, runs] : pairs)
      for (const std::uint32_t node : {pair.first.node, pair.second.node})
        best[node] = best.contains(node) ? std::min(best[node], median(runs)) : median(runs);
    std::map<std::uint32_t, Member> members;
    for (const auto& [pair, runs] : pairs) {
      const std::uint32_t worse = best[pair.second.node] > best[pair.first.node] ? pair.second.node : pair.first.node;
      members[worse].runs.insert(members[worse].runs.end(), runs.begin(), runs.end());
    }
    return members;
  }

  double link_rate() const {
    std::vector<double> rates;
    for (const StreamRate& stream : streams_.alone())
      if (structure_.kind(stream.from, stream.to) == PairKind::kNear) rates.push_back(stream.rate);
    return rates.empty() ? 0 : median(rates);
  }

  void latencies() {
    std::vector<Candidate> candidates;
    const std::vector<NodeLatency> nodes = node_latencies(structure_);
    for (const NodeLatency& node : nodes) candidates.push_back({cable_of(node.node), node.relative});
    const Curve near = structure_.alike_curve(PairKind::kNear);
    for (const Outlier& outlier : slower_than_peers(members_of(candidates), {.least = kLeastOfTimes})) {
      far_nodes_.insert(nodes[outlier.member].node);
      findings_.push_back(finding(candidates[outlier.member], outlier, "one-way time of the smallest message",
                                  near.empty() ? 1 : near.begin()->second.value, "ns", candidates.size()));
    }
  }

  bool is_explained(std::uint32_t node) const {
    return slow_nodes_.contains(node) || half_duplex_nodes_.contains(node);
  }

  // Pairs that are slower than both their cables are; each by its slower direction, as above.
  void pairs() {
    std::map<std::pair<std::uint32_t, bool>, double> centre_of;
    for (const LinkSide& side : sides_) centre_of[{side.node, side.out}] = side.centre;
    std::map<PlacePair, Candidate> slower;
    std::vector<double> all;
    for (const StreamRate& stream : compared_) {
      const bool explained = is_explained(stream.from.node) || is_explained(stream.to.node);
      if (structure_.kind(stream.from, stream.to) != PairKind::kNear || explained || stream.rate <= 0) continue;
      const double cables = std::max(centre_of[{stream.from.node, true}], centre_of[{stream.to.node, false}]);
      Candidate candidate{fmt::format("{} to {}", name(stream.from.node), name(stream.to.node)), {}};
      for (const double rate : stream.runs) candidate.member.runs.push_back(1e9 / rate / cables);
      const auto [known, is_new] = slower.try_emplace(std::minmax(stream.from, stream.to), candidate);
      if (!is_new && median(known->second.member.runs) < median(candidate.member.runs)) known->second = candidate;
      all.push_back(stream.rate);
    }
    std::vector<Candidate> candidates;
    for (auto& [pair, candidate] : slower) candidates.push_back(std::move(candidate));
    for (const Outlier& outlier : slower_than_peers(members_of(candidates)))
      findings_.push_back(finding(candidates[outlier.member], outlier, "rate", median(all), "B/s", candidates.size()));
    pairs_apart();
  }

  void pairs_apart() {
    std::vector<Candidate> candidates;
    std::vector<double> all;
    for (const auto& [pair, curve] : structure_.alike) {
      const bool explained = far_nodes_.contains(pair.first.node) || far_nodes_.contains(pair.second.node);
      if (structure_.kind(pair.first, pair.second) != PairKind::kNear || explained) continue;
      candidates.push_back(
          {fmt::format("{} and {}", name(pair.first.node), name(pair.second.node)), {curve.begin()->second.runs}});
      all.push_back(curve.begin()->second.value);
    }
    for (const Outlier& outlier : slower_than_peers(members_of(candidates), {.least = kLeastOfTimes}))
      findings_.push_back(finding(candidates[outlier.member], outlier, "one-way time of the smallest message",
                                  median(all), "ns", candidates.size()));
  }

  using NodeOf = std::function<std::uint32_t(const std::vector<Place>&)>;

  // Nodes by what the smallest of these took there.
  void by_node(const std::map<std::vector<Place>, Curve>& curves, const NodeOf& node_of, const char* quantity) {
    std::map<std::uint32_t, Member> members;
    std::map<std::uint64_t, std::size_t> sizes;
    for (const auto& [places, curve] : curves) ++sizes[curve.begin()->first];
    if (sizes.empty()) return;
    const std::uint64_t size = std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
                                 return a.second < b.second;
                               })->first;
    for (const auto& [places, curve] : curves) {
      const auto found = curve.find(size);
      if (found == curve.end()) continue;
      std::vector<double>& runs = members[node_of(places)].runs;
      runs.insert(runs.end(), found->second.runs.begin(), found->second.runs.end());
    }
    std::vector<Candidate> candidates;
    std::vector<double> all;
    for (auto& [node, member] : members) {
      all.push_back(median(member.runs));
      candidates.push_back({"node " + name(node), std::move(member)});
    }
    for (const Outlier& outlier : slower_than_peers(members_of(candidates), {.least = kLeastOfTimes}))
      findings_.push_back(finding(candidates[outlier.member], outlier, quantity, median(all), "ns", candidates.size()));
  }

  // Calls between nodes only: inside of a node they are of another kind.
  void calls(const char* part, const char* quantity) {
    auto curves = curves_of(observations_, "overheads", part);
    std::erase_if(curves, [](const auto& each) {
      return each.first.size() < 2 || each.first.front().node == each.first.back().node;
    });
    const bool sends = std::string_view(part) == "send";
    by_node(
        curves, [&](const std::vector<Place>& places) { return (sends ? places.front() : places.back()).node; },
        quantity);
  }

  void inside() {
    std::map<std::vector<Place>, Curve> curves;
    for (const auto& [pair, curve] : structure_.alike)
      if (structure_.kind(pair.first, pair.second) == PairKind::kInside && !curve.empty())
        curves.emplace(std::vector<Place>{pair.first, pair.second}, curve);
    by_node(
        curves, [](const std::vector<Place>& places) { return places.front().node; }, "time inside");
  }

  const Structure& structure_;
  const Observations& observations_;
  const Platform& platform_;
  Streams streams_;
  const std::vector<StreamRate>& compared_;  // what tells of more pairs
  std::vector<LinkSide> sides_;
  std::set<std::uint32_t> half_duplex_nodes_, slow_nodes_, far_nodes_;  // that a finding explains
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> slower_in_network(const Structure& structure, const Observations& observations,
                                       const Platform& platform) {
  return NetworkPeers(structure, observations, platform).run();
}

}  // namespace plumbline::hw::calibration
