// Trees written out by hand, from root 0 unless the name says another; "0: 1 2" means that 0 has the children 1 and 2.
#include "replay/collectives/schedules/trees.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace plumbline::replay::collectives::schedules {
namespace {

using TreeOf = std::function<Tree(std::uint32_t rank)>;

std::string written(std::uint32_t ranks, const TreeOf& tree_of) {
  std::string text;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const Tree tree = tree_of(rank);
    if (tree.children.empty()) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(rank) + ":";
    for (const std::uint32_t child : tree.children) text += " " + std::to_string(child);
  }
  return text;
}

TEST(ScheduleTrees, BinaryHasLevelsOfTwiceTheWidth) {
  EXPECT_EQ(written(8, [](std::uint32_t r) { return binary_tree(8, 0, r); }), "0: 1 2, 1: 3 5, 2: 4 6, 3: 7");
}

TEST(ScheduleTrees, BinaryTurnsRoundItsRoot) {
  EXPECT_EQ(written(4, [](std::uint32_t r) { return binary_tree(4, 3, r); }), "0: 2, 3: 0 1");
}

TEST(ScheduleTrees, BinomialGoesUpThroughTheBits) {
  EXPECT_EQ(written(8, [](std::uint32_t r) { return binomial_tree(8, 0, r); }), "0: 1 2 4, 1: 3 5, 2: 6, 3: 7");
}

TEST(ScheduleTrees, InOrderBinomialKeepsSubtreesTogether) {
  EXPECT_EQ(written(8, [](std::uint32_t r) { return in_order_binomial_tree(8, 0, r); }),
            "0: 1 2 4, 2: 3, 4: 5 6, 6: 7");
}

TEST(ScheduleTrees, InOrderBinaryHasTheLastRankAsItsRoot) {
  EXPECT_EQ(written(6, [](std::uint32_t r) { return in_order_binary_tree(6, r); }), "2: 1 0, 4: 3, 5: 4 2");
}

TEST(ScheduleTrees, KnomialOfFour) {
  EXPECT_EQ(written(8, [](std::uint32_t r) { return knomial_tree(8, 0, 4, r); }), "0: 4 1 2 3, 4: 5 6 7");
}

TEST(ScheduleTrees, OneChain) {
  EXPECT_EQ(written(4, [](std::uint32_t r) { return chain(4, 2, 1, r); }), "0: 1, 2: 3, 3: 0");
}

TEST(ScheduleTrees, FourChainsOfWhichTheFirstAreLonger) {
  EXPECT_EQ(written(8, [](std::uint32_t r) { return chain(8, 0, 4, r); }), "0: 1 3 5 7, 1: 2, 3: 4, 5: 6");
}

TEST(ScheduleTrees, NoMoreChainsThanRanks) {
  EXPECT_EQ(written(3, [](std::uint32_t r) { return chain(3, 0, 4, r); }), "0: 1 2");
}

TEST(ScheduleTrees, EveryChildKnowsItsParent) {
  for (std::uint32_t ranks = 1; ranks <= 40; ++ranks)
    for (std::uint32_t root = 0; root < ranks; root += 3) {
      const TreeOf trees[] = {
          [=](std::uint32_t r) { return binary_tree(ranks, root, r); },
          [=](std::uint32_t r) { return binomial_tree(ranks, root, r); },
          [=](std::uint32_t r) { return in_order_binomial_tree(ranks, root, r); },
          [=](std::uint32_t r) { return in_order_binary_tree(ranks, r); },
          [=](std::uint32_t r) { return knomial_tree(ranks, root, 3, r); },
          [=](std::uint32_t r) { return chain(ranks, root, 4, r); },
      };
      for (const TreeOf& tree_of : trees) {
        std::uint32_t children = 0;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
          for (const std::uint32_t child : tree_of(rank).children) {
            EXPECT_EQ(tree_of(child).parent, rank);
            ++children;
          }
        EXPECT_EQ(children, ranks - 1);
      }
    }
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
