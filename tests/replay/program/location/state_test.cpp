// What is known of a location before its first event, and what all parts use.

#include <gmock/gmock.h>

#include "by_hand.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay::compiling {
namespace {

using testing::ElementsAre;

TEST(LocationState, AnErrorTellsTheArchiveTheRankAndTheEvent) {
  LocationByHand location;
  location.state.events = 7;
  EXPECT_EQ(error_of([&] { fail(location.state, "no such thing"); }), "OBS: rank 0, event 7: no such thing");
}

TEST(LocationState, WhyAnOperationIsNotModelledIsKeptUntilItIsJudged) {
  LocationByHand location;
  EXPECT_EQ(unmodelled(location.state, "because").kind, OpKind::kUnmodelled);
  EXPECT_EQ(location.state.reason, "because");
  EXPECT_EQ(location.builder.operations(), 0U);
}

TEST(LocationState, NoMessageOfTheInsideIsPostedAtTheBegin) {
  LocationByHand location;
  InsideOfCalls inside(location.context.scratch);
  inside.messages.resize(2);
  EXPECT_THAT(LocationState(location.context, 0, {}, &inside).inner_messages, ElementsAre(kNone, kNone));
  EXPECT_TRUE(location.state.inner_messages.empty()) << "there is no inside";
}

TEST(TracerCost, ACallCostsTheInsideOfItsOwnRecordAndTheWholeOfEachOneInIt) {
  const TracerCost cost{nanoseconds(10), nanoseconds(3)};
  EXPECT_EQ(cost.of_call(0), nanoseconds(10));
  EXPECT_EQ(cost.of_call(2), nanoseconds(10 + 2 * (10 + 3)));
}

TEST(TracerCost, IsNothingWhereTheArchiveDoesNotTell) {
  LocationByHand location;
  archive::Definitions& definitions = location.definitions;
  EXPECT_EQ(tracer_cost(definitions, 1).inside, Duration{}) << "of no process";
  definitions.locations[1].group = 0;
  definitions.location_groups.emplace_back().properties[archive::names::kPropertyCostInside] = "70";
  EXPECT_EQ(tracer_cost(definitions, 1).inside, picoseconds(70));
  EXPECT_EQ(tracer_cost(definitions, 1).outside, Duration{});
  EXPECT_EQ(tracer_cost(definitions, 1).poll_gap, microseconds(2)) << "that of archives that tell none";
}

}  // namespace
}  // namespace plumbline::replay::compiling
