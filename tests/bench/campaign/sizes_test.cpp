#include "bench/campaign/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message_of_sizes(const std::string& text) {
  try {
    parse_sizes(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Sizes, AreNumbersOfBytesWithOrWithoutUnits) {
  EXPECT_THAT(parse_sizes("8"), ElementsAre(8));
  EXPECT_THAT(parse_sizes("1KiB, 3kB,0"), ElementsAre(1024, 3000, 0));
}

TEST(Sizes, PowersGoUpToTheirEndAndFromZeroByOne) {
  EXPECT_THAT(parse_sizes("1..16*2"), ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(parse_sizes("3..100*4"), ElementsAre(3, 12, 48));
  EXPECT_THAT(parse_sizes("0..4*2"), ElementsAre(0, 1, 2, 4));
  EXPECT_EQ(parse_sizes("1..2147483647*2").size(), 31U);  // the next would be 2^31
}

TEST(Sizes, StridesIncludeBothEndsWhereTheyAreHit) {
  EXPECT_THAT(parse_sizes("0..4KiB+2KiB"), ElementsAre(0, 2048, 4096));
  EXPECT_THAT(parse_sizes("1..10+4"), ElementsAre(1, 5, 9));
  EXPECT_THAT(parse_sizes("7..7+1"), ElementsAre(7));
}

TEST(Sizes, OfAListStayInItsOrder) { EXPECT_THAT(parse_sizes("4..5+1,0,2..4*2"), ElementsAre(4, 5, 0, 2, 4)); }

TEST(Sizes, ThatOverflowAreRefusedWithWhatIsWrong) {
  EXPECT_THAT(message_of_sizes("0..2147483647+1"), HasSubstr("more than 10000 sizes"));
  EXPECT_THAT(message_of_sizes("2147483648"), HasSubstr("too large"));
  EXPECT_THAT(message_of_sizes("1..4TiB*2"), HasSubstr("'4TiB' is too large"));
  EXPECT_THAT(message_of_sizes("99999999999999999999999"), HasSubstr("too large"));
}

TEST(Sizes, ThatAreNoneAreRefusedWithTheForms) {
  for (const char* text : {"", "x", "1..", "1..8", "8..1*2", "1..8*1", "1..8*x", "1..8+0", "1,,2", "-1", "1KB..2KB*2"})
    EXPECT_NE(message_of_sizes(text), "") << text;
  EXPECT_THAT(message_of_sizes("1..8"), HasSubstr("does not say how"));
  EXPECT_THAT(message_of_sizes("8..1*2"), HasSubstr("ends before it begins"));
}

TEST(Sizes, PerturbedStandBesideTheirNeighboursOnce) {
  EXPECT_THAT(perturbed({2, 8, 11}, 3), ElementsAre(2, 5, 8, 11, 14));
  EXPECT_THAT(perturbed({1, 2}, 0), ElementsAre(1, 2));
  EXPECT_THAT(perturbed({kLargestSize}, 1), ElementsAre(kLargestSize - 1, kLargestSize));
}

}  // namespace
}  // namespace plumbline::bench
