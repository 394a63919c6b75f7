#include "cli/workflows/validate/settings/short_cells.hpp"

#include <gtest/gtest.h>

namespace plumbline::cli::validate {
namespace {

const bench::CellKinds kKinds{{"halo", "", 1, false, {{"side", "", 512, 1, 4096}, {"steps", "", 100, 1, 100000}}},
                              {"small", "", 1, true, {{"calls", "", 10, 5, 100}}}};

TEST(ShortCells, DoAnEighthAsOftenAtTheSameSize) {
  EXPECT_EQ(short_cell("halo:side=64,steps=80", kKinds), "halo:side=64,steps=10");
}

TEST(ShortCells, KnowHowOftenACellIsDoneByDefault) {
  EXPECT_EQ(short_cell("halo", kKinds), "halo:steps=12");
  EXPECT_EQ(short_cell("halo:side=64", kKinds), "halo:side=64,steps=12");
}

TEST(ShortCells, AreNotShorterThanTheyMayBe) {
  EXPECT_EQ(short_cell("small", kKinds), "small:calls=5");
  EXPECT_EQ(short_cell("halo:steps=3", kKinds), "halo:steps=1");
}

TEST(ShortCells, OfWhatNobodyKnowsAreTheSame) { EXPECT_EQ(short_cell("other:calls=8", kKinds), "other:calls=8"); }

}  // namespace
}  // namespace plumbline::cli::validate
