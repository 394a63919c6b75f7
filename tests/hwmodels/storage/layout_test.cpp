#include "hwmodels/storage/layout.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::storage {
namespace {

// Stripes of 10 B over 3 parts: part 0 has 0-9, 30-39, ..; part 1 has 10-19, 40-49, ..
TEST(Layout, AContiguousExtentIsOneContiguousExtentOnEachPart) {
  const Layout layout{{10}, 3, 0};
  EXPECT_EQ(part_of(layout, 0, {5, 40}), (Extent{5, 15}));  // 5-9, 30-39
  EXPECT_EQ(part_of(layout, 1, {5, 40}), (Extent{0, 15}));  // 10-19, 40-44
  EXPECT_EQ(part_of(layout, 2, {5, 40}), (Extent{0, 10}));  // 20-29
  EXPECT_EQ(part_of(layout, 2, {5, 10}).length, 0U);
}

TEST(Layout, PartsAreWhatStripeAfterStripeGives) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  sim::RandomStream random(seed, "layout");
  for (int i = 0; i < 500; ++i) {
    const Layout layout{{1 + random.below(20)}, static_cast<std::uint32_t>(1 + random.below(6)), 0};
    const Extent extent{random.below(300), random.below(300)};
    std::vector<std::set<std::uint64_t>> expected(layout.parts);
    for (std::uint64_t byte = extent.offset; byte < extent.end(); ++byte) {
      const std::uint64_t stripe = byte / layout.stripe.count;
      expected[stripe % layout.parts].insert(stripe / layout.parts * layout.stripe.count + byte % layout.stripe.count);
    }
    for (std::uint32_t part = 0; part < layout.parts; ++part) {
      const Extent found = part_of(layout, part, extent);
      ASSERT_EQ(found.length, expected[part].size());
      if (found.length > 0) {
        ASSERT_EQ(found.offset, *expected[part].begin());
        ASSERT_EQ(found.end() - 1, *expected[part].rbegin());
      }
    }
  }
}

FileSystem of(std::uint32_t servers, std::uint32_t count) {
  FileSystem result;
  for (std::uint32_t i = 0; i < servers; ++i) result.distribution.servers.push_back(i);
  result.distribution.stripe_count = count;
  return result;
}

TEST(Layout, TheFirstServerIsAStableHashOfThePath) {
  EXPECT_EQ(layout_of(of(16, 4), "/scratch/a").first, 5U);
  std::map<std::uint32_t, int> files;
  for (int i = 0; i < 16'000; ++i) ++files[layout_of(of(16, 4), "/scratch/rank." + std::to_string(i)).first];
  EXPECT_EQ(files.size(), 16U);
  for (const auto& [server, count] : files) EXPECT_NEAR(count, 1'000, 150) << "server " << server;
}

TEST(Layout, WhatIsAskedForWins) {
  const Layout layout = layout_of(of(8, 4), "/a", {9, 2, Bytes{1'000}});
  EXPECT_EQ(layout.first, 1U) << "9 mod 8";
  EXPECT_EQ(layout.parts, 2U);
  EXPECT_EQ(layout.stripe, Bytes{1'000});
  EXPECT_EQ(layout_of(of(8, 0), "/a").parts, 8U);
  EXPECT_EQ(layout_of(of(8, 4), "/a", {{}, 20, {}}).parts, 8U) << "no more than there are";
}

}  // namespace
}  // namespace plumbline::hw::storage
