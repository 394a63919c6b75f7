#include "tracer/record/clocks/common_time.hpp"

#include <gtest/gtest.h>

#include "tests/support/simulated_clock.hpp"

namespace plumbline::record {
namespace {

using plumbline::test::exchange_at;
using plumbline::test::kSecond;
using plumbline::test::SimulatedClock;

constexpr std::uint64_t kCalendar = 1'700'000'000'000'000'000;
const NodeClockName kFirst{"boot-1", 0}, kSecondNode{"boot-2", 0}, kThird{"boot-3", 0};

// Ten seconds from true time 0 on.
NodeReading reading(const SimulatedClock& clock, std::int64_t true_ns, std::int64_t ntp_error_ns = 0) {
  return {clock.node_ns(true_ns), kCalendar + static_cast<std::uint64_t>(true_ns + ntp_error_ns)};
}

void add(CommonTime& common, const NodeClockName& name, const SimulatedClock& clock, std::int64_t ntp_error_ns = 0) {
  common.add(name, reading(clock, 0, ntp_error_ns), reading(clock, 10 * kSecond, ntp_error_ns));
}

ExchangeRecord compared(const NodeClockName& name, const SimulatedClock& clock, std::mt19937& random,
                        const NodeClockName& with = kFirst) {
  return {name,
          with,
          "n",
          "reference",
          {exchange_at(0, 50, clock, {}, random), exchange_at(10 * kSecond, 50, clock, {}, random)},
          100};
}

double error_us(const CommonTime& common, const NodeClockName& name, const SimulatedClock& clock,
                std::int64_t true_ns) {
  return static_cast<double>(common.ps(name, clock.node_ns(true_ns)) - true_ns * 1000) / 1e6;
}

TEST(CommonTime, NodesThatWereComparedAgreeWhateverTheirCalendars) {
  std::mt19937 random(1);
  const SimulatedClock right, wrong{kSecond, 50}, other{-3 * kSecond, -50};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kSecondNode, wrong, 40'000'000);  // NTP is 40 ms off
  add(common, kThird, other, 70'000'000);
  common.add(compared(kSecondNode, wrong, random));
  common.add(compared(kThird, other, random));
  common.fit();
  EXPECT_EQ(common.nodes_by_real_time(), 0u);
  for (const std::int64_t t : {std::int64_t{0}, 5 * kSecond, 10 * kSecond}) {
    EXPECT_EQ(error_us(common, kFirst, right, t), 0);
    EXPECT_LE(std::abs(error_us(common, kSecondNode, wrong, t)), *common.alignment(kSecondNode).uncertainty_ns / 1e3);
    EXPECT_LE(std::abs(error_us(common, kThird, other, t)), *common.alignment(kThird).uncertainty_ns / 1e3);
  }
  EXPECT_LE(*common.alignment(kThird).uncertainty_ns, 30'000);
  EXPECT_NEAR(common.alignment(kThird).drift * 1e6, 50, 5);
  EXPECT_EQ(*common.alignment(kFirst).uncertainty_ns, 0);
}

TEST(CommonTime, ComparisonsLeadOnFromNodeToNode) {
  std::mt19937 random(2);
  const SimulatedClock right, wrong{kSecond, 50};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kThird, wrong);
  common.add(compared(kThird, wrong, random, kSecondNode));  // which nothing was recorded on
  common.add(compared(kSecondNode, right, random, kFirst));
  common.fit();
  EXPECT_EQ(common.nodes_by_real_time(), 0u);
  EXPECT_LE(std::abs(error_us(common, kThird, wrong, 7 * kSecond)),
            std::abs(error_us(common, kFirst, right, 7 * kSecond)) + 80);
  EXPECT_GE(*common.alignment(kThird).uncertainty_ns + *common.alignment(kFirst).uncertainty_ns, 35'000)
      << "uncertainties add up";
}

TEST(CommonTime, WithoutExchangesTheCalendarDecides) {
  const SimulatedClock right, wrong{kSecond, 0};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kSecondNode, wrong, 300'000);
  common.fit();
  EXPECT_EQ(common.nodes_by_real_time(), 1u);
  EXPECT_FALSE(common.alignment(kSecondNode).uncertainty_ns && common.alignment(kFirst).uncertainty_ns);
  EXPECT_NEAR(error_us(common, kSecondNode, wrong, 5 * kSecond), 300, 0.01);
}

TEST(CommonTime, NodesThatHaveBeenUpForYearsHaveTimesLikeOthers) {
  std::mt19937 random(5);
  constexpr std::int64_t kYears = std::int64_t{3} * 365 * 86'400 * kSecond;
  const SimulatedClock right{-kYears, 0}, wrong{-2 * kYears, 50};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kSecondNode, wrong);
  clocks::Burst begin = exchange_at(0, 50, wrong, {}, random), end = exchange_at(10 * kSecond, 50, wrong, {}, random);
  for (clocks::Burst* burst : {&begin, &end}) {
    for (clocks::Exchange& e : *burst) {  // the reference's readings are its own, not true times
      e.taken = right.node_ns(e.taken);
      e.answered = right.node_ns(e.answered);
    }
  }
  common.add({kSecondNode, kFirst, "n", "r", {begin, end}, 100});
  common.fit();
  EXPECT_EQ(error_us(common, kFirst, right, 10 * kSecond), 0);
  EXPECT_LE(std::abs(error_us(common, kSecondNode, wrong, 10 * kSecond)), 25);
}

MessageBound message(const NodeClockName& from, const SimulatedClock& sender, std::int64_t sent,
                     const NodeClockName& to, const SimulatedClock& receiver, std::int64_t received) {
  return {from, to, sender.node_ns(sent), receiver.node_ns(received)};
}

// 20 us of delay on either side leave ±20 us; messages take 1 us only, so many seem to arrive early.
TEST(CommonTime, MessagesMoveClocksWithinWhatExchangesLeaveOpen) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const SimulatedClock right, wrong{kSecond, 50}, other{-kSecond, -50};
    CommonTime common;
    add(common, kFirst, right);
    add(common, kSecondNode, wrong);
    add(common, kThird, other);
    common.add({kSecondNode,
                kFirst,
                "n",
                "r",
                {exchange_at(0, 20, wrong, {35'000, 5'000, 1'000}, random),
                 exchange_at(10 * kSecond, 20, wrong, {5'000, 35'000, 1'000}, random)},
                40});
    common.add({kThird,
                kFirst,
                "n",
                "r",
                {exchange_at(0, 20, other, {5'000, 35'000, 1'000}, random),
                 exchange_at(10 * kSecond, 20, other, {35'000, 5'000, 1'000}, random)},
                40});
    common.fit();
    std::vector<MessageBound> messages;
    for (std::int64_t t = kSecond / 2; t < 10 * kSecond; t += kSecond) {
      messages.push_back(message(kFirst, right, t, kSecondNode, wrong, t + 1'000));
      messages.push_back(message(kSecondNode, wrong, t, kFirst, right, t + 1'000));
      messages.push_back(message(kSecondNode, wrong, t, kThird, other, t + 1'000));
      messages.push_back(message(kThird, other, t, kSecondNode, wrong, t + 1'000));
    }
    EXPECT_TRUE(common.respect(messages).empty());
    for (const MessageBound& m : messages) EXPECT_LT(common.ps(m.from, m.sent_ns), common.ps(m.to, m.received_ns));
    for (const std::int64_t t : {std::int64_t{0}, 10 * kSecond}) {
      EXPECT_LE(std::abs(error_us(common, kSecondNode, wrong, t)), *common.alignment(kSecondNode).uncertainty_ns / 1e3);
      EXPECT_LE(std::abs(error_us(common, kThird, other, t)), *common.alignment(kThird).uncertainty_ns / 1e3);
    }
  }
}

TEST(CommonTime, WhatMessagesDemandBeyondTheExchangesIsToldAndNotDone) {
  std::mt19937 random(4);
  const SimulatedClock right, wrong{kSecond, 0};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kSecondNode, wrong);
  common.add(compared(kSecondNode, wrong, random));
  common.fit();
  const std::vector<MessageBound> impossible{message(kFirst, right, kSecond, kSecondNode, wrong, kSecond - 200'000)};
  const std::vector<Disagreement> told = common.respect(impossible);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].to, kSecondNode);
  EXPECT_NEAR(static_cast<double>(told[0].ns), 180'000, 10'000);  // 20 us of it are within the bound
  EXPECT_LE(std::abs(error_us(common, kSecondNode, wrong, 0)), *common.alignment(kSecondNode).uncertainty_ns / 1e3);
}

TEST(CommonTime, NodesByRealTimeAreMovedUntilMessagesArriveAfterTheyWereSent) {
  const SimulatedClock right, wrong{kSecond, 0};
  CommonTime common;
  add(common, kFirst, right);
  add(common, kSecondNode, wrong, 300'000);
  common.fit();
  std::vector<MessageBound> messages;
  for (std::int64_t t = kSecond; t < 9 * kSecond; t += kSecond) {
    messages.push_back(message(kFirst, right, t, kSecondNode, wrong, t + 50'000));
    messages.push_back(message(kSecondNode, wrong, t, kFirst, right, t + 50'000));
  }
  EXPECT_TRUE(common.respect(messages).empty());
  for (const MessageBound& m : messages) EXPECT_LT(common.ps(m.from, m.sent_ns), common.ps(m.to, m.received_ns));
}

}  // namespace
}  // namespace plumbline::record
