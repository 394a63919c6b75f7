#include "base/text/nearest.hpp"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(EditDistance, CountsChangesOfLettersAndExchangesOfTwo) {
  EXPECT_EQ(edit_distance("ring", "ring"), 0U);
  EXPECT_EQ(edit_distance("ring", "rings"), 1U);
  EXPECT_EQ(edit_distance("ring", "rang"), 1U);
  EXPECT_EQ(edit_distance("rign", "ring"), 1U);
  EXPECT_EQ(edit_distance("", "ring"), 4U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(DidYouMean, NamesTheNearestElseWhatIsKnown) {
  const std::vector<std::string> known = {"gate", "rate", "latency"};
  EXPECT_EQ(did_you_mean("rat", known, "none"), "did you mean 'rate'?");
  EXPECT_EQ(did_you_mean("mate", known, "none"), "did you mean 'gate' or 'rate'?");
  EXPECT_EQ(did_you_mean("mate", known, "none", 1), "did you mean 'gate'?");
  EXPECT_EQ(did_you_mean("speed", known, "none"), "none");
  EXPECT_EQ(did_you_mean_one_of("mate", known), "did you mean 'gate' or 'rate'?");
  EXPECT_EQ(did_you_mean_one_of("speed", known), "known: gate, rate, latency");
}

}  // namespace
}  // namespace plumbline
