#include "hwmodels/platform/node_names.hpp"

#include <gtest/gtest.h>

namespace plumbline::hw {
namespace {

TEST(NodeNames, ARangeCountsTheNumberAtTheEndOfAName) {
  const auto names = parse_numbered_names("n8-n11");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->count(), 4U);
  EXPECT_EQ(names->name(0), "n8");
  EXPECT_EQ(names->name(3), "n11");
}

TEST(NodeNames, LeadingZerosKeepTheWidth) {
  const auto names = parse_numbered_names("node098-node101");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->name(0), "node098");
  EXPECT_EQ(names->name(2), "node100");
}

TEST(NodeNames, APrefixMayHoldADash) {
  const auto names = parse_numbered_names("rack-1-n0-rack-1-n3");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->prefix, "rack-1-n");
  EXPECT_EQ(names->count(), 4U);
}

TEST(NodeNames, WhatIsNotARangeIsNone) {
  for (const char* text : {"", "n3", "n3-", "-n3", "n3-n1", "n0-m3", "n00-n3", "n-m", "n0-n9999999999", "n01-n003"})
    EXPECT_FALSE(parse_numbered_names(text)) << text;
}

}  // namespace
}  // namespace plumbline::hw
