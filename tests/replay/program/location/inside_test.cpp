// The inner stream of a location.

#include "replay/program/compile/location/inside.hpp"

#include <gmock/gmock.h>

#include <optional>

#include "by_hand.hpp"

namespace plumbline::replay::compiling {
namespace {

class LocationInside : public testing::Test {
 protected:
  // The location has what inside_ holds by now inside of its calls.
  LocationState& location(TracerCost cost = {}) { return state_.emplace(by_hand_.context, 0, cost, &inside_); }
  void message(std::uint32_t call) { inside_.messages.push_back({.operation = call, .peer = 1}); }
  // An item inside of the one call that has any.
  void item(InnerKind kind, std::uint32_t index, OperationTimes times = {}, std::uint32_t records_before = 0) {
    if (inside_.calls.empty()) inside_.calls.push_back({});
    ++inside_.calls[0].items;
    inside_.items.push_back({{.kind = kind, .index = index, .times = times}, records_before});
  }
  // A call of the program begins, which is that operation.
  void begin(std::uint32_t operation, std::int64_t us) {
    state_->call = Call();
    state_->call.begin = at_us(us);
    state_->call.first_operation = operation;
  }

  LocationByHand by_hand_;
  InsideOfCalls inside_{by_hand_.context.scratch};
  std::optional<LocationState> state_;
};

TEST_F(LocationInside, CallsWithAnInsideAreFoundByTheirNumberAmongTheOutermostRegions) {
  for (const std::uint32_t call : {0, 2, 5}) inside_.calls.push_back({.call = call});
  LocationState& state = location();
  std::vector<int> found;
  for (state.outermost = 1; state.outermost <= 7; ++state.outermost) {
    state.call.inside = nullptr;
    find_inside(state);
    found.push_back(state.call.inside == nullptr ? -1 : static_cast<int>(state.call.inside->call));
  }
  EXPECT_THAT(found, testing::ElementsAre(0, -1, 2, -1, -1, 5, -1));
}

TEST_F(LocationInside, RecordsInsideAreAsManyAsTheCallSaysElseAsLieThere) {
  LocationState& state = location();
  const archive::Event silent{.kind = archive::EventKind::kLeave};
  const auto told = [&](std::uint64_t records) {
    return records_inside(state, &Record(silent, {number(by_hand_.ids.inner_records, records)}).event());
  };
  EXPECT_EQ(records_inside(state, &silent), 0U);
  const InsideOfCalls::Call with_four{.records = 4};
  state.call.inside = &with_four;
  EXPECT_EQ(records_inside(state, &silent), 4U);
  EXPECT_EQ(records_inside(state, nullptr), 4U) << "the process ended in the call";
  EXPECT_EQ(told(3), 3U);
  EXPECT_EQ(told(~std::uint64_t{0}), kNone / 2) << "a number that can be added to";
}

TEST_F(LocationInside, NothingIsWrittenWhereNothingLies) {
  LocationState& state = location();
  begin(0, 100);
  EXPECT_FALSE(write_inner(state, at_us(103)));
  EXPECT_TRUE(by_hand_.finish().rank(0).inner.empty());
}

// Call 0 is operations 0 and 1, call 1 begins with operation 2 and is in progress.
TEST_F(LocationInside, AMessageBelongsToTheFirstOperationOfItsCallAndHasASlotUntilItIsDone) {
  message(0), message(1), message(7);  // there is no call 7
  item(InnerKind::kSend, 0), item(InnerKind::kReceive, 1), item(InnerKind::kDone, 0), item(InnerKind::kSend, 2);
  LocationState& state = location();
  state.first_operations = {0, 2};
  begin(2, 100);
  state.call.inside = inside_.calls.data();
  EXPECT_TRUE(write_inner(state, at_us(103)));
  const Program program = by_hand_.finish();
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.inner_messages.size(), 3U);
  EXPECT_EQ(rank.inner_messages[0].operation, 0U);
  EXPECT_EQ(rank.inner_messages[1].operation, 2U);
  EXPECT_EQ(rank.inner_messages[2].operation, 2U) << "the call in progress";
  EXPECT_EQ(rank.inner_messages[0].slot, 0U);
  EXPECT_EQ(rank.inner_messages[1].slot, 1U);
  EXPECT_EQ(rank.inner_messages[2].slot, 0U) << "message 0 was done";
  ASSERT_EQ(rank.inner.size(), 4U);
  for (const InnerItem& written : rank.inner) EXPECT_EQ(written.operation, 2U);
  EXPECT_EQ(rank.inner[2].kind, InnerKind::kDone);
  EXPECT_EQ(rank.inner[2].index, 0U);
}

TEST_F(LocationInside, TheEndOfAMessageThatNobodyPostedIsLeftOut) {
  message(0), message(0);
  item(InnerKind::kDone, 0), item(InnerKind::kSend, 1);
  LocationState& state = location();
  begin(0, 100);
  state.call.inside = inside_.calls.data();
  write_inner(state, at_us(103));
  const Program program = by_hand_.finish();
  ASSERT_EQ(program.rank(0).inner.size(), 1U);
  EXPECT_EQ(program.rank(0).inner[0].kind, InnerKind::kSend);
  EXPECT_EQ(program.rank(0).inner[0].index, 0U) << "the first one posted";
}

// Each record costs 15 ns, 10 of them within what it records.
TEST_F(LocationInside, TimesInsideAreShortenedByTheRecordsBeforeThem) {
  message(0);
  inside_.accesses.push_back({.bytes = 8});
  item(InnerKind::kRead, 0, {at_us(101), at_us(102)}, 2);
  item(InnerKind::kSend, 0, {at_us(103), at_us(103)}, 3);
  LocationState& state = location({.inside = nanoseconds(10), .outside = nanoseconds(5)});
  begin(0, 100);
  state.call.inside = inside_.calls.data();
  write_inner(state, at_us(104));
  const Program program = by_hand_.finish();
  const auto& inner = program.rank(0).inner;
  EXPECT_EQ(inner[0].times.begin, at_us(101) - nanoseconds(2 * 15));
  EXPECT_EQ(inner[0].times.end, at_us(102) - nanoseconds(2 * 15 + 10));
  EXPECT_EQ(inner[1].times.begin, at_us(103) - nanoseconds(3 * 15));
  EXPECT_EQ(inner[1].times.end, inner[1].times.begin);
}

TEST_F(LocationInside, TimesInsideAreInOrderAndWithinTheCall) {
  for (int i = 0; i < 3; ++i) message(0);
  item(InnerKind::kSend, 0, {at_us(99), at_us(99)});
  item(InnerKind::kSend, 1, {at_us(102), at_us(102)}), item(InnerKind::kDone, 1, {at_us(101), at_us(101)});
  item(InnerKind::kSend, 2, {at_us(110), at_us(110)});
  LocationState& state = location();
  begin(0, 100);
  state.call.inside = inside_.calls.data();
  write_inner(state, at_us(103));
  std::vector<Time> times;
  const Program program = by_hand_.finish();
  for (const InnerItem& written : program.rank(0).inner) times.push_back(written.times.begin);
  EXPECT_THAT(times, testing::ElementsAre(at_us(100), at_us(102), at_us(102), at_us(103)));
}

// Messages 0 and 1 are posted in the first call; they are complete at 200 and 201 us.
TEST_F(LocationInside, WhatIsCompleteBetweenTwoCallsTheNextOneFindsSo) {
  message(0), message(0);
  item(InnerKind::kReceive, 0, {at_us(100), at_us(100)}), item(InnerKind::kReceive, 1, {at_us(100), at_us(100)});
  inside_.between.push_back({at_us(200), 0}), inside_.between.push_back({at_us(201), 1});
  LocationState& state = location();
  begin(0, 100);
  state.call.inside = inside_.calls.data();
  write_inner(state, at_us(103));
  begin(1, 200);
  EXPECT_TRUE(write_inner(state, at_us(203)));
  begin(2, 300);
  EXPECT_TRUE(write_inner(state, at_us(303)));
  begin(3, 400);
  EXPECT_FALSE(write_inner(state, at_us(403)));
  const Program program = by_hand_.finish();
  const auto& inner = program.rank(0).inner;
  ASSERT_EQ(inner.size(), 4U);
  EXPECT_EQ(inner[2].operation, 1U);
  EXPECT_EQ(inner[2].times.begin, at_us(200));
  EXPECT_EQ(inner[3].operation, 2U);
  EXPECT_EQ(inner[3].index, 1U);
  EXPECT_EQ(inner[3].times.begin, at_us(300));
}

}  // namespace
}  // namespace plumbline::replay::compiling
