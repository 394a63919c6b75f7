#include "tracer/archive/layout/layout.hpp"

#include <gmock/gmock.h>

#include <random>

namespace plumbline::archive {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Extents = std::vector<std::pair<std::int64_t, std::uint64_t>>;

Layout layout_of(const char* text) {
  const std::optional<Layout> layout = parse_layout(text);
  EXPECT_TRUE(layout) << text;
  return layout.value_or(Layout{});
}

Extents extents(const LayoutIndex& index, std::uint64_t position, std::uint64_t bytes) {
  Extents result;
  index.visit(position, bytes, [&](std::int64_t offset, std::uint64_t length) {
    result.emplace_back(offset, length);
    return true;
  });
  return result;
}

TEST(LayoutText, SaysWhatALayoutIs) {
  Layout layout;
  layout.displacement = 16;
  layout.extent = 8388608;
  layout.size = 2097152;
  layout.blocks = {{0, 2048, 1024, 8192}};
  EXPECT_EQ(to_text(layout), "disp=16 extent=8388608 size=2097152: 1024x2048@0/8192");
}

TEST(LayoutText, ComesBackAsItWas) {
  for (const char* text :
       {"disp=0 extent=1 size=1: 1@0", "disp=0 extent=8388608 size=2097152: 1024x2048@0/8192",
        "disp=-8 lb=-16 extent=100 size=24: 8@-16 2x8@40/-24",
        "disp=7 extent=0 size=0:", "disp=0 extent=4096 size=512: opaque",
        "disp=9223372036854775807 extent=-9223372036854775808 size=18446744073709551615: 18446744073709551615@0"})
    EXPECT_EQ(to_text(layout_of(text)), text);
}

TEST(LayoutText, WhatIsNotALayoutIsRefused) {
  for (const char* text :
       {"", "disp=0", "disp=0 extent=1 size=1", "disp=0 extent=1 size=2: 1@0", "disp=0 extent=1 size=1: 1@0 ",
        "disp=0 extent=1 size=1:1@0", "disp=00 extent=1 size=1: 1@0", "disp=-0 extent=1 size=1: 1@0",
        "disp=0 lb=0 extent=1 size=1: 1@0", "disp=0 extent=1 size=1: 1x1@0/0", "disp=0 extent=1 size=4: 2x2@0",
        "disp=0 extent=1 size=0: 0@0", "disp=0 extent=1 size=0: 4294967296x4294967296@0/1",
        "disp=9223372036854775808 extent=1 size=1: 1@0", "disp=0 extent=1 size=-1: 1@0",
        "disp=0 extent=1 size=1: opaque 1@0", "disp=0x1 extent=1 size=1: 1@0"})
    EXPECT_FALSE(parse_layout(text)) << text;
}

TEST(LayoutText, RandomLayoutsComeBackAsTheyWere) {
  const unsigned seed = 20240917;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 500; ++round) {
    Layout layout;
    layout.displacement = static_cast<std::int64_t>(random() % 1000) - 500;
    layout.lower_bound = static_cast<std::int64_t>(random() % 3) * 8;
    layout.extent = static_cast<std::int64_t>(random() % 100000);
    for (std::uint64_t i = random() % 6; i != 0; --i) {
      const std::uint64_t count = 1 + random() % 4;
      Block block{static_cast<std::int64_t>(random() % 1000) - 500, 1 + random() % 64, count, 0};
      if (count > 1) block.stride = static_cast<std::int64_t>(random() % 300) - 150;
      layout.size += block.length * count;
      layout.blocks.push_back(block);
    }
    EXPECT_EQ(parse_layout(to_text(layout)), layout) << "seed " << seed << ", round " << round;
  }
}

TEST(Blocks, PiecesThatContinueEachOtherAreOneBlock) {
  std::vector<Block> blocks;
  append(blocks, {0, 8, 1, 0});
  append(blocks, {8, 8, 1, 0});
  EXPECT_THAT(blocks, ElementsAre(Block{0, 16, 1, 0}));
  append(blocks, {32, 16, 1, 0});
  append(blocks, {64, 16, 2, 32});
  EXPECT_THAT(blocks, ElementsAre(Block{0, 16, 4, 32}));
  append(blocks, {1000, 4, 5, 4});
  EXPECT_THAT(blocks, ElementsAre(Block{0, 16, 4, 32}, Block{1000, 20, 1, 0}));
}

// A tile of 12 data bytes in 32: 4 at 0, 4 at 8, 4 at 16; displaced by 100.
constexpr char kComb[] = "disp=100 extent=32 size=12: 3x4@0/8";

TEST(LayoutIndex, FindsTheOffsetOfAByte) {
  const LayoutIndex index(layout_of(kComb));
  EXPECT_EQ(index.offset_of(0), 100);
  EXPECT_EQ(index.offset_of(3), 103);
  EXPECT_EQ(index.offset_of(4), 108);
  EXPECT_EQ(index.offset_of(11), 119);
  EXPECT_EQ(index.offset_of(12), 132);  // the second tile
  EXPECT_EQ(index.offset_of(12'000'000'005), 100 + 32'000'000'000 + 9);
}

TEST(LayoutIndex, VisitsExactlyTheExtentsAskedFor) {
  const LayoutIndex index(layout_of(kComb));
  EXPECT_THAT(extents(index, 0, 12), ElementsAre(Pair(100, 4), Pair(108, 4), Pair(116, 4)));
  EXPECT_THAT(extents(index, 2, 4), ElementsAre(Pair(102, 2), Pair(108, 2)));
  EXPECT_THAT(extents(index, 10, 4), ElementsAre(Pair(118, 2), Pair(132, 2)));
  EXPECT_THAT(extents(index, 5, 0), ElementsAre());
}

TEST(LayoutIndex, MergesNeighboursAcrossBlocksAndTiles) {
  const LayoutIndex index(layout_of("disp=0 extent=16 size=16: 8@8 8@16"));
  EXPECT_THAT(extents(index, 0, 32), ElementsAre(Pair(8, 32)));
  EXPECT_THAT(extents(LayoutIndex(layout_of("disp=0 extent=32 size=16: 8@24 8@0")), 0, 32),
              ElementsAre(Pair(24, 8), Pair(0, 8), Pair(56, 8), Pair(32, 8)));
}

TEST(LayoutIndex, AContiguousViewIsOneExtentHoweverLong) {
  const LayoutIndex index(contiguous_layout(1));
  EXPECT_THAT(extents(index, 5, std::uint64_t{1} << 60), ElementsAre(Pair(5, std::uint64_t{1} << 60)));
}

TEST(LayoutIndex, StopsWhenItIsTold) {
  const LayoutIndex index(layout_of(kComb));
  int seen = 0;
  index.visit(0, std::uint64_t{1} << 62, [&](std::int64_t, std::uint64_t) { return ++seen < 3; });
  EXPECT_EQ(seen, 3);
}

TEST(LayoutIndex, AnOpaqueOrEmptyLayoutKnowsNothing) {
  const LayoutIndex opaque(layout_of("disp=0 extent=4096 size=512: opaque"));
  EXPECT_FALSE(opaque.known());
  EXPECT_EQ(opaque.offset_of(0), std::nullopt);
  EXPECT_THAT(extents(opaque, 0, 10), ElementsAre());
  EXPECT_EQ(LayoutIndex(layout_of("disp=3 extent=0 size=0:")).offset_of(0), std::nullopt);
}

TEST(LayoutIndex, AgreesWithACountByHandOnRandomLayouts) {
  const unsigned seed = 77;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    Layout layout;
    std::vector<std::int64_t> bytes;  // offset of every data byte of a tile
    for (std::uint64_t i = 1 + random() % 4; i != 0; --i) {
      const Block block{static_cast<std::int64_t>(random() % 100), 1 + random() % 5, 1 + random() % 3,
                        static_cast<std::int64_t>(random() % 20)};
      for (std::uint64_t piece = 0; piece < block.count; ++piece)
        for (std::uint64_t b = 0; b < block.length; ++b)
          bytes.push_back(block.offset + static_cast<std::int64_t>(piece) * block.stride +
                          static_cast<std::int64_t>(b));
      append(layout.blocks, block);
    }
    layout.size = bytes.size();
    layout.extent = static_cast<std::int64_t>(random() % 200);
    layout.displacement = 1000;
    const LayoutIndex index(layout);
    const std::uint64_t first = random() % (3 * layout.size), count = random() % (3 * layout.size);
    std::vector<std::int64_t> expected, found;
    for (std::uint64_t k = first; k < first + count; ++k) {
      expected.push_back(1000 + static_cast<std::int64_t>(k / layout.size) * layout.extent + bytes[k % layout.size]);
      EXPECT_EQ(index.offset_of(k), expected.back()) << "seed " << seed << ", round " << round;
    }
    for (const auto& [offset, length] : extents(index, first, count))
      for (std::uint64_t b = 0; b < length; ++b) found.push_back(offset + static_cast<std::int64_t>(b));
    EXPECT_EQ(found, expected) << "seed " << seed << ", round " << round;
  }
}

}  // namespace
}  // namespace plumbline::archive
