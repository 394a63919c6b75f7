#include "hwmodels/platform/platform.hpp"

#include <gtest/gtest.h>

namespace plumbline::hw {
namespace {

TEST(Platform, AMessageFallsIntoTheFirstRangeThatHoldsItsSize) {
  Transport transport;
  transport.ranges.resize(3);
  transport.ranges[0].upto = Bytes{4'096};
  transport.ranges[1].upto = Bytes{65'536};
  EXPECT_EQ(&range_of(transport, {0}), &transport.ranges[0]);
  EXPECT_EQ(&range_of(transport, {4'096}), &transport.ranges[0]);
  EXPECT_EQ(&range_of(transport, {4'097}), &transport.ranges[1]);
  EXPECT_EQ(&range_of(transport, {1ULL << 40}), &transport.ranges[2]);
}

TEST(Platform, TheLongestPrefixOfWholeNamesServesAPath) {
  Platform platform;
  platform.file_systems.resize(3);
  platform.file_systems[0].paths = {"/"};
  platform.file_systems[1].paths = {"/data", "/scratch/"};
  platform.file_systems[2].paths = {"/data/fast"};
  EXPECT_EQ(file_system_of(platform, "/home/a"), 0U);
  EXPECT_EQ(file_system_of(platform, "/data"), 1U);
  EXPECT_EQ(file_system_of(platform, "/data/a"), 1U);
  EXPECT_EQ(file_system_of(platform, "/database/a"), 0U);
  EXPECT_EQ(file_system_of(platform, "/scratch/a"), 1U);
  EXPECT_EQ(file_system_of(platform, "/data/fast/a"), 2U);
}

TEST(Platform, APathThatNobodyServesHasNoFileSystem) {
  Platform platform;
  EXPECT_EQ(file_system_of(platform, "/a"), std::nullopt);
  platform.file_systems.resize(1);
  platform.file_systems[0].paths = {"/data"};
  EXPECT_EQ(file_system_of(platform, "/home/a"), std::nullopt);
}

}  // namespace
}  // namespace plumbline::hw
