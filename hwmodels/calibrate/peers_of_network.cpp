#include "hwmodels/calibrate/peers_of_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "hwmodels/calibrate/links.hpp"
#include "hwmodels/calibrate/peers.hpp"
#include "hwmodels/calibrate/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kLeastOfTimes = 0.10;  // small messages and calls vary more than rates

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
    finding.basis = fmt::format(
        "{} medians of runs against those of {} others: robust t and rank sums, adjusted for {} "
        "components",
        finding.samples, members - 1, members);
    return finding;
  }

  void cables() {
    std::vector<Candidate> candidates;
    sides_ = link_sides(structure_, compared_);
    for (const LinkSide& side : sides_)
      candidates.push_back(
          {fmt::format("{}, {} {}", cable_of(side.node), side.out ? "from" : "to", name(side.node)), side.per_byte});
    const std::vector<Outlier> outliers = slower_than_peers(members_of(candidates));
    std::vector<double> centres;
    for (const LinkSide& side : sides_) centres.push_back(side.centre);
    std::set<std::uint32_t> merged;
    for (const Outlier& outlier : outliers) {
      const LinkSide& side = sides_[outlier.member];
      slow_nodes_.insert(side.node);
      if (merged.contains(side.node)) continue;
      Candidate candidate = candidates[outlier.member];
      if (const Outlier* const other = other_side(outliers, outlier)) {
        merged.insert(side.node);
        candidate.component = cable_of(side.node) + ", both directions";
        const Outlier worse = other->times > outlier.times ? *other : outlier;
        findings_.push_back(finding(candidate, worse, "rate", 1e9 / median(centres), "B/s", candidates.size()));
      } else {
        findings_.push_back(finding(candidate, outlier, "rate", 1e9 / median(centres), "B/s", candidates.size()));
      }
    }
  }

  const Outlier* other_side(const std::vector<Outlier>& outliers, const Outlier& of) const {
    for (const Outlier& each : outliers)
      if (each.member != of.member && sides_[each.member].node == sides_[of.member].node) return &each;
    return nullptr;
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

  // Pairs that are slower than both their cables are.
  void pairs() {
    std::map<std::pair<std::uint32_t, bool>, double> centre_of;
    for (const LinkSide& side : sides_) centre_of[{side.node, side.out}] = side.centre;
    std::vector<Candidate> candidates;
    std::vector<double> all;
    for (const StreamRate& stream : compared_) {
      const bool explained = slow_nodes_.contains(stream.from.node) || slow_nodes_.contains(stream.to.node);
      if (structure_.kind(stream.from, stream.to) != PairKind::kNear || explained || stream.rate <= 0) continue;
      const double slower = std::max(centre_of[{stream.from.node, true}], centre_of[{stream.to.node, false}]);
      Candidate candidate{fmt::format("{} to {}", name(stream.from.node), name(stream.to.node)), {}};
      for (const double rate : stream.runs) candidate.member.runs.push_back(1e9 / rate / slower);
      candidates.push_back(std::move(candidate));
      all.push_back(stream.rate);
    }
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
  std::set<std::uint32_t> slow_nodes_, far_nodes_;  // that a finding explains
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> slower_in_network(const Structure& structure, const Observations& observations,
                                       const Platform& platform) {
  return NetworkPeers(structure, observations, platform).run();
}

}  // namespace plumbline::hw::calibration
