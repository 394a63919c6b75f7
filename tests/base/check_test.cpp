#include "base/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/checks_throw.hpp"

namespace plumbline {
namespace {

void fail_at_rank_3() {
  check_context = {7, 3, -1};
  PLUMBLINE_CHECK(1 + 1 == 3, "sums are right");
}

TEST(Check, ThatFailsSaysWhereAndWhatAndEndsTheProcess) {
  EXPECT_DEATH(fail_at_rank_3(),
               "internal fault at .*check_test.cpp:[0-9]+: sums are right .*clock 7 ps; rank 3\n"
               "This is a fault of Plumbline");
}

TEST(Check, ThatFailsThrowsWhileItIsAskedTo) {
  std::string told;
  {
    const ChecksThrow outer;
    { const ChecksThrow inner; }
    try {
      fail_at_rank_3();
    } catch (const InternalFault& fault) {
      told = fault.what();
    }
  }
  check_context = {};
  EXPECT_THAT(told, testing::HasSubstr("sums are right (1 + 1 == 3); clock 7 ps; rank 3"));
  EXPECT_FALSE(ChecksThrow::active());
}

}  // namespace
}  // namespace plumbline
