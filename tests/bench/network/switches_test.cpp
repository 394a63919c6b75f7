// Made-up networks: nodes behind switches that are behind one more. Do the streams tell them apart?

#include "bench/ranks/network/switches.hpp"
#include "tests/support/seed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace plumbline::bench::network {
namespace {

using Partition = std::vector<std::uint32_t>;  // number of the switch of each node, from 0 in the order of nodes

// A stream takes 1 alone; each switch has one way up and one down that serve so many streams without slowing them.
struct Tree {
  Partition switch_of;
  double capacity = 1;

  std::vector<double> times(const std::vector<Stream>& streams) const {
    std::map<std::uint32_t, double> up, down;
    const auto crosses = [&](const Stream& s) { return switch_of[s.from] != switch_of[s.to]; };
    for (const Stream& s : streams)
      if (crosses(s)) ++up[switch_of[s.from]], ++down[switch_of[s.to]];
    std::vector<double> took;
    for (const Stream& s : streams)
      took.push_back(crosses(s) ? std::max({1.0, up[switch_of[s.from]] / capacity, down[switch_of[s.to]] / capacity})
                                : 1);
    return took;
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(switch_of.size()); }

  std::vector<std::vector<double>> loaded() const {
    std::vector<std::vector<double>> all;
    for (const Experiment& round : loaded_rounds(nodes())) all.push_back(times(round.streams));
    return all;
  }

  Partition groups() const { return groups_of(nodes(), loaded_rounds(nodes()), loaded()); }
};

// Every way to share out nodes among switches.
void each_partition(std::uint32_t nodes, const std::function<void(const Partition&)>& visit) {
  Partition now;
  const std::function<void(std::uint32_t)> add = [&](std::uint32_t used) {
    if (now.size() == nodes) return visit(now);
    for (std::uint32_t its = 0; its <= used; ++its) {
      now.push_back(its);
      add(std::max(used, its + 1));
      now.pop_back();
    }
  };
  add(0);
}

Partition renumbered(const Partition& partition) {
  std::map<std::uint32_t, std::uint32_t> names;
  Partition result;
  for (const std::uint32_t its : partition)
    result.push_back(names.emplace(its, static_cast<std::uint32_t>(names.size())).first->second);
  return result;
}

// What streams can tell: a switch needs two nodes of its own and two elsewhere, whose streams meet on its way up or
// down; and where there is one such switch only, its way is all that streams meet on, whether the other nodes are
// behind one more switch or each alone.
Partition what_can_be_seen(const Partition& partition) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t its : partition) ++sizes[its];
  const auto several = std::ranges::count_if(sizes, [](const auto& each) { return each.second > 1; });
  const auto largest = std::ranges::max_element(sizes, {}, [](const auto& each) { return each.second; });
  Partition seen = partition;
  for (std::uint32_t node = 0; node < partition.size(); ++node) {
    if (largest->second + 1 >= partition.size())
      seen[node] = node;
    else if (several == 1)
      seen[node] = partition[node] == largest->first ? 0 : 1;
  }
  return renumbered(seen);
}

// The truth that the shifted rounds are held against: every stream against every other, O(N^4) of them.
TEST(WhatCanBeSeen, IsWhatEveryPairAgainstEveryOtherTells) {
  for (std::uint32_t nodes = 4; nodes <= 7; ++nodes) {
    std::map<std::vector<bool>, Partition> answers;
    std::set<Partition> visible;
    each_partition(nodes, [&](const Partition& partition) {
      const Tree tree{partition};
      std::vector<bool> answer;
      for (std::uint32_t a = 0; a < nodes; ++a)
        for (std::uint32_t b = 0; b < nodes; ++b)
          for (std::uint32_t c = 0; c < nodes; ++c)
            for (std::uint32_t d = 0; d < nodes; ++d)
              if (std::set<std::uint32_t>{a, b, c, d}.size() == 4)
                answer.push_back(tree.times({{a, b}, {c, d}})[0] > 1);
      const auto [known, is_new] = answers.emplace(answer, what_can_be_seen(partition));
      EXPECT_EQ(known->second, what_can_be_seen(partition)) << fmt::format("{}", fmt::join(partition, " "));
      visible.insert(what_can_be_seen(partition));
    });
    EXPECT_EQ(answers.size(), visible.size());
  }
}

// Every tree whose switches have two nodes or more each. Of switches of one node some others are told apart, not all.
TEST(LoadedRounds, TellAllTreesOfUpToTenNodesApart) {
  for (std::uint32_t nodes = 4; nodes <= 10; ++nodes) {
    std::map<std::vector<bool>, Partition> answers;
    std::size_t trees = 0;
    const std::vector<Experiment> rounds = loaded_rounds(nodes);
    each_partition(nodes, [&](const Partition& partition) {
      for (const std::uint32_t its : partition)
        if (std::ranges::count(partition, its) < 2) return;
      std::vector<bool> answer;
      for (const Experiment& round : rounds)
        for (const double took : Tree{partition}.times(round.streams)) answer.push_back(took > 1);
      const auto [known, is_new] = answers.emplace(answer, what_can_be_seen(partition));
      ASSERT_EQ(known->second, what_can_be_seen(partition)) << fmt::format("{}", fmt::join(partition, " "));
      ++trees;
    });
    EXPECT_EQ(answers.size(), trees);
  }
}

TEST(LoadedRounds, HaveEachNodeSendOnceAndReceiveOnceAtMostAndNeverToEachOther) {
  for (const std::uint32_t nodes : {1u, 2u, 5u, 8u, 33u, 100u}) {
    for (const Experiment& round : loaded_rounds(nodes)) {
      std::set<std::uint32_t> from, to;
      for (const Stream& stream : round.streams) {
        EXPECT_TRUE(from.insert(stream.from).second && to.insert(stream.to).second);
        EXPECT_TRUE(stream.from != stream.to && stream.from < nodes && stream.to < nodes);
        EXPECT_EQ(std::ranges::count(round.streams, Stream{stream.to, stream.from}), 0) << "there and back";
      }
    }
  }
  EXPECT_EQ(loaded_rounds(8).size(), 8 + 7u);
  EXPECT_EQ(loaded_rounds(9).size(), 8 + 9u);
  EXPECT_LE(loaded_rounds(1024).size(), 80 + 40u);
}

TEST(LoadedRounds, AreAllOfUpTo32NodesAndThenGrowWithTheLogarithm) {
  EXPECT_EQ(shifts(1).size(), 0u);
  EXPECT_EQ(shifts(4), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(shifts(32).size(), 31u);
  EXPECT_LE(shifts(1024).size(), 8 * 10u);
  EXPECT_LE(shifts(4096).size(), 8 * 12u);
  for (const std::uint32_t nodes : {33u, 100u, 1024u})
    for (const std::uint32_t shift : shifts(nodes))
      EXPECT_TRUE(std::ranges::count(shifts(nodes), nodes - shift) == 1) << "there and back";
}

TEST(GroupsOf, AreTheSwitchesOfRegularTreesInBlocksDealtOutAndShuffled) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (const std::uint32_t nodes : {8u, 12u, 16u, 24u, 32u}) {
    for (std::uint32_t switches = 2; switches <= nodes / 4; switches *= 2) {
      const std::uint32_t each = nodes / switches;
      if (nodes % switches != 0) continue;
      for (const double capacity : {1.0, each / 4.0, each / 2.0}) {
        if (capacity < 1) continue;
        Partition blocks, dealt;
        for (std::uint32_t node = 0; node < nodes; ++node) {
          blocks.push_back(node / each);
          dealt.push_back(node % switches);
        }
        Partition shuffled = blocks;
        std::ranges::shuffle(shuffled, random);
        SCOPED_TRACE(fmt::format("{} nodes, {} switches for {} streams", nodes, switches, capacity));
        EXPECT_EQ((Tree{blocks, capacity}.groups()), blocks);
        EXPECT_EQ((Tree{dealt, capacity}.groups()), dealt);
        if (capacity == 1 && nodes <= 16) {
          EXPECT_EQ((Tree{shuffled, capacity}.groups()), renumbered(shuffled));
        }
      }
    }
  }
}

TEST(GroupsOf, IsOneWhereNothingIsSlowed) {
  EXPECT_EQ((Tree{{0, 0, 0, 0}}.groups()), Partition(4, 0));
  EXPECT_EQ((Tree{{0, 0, 0, 0, 1, 1, 1, 1}, 4}.groups()), Partition(8, 0));
  EXPECT_EQ(groups_of(0, {}, {}), Partition());
}

TEST(GroupsOf, DoNotSplitBecauseOfOneSlowCableOrSomeNoise) {
  const Partition truth = {0, 0, 0, 0, 1, 1, 1, 1};
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(0.95, 1.05);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::vector<Experiment> rounds = loaded_rounds(8);
    std::vector<std::vector<double>> seconds = Tree{truth}.loaded();
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      for (std::size_t k = 0; k < seconds[i].size(); ++k) {
        const Stream& stream = rounds[i].streams[k];
        const bool slow = stream.from == 2 || stream.to == 2;  // has half of the rate
        seconds[i][k] = noise(random) * std::max(seconds[i][k], slow ? 2.0 : 1.0);
      }
    }
    Partition found = groups_of(8, rounds, seconds);
    found[2] = 0;  // a way up of one stream slows node 2 less than its own cable: nothing is seen of it, or little
    EXPECT_EQ(renumbered(found), truth);
  }
}

// One stream against one other tells the same of the tree as was found, and something else where it was wrong.
TEST(Against, ConfirmsTheGroupsThatAreThereAndRefutesOthers) {
  for (std::uint32_t nodes = 6; nodes <= 8; ++nodes) {
    each_partition(nodes, [&](const Partition& supposed) {
      const std::vector<StreamRound> rounds = against(supposed);
      if (rounds.empty()) return;
      std::size_t experiments = 0;
      const Tree as_supposed{supposed};
      for (const StreamRound& round : rounds) {
        std::vector<Stream> streams;
        std::set<std::uint32_t> seen;
        for (const Experiment& each : round) {
          ASSERT_EQ(each.streams.size(), 2u);
          for (const Stream& stream : each.streams) {
            ASSERT_TRUE(seen.insert(stream.from).second && seen.insert(stream.to).second) << "a node twice";
            streams.push_back(stream);
          }
        }
        const std::vector<double> together = as_supposed.times(streams);
        for (std::size_t i = 0; i < round.size(); ++i) {
          const bool inside = supposed[streams[2 * i].from] == supposed[streams[2 * i].to];
          EXPECT_EQ(together[2 * i] > 1, !inside) << "others in the round change no answer";
          EXPECT_EQ(as_supposed.times(round[i].streams)[0] > 1, !inside);
        }
        experiments += round.size();
      }
      EXPECT_LE(experiments, 3 * nodes / 2) << "O(N)";
      // Move one node of a switch of three or more to a switch of its own: some answer changes.
      for (std::uint32_t node = 0; node < nodes; ++node) {
        if (std::ranges::count(supposed, supposed[node]) < 3) continue;
        if (static_cast<std::size_t>(std::ranges::count(supposed, supposed[node])) + 2 > nodes) continue;
        Tree truth{supposed};
        truth.switch_of[node] = nodes;
        bool differs = false;
        for (const StreamRound& round : rounds)
          for (const Experiment& each : round)
            differs = differs || truth.times(each.streams)[0] != as_supposed.times(each.streams)[0];
        ASSERT_TRUE(differs) << fmt::format("{}, node {}", fmt::join(supposed, " "), node);
      }
    });
  }
}

TEST(Undisturbed, HasEachStreamOnceAndNoneThatSharesAWay) {
  const Partition groups = {0, 0, 0, 1, 1, 1};
  const std::vector<Stream> streams = {{0, 3}, {1, 4}, {4, 1}, {0, 3}, {1, 2}, {5, 4}};
  const std::vector<StreamRound> rounds = undisturbed(streams, groups, false);
  const std::vector<StreamRound> expected = {
      {{"alone", {{0, 3}}}, {"alone", {{4, 1}}}}, {{"alone", {{1, 4}}}}, {{"alone", {{1, 2}}}, {"alone", {{5, 4}}}}};
  EXPECT_EQ(rounds, expected);
  EXPECT_EQ(undisturbed(streams, groups, true).size(), 5u) << "one by one";
}

TEST(Rings, AreOfThreeNodesAndMoreOfAGroupWhereThereAreSuch) {
  EXPECT_EQ(rings(Partition{0, 0, 1, 0, 1}), (StreamRound{{"both", {{0, 1}, {1, 3}, {3, 0}}}}));
  EXPECT_EQ(rings(Partition{0, 0, 1, 1}), (StreamRound{{"both", {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}}));
  EXPECT_EQ(rings(Partition{0, 0}), (StreamRound{{"both", {{0, 1}, {1, 0}}}}));
}

TEST(Across, SendsFromAllOfAGroupAtOnceAndToNobodyTwice) {
  const std::vector<StreamRound> rounds = across(Partition{0, 0, 0, 1, 1});
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0], (StreamRound{{"across", {{0, 3}, {1, 4}}}}));
  EXPECT_EQ(rounds[1], (StreamRound{{"across", {{3, 0}, {4, 1}}}}));
  EXPECT_TRUE(across(Partition{0, 0, 0}).empty());
}

}  // namespace
}  // namespace plumbline::bench::network
