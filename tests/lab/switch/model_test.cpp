#include "tests/lab/switch/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace plumbline::lab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// At 100 Mbit/s a byte takes 80 ns: a frame of 1226 B, 1250 B on the wire, 100 us.
constexpr Bytes kFrame{1'226};
constexpr BytesPerSecond k100Mbit{12'500'000};
constexpr BytesPerSecond k50Mbit{6'250'000};

constexpr Time at_us(std::int64_t us) { return Time{} + microseconds(us); }

CableSettings cable(BytesPerSecond rate = k100Mbit, Duration latency = microseconds(25)) {
  CableSettings settings;
  settings.rate = {rate, rate};
  settings.latency = latency;
  return settings;
}

Settings one_switch(std::size_t ports) {
  Settings settings;
  settings.switches = {{"w0", {}}};
  for (std::size_t i = 0; i < ports; ++i)
    settings.ports.push_back({"n" + std::to_string(i), 0, 1, "eth0", {}, 9000, cable()});
  return settings;
}

struct Arrival {
  Time at;
  PortId port;
  FrameId frame;
  bool operator==(const Arrival&) const = default;
};

std::vector<Arrival> run_until(Fabric& fabric, Time until) {
  std::vector<Arrival> arrivals;
  advance(fabric, until);
  while (const auto delivery = next_delivery(fabric, until)) {
    arrivals.push_back({delivery->at, delivery->port, delivery->frame});
    leave(fabric, delivery->frame);
  }
  return arrivals;
}
std::vector<Arrival> run(Fabric& fabric) { return run_until(fabric, kNever); }

TEST(SwitchModel, AFrameTakesUpLinkLatencyDownLinkLatency) {
  Fabric fabric = make_fabric(one_switch(2));
  take_in(fabric, at_us(10), 0, 0, kFrame, 1);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(10 + 100 + 25 + 100 + 25), 1, 0}));
  EXPECT_THAT(fabric.finished, ElementsAre(0));
}

TEST(SwitchModel, FramesOfOneSenderFollowAtTheRate) {
  Fabric fabric = make_fabric(one_switch(2));
  for (FrameId i = 0; i < 3; ++i) take_in(fabric, at_us(0), 0, i, kFrame, 1);
  EXPECT_THAT(run(fabric),
              ElementsAre(Arrival{at_us(250), 1, 0}, Arrival{at_us(350), 1, 1}, Arrival{at_us(450), 1, 2}));
}

TEST(SwitchModel, TwoSendersQueueAtTheReceiverInOrderOfArrivalAtItsOutput) {
  Fabric fabric = make_fabric(one_switch(3));
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);   // at the output at 125
  take_in(fabric, at_us(40), 1, 1, kFrame, 2);  // at the output at 165, served from 225
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 2, 0}, Arrival{at_us(350), 2, 1}));
}

TEST(SwitchModel, ASlowUpLinkLetsALaterFrameBeServedFirst) {
  Settings settings = one_switch(3);
  settings.ports[0].cable.rate[0] = k50Mbit;
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);   // at the output at 225
  take_in(fabric, at_us(40), 1, 1, kFrame, 2);  // at the output at 165, gone at 265
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(165 + 125), 2, 1}, Arrival{at_us(265 + 125), 2, 0}));
}

TEST(SwitchModel, TiesGoInTheOrderInWhichTheyWereTakenIn) {
  Fabric fabric = make_fabric(one_switch(3));
  take_in(fabric, at_us(0), 1, 7, kFrame, 2);
  take_in(fabric, at_us(0), 0, 3, kFrame, 2);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 2, 7}, Arrival{at_us(350), 2, 3}));
}

TEST(SwitchModel, TheBackplaneIsOneServerForAllPorts) {
  Settings settings = one_switch(4);
  settings.switches[0].backplane = k50Mbit;  // 200 us a frame
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);
  take_in(fabric, at_us(0), 1, 1, kFrame, 3);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(125 + 200 + 125), 2, 0}, Arrival{at_us(125 + 400 + 125), 3, 1}));
  EXPECT_EQ(fabric.switches[0].counters.frames, 2u);
}

TEST(SwitchModel, FullDuplexDirectionsDoNotMeet) {
  Fabric fabric = make_fabric(one_switch(2));
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  take_in(fabric, at_us(150), 1, 1, kFrame, 0);  // while the cable of 1 carries frame 0 down, 125 to 225
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 1, 0}, Arrival{at_us(400), 0, 1}));
}

TEST(SwitchModel, HalfDuplexDirectionsShareTheCable) {
  Settings settings = one_switch(2);
  settings.ports[1].cable.half_duplex = true;
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  take_in(fabric, at_us(150), 1, 1, kFrame, 0);  // waits until 225
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 1, 0}, Arrival{at_us(225 + 250), 0, 1}));
}

TEST(SwitchModel, WhatComesToAnOverfullQueueIsDropped) {
  Settings settings = one_switch(3);
  settings.ports[2].cable.queue = Bytes{1'250};
  Fabric fabric = make_fabric(settings);
  // At the output at 125, 125, 225, 225; served from 125, 225, 325. With the fourth, 2500 B wait.
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);
  take_in(fabric, at_us(0), 1, 1, kFrame, 2);
  take_in(fabric, at_us(0), 0, 2, kFrame, 2);
  take_in(fabric, at_us(0), 1, 3, kFrame, 2);
  EXPECT_THAT(run(fabric),
              ElementsAre(Arrival{at_us(250), 2, 0}, Arrival{at_us(350), 2, 1}, Arrival{at_us(450), 2, 2}));
  const Counters& down = fabric.cables[2].lanes[1].counters;
  EXPECT_EQ(down.frames, 3u);
  EXPECT_EQ(down.bytes, 3 * kFrame.count);
  EXPECT_EQ(down.drops, 1u);
  EXPECT_EQ(down.max_queue_bytes, 2'500u);
  EXPECT_THAT(fabric.finished, UnorderedElementsAre(0, 1, 2, 3));
}

TEST(SwitchModel, AQueueEmptiesAtTheRate) {
  Backlog backlog;
  backlog.add(at_us(100), 1'250);
  backlog.add(at_us(200), 1'000);
  EXPECT_EQ(backlog.bytes_at(at_us(99)), 2'250u);
  EXPECT_EQ(backlog.bytes_at(at_us(100)), 1'000u);
  EXPECT_EQ(backlog.bytes_at(at_us(200)), 0u);
}

TEST(SwitchModel, ALongQueueKeepsItsOrderWhenItGrows) {
  Backlog backlog;
  for (int i = 1; i <= 50; ++i) backlog.add(at_us(i), 1);
  EXPECT_EQ(backlog.bytes_at(at_us(40)), 10u);
  for (int i = 51; i <= 300; ++i) backlog.add(at_us(i), 1);
  for (int i = 40; i <= 300; ++i) ASSERT_EQ(backlog.bytes_at(at_us(i)), static_cast<std::uint64_t>(300 - i));
}

std::pair<std::uint64_t, std::uint64_t> lost_of_10000(std::uint64_t seed, double loss) {
  Settings settings = one_switch(2);
  settings.seed = seed;
  settings.ports[1].cable.loss = loss;
  Fabric fabric = make_fabric(settings);
  for (int i = 0; i < 10'000; ++i) {
    take_in(fabric, at_us(1'000 * i), 0, 0, kFrame, 1);
    take_in(fabric, at_us(1'000 * i), 1, 1, kFrame, 0);
    run_until(fabric, at_us(1'000 * i + 999));
  }
  return {fabric.cables[1].lanes[0].counters.lost, fabric.cables[1].lanes[1].counters.lost};
}

// Binomial: 10,000 trials of 1 % have a standard deviation of 9.95.
TEST(SwitchModel, LossTakesItsShareInBothDirections) {
  const auto [up, down] = lost_of_10000(1, 0.01);
  EXPECT_NEAR(static_cast<double>(up), 100, 40);
  EXPECT_NEAR(static_cast<double>(down), 100, 40);
}

TEST(SwitchModel, LossIsTheSameWithTheSameSeed) {
  EXPECT_EQ(lost_of_10000(7, 0.3), lost_of_10000(7, 0.3));
  EXPECT_NE(lost_of_10000(7, 0.3), lost_of_10000(8, 0.3));
}

TEST(SwitchModel, LossOfEverythingLetsNothingThrough) {
  EXPECT_EQ(lost_of_10000(1, 1), std::pair(std::uint64_t{10'000}, std::uint64_t{10'000}));
}

Settings two_switches() {
  Settings settings = one_switch(3);
  settings.switches.push_back({"w1", {}});
  settings.ports[1].on_switch = settings.ports[2].on_switch = 1;
  settings.uplinks = {{"u", {0, 1}, cable(k50Mbit, microseconds(7))}};
  return settings;
}

TEST(SwitchModel, AnUplinkIsOneMoreHop) {
  Fabric fabric = make_fabric(two_switches());
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(125 + 200 + 7 + 125), 2, 0}));
  take_in(fabric, at_us(1'000), 2, 1, kFrame, 0);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(1'000 + 125 + 200 + 7 + 125), 0, 1}));
  EXPECT_EQ(fabric.cables[3].lanes[0].counters.frames, 1u);
  EXPECT_EQ(fabric.cables[3].lanes[1].counters.frames, 1u);
}

TEST(SwitchModel, FramesWithinASwitchDoNotUseTheUplink) {
  Fabric fabric = make_fabric(two_switches());
  take_in(fabric, at_us(0), 1, 0, kFrame, 2);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 2, 0}));
  EXPECT_EQ(fabric.cables[3].lanes[0].counters.frames + fabric.cables[3].lanes[1].counters.frames, 0u);
}

TEST(SwitchModel, AFloodReachesEverybodyElseOnce) {
  Fabric fabric = make_fabric(two_switches());
  take_in(fabric, at_us(0), 1, 0, kFrame, kEverybody);
  EXPECT_THAT(run_until(fabric, at_us(450)), ElementsAre(Arrival{at_us(250), 2, 0}));
  EXPECT_THAT(fabric.finished, IsEmpty());
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(125 + 200 + 7 + 125), 0, 0}));
  EXPECT_THAT(fabric.finished, ElementsAre(0));
}

TEST(SwitchModel, AFrameToItsOwnSenderGoesNowhere) {
  Fabric fabric = make_fabric(one_switch(2));
  take_in(fabric, at_us(0), 0, 0, kFrame, 0);
  EXPECT_THAT(run(fabric), IsEmpty());
  EXPECT_THAT(fabric.finished, ElementsAre(0));
}

TEST(SwitchModel, ANewRateLeavesWhatIsScheduled) {
  const Settings settings = one_switch(2);
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  take_in(fabric, at_us(0), 0, 1, kFrame, 1);
  take_in(fabric, at_us(0), 0, 2, kFrame, 1);
  advance(fabric, at_us(230));  // frames 0 and 1 are scheduled at the output, 125 to 225 to 325
  CableSettings slower = settings.ports[1].cable;
  slower.rate[1] = k50Mbit;
  change_cable(fabric, 1, slower);
  EXPECT_THAT(run(fabric),
              ElementsAre(Arrival{at_us(250), 1, 0}, Arrival{at_us(350), 1, 1}, Arrival{at_us(325 + 200 + 25), 1, 2}));
}

TEST(SwitchModel, AShorterLatencyDoesNotLetFramesOvertake) {
  Settings settings = one_switch(2);
  settings.ports[1].cable.latency = microseconds(500);
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  advance(fabric, at_us(130));
  take_in(fabric, at_us(130), 0, 1, kFrame, 1);  // gone at 355
  CableSettings shorter = settings.ports[1].cable;
  shorter.latency = microseconds(25);
  change_cable(fabric, 1, shorter);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(725), 1, 0}, Arrival{at_us(725), 1, 1}));
}

TEST(SwitchModel, TheAllowanceIsPartOfTheLatencyFromNodeToNode) {
  Settings settings = one_switch(2);
  settings.allowance = microseconds(20);
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(10), 0, 0, kFrame, 1);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(10 + 100 + 25 + 100 + 25 - 20), 1, 0}));
}

TEST(SwitchModel, AnAllowanceAboveTheLatencyLeavesTheTimesOfTheRates) {
  Settings settings = one_switch(2);
  settings.ports[1].cable.latency = microseconds(60);
  settings.allowance = microseconds(80);  // 40 of either cable
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(100 + 0 + 100 + 20), 1, 0}));
}

TEST(SwitchModel, TheAllowanceLeavesUplinksTheirLatency) {
  Settings settings = two_switches();
  settings.allowance = microseconds(20);
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, kFrame, 2);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(125 + 200 + 7 + 125 - 20), 2, 0}));
}

TEST(SwitchModel, TheAllowanceShiftsAQueueAndChangesNeitherItsOrderNorItsCounts) {
  Settings settings = one_switch(3);
  settings.ports[2].cable.queue = Bytes{2'000};
  settings.ports[1].cable.half_duplex = true;
  settings.switches[0].backplane = BytesPerSecond{25'000'000};
  Fabric plain = make_fabric(settings);
  settings.allowance = microseconds(30);
  Fabric allowing = make_fabric(settings);
  for (Fabric* fabric : {&plain, &allowing})
    for (FrameId i = 0; i < 30; ++i) take_in(*fabric, at_us(20 * i), i % 2, i, Bytes{60 + 40 * i}, 2);
  std::vector<Arrival> expected = run(plain);
  for (Arrival& arrival : expected) arrival.at = arrival.at - microseconds(30);
  EXPECT_EQ(run(allowing), expected);
  EXPECT_LT(expected.size(), 30u);
  EXPECT_EQ(allowing.cables[2].lanes[1].counters.drops, plain.cables[2].lanes[1].counters.drops);
  EXPECT_EQ(allowing.cables[2].lanes[1].counters.max_queue_bytes, plain.cables[2].lanes[1].counters.max_queue_bytes);
}

TEST(SwitchModel, AnAllowanceThatComesLaterDoesNotLetFramesOvertake) {
  const Settings settings = one_switch(2);
  Fabric fabric = make_fabric(settings);
  take_in(fabric, at_us(0), 0, 0, Bytes{9'976}, 1);  // 10,000 B on the wire, 800 us a stage: at the node at 1650
  take_in(fabric, at_us(0), 0, 1, Bytes{101}, 1);  // 10 us a stage: gone at 1635, at the node at 1660 with no allowance
  advance(fabric, at_us(826));
  change_allowance(fabric, microseconds(50));
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(1'650), 1, 0}, Arrival{at_us(1'650), 1, 1}));
}

TEST(SwitchModel, TakingStagesLateButInTimeChangesNothing) {
  Settings settings = two_switches();
  settings.allowance = microseconds(60);  // no latency is left of the ports
  Fabric prompt = make_fabric(settings), lazy = make_fabric(settings);
  for (Fabric* fabric : {&prompt, &lazy})
    for (FrameId i = 0; i < 20; ++i) take_in(*fabric, at_us(0), i % 3, i, Bytes{60 + 50 * i}, (i + 1) % 3);
  std::vector<Arrival> expected = run(prompt), seen;
  while (wake_time(lazy) != kNever) {
    const Time wake = wake_time(lazy);
    for (const Arrival& arrival : run_until(lazy, wake)) {
      EXPECT_EQ(arrival.at, wake) << "handed out late";
      seen.push_back(arrival);
    }
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(seen, expected);
}

TEST(SwitchModel, NothingOnItsWayNeedsNoWaking) {
  Fabric fabric = make_fabric(one_switch(2));
  EXPECT_EQ(wake_time(fabric), kNever);
}

TEST(SwitchModel, ResetForgetsCountsAndKeepsWhatIsUnderWay) {
  Fabric fabric = make_fabric(one_switch(2));
  take_in(fabric, at_us(0), 0, 0, kFrame, 1);
  reset_counters(fabric);
  EXPECT_EQ(fabric.cables[0].lanes[0].counters.frames, 0u);
  EXPECT_THAT(run(fabric), ElementsAre(Arrival{at_us(250), 1, 0}));
}

}  // namespace
}  // namespace plumbline::lab
