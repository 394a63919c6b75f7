#include "bench/ranks/network/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "bench/ranks/network/rounds.hpp"

namespace plumbline::bench::network {
namespace {

constexpr std::uint32_t kAllShifts = 32;  // nodes of which every shift is measured
constexpr double kNever = std::numeric_limits<double>::infinity();

using Groups = std::vector<std::vector<std::uint32_t>>;

// What rounds of streams say of each two nodes.
class Relations {
 public:
  Relations(std::uint32_t nodes, std::span<const Experiment> rounds, std::span<const std::vector<double>> seconds,
            double slowed)
      : nodes_(nodes), told_(std::size_t{nodes} * nodes, kUnknown) {
    std::vector<double> out(nodes_, kNever), in(nodes_, kNever);
    each_stream(rounds, seconds, [&](const Stream& stream, double took) {
      out[stream.from] = std::min(out[stream.from], took);
      in[stream.to] = std::min(in[stream.to], took);
    });
    each_stream(rounds, seconds, [&](const Stream& stream, double took) {
      const auto [from, to] = stream;
      const bool apart = took > slowed * std::max(out[from], in[to]);
      at(from, to) = at(to, from) = std::max(at(from, to), apart ? kApart : kNotSlowed);
      any_ = any_ || apart;
    });
  }

  bool any_apart() const { return any_; }
  bool are_apart(std::uint32_t a, std::uint32_t b) const { return told(a, b) == kApart; }
  bool are_told(std::uint32_t a, std::uint32_t b) const { return told(a, b) != kUnknown; }

  // Of the nodes that one of both is apart from, and that is known of both: the share that both are.
  double likeness(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t either = 0, both = 0;
    for (std::uint32_t other = 0; other < nodes_; ++other) {
      if (other == a || other == b || !are_told(a, other) || !are_told(b, other)) continue;
      const int apart = (are_apart(a, other) ? 1 : 0) + (are_apart(b, other) ? 1 : 0);
      either += apart > 0 ? 1 : 0;
      both += apart == 2 ? 1 : 0;
    }
    return either == 0 ? 0 : static_cast<double>(both) / either;
  }

 private:
  enum Told : std::uint8_t { kUnknown, kNotSlowed, kApart };

  template <class Visit>
  static void each_stream(std::span<const Experiment> rounds, std::span<const std::vector<double>> seconds,
                          Visit visit) {
    for (std::size_t i = 0; i < rounds.size(); ++i)
      for (std::size_t k = 0; k < rounds[i].streams.size(); ++k) visit(rounds[i].streams[k], seconds[i][k]);
  }

  Told& at(std::uint32_t a, std::uint32_t b) { return told_[std::size_t{a} * nodes_ + b]; }
  Told told(std::uint32_t a, std::uint32_t b) const { return told_[std::size_t{a} * nodes_ + b]; }

  std::uint32_t nodes_;
  std::vector<Told> told_;
  bool any_ = false;
};

// In the order of their numbers, for neighbours are mostly behind one switch: with the most alike first, two at the
// ends of neighbouring switches may come together, and keep both switches from their nodes.
std::vector<Pair> alike_pairs(const Relations& relations, std::uint32_t nodes, double least) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      if (relations.are_apart(a, b)) continue;
      if (relations.likeness(a, b) >= least) pairs.push_back({a, b});
    }
  }
  return pairs;
}

// Of groups by number, where two that are apart would come together.
bool keeps_apart(const Relations& relations, std::span<const std::uint32_t> group_of, const Pair& pair) {
  for (std::uint32_t a = 0; a < group_of.size(); ++a)
    for (std::uint32_t b = 0; group_of[a] == group_of[pair.a] && b < group_of.size(); ++b)
      if (group_of[b] == group_of[pair.b] && relations.are_apart(a, b)) return false;
  return true;
}

// From 0, in the order of nodes.
std::vector<std::uint32_t> renumbered(std::span<const std::uint32_t> group_of) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> result;
  for (const std::uint32_t group : group_of)
    result.push_back(numbers.try_emplace(group, static_cast<std::uint32_t>(numbers.size())).first->second);
  return result;
}

Groups members_of(std::span<const std::uint32_t> group_of) {
  Groups groups;
  for (std::uint32_t node = 0; node < group_of.size(); ++node) {
    if (group_of[node] >= groups.size()) groups.resize(group_of[node] + 1);
    groups[group_of[node]].push_back(node);
  }
  return groups;
}

// The nodes of the other groups: of each in turn one, the next group's first, so that two of them are of one group only
// where there is but one.
std::vector<std::uint32_t> outside(const Groups& groups, std::size_t group) {
  std::vector<std::uint32_t> nodes;
  std::size_t before = 0;
  for (std::size_t i = 0; i == 0 || nodes.size() > before; ++i) {
    before = nodes.size();
    for (std::size_t step = 1; step < groups.size(); ++step) {
      const auto& other = groups[(group + step) % groups.size()];
      if (i < other.size()) nodes.push_back(other[i]);
    }
  }
  return nodes;
}

bool share_a_node(const Experiment& a, const Experiment& b) {
  const auto has = [&](std::uint32_t node) {
    return std::any_of(b.streams.begin(), b.streams.end(),
                       [&](const Stream& stream) { return stream.from == node || stream.to == node; });
  };
  return std::any_of(a.streams.begin(), a.streams.end(),
                     [&](const Stream& stream) { return has(stream.from) || has(stream.to); });
}

// Of one group at most one experiment in a round: another would slow it if the groups are as they seem.
std::vector<StreamRound> pack(const std::vector<Experiment>& all, std::span<const std::uint32_t> group_of) {
  const auto group = [&](const Experiment& each) { return group_of[each.streams.back().from]; };
  std::vector<StreamRound> rounds;
  for (const Experiment& each : all) {
    const auto has_room = [&](const StreamRound& round) {
      return std::none_of(round.begin(), round.end(), [&](const Experiment& other) {
        return group(other) == group(each) || share_a_node(other, each);
      });
    };
    const auto room = std::find_if(rounds.begin(), rounds.end(), has_room);
    if (room == rounds.end())
      rounds.push_back({each});
    else
      room->push_back(each);
  }
  return rounds;
}

}  // namespace

// Ahead and back alike. Distances that are not all even, or nodes with an even and with an odd number would not meet.
std::vector<std::uint32_t> shifts(std::uint32_t nodes) {
  std::vector<bool> chosen(nodes, nodes <= kAllShifts);
  for (double step = 0; nodes > kAllShifts && std::exp2(step / 4) <= nodes / 2; ++step) {
    const auto shift = static_cast<std::uint32_t>(std::lround(std::exp2(step / 4)));
    chosen[shift] = chosen[nodes - shift] = true;
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t shift = 1; shift < nodes; ++shift)
    if (chosen[shift]) all.push_back(shift);
  return all;
}

// Each half to the other, `there` and `back` nodes farther on: the same for both, and two would send to each other.
Experiment halves(std::uint32_t nodes, std::uint32_t there, std::uint32_t back) {
  Experiment round{"all", {}};
  const std::uint32_t half = nodes / 2;
  for (std::uint32_t i = 0; i < half; ++i) {
    round.streams.push_back({i, half + (i + there) % half});
    round.streams.push_back({half + i, (i + back) % half});
  }
  return round;
}

// The direction of each pair is drawn, by a fixed seed: with one that goes by the numbers of the nodes, less is told.
std::vector<Experiment> loaded_rounds(std::uint32_t nodes) {
  std::vector<Experiment> rounds;
  for (const std::uint32_t shift : shifts(nodes)) {
    if (2 * shift == nodes) {
      if (nodes > 2) rounds.insert(rounds.end(), {halves(nodes, 0, 1), halves(nodes, 1, 0)});
      continue;
    }
    rounds.push_back({"all", {}});
    for (std::uint32_t node = 0; node < nodes; ++node) rounds.back().streams.push_back({node, (node + shift) % nodes});
  }
  std::mt19937_64 random(7);
  const std::uint32_t partners = nodes <= kAllShifts ? nodes : partners_by_default(nodes);
  for (const Round& round : some_rounds(nodes, partners, 7)) {
    rounds.push_back({"all", {}});
    for (const Pair& pair : round)
      rounds.back().streams.push_back(random() % 2 == 0 ? Stream{pair.a, pair.b} : Stream{pair.b, pair.a});
  }
  return rounds;
}

std::vector<std::uint32_t> groups_of(std::uint32_t nodes, std::span<const Experiment> rounds,
                                     std::span<const std::vector<double>> seconds, const GroupRule& rule) {
  std::vector<std::uint32_t> group_of(nodes, 0);
  const Relations relations(nodes, rounds, seconds, rule.slowed);
  if (!relations.any_apart()) return group_of;
  std::iota(group_of.begin(), group_of.end(), 0U);
  for (const Pair& pair : alike_pairs(relations, nodes, rule.alike)) {
    const std::uint32_t stays = group_of[pair.a], goes = group_of[pair.b];
    if (stays != goes && keeps_apart(relations, group_of, pair)) std::ranges::replace(group_of, goes, stays);
  }
  return renumbered(group_of);
}

std::vector<StreamRound> against(std::span<const std::uint32_t> group_of) {
  const Groups groups = members_of(group_of);
  std::vector<Experiment> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& own = groups[g];
    const std::vector<std::uint32_t> others = outside(groups, g);
    if (own.size() < 2 || others.size() < 2) continue;
    all.push_back({"against", {{own[0], others[0]}, {own[1], others[1]}}});
    for (std::size_t i = 0; i < own.size() && own.size() > 2; ++i) {
      const std::uint32_t next = own[(i + 1) % own.size()], third = own[(i + 2) % own.size()];
      all.push_back({"against", {{own[i], next}, {third, others[0]}}});
    }
  }
  return pack(all, group_of);
}

std::vector<StreamRound> across(std::span<const std::uint32_t> group_of) {
  const Groups groups = members_of(group_of);
  std::vector<StreamRound> rounds;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<std::uint32_t> others = outside(groups, g);
    const std::size_t streams = std::min(groups[g].size(), others.size());
    if (streams < 2) continue;
    Experiment all{"across", {}};
    for (std::size_t i = 0; i < streams; ++i) all.streams.push_back({groups[g][i], others[i]});
    rounds.push_back({all});
  }
  return rounds;
}

StreamRound rings(std::span<const std::uint32_t> group_of) {
  Groups groups = members_of(group_of);
  std::erase_if(groups, [](const auto& group) { return group.size() < 3; });
  if (groups.empty()) {
    groups.emplace_back(group_of.size());
    std::iota(groups[0].begin(), groups[0].end(), 0U);
  }
  StreamRound round;
  for (const auto& group : groups) {
    Experiment ring{"both", {}};
    for (std::size_t i = 0; i < group.size(); ++i) ring.streams.push_back({group[i], group[(i + 1) % group.size()]});
    round.push_back(std::move(ring));
  }
  return round;
}

std::vector<StreamRound> undisturbed(std::span<const Stream> streams, std::span<const std::uint32_t> group_of,
                                     bool one_by_one) {
  const auto disturbs = [&](const Experiment& a, const Experiment& b) {
    const Stream &one = a.streams.front(), &other = b.streams.front();
    const auto crosses = [&](const Stream& stream) { return group_of[stream.from] != group_of[stream.to]; };
    const bool on_one_way = group_of[one.from] == group_of[other.from] || group_of[one.to] == group_of[other.to];
    return one_by_one || share_a_node(a, b) || (crosses(one) && crosses(other) && on_one_way);
  };
  std::vector<StreamRound> rounds;
  std::vector<Stream> known;
  for (const Stream& stream : streams) {
    if (std::find(known.begin(), known.end(), stream) != known.end()) continue;
    known.push_back(stream);
    const Experiment each{"alone", {stream}};
    const auto room = std::find_if(rounds.begin(), rounds.end(), [&](const StreamRound& round) {
      return std::none_of(round.begin(), round.end(), [&](const Experiment& other) { return disturbs(other, each); });
    });
    if (room == rounds.end())
      rounds.push_back({each});
    else
      room->push_back(each);
  }
  return rounds;
}

}  // namespace plumbline::bench::network
