#include "replay/validate/witness/lossy_pairs.hpp"

#include <gmock/gmock.h>

namespace plumbline::replay::validate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(LossyPairs, AreNoneWhereLessThanOneSegmentInTenThousandWasSentAgain) {
  EXPECT_FALSE(lossy_pairs({}));
  EXPECT_FALSE(lossy_pairs({{"n0", "n1", 100'000, 9}, {"n1", "n0", 100'000, 10}}));
  EXPECT_FALSE(lossy_pairs({{"n0", "n1", 100, 2}})) << "any network may lose two";
  EXPECT_FALSE(lossy_pairs({{"n0", "n0", 100, 50}})) << "that is no network";
}

TEST(LossyPairs, NameTheOnlyPairWithBothDirectionsTogether) {
  const auto seen = lossy_pairs({{"n1", "n0", 1000, 4}, {"n0", "n1", 2000, 3}, {"n0", "n2", 5000, 0}});
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->ends, ElementsAre("n0", "n1"));
  EXPECT_EQ(seen->observation.id, "net.retransmits");
  EXPECT_EQ(seen->observation.component, "n0-n1");
  EXPECT_EQ(seen->observation.text, "TCP sent more than 1 segment in 10,000 again between n0 and n1");
  EXPECT_THAT(seen->observation.places, ElementsAre("n0-n1"));
  EXPECT_THAT(seen->observation.rows, ElementsAre(Datum{"n0-n1", "7 of 3000", "segments"}));
}

// 34 of 37 segments, 92 %.
TEST(LossyPairs, NameTheNodeAtOneEndOfNearlyAllOfThem) {
  const auto seen = lossy_pairs({{"n3", "n0", 1000, 20}, {"n2", "n3", 1000, 14}, {"n0", "n1", 1000, 3}});
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->ends, ElementsAre("n3"));
  EXPECT_EQ(seen->observation.component, "n3");
  EXPECT_EQ(seen->observation.text, "TCP sent more than 1 segment in 10,000 again, nearly all of it from or to n3");
  EXPECT_THAT(seen->observation.places, ElementsAre("n3"));
  ASSERT_THAT(seen->observation.rows, SizeIs(3));
  EXPECT_EQ(seen->observation.rows[0].name, "n0-n3") << "most come first";
}

// No end has more than 20 of 30.
TEST(LossyPairs, NameNobodyWhereTheyHaveNoEndInCommon) {
  const auto seen = lossy_pairs({{"n0", "n1", 1000, 10}, {"n1", "n2", 1000, 10}, {"n3", "n4", 1000, 10}});
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->ends, IsEmpty());
  EXPECT_EQ(seen->observation.component, "pairs of nodes");
  EXPECT_THAT(seen->observation.places, SizeIs(3));
}

}  // namespace
}  // namespace plumbline::replay::validate
