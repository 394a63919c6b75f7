#include "hwmodels/calibrate/structure/switch_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace plumbline::hw::calibration {
namespace {

using Groups = std::vector<std::uint32_t>;

// Numbers from 0, in the order of nodes.
Groups renumbered(const Groups& groups) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  Groups result;
  for (const std::uint32_t group : groups)
    result.push_back(numbers.try_emplace(group, static_cast<std::uint32_t>(numbers.size())).first->second);
  return result;
}

std::uint32_t count_of(const Groups& groups) { return *std::max_element(groups.begin(), groups.end()) + 1; }

std::vector<std::uint32_t> sizes_of(const Groups& groups) {
  std::vector<std::uint32_t> sizes(count_of(groups));
  for (const std::uint32_t group : groups) ++sizes[group];
  return sizes;
}

// Streams across that a stream meets on the way up from its group or down into the other, itself included; 0 of one
// that stays in its group.
std::vector<std::uint32_t> streams_met(const Groups& groups, const Contentions& contentions) {
  const std::uint32_t count = count_of(groups);
  const auto crosses = [&](const Flow& flow) { return groups[flow.from] != groups[flow.to]; };
  std::vector<std::vector<std::uint32_t>> up, down;
  for (const std::vector<Flow>& round : contentions.rounds) {
    up.emplace_back(count);
    down.emplace_back(count);
    for (const Flow& flow : round) {
      up.back()[groups[flow.from]] += crosses(flow) ? 1 : 0;
      down.back()[groups[flow.to]] += crosses(flow) ? 1 : 0;
    }
  }
  std::vector<std::uint32_t> met;
  for (const Contention& each : contentions.streams)
    met.push_back(crosses(each.stream)
                      ? std::max(up[each.round][groups[each.stream.from]], down[each.round][groups[each.stream.to]])
                      : 0);
  return met;
}

// Each group behind one switch with one way up and one down, which carry some streams at full rate: of the streams that
// are slowed or ought to be, the share that both are; by the number of streams that explains most.
double agreement(const Groups& groups, const Contentions& contentions, double slowed) {
  constexpr std::uint32_t kMostAtFullRate = 4;
  const std::vector<std::uint32_t> met = streams_met(groups, contentions);
  double best = 0;
  for (std::uint32_t full = 1; full <= kMostAtFullRate; ++full) {
    std::size_t either = 0, both = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
      const bool ought = met[i] > full, is = contentions.streams[i].times >= slowed;
      either += ought || is;
      both += ought && is;
    }
    best = std::max(best, either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either));
  }
  return best;
}

// Nodes joined by a pair of the lowest level are one group; no group where such pairs are missing inside of it.
std::optional<Groups> groups_by_distance(std::uint32_t nodes, const Distances& distances,
                                         std::vector<std::string>& notes, const GapRule& gap = {}) {
  std::vector<Measured> values;
  for (const auto& [pair, value] : distances) values.push_back(value);
  const std::vector<std::uint32_t> levels = levels_of(values, gap);
  Groups groups(nodes);
  std::iota(groups.begin(), groups.end(), 0U);
  std::size_t i = 0;
  for (const auto& [pair, value] : distances) {
    if (levels[i++] != 0 || groups[pair.first] == groups[pair.second]) continue;
    const std::uint32_t gone = groups[pair.second], stays = groups[pair.first];
    std::replace(groups.begin(), groups.end(), gone, stays);
  }
  groups = renumbered(groups);
  const std::vector<std::uint32_t> sizes = sizes_of(groups);
  // A node apart is no switch: it is found to be slower than its peers.
  const auto singles = std::count(sizes.begin(), sizes.end(), 1U);
  if (static_cast<std::ptrdiff_t>(sizes.size()) - singles < 2) return std::nullopt;
  i = 0;
  std::size_t far_inside = 0, inside = 0;
  for (const auto& [pair, value] : distances) {
    const bool far = levels[i++] != 0;
    if (groups[pair.first] != groups[pair.second]) continue;
    ++inside;
    far_inside += far;
  }
  if (far_inside * 10 > inside) {
    notes.push_back("the times of small messages have levels that do not go with groups of nodes");
    return std::nullopt;
  }
  return groups;
}

// From every node alone, joins the two groups that explain most, as long as there are two; the best on the way.
Groups groups_by_contention(std::uint32_t nodes, const Contentions& contentions, double slowed) {
  Groups groups(nodes);
  std::iota(groups.begin(), groups.end(), 0U);
  Groups best = Groups(nodes, 0);
  double most = agreement(best, contentions, slowed);
  while (count_of(groups) > 2) {
    Groups next;
    double highest = -1;
    const std::uint32_t count = count_of(groups);
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        Groups joined = groups;
        std::replace(joined.begin(), joined.end(), b, a);
        joined = renumbered(joined);
        const double its = agreement(joined, contentions, slowed);
        if (its <= highest) continue;
        highest = its;
        next = std::move(joined);
      }
    }
    groups = next;
    if (highest < most) continue;
    most = highest;
    best = groups;
  }
  return best;
}

// A node changes its group as long as that explains more.
void improve(Groups& groups, const Contentions& contentions, double slowed) {
  for (bool changed = true; changed;) {
    changed = false;
    double most = agreement(groups, contentions, slowed);
    for (std::size_t node = 0; node < groups.size(); ++node) {
      const std::uint32_t own = groups[node], count = count_of(groups);
      std::uint32_t best = own;
      for (std::uint32_t group = 0; group < count; ++group) {
        groups[node] = group;
        if (const double its = agreement(groups, contentions, slowed); its > most) {
          most = its;
          best = group;
          changed = true;
        }
      }
      groups[node] = best;
    }
    groups = renumbered(groups);
  }
}

std::size_t slowed_ones(const Contentions& contentions, double slowed) {
  return static_cast<std::size_t>(std::count_if(contentions.streams.begin(), contentions.streams.end(),
                                                [&](const Contention& each) { return each.times >= slowed; }));
}

class Finder {
 public:
  Finder(std::uint32_t nodes, const Distances& distances, const Contentions& contentions, const ContentionRule& rule)
      : nodes_(nodes), distances_(distances), contentions_(contentions), rule_(rule) {
    result_.group_of.assign(nodes, 0);
  }

  Grouping run() {
    if (nodes_ < 4) {
      if (nodes_ > 1) say("switches cannot be told apart with fewer than four nodes: one is taken");
      return std::move(result_);
    }
    const std::optional<Groups> near = groups_by_distance(nodes_, distances_, result_.notes);
    if (contentions_.streams.empty())
      by_distance_alone(near);
    else
      by_both(near);
    result_.groups = count_of(result_.group_of);
    return std::move(result_);
  }

 private:
  void say(std::string note) { result_.notes.push_back(std::move(note)); }

  void take(const Groups& groups, Sharing sharing, std::string evidence) {
    result_.group_of = groups;
    result_.sharing = sharing;
    result_.evidence = std::move(evidence);
  }

  void by_distance_alone(const std::optional<Groups>& near) {
    if (near)
      take(*near, Sharing::kNone, "times of small messages");
    else
      say("no streams were measured against others: switches that are as far from each other as their nodes are not "
          "seen");
  }

  void by_both(const std::optional<Groups>& near) {
    const std::size_t slowed = slowed_ones(contentions_, rule_.slowed);
    const std::string of_all = fmt::format("{} of {} streams slowed by another", slowed, contentions_.streams.size());
    const double all = static_cast<double>(slowed) / static_cast<double>(contentions_.streams.size());
    if (near && agreement(*near, contentions_, rule_.slowed) >= rule_.agreement)
      return take(*near, Sharing::kUplinks, fmt::format("times of small messages, and {}", of_all));
    if (near) {
      take(*near, Sharing::kNone, fmt::format("times of small messages; {}", of_all));
      if (slowed == 0)
        return say(
            "no stream between switches slows another: ways between them carry two streams or more at full rate");
      return say(
          fmt::format("between the switches that small messages tell of, {}: not as one way from each would have "
                      "it; ways between them may be several",
                      of_all));
    }
    if (slowed == 0) return;
    if (all >= rule_.all)
      return take(result_.group_of, Sharing::kBackplane, fmt::format("{}: all share something", of_all));
    by_contention_alone(of_all);
  }

  void by_contention_alone(const std::string& of_all) {
    constexpr std::uint32_t kMostNodes = 64;  // groups are tried in pairs
    if (nodes_ > kMostNodes)
      return say(fmt::format("{}; groups of more than {} nodes are not looked for where small messages show none",
                             of_all, kMostNodes));
    Groups groups = groups_by_contention(nodes_, contentions_, rule_.slowed);
    improve(groups, contentions_, rule_.slowed);
    const double explained = agreement(groups, contentions_, rule_.slowed);
    if (const std::optional<Groups> near = faint_groups(); near && count_of(groups) > 1 && explained >= rule_.agreement)
      if (agreement(*near, contentions_, rule_.slowed) >= explained)
        return take(*near, Sharing::kUplinks, fmt::format("{}, and faintly times of small messages", of_all));
    if (count_of(groups) > 1 && explained >= rule_.agreement) return take(groups, Sharing::kUplinks, of_all);
    say(fmt::format("{}, and no groups of nodes explain which: one switch is taken", of_all));
  }

  // By gaps that are no levels on their own, but decide between groups that explain streams alike: rounds in which each
  // node sends to the one `shift` behind it look the same when the nodes are numbered from another.
  std::optional<Groups> faint_groups() const {
    std::vector<std::string> unsaid;
    return groups_by_distance(nodes_, distances_, unsaid, {.least = 0});
  }

  std::uint32_t nodes_;
  const Distances& distances_;
  const Contentions& contentions_;
  const ContentionRule& rule_;
  Grouping result_;
};

}  // namespace

Grouping find_groups(std::uint32_t nodes, const Distances& distances, const Contentions& contentions,
                     const ContentionRule& rule) {
  return Finder(nodes, distances, contentions, rule).run();
}

}  // namespace plumbline::hw::calibration
