// How much of their time is taken from processors.

#include "base/node/interruptions.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <vector>

namespace plumbline::node::test {
namespace {

// In a second 0.01 s, 0.06 s and 0.3 s.
const Interrupted kThree{1.0, {{0, {0.01}}, {1, {0.05, 0.004, 0.006}}, {4, {0.1, 0.1, 0.1}}}};

TEST(Interruptions, UsualIsTheProcessorInTheMiddle) {
  const auto found = interruptions_of(kThree);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->usual, 0.06, 1e-12);
  EXPECT_DOUBLE_EQ(found->length, 0.05) << "it alone is half of 0.06 s";
  EXPECT_NEAR(found->worst, 0.3, 1e-12);
  EXPECT_EQ(found->worst_processor, 4U);
  EXPECT_EQ(found->processors, 3U);
}

TEST(Interruptions, UsualOfTwoIsTheLesser) {
  const auto found = interruptions_of({1.0, {{0, {0.9}}, {1, {}}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->usual, 0) << "one busy core is not the node";
  EXPECT_EQ(found->length, 0);
  EXPECT_DOUBLE_EQ(found->worst, 0.9);
}

TEST(Interruptions, OfNoProcessorAreNone) { EXPECT_FALSE(interruptions_of({1.0, {}})); }

TEST(Interruptions, AreNoMoreThanTheTime) {
  EXPECT_EQ(interruptions_of({1.0, {{0, {1.2}}}})->usual, 1) << "the last one may end later";
}

TEST(Interruptions, AsFactsComeBack) {
  const Interruptions one{0.051, 0.25, 0.005, 7, 64};
  Facts facts;
  add_interruptions(facts, one);
  EXPECT_EQ(interruptions_in(facts), one);
  facts.facts["noise.length_s"].value = "x";
  EXPECT_FALSE(interruptions_in(facts));
  EXPECT_FALSE(interruptions_in(Facts()));
}

// Nothing is known of how busy this machine is.
TEST(Interruptions, OfThisNodeAreTimedOnEachProcessor) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  const Interrupted seen = time_interruptions();
  EXPECT_EQ(static_cast<int>(seen.of_processors.size()), CPU_COUNT(&usable));
  for (const auto& [processor, seconds] : seen.of_processors)
    for (const double each : seconds) EXPECT_GE(each, 10e-6);
  const auto found = interruptions_of(seen);
  EXPECT_LE(found->usual, found->worst);
}

}  // namespace
}  // namespace plumbline::node::test
