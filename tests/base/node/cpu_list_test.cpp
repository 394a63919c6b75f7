#include "base/node/cpu_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProcessorList, RangesAndSingleOnesAreReadInAnyOrder) {
  EXPECT_THAT(processors_of("8,0-3"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(processors_of(" 5\n"), ElementsAre(5));
  EXPECT_THAT(processors_of("1,1,0-1"), ElementsAre(0, 1));
}

TEST(ProcessorList, WhatIsNoListIsEmpty) {
  for (const char* text : {"", "a", "3-1", "1-", "-1", "0,,1", "0-4294967295", "99999999999999999999", "0x3"})
    EXPECT_THAT(processors_of(text), IsEmpty()) << text;
}

TEST(ProcessorList, IsWrittenAsTheKernelDoes) {
  EXPECT_EQ(processor_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(processor_list({}), "");
  EXPECT_EQ(processor_list(processors_of("0-31,64-95")), "0-31,64-95");
}

}  // namespace
}  // namespace plumbline::node
