#include "tracer/record/definitions/datatypes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/tracer/spool_builder.hpp"

namespace plumbline::record {
namespace {

using test::pair;

struct Type {
  pl_combiner combiner;
  std::uint64_t size;
  std::int64_t lower_bound, extent;
  std::vector<std::int64_t> integers, addresses;
  std::vector<std::uint32_t> types;
};

// Type 1 is a byte, 2 a double; the others are numbered from 3.
std::string layout_of(const std::vector<Type>& types) {
  std::vector<Type> all = {{PL_TYPE_NAMED, 1, 0, 1, {}, {}, {}}, {PL_TYPE_NAMED, 8, 0, 8, {}, {}, {}}};
  all.insert(all.end(), types.begin(), types.end());
  Datatypes datatypes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Type& t = all[i];
    std::vector<std::uint64_t> payload = {
        pair(static_cast<std::int64_t>(i + 1), t.combiner),
        t.size,
        static_cast<std::uint64_t>(t.lower_bound),
        static_cast<std::uint64_t>(t.extent),
        pair(static_cast<std::int64_t>(t.integers.size()), static_cast<std::int64_t>(t.addresses.size())),
        pair(static_cast<std::int64_t>(t.types.size()), 0)};
    for (const std::int64_t n : t.integers) payload.push_back(static_cast<std::uint64_t>(n));
    for (const std::int64_t n : t.addresses) payload.push_back(static_cast<std::uint64_t>(n));
    for (std::size_t k = 0; k < t.types.size(); k += 2)
      payload.push_back(pair(t.types[k], k + 1 < t.types.size() ? t.types[k + 1] : 0));
    datatypes.define(payload);
  }
  const archive::Layout* layout = datatypes.layout(static_cast<std::uint32_t>(all.size()));
  return layout == nullptr ? "undefined" : archive::to_text(*layout);
}

TEST(Datatypes, PredefinedOnesAreContiguous) { EXPECT_EQ(layout_of({}), "disp=0 extent=8 size=8: 8@0"); }

// Ranks, dimensions, orders and arguments beyond an int come from a damaged spool: 2 ranks, rank 0, 1 dimension of
// 2^62, cyclic by 2^62, over 2 processes, order C.
TEST(Datatypes, IntegersBeyondAnIntMakeAnOpaqueType) {
  const std::int64_t huge = std::int64_t{1} << 62;
  const std::string text = layout_of({{PL_TYPE_DARRAY, 8, 0, 8, {2, 0, 1, huge, 2, huge, 2, 0}, {}, {2}}});
  EXPECT_NE(text.find("opaque"), std::string::npos) << text;
}

TEST(Datatypes, AVectorIsOneBlock) {
  EXPECT_EQ(layout_of({{PL_TYPE_VECTOR, 48, 0, 144, {3, 2, 8}, {}, {2}}}), "disp=0 extent=144 size=48: 3x16@0/64");
}

TEST(Datatypes, AVectorWithoutGapsIsOnePiece) {
  EXPECT_EQ(layout_of({{PL_TYPE_VECTOR, 48, 0, 48, {3, 2, 2}, {}, {2}}}), "disp=0 extent=48 size=48: 48@0");
}

TEST(Datatypes, AVectorOfVectorsListsTheInnerOnes) {
  // Inner: 2 doubles 32 bytes apart (extent 40); outer: 2 of them, 100 bytes apart.
  EXPECT_EQ(
      layout_of({{PL_TYPE_VECTOR, 16, 0, 40, {2, 1, 4}, {}, {2}}, {PL_TYPE_HVECTOR, 32, 0, 140, {2, 1}, {100}, {3}}}),
      "disp=0 extent=140 size=32: 2x8@0/32 2x8@100/32");
}

TEST(Datatypes, IndexedOnesListTheirBlocks) {
  EXPECT_EQ(layout_of({{PL_TYPE_INDEXED, 32, 8, 72, {2, 1, 3, 1, 7}, {}, {2}}}),
            "disp=0 lb=8 extent=72 size=32: 8@8 24@56");
  EXPECT_EQ(layout_of({{PL_TYPE_HINDEXED, 5, 3, 9, {2, 2, 3}, {3, 9}, {1}}}), "disp=0 lb=3 extent=9 size=5: 2@3 3@9");
  EXPECT_EQ(layout_of({{PL_TYPE_INDEXED_BLOCK, 48, 0, 176, {3, 2, 0, 10, 20}, {}, {2}}}),
            "disp=0 extent=176 size=48: 3x16@0/80");
  EXPECT_EQ(layout_of({{PL_TYPE_HINDEXED_BLOCK, 32, 0, 56, {2, 2}, {0, 40}, {2}}}),
            "disp=0 extent=56 size=32: 2x16@0/40");
}

TEST(Datatypes, AStructHasItsMembers) {
  EXPECT_EQ(layout_of({{PL_TYPE_STRUCT, 11, 0, 24, {2, 3, 1}, {0, 8}, {1, 2}}}), "disp=0 extent=24 size=11: 3@0 8@8");
}

TEST(Datatypes, ResizingChangesTheExtentOnly) {
  EXPECT_EQ(layout_of({{PL_TYPE_RESIZED, 8, -8, 64, {}, {-8, 64}, {2}}}), "disp=0 lb=-8 extent=64 size=8: 8@0");
}

TEST(Datatypes, SubarraysInCAndFortranOrder) {
  // 4 x 6 doubles, 2 x 3 of them from (1, 2).
  EXPECT_EQ(layout_of({{PL_TYPE_SUBARRAY, 48, 0, 192, {2, 4, 6, 2, 3, 1, 2, 0}, {}, {2}}}),
            "disp=0 extent=192 size=48: 2x24@64/48");
  EXPECT_EQ(layout_of({{PL_TYPE_SUBARRAY, 48, 0, 192, {2, 4, 6, 2, 3, 1, 2, 1}, {}, {2}}}),
            "disp=0 extent=192 size=48: 3x16@72/32");
}

TEST(Datatypes, ThreeDimensionsAreAListOfPlanes) {
  // 3 x 4 x 8 bytes, 2 x 2 x 4 of them from (0, 1, 2).
  EXPECT_EQ(layout_of({{PL_TYPE_SUBARRAY, 16, 0, 96, {3, 3, 4, 8, 2, 2, 4, 0, 1, 2, 0}, {}, {1}}}),
            "disp=0 extent=96 size=16: 2x4@10/8 2x4@42/8");
}

TEST(Datatypes, ABlockDistributionOverAGrid) {
  // 8 x 8 bytes on 2 x 2 processes; rank 3 has the lower right quarter.
  EXPECT_EQ(layout_of({{PL_TYPE_DARRAY, 16, 0, 64, {4, 3, 2, 8, 8, 1, 1, -1, -1, 2, 2, 0}, {}, {1}}}),
            "disp=0 extent=64 size=16: 4x4@36/8");
}

TEST(Datatypes, ACyclicDistributionDealsOutBlocks) {
  // 10 bytes in blocks of 2 on 2 processes: rank 1 has 2,3 and 6,7; rank 0 has 0,1 and 4,5 and 8,9.
  EXPECT_EQ(layout_of({{PL_TYPE_DARRAY, 4, 0, 10, {2, 1, 1, 10, 2, 2, 2, 0}, {}, {1}}}),
            "disp=0 extent=10 size=4: 2x2@2/4");
  EXPECT_EQ(layout_of({{PL_TYPE_DARRAY, 6, 0, 10, {2, 0, 1, 10, 2, 2, 2, 0}, {}, {1}}}),
            "disp=0 extent=10 size=6: 3x2@0/4");
}

TEST(Datatypes, EveryByteBelongsToExactlyOneProcessOfADistribution) {
  // 7 x 5 bytes on 2 x 3 processes, block by cyclic(2), both orders.
  for (const std::int64_t order : {0, 1}) {
    std::multiset<std::int64_t> bytes;
    for (std::int64_t rank = 0; rank < 6; ++rank) {
      for (std::uint64_t size = 0; size <= 35; ++size) {  // the size that fits is the right one
        const auto layout = archive::parse_layout(
            layout_of({{PL_TYPE_DARRAY, size, 0, 35, {6, rank, 2, 7, 5, 1, 2, -1, 2, 2, 3, order}, {}, {1}}}));
        ASSERT_TRUE(layout);
        if (layout->opaque) continue;
        const archive::LayoutIndex index(*layout);
        for (std::uint64_t i = 0; i < size; ++i) bytes.insert(*index.offset_of(i));
      }
    }
    std::multiset<std::int64_t> all;
    for (std::int64_t i = 0; i < 35; ++i) all.insert(i);
    EXPECT_EQ(bytes, all);
  }
}

TEST(Datatypes, WhatCannotBeTakenApartIsOpaque) {
  EXPECT_EQ(layout_of({{PL_TYPE_OTHER, 8, 0, 16, {}, {}, {}}}), "disp=0 extent=16 size=8: opaque");
  EXPECT_EQ(layout_of({{PL_TYPE_NAMED, 6, 0, 8, {}, {}, {}}}), "disp=0 extent=8 size=6: opaque");  // MPI_SHORT_INT
  EXPECT_EQ(layout_of({{PL_TYPE_VECTOR, 99, 0, 144, {3, 2, 8}, {}, {2}}}), "disp=0 extent=144 size=99: opaque");
  EXPECT_EQ(layout_of({{PL_TYPE_VECTOR, 48, 0, 144, {3}, {}, {2}}}), "disp=0 extent=144 size=48: opaque");
  EXPECT_EQ(layout_of({{PL_TYPE_CONTIGUOUS, 8, 0, 8, {1}, {}, {3}}}), "disp=0 extent=8 size=8: opaque");  // of itself
  EXPECT_EQ(layout_of({{PL_TYPE_CONTIGUOUS, 8, 0, 8, {INT64_MAX}, {}, {2}}}), "disp=0 extent=8 size=8: opaque");
}

}  // namespace
}  // namespace plumbline::record
