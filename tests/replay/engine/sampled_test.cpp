// The sampled network through the whole replay: when a message departs, which others count, when it is there
// (docs/models/network-sampled.md).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "replay/mpi/transfers/lanes.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

Duration us(std::int64_t n) { return microseconds(n); }
Time at_us(std::int64_t n) { return Time{} + us(n); }

hw::MessageTimes always(std::uint64_t size, std::uint32_t in_flight, Duration time) {
  return {Bytes{size}, in_flight, 0, "", {{0, time}, {1, time}}};
}

// Nodes n0, n1, .., all eager; overheads of 1 us and 2 us are part of the times.
hw::Platform sampled_nodes(std::uint32_t nodes, const std::vector<hw::MessageTimes>& times) {
  hw::Platform platform;
  platform.network = hw::NetworkKind::kSampled;
  for (std::uint32_t i = 0; i < nodes; ++i) platform.nodes.emplace_back().name = fmt::format("n{}", i);
  hw::MessageRange range;
  range.send.value = us(1);
  range.receive.value = us(2);
  range.times = times;
  platform.between.ranges = platform.inside.ranges = {range};
  return platform;
}

// 10 us alone, 20 us when another one is under way, 30 us with two others.
const std::vector<hw::MessageTimes> kByNumber{always(8, 1, us(10)), always(8, 2, us(20)), always(8, 3, us(30))};

ReplayResult replay_text(std::uint32_t ranks, const std::string& body, const hw::Platform& platform,
                         const ReplayOptions& options = {.mode = Mode::kFree}) {
  return replay::replay(program_of(one_rank_per_node(ranks, body)), platform, options);
}

TEST(SampledMessages, ATimeIsFromTheBeginOfTheSendToTheEndOfAWaitingReceive) {
  const ReplayResult r =
      replay_text(2, "rank 0\n send 1 tag 0 8B\nrank 1\n recv 0 tag 0 8B\n", sampled_nodes(2, kByNumber));
  EXPECT_EQ(r.times[0][0].end, at_us(1));
  EXPECT_EQ(r.times[1][0].end, at_us(10));
}

TEST(SampledMessages, AReceiverThatComesLateSpendsItsOverheadAlone) {
  const ReplayResult r = replay_text(2, "rank 0\n send 1 tag 0 8B\nrank 1\n compute 50us\n recv 0 tag 0 8B\n",
                                     sampled_nodes(2, kByNumber));
  EXPECT_EQ(r.times[1][0].end, at_us(52));
}

TEST(SampledMessages, ThoseThatDepartTogetherCountEachOther) {
  const ReplayResult r = replay_text(
      4, "rank 0\n send 2 tag 0 8B\nrank 1\n send 3 tag 0 8B\nrank 2\n recv 0 tag 0 8B\nrank 3\n recv 1 tag 0 8B\n",
      sampled_nodes(4, kByNumber));
  EXPECT_EQ(r.times[2][0].end, at_us(20));
  EXPECT_EQ(r.times[3][0].end, at_us(20));
}

TEST(SampledMessages, AMessageKeepsTheTimeThatItDepartedWith) {
  const ReplayResult r = replay_text(4,
                                     "rank 0\n send 2 tag 0 8B\nrank 1\n compute 5us\n send 3 tag 0 8B\n"
                                     "rank 2\n recv 0 tag 0 8B\nrank 3\n recv 1 tag 0 8B\n",
                                     sampled_nodes(4, kByNumber));
  EXPECT_EQ(r.times[2][0].end, at_us(10));
  EXPECT_EQ(r.times[3][0].end, at_us(5 + 20));
}

TEST(SampledMessages, OneThatArrivesWhenAnotherDepartsCountsNoMore) {
  // It is there at 10 us less the overhead of its receiver.
  const ReplayResult r = replay_text(4,
                                     "rank 0\n send 2 tag 0 8B\nrank 1\n compute 8us\n send 3 tag 0 8B\n"
                                     "rank 2\n recv 0 tag 0 8B\nrank 3\n recv 1 tag 0 8B\n",
                                     sampled_nodes(4, kByNumber));
  EXPECT_EQ(r.times[3][0].end, at_us(8 + 10));
}

TEST(SampledMessages, ThoseOfOneTagDoNotOvertakeEachOther) {
  const std::string receiver = "rank 1\n irecv 0 tag 0 1000B -> a\n irecv 0 tag {} 8B -> b\n wait b\n wait a\n";
  const hw::Platform platform = sampled_nodes(2, {always(8, 1, us(10)), always(1000, 1, us(50))});
  const auto small_is_there = [&](int tag) {
    const std::string body =
        fmt::format("rank 0\n isend 1 tag 0 1000B -> a\n isend 1 tag {} 8B -> b\n wait a b\n", tag) +
        fmt::format(fmt::runtime(receiver), tag);
    return replay_text(2, body, platform).times[1][2].end;
  };
  EXPECT_EQ(small_is_there(1), at_us(1 + 10));
  EXPECT_EQ(small_is_there(0), at_us(50));
  hw::Platform ordered = platform;
  ordered.between.ordered = true;
  const ReplayResult r = replay_text(
      2,
      "rank 0\n isend 1 tag 0 1000B -> a\n isend 1 tag 1 8B -> b\n wait a b\n" + fmt::format(fmt::runtime(receiver), 1),
      ordered);
  EXPECT_EQ(r.times[1][2].end, at_us(50));
}

// Interfaces are busy for 5 us with a message, and for 1 ns with each byte behind its first one.
hw::Platform with_gaps(std::uint32_t nodes, const std::vector<hw::MessageTimes>& times) {
  hw::Platform platform = sampled_nodes(nodes, times);
  hw::MessageRange& range = platform.between.ranges.front();
  range.gap.value = us(5);
  range.gap_rate = hw::Parameter<BytesPerSecond>{{1'000'000'000}, 0, ""};
  return platform;
}

TEST(SampledMessages, TheNextMessageOfARankWaitsForItsInterfaceAndItsCpuDoesNot) {
  const ReplayResult r = replay_text(3,
                                     "rank 0\n send 1 tag 0 1001B\n send 2 tag 0 1001B\n"
                                     "rank 1\n recv 0 tag 0 1001B\nrank 2\n recv 0 tag 0 1001B\n",
                                     with_gaps(3, {always(1001, 1, us(10))}));
  EXPECT_EQ(r.times[0][1].end, at_us(2));
  EXPECT_EQ(r.times[1][0].end, at_us(10));
  EXPECT_EQ(r.times[2][0].end, at_us(6 + 10));
}

TEST(SampledMessages, TheInterfaceOfTheReceiverIsBusyToo) {
  const ReplayResult r = replay_text(3,
                                     "rank 0\n send 2 tag 0 1001B\nrank 1\n send 2 tag 0 1001B\n"
                                     "rank 2\n recv 0 tag 0 1001B\n recv 1 tag 0 1001B\n",
                                     with_gaps(3, {always(1001, 1, us(10))}));
  EXPECT_EQ(r.times[2][0].end, at_us(10));
  EXPECT_EQ(r.times[2][1].end, at_us(6 + 10));
}

TEST(SampledMessages, AnInterfaceIsBusyWithAMessageBeforeItIsAllThereAndNotAfter) {
  const auto second_of = [](std::uint64_t first, std::uint64_t second) {
    const ReplayResult r = replay_text(3,
                                       fmt::format("rank 0\n send 2 tag 0 {0}B\nrank 1\n send 2 tag 0 {1}B\n"
                                                   "rank 2\n recv 0 tag 0 {0}B\n recv 1 tag 0 {1}B\n",
                                                   first, second),
                                       with_gaps(3, {always(1, 1, us(10)), always(1001, 1, us(10))}));
    return r.times[2][1].end;
  };
  EXPECT_EQ(second_of(1001, 1), at_us(10 + 5));
  EXPECT_EQ(second_of(1, 1001), at_us(10 + 6));
}

TEST(SampledMessages, SendingAndReceivingDoNotDisturbEachOther) {
  const ReplayResult r = replay_text(
      2, "rank 0\n send 1 tag 0 1001B\n recv 1 tag 0 1001B\nrank 1\n send 0 tag 0 1001B\n recv 0 tag 0 1001B\n",
      with_gaps(2, {always(1001, 1, us(10))}));
  EXPECT_EQ(r.times[0][1].end, at_us(10));
  EXPECT_EQ(r.times[1][1].end, at_us(10));
}

TEST(SampledMessages, OneThatWaitsForItsInterfaceIsNotUnderWay) {
  // The first one is there at 10 us less the overhead of its receiver; the second one departs behind that.
  hw::Platform platform = with_gaps(3, kByNumber);
  platform.between.ranges.front().gap.value = us(15);
  platform.between.ranges.front().gap_rate.reset();
  const ReplayResult r = replay_text(3,
                                     "rank 0\n send 1 tag 0 8B\n send 2 tag 0 8B\n"
                                     "rank 1\n recv 0 tag 0 8B\nrank 2\n recv 0 tag 0 8B\n",
                                     platform);
  EXPECT_EQ(r.times[1][0].end, at_us(10));
  EXPECT_EQ(r.times[2][0].end, at_us(15 + 10));
}

TEST(SampledMessages, ARendezvousTakesItsTimeFromWhenBothAreThere) {
  hw::Platform platform = sampled_nodes(2, {always(8, 1, us(10))});
  platform.between.ranges.front().protocol = hw::Protocol::kRendezvous;
  ReplayResult r = replay_text(2, "rank 0\n send 1 tag 0 8B\nrank 1\n compute 30us\n recv 0 tag 0 8B\n", platform);
  EXPECT_EQ(r.times[0][0].end, at_us(30 + 8));  // the data is there; the receiver is busy for 2 us more
  EXPECT_EQ(r.times[1][0].end, at_us(30 + 10));
  r = replay_text(2, "rank 0\n compute 30us\n send 1 tag 0 8B\nrank 1\n recv 0 tag 0 8B\n", platform);
  EXPECT_EQ(r.times[0][0].end, at_us(30 + 8));
  EXPECT_EQ(r.times[1][0].end, at_us(30 + 10));
}

TEST(SampledMessages, AnAnchoredReplayTakesTheMedianAndAnyOtherShareWhenAsked) {
  hw::Platform platform = sampled_nodes(2, {});
  platform.between.ranges.front().times =
      platform.inside.ranges.front().times = {{Bytes{8}, 1, 0, "", {{0, us(10)}, {0.5, us(12)}, {1, us(112)}}}};
  const std::string body = "rank 0\n send 1 tag 0 8B\nrank 1\n recv 0 tag 0 8B\n";
  EXPECT_EQ(replay_text(2, body, platform, {.mode = Mode::kAnchored}).times[1][0].end, at_us(12));
  EXPECT_EQ(replay_text(2, body, platform, {.mode = Mode::kAnchored, .share = 0.75}).times[1][0].end, at_us(62));
  EXPECT_EQ(replay_text(2, body, platform, {.mode = Mode::kFree, .share = 1}).times[1][0].end, at_us(112));
}

TEST(SampledMessages, TimesHalfAsLongMakeAFreeReplayOfMessagesAloneHalfAsLong) {
  // The n-th message of a rank has the same share on either platform.
  const std::string body =
      "rank 0\n send 1 tag 0 8B\n recv 1 tag 0 8B\n send 1 tag 0 8B\n"
      "rank 1\n recv 0 tag 0 8B\n send 0 tag 0 8B\n recv 0 tag 0 8B\n";
  const auto length = [&](std::int64_t factor, std::uint64_t seed) {
    hw::Platform platform =
        sampled_nodes(2, {{Bytes{8}, 1, 0, "", {{0, us(10) * factor}, {0.5, us(12) * factor}, {1, us(112) * factor}}}});
    for (hw::Transport* transport : {&platform.inside, &platform.between})
      transport->ranges.front().send.value = transport->ranges.front().receive.value = {};
    return (replay_text(2, body, platform, {.mode = Mode::kFree, .seed = seed}).end - Time{}).ps;
  };
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_NEAR(static_cast<double>(length(2, seed)), 2 * static_cast<double>(length(1, seed)), 5) << "seed " << seed;
    EXPECT_NE(length(1, seed), length(1, seed + 1));
  }
}

TEST(SampledMessages, CollectivesAreMadeOfThem) {
  const hw::Platform platform = sampled_nodes(4, {always(8, 1, us(10)), always(8, 2, us(10)), always(8, 4, us(20))});
  std::string body;
  for (int rank = 0; rank < 4; ++rank) body += fmt::format("rank {}\n barrier\n", rank);
  const ReplayResult r = replay_text(4, body, platform, {.mode = Mode::kFree, .form = Form::kAsConfigured});
  // The stand-in, dissemination: two rounds of four messages each, which have no bytes and are all under way together.
  for (const auto& times : r.times) EXPECT_EQ(times[0].end, at_us(20 + 20));
}

// Against a list of all that has been entered.
TEST(Lanes, KeepTheOrderOfDepartureHoweverManyThereAre) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    sim::RandomStream random(seed, "lanes");
    mpi::Lanes lanes;
    std::vector<std::pair<mpi::Channel, Time>> entered;
    Time now;
    const std::uint64_t tags = 1 + random.below(200);
    for (int i = 0; i < 2000; ++i) {
      now += picoseconds(static_cast<std::int64_t>(random.below(3)));
      const mpi::Channel lane{static_cast<std::uint32_t>(random.below(4)), static_cast<std::uint32_t>(random.below(4)),
                              static_cast<std::uint32_t>(random.below(2)),
                              static_cast<std::int32_t>(random.below(tags))};
      const Time arrival = now + picoseconds(static_cast<std::int64_t>(random.below(100)));
      Time last = arrival;
      for (const auto& [other, at] : entered)
        if (other == lane) last = std::max(last, at);
      ASSERT_EQ(lanes.enter(lane, now, arrival), last) << "seed " << seed;
      entered.emplace_back(lane, last);
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::test
