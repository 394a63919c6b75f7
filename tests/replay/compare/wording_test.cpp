#include "replay/compare/result/wording.hpp"

#include <gtest/gtest.h>

namespace plumbline::replay {
namespace {

TEST(Wording, CountsOneInTheSingular) {
  EXPECT_EQ(plural(0, "row"), "0 rows");
  EXPECT_EQ(plural(1, "row"), "1 row");
  EXPECT_EQ(plural(2, "row"), "2 rows");
}

TEST(Wording, WhatRoundsToNothingHasNoSign) {
  EXPECT_EQ(percent(-0.0004), "0.0 %");
  EXPECT_EQ(percent(-0.0006), "-0.1 %");
  EXPECT_EQ(percent(0.035), "3.5 %");
}

}  // namespace
}  // namespace plumbline::replay
