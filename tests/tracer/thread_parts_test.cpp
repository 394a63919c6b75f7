// The parts of a thread's second pass, each alone.

#include <gmock/gmock.h>

#include "tests/tracer/spool_builder.hpp"
#include "tracer/record/events/completions.hpp"
#include "tracer/record/events/open_call.hpp"
#include "tracer/record/events/recording_switches.hpp"
#include "tracer/record/events/run_delay.hpp"

namespace plumbline::record {
namespace {

using test::pair;
using testing::ElementsAre;
using testing::Pair;

// ---- RunDelay

TEST(RunDelay, TheFirstReadingIsTheBaseLine) {
  RunDelay delay;
  delay.read(5'000, nanoseconds(900));
  EXPECT_EQ(delay.take(), Duration{});
}

TEST(RunDelay, ReadingsAddUpUntilTheyAreTaken) {
  RunDelay delay;
  delay.read(5'000, {});
  delay.read(5'100, nanoseconds(900));
  delay.read(5'300, nanoseconds(900));
  EXPECT_EQ(delay.take(), nanoseconds(300));
  EXPECT_EQ(delay.take(), Duration{});
}

TEST(RunDelay, NoMoreIsWaitedThanTheGapThatItWasReadAfter) {
  RunDelay delay;
  delay.read(5'000, {});
  delay.read(9'000, nanoseconds(900));
  EXPECT_EQ(delay.take(), nanoseconds(900));
}

TEST(RunDelay, AReadingThatGoesBackCountsNothing) {
  RunDelay delay;
  delay.read(5'000, {});
  delay.read(4'000, nanoseconds(900));
  delay.read(4'010, nanoseconds(900));
  EXPECT_EQ(delay.take(), nanoseconds(10));
}

// ---- RecordingSwitches

using Marks = std::vector<std::pair<bool, std::optional<std::uint64_t>>>;

auto into(Marks& marks) {
  return [&marks](bool on, std::optional<std::uint64_t> ticks) { marks.emplace_back(on, ticks); };
}

TEST(RecordingSwitches, EachIsToldOnceWhenItIsReached) {
  const std::vector<SwitchFact> facts{{100, false}, {200, true}};
  RecordingSwitches switches(facts);
  Marks marks;
  switches.reach(100, into(marks));
  EXPECT_THAT(marks, ElementsAre(Pair(false, 100)));
  switches.finish(into(marks));
  EXPECT_THAT(marks, ElementsAre(Pair(false, 100), Pair(true, 200)));
}

TEST(RecordingSwitches, WhatWasSwitchedBeforeTheFirstRecordThatIsLeftIsNotTold) {
  const std::vector<SwitchFact> facts{{100, false}, {200, true}, {400, false}};
  RecordingSwitches switches(facts);
  switches.lacks_beginning();
  Marks marks;
  switches.begin_late(300, into(marks));
  EXPECT_FALSE(switches.awaits_first());
  EXPECT_THAT(marks, ElementsAre(Pair(false, std::nullopt), Pair(true, 300)));
  switches.finish(into(marks));
  EXPECT_THAT(marks, ElementsAre(Pair(false, std::nullopt), Pair(true, 300), Pair(false, 400)));
}

TEST(RecordingSwitches, AThreadOfWhichNothingIsLeftIsOffFromTheStart) {
  RecordingSwitches switches({});
  switches.lacks_beginning();
  Marks marks;
  switches.finish(into(marks));
  EXPECT_THAT(marks, ElementsAre(Pair(false, std::nullopt)));
}

// ---- OpenCall

TEST(OpenCall, KeepsAPayloadThatTheReaderHasForNowOnly) {
  for (const std::size_t words : {std::size_t{3}, std::size_t{6}, std::size_t{40}}) {
    std::vector<std::uint64_t> unpacked(words);
    for (std::size_t i = 0; i < words; ++i) unpacked[i] = i + 1;
    const std::vector<std::uint64_t> before = unpacked;
    spool::Record record;
    record.unpacked = true;
    record.payload = unpacked;
    const OpenCall call(record);
    unpacked.assign(words, 0);
    EXPECT_TRUE(std::ranges::equal(call.payload(), before)) << words;
  }
}

// ---- Completions

TEST(Completions, HasRequestsAndTheirEnds) {
  const std::vector<std::uint64_t> wait{pair(3, 0), pair(1, 0),        pair(11, 12), pair(13, 0), 0,
                                        0,          PL_COMPLETED | 64, pair(2, 9),   0,           0};
  const Completions completions(wait);
  EXPECT_TRUE(completions.are_whole());
  EXPECT_EQ(completions.size(), 3u);
  EXPECT_EQ(completions.request(2), 13u);
  EXPECT_FALSE(completions.is_completed(0));
  EXPECT_TRUE(completions.is_completed(1));
  EXPECT_EQ(completions[1].source, 2);
  EXPECT_EQ(completions[1].tag, 9);
}

TEST(Completions, OfADamagedRecordTellsWhatIsThere) {
  const std::vector<std::uint64_t> wait{pair(1'000'000, 0), 0, pair(11, 12)};
  const Completions completions(wait);
  EXPECT_FALSE(completions.are_whole());
  EXPECT_EQ(completions.listed(), 2u);
  EXPECT_FALSE(completions.is_completed(999'999));
  EXPECT_EQ(Completions({}).size(), 0u);
}

}  // namespace
}  // namespace plumbline::record
