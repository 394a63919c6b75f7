#include "hwmodels/calibrate/structure/sockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/levels.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

using PairTimes = std::map<PlacePair, Curve>;
using NodeList = std::vector<std::uint32_t>;

constexpr const char* kMeasureMore =
    "measure with more ranks per node, bound to cores of both: `pairs` = \"all\", `streams` of all ranks";

bool is_in(const NodeList& nodes, std::uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// The centre of the pairs that at least half as many sizes were measured of as of any.
Curve curve_of(const PairTimes& times, const NodeList& nodes, Crossing crossing) {
  std::vector<const Curve*> curves;
  std::size_t most = 0;
  for (const auto& [pair, curve] : times) {
    if (!is_of(pair.first, pair.second, crossing) || !is_in(nodes, pair.first.node)) continue;
    curves.push_back(&curve);
    most = std::max(most, curve.size());
  }
  std::erase_if(curves, [&](const Curve* curve) { return 2 * curve->size() < most; });
  return centre(curves);
}

std::size_t common_sizes(const Curve& a, const Curve& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const auto& each) { return b.contains(each.first); }));
}

struct Curves {
  Curve same, other;
};

Curves curves_of_nodes(const PairTimes& times, const NodeList& nodes) {
  return {curve_of(times, nodes, Crossing::kSame), curve_of(times, nodes, Crossing::kOther)};
}

// ns for a byte of streams alone.
std::optional<Measured> per_byte_of(const Streams& streams, const NodeList& nodes, Crossing crossing) {
  std::vector<double> values, spreads;
  for (const StreamRate& stream : streams.alone()) {
    if (!is_of(stream.from, stream.to, crossing) || !is_in(nodes, stream.from.node) || stream.rate <= 0) continue;
    values.push_back(1e9 / stream.rate);
    spreads.push_back(stream.spread);
  }
  if (values.empty()) return std::nullopt;
  return Measured{median(values), std::max(median(spreads), spread_of_median(values))};
}

enum class Verdict { kAlike, kSlower, kFaster };  // across sockets

Verdict verdict_on(const Measured& same, const Measured& other) {
  const std::vector<std::uint32_t> levels = levels_of(std::vector{same, other});
  if (levels[0] == levels[1]) return Verdict::kAlike;
  return levels[0] < levels[1] ? Verdict::kSlower : Verdict::kFaster;
}

Verdict verdict_on(const Figure& same, const Figure& other) {
  return verdict_on(Measured{same.value, same.spread}, Measured{other.value, other.spread});
}

std::vector<Verdict> verdicts_of(const SocketGroup& group, const NodeList& told_by, const Streams& streams) {
  std::vector<std::uint64_t> common;
  for (const auto& [size, figure] : group.same)
    if (group.other.contains(size) && figure.value > 0) common.push_back(size);
  std::vector<Verdict> verdicts;
  if (!common.empty())
    for (const std::uint64_t size : {common.front(), common.back()})
      verdicts.push_back(verdict_on(group.same.at(size), group.other.at(size)));
  const auto same = per_byte_of(streams, told_by, Crossing::kSame),
             other = per_byte_of(streams, told_by, Crossing::kOther);
  if (same && other) verdicts.push_back(verdict_on(*same, *other));
  return verdicts;
}

void judge(SocketGroup& group, const NodeList& told_by, const Streams& streams) {
  const std::vector<Verdict> verdicts = verdicts_of(group, told_by, streams);
  const auto any = [&](Verdict wanted) {
    return std::find(verdicts.begin(), verdicts.end(), wanted) != verdicts.end();
  };
  group.apart = any(Verdict::kSlower) && common_sizes(group.same, group.other) > 0;
  if (group.apart) return;
  if (group.other.empty())
    group.why_not = fmt::format("no pair across them was measured; {}", kMeasureMore);
  else if (group.same.empty())
    group.why_not = fmt::format("no pair in one of them was measured; {}", kMeasureMore);
  else if (common_sizes(group.same, group.other) == 0)
    group.why_not = "pairs in one of them and across were measured at no common size";
  else if (any(Verdict::kFaster))
    group.why_not = "messages across them are faster than in one of them, which a platform cannot say";
  else
    group.why_not = "messages across them take as long as in one of them, within 10 % and their spreads";
}

// Nodes of one layout, by how long messages across their sockets take.
class LayoutFinder {
 public:
  LayoutFinder(const Observations& observations, const PairTimes& one_way, const PairTimes& alike,
               const Streams& streams, SocketClasses& into)
      : observations_(observations), one_way_(one_way), alike_(alike), streams_(streams), into_(into) {}

  void add(const NodeList& nodes) {
    std::vector<NodeList> levels = by_level(nodes);
    const NodeList lone = take_lone(levels);
    if (levels.empty()) levels.push_back(nodes);
    const auto largest = std::max_element(levels.begin(), levels.end(),
                                          [](const NodeList& a, const NodeList& b) { return a.size() < b.size(); });
    const auto before = static_cast<std::ptrdiff_t>(into_.groups.size());
    for (auto level = levels.begin(); level != levels.end(); ++level)
      add_group(*level, level == largest ? rest_of(nodes, levels) : NodeList{});
    if (std::none_of(into_.groups.begin() + before, into_.groups.end(),
                     [](const SocketGroup& each) { return each.apart; }))
      return;
    if (levels.size() > 1)
      into_.notes.push_back(
          fmt::format("messages across sockets take differently long on nodes of one layout: they "
                      "are {} groups, each with its own sockets",
                      levels.size()));
    for (const std::uint32_t node : lone)
      into_.notes.push_back(
          fmt::format("{}: {} across its sockets, other than on the rest of its layout: it is not in "
                      "their figures",
                      observations_.nodes[node].name, format(duration_from_seconds(measured_.at(node).value * 1e-9))));
  }

 private:
  // At the smallest size that most nodes have; nodes without it are on none.
  std::vector<NodeList> by_level(const NodeList& nodes) {
    std::map<std::uint32_t, Curve> curves;
    std::map<std::uint64_t, std::size_t> nodes_at;
    for (const std::uint32_t node : nodes) {
      curves[node] = curve_of(alike_, {node}, Crossing::kOther);
      for (const auto& [size, figure] : curves[node]) ++nodes_at[size];
    }
    measured_.clear();
    if (nodes_at.empty()) return {};
    const auto size = std::max_element(nodes_at.begin(), nodes_at.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
    std::vector<Measured> values;
    for (const auto& [node, curve] : curves)
      if (const auto found = curve.find(size); found != curve.end() && found->second.value > 0)
        values.push_back(measured_[node] = {found->second.value, found->second.spread});
    const std::vector<std::uint32_t> level_of = levels_of(values);
    std::vector<NodeList> levels(level_of.empty() ? 0 : *std::max_element(level_of.begin(), level_of.end()) + 1);
    std::size_t i = 0;
    for (const auto& [node, value] : measured_) levels[level_of[i++]].push_back(node);
    return levels;
  }

  // Nodes that are alone on their level, where others are not.
  NodeList take_lone(std::vector<NodeList>& levels) const {
    const auto is_lone = [](const NodeList& level) { return level.size() == 1; };
    NodeList lone;
    if (std::all_of(levels.begin(), levels.end(), is_lone)) return lone;
    for (const NodeList& level : levels)
      if (is_lone(level)) lone.push_back(level.front());
    std::erase_if(levels, is_lone);
    return lone;
  }

  static NodeList rest_of(const NodeList& nodes, const std::vector<NodeList>& levels) {
    NodeList rest;
    for (const std::uint32_t node : nodes)
      if (std::none_of(levels.begin(), levels.end(), [&](const NodeList& level) { return is_in(level, node); }))
        rest.push_back(node);
    return rest;
  }

  void add_group(const NodeList& told_by, const NodeList& others) {
    SocketGroup& group = into_.groups.emplace_back();
    group.nodes = told_by;
    group.nodes.insert(group.nodes.end(), others.begin(), others.end());
    std::sort(group.nodes.begin(), group.nodes.end());
    group.count = static_cast<std::uint32_t>(observations_.nodes[group.nodes.front()].sockets.size());
    Curves like = curves_of_nodes(alike_, told_by), any = curves_of_nodes(one_way_, told_by);
    const bool take_alike = common_sizes(like.same, like.other) >= common_sizes(any.same, any.other);
    group.same = std::move((take_alike ? like : any).same);
    group.other = std::move((take_alike ? like : any).other);
    judge(group, told_by, streams_);
  }

  const Observations& observations_;
  const PairTimes &one_way_, &alike_;
  const Streams& streams_;
  SocketClasses& into_;
  std::map<std::uint32_t, Measured> measured_;  // of the layout in hand
};

}  // namespace

bool SocketClasses::anywhere() const { return std::find(apart.begin(), apart.end(), true) != apart.end(); }

const SocketGroup* SocketClasses::group_of(std::uint32_t node) const {
  for (const SocketGroup& group : groups)
    if (is_in(group.nodes, node)) return &group;
  return nullptr;
}

bool is_of(const Place& a, const Place& b, Crossing crossing) {
  if (crossing == Crossing::kOther) return on_two_sockets(a, b);
  return a.node == b.node && a.socket == b.socket && a.socket != bench::kNoSocket;
}

SocketClasses find_socket_classes(const Observations& observations, const PairTimes& one_way, const PairTimes& alike,
                                  const Streams& streams) {
  SocketClasses classes;
  classes.apart.assign(observations.nodes.size(), false);
  std::map<std::pair<std::size_t, std::uint32_t>, NodeList> layouts;  // sockets, CPUs
  for (std::uint32_t node = 0; node < observations.nodes.size(); ++node) {
    const SeenNode& seen = observations.nodes[node];
    if (seen.sockets.size() > 1) layouts[{seen.sockets.size(), seen.cpus}].push_back(node);
  }
  LayoutFinder finder(observations, one_way, alike, streams, classes);
  for (const auto& [layout, nodes] : layouts) finder.add(nodes);
  for (const SocketGroup& group : classes.groups)
    for (const std::uint32_t node : group.nodes) classes.apart[node] = group.apart;
  return classes;
}

}  // namespace plumbline::hw::calibration
