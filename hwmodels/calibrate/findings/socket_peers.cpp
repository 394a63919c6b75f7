#include "hwmodels/calibrate/findings/socket_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwmodels/calibrate/fit/peers.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kLeastOfSmall = 0.10;  // times of small messages vary more than rates

// What is compared: ns, or ns for each byte.
struct Quantity {
  const char* name;
  const char* unit;
  double least;
};
constexpr Quantity kTime{"one-way time of the smallest message across sockets", "ns", kLeastOfSmall};
constexpr Quantity kRate{"rate across sockets", "B/s", 0.05};

using RunsOf = std::map<PlacePair, std::vector<double>>;

class CrossingPeers {
 public:
  CrossingPeers(const Structure& structure, const Observations& observations)
      : structure_(structure), observations_(observations) {}

  std::vector<Finding> run() {
    for (const SocketGroup& group : structure_.sockets.groups) {
      if (!group.apart) continue;
      judge(times_of(group), kTime);
      judge(rates_of(group), kRate);
    }
    return std::move(findings_);
  }

 private:
  static bool is_in(const SocketGroup& group, const Place& a, const Place& b) {
    return on_two_sockets(a, b) && std::count(group.nodes.begin(), group.nodes.end(), a.node) > 0;
  }

  RunsOf times_of(const SocketGroup& group) const {
    std::map<std::uint64_t, std::size_t> pairs_at;
    for (const auto& [pair, curve] : structure_.alike)
      if (is_in(group, pair.first, pair.second) && !curve.empty()) ++pairs_at[curve.begin()->first];
    RunsOf runs;
    if (pairs_at.empty()) return runs;
    const std::uint64_t size = std::max_element(pairs_at.begin(), pairs_at.end(), [](const auto& a, const auto& b) {
                                 return a.second < b.second;
                               })->first;
    for (const auto& [pair, curve] : structure_.alike)
      if (const auto found = curve.find(size); is_in(group, pair.first, pair.second) && found != curve.end())
        runs[pair] = found->second.runs;
    return runs;
  }

  // Of each pair by its slower direction: both have what the pair does in common.
  RunsOf rates_of(const SocketGroup& group) const {
    const Streams streams(observations_, structure_.one_way);
    RunsOf runs;
    for (const StreamRate& stream : streams.alone()) {
      if (!is_in(group, stream.from, stream.to) || stream.rate <= 0) continue;
      std::vector<double> per_byte;
      for (const double rate : stream.runs) per_byte.push_back(1e9 / rate);
      std::vector<double>& known = runs[std::minmax(stream.from, stream.to)];
      if (known.empty() || median(known) < median(per_byte)) known = std::move(per_byte);
    }
    return runs;
  }

  // Nodes first; pairs of a node that is slow as a whole are explained by it.
  void judge(const RunsOf& pairs, const Quantity& quantity) {
    std::map<std::uint32_t, Member> of_node;
    for (const auto& [pair, runs] : pairs) {
      std::vector<double>& all = of_node[pair.first.node].runs;
      all.insert(all.end(), runs.begin(), runs.end());
    }
    std::vector<std::string> names;
    std::vector<Member> members;
    std::vector<std::uint32_t> nodes;
    for (const auto& [node, member] : of_node) {
      nodes.push_back(node);
      names.push_back("node " + observations_.nodes[node].name);
      members.push_back(member);
    }
    std::set<std::uint32_t> slow;
    for (const std::size_t each : tell(names, members, quantity)) slow.insert(nodes[each]);
    names.clear();
    members.clear();
    for (const auto& [pair, runs] : pairs) {
      if (slow.contains(pair.first.node)) continue;
      names.push_back(fmt::format("ranks {} and {} of {}", pair.first.slot, pair.second.slot,
                                  observations_.nodes[pair.first.node].name));
      members.push_back({runs});
    }
    tell(names, members, quantity);
  }

  // Adds findings; the members that they are of.
  std::vector<std::size_t> tell(const std::vector<std::string>& names, const std::vector<Member>& members,
                                const Quantity& quantity) {
    std::vector<double> centres;
    for (const Member& member : members) centres.push_back(median(member.runs));
    std::vector<std::size_t> told;
    for (const Outlier& outlier : slower_than_peers(members, {.least = quantity.least})) {
      told.push_back(outlier.member);
      const double typical = median(centres);
      Finding& finding = findings_.emplace_back();
      finding.component = names[outlier.member];
      finding.quantity = quantity.name;
      finding.unit = quantity.unit;
      const bool is_rate = finding.unit == "B/s";
      finding.expected = is_rate ? 1e9 / typical : typical;
      finding.measured = is_rate ? finding.expected / outlier.times : typical * outlier.times;
      finding.severity = is_rate ? 1 - 1 / outlier.times : outlier.times - 1;
      finding.p = outlier.p;
      finding.samples = static_cast<std::uint32_t>(members[outlier.member].runs.size());
      finding.basis = fmt::format(
          "{} medians of runs against those of {} others: robust t and rank sums, adjusted for "
          "{} components",
          finding.samples, members.size() - 1, members.size());
    }
    return told;
  }

  const Structure& structure_;
  const Observations& observations_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> slower_across_sockets(const Structure& structure, const Observations& observations) {
  return CrossingPeers(structure, observations).run();
}

}  // namespace plumbline::hw::calibration
