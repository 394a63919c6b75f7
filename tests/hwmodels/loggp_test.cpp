#include "hwmodels/network/loggp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "sim/random.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

Time us(std::int64_t n) { return Time{} + microseconds(n); }

// L = 100 us, o_s = 10 us, o_r = 20 us, g = 30 us, G = 1 us/B.
MessageRange simple_range() {
  MessageRange range;
  range.send.value = microseconds(10);
  range.receive.value = microseconds(20);
  range.latency.value = microseconds(100);
  range.gap.value = microseconds(30);
  range.gap_rate = Parameter<BytesPerSecond>{{1'000'000}, 0, ""};
  return range;
}

// Nodes n0 to n3 of two cores.
Platform four_nodes() {
  Platform platform;
  platform.network = NetworkKind::kLogGP;
  for (int i = 0; i < 4; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.cores = 2;
    platform.nodes.push_back(node);
  }
  platform.inside.ranges = platform.between.ranges = {simple_range()};
  return platform;
}

const std::vector<std::uint32_t> kOneRankPerNode{0, 1, 2, 3};

TEST(LogGP, AMessageTakesTwoOverheadsTheLatencyAndItsBytes) {
  LogGP network(four_nodes(), kOneRankPerNode);
  const LogGP::Departure sent = network.begin_send(0, 1, {6}, us(5));
  EXPECT_EQ(sent.start, us(5));
  EXPECT_EQ(sent.arrival, us(5 + 10 + 100 + 5));
  EXPECT_EQ(network.begin_receive(1, 0, {6}, sent.arrival), us(120));
}

TEST(LogGP, TheNextMessageOfARankWaitsForItsInterface) {
  LogGP network(four_nodes(), kOneRankPerNode);
  network.begin_send(0, 1, {6}, us(0));
  const LogGP::Departure second = network.begin_send(0, 2, {1}, us(10));
  EXPECT_EQ(second.start, us(30 + 5));  // g + (s-1)G of the first
  EXPECT_EQ(second.arrival, us(35 + 10 + 100));
}

TEST(LogGP, TheInterfaceOfTheReceiverIsBusyToo) {
  LogGP network(four_nodes(), kOneRankPerNode);
  EXPECT_EQ(network.begin_receive(2, 0, {11}, us(100)), us(100));
  EXPECT_EQ(network.begin_receive(2, 1, {1}, us(120)), us(100 + 30 + 10));
}

TEST(LogGP, SendingAndReceivingDoNotDisturbEachOther) {
  LogGP network(four_nodes(), kOneRankPerNode);
  network.begin_send(0, 1, {1'000}, us(0));
  EXPECT_EQ(network.begin_receive(0, 1, {1}, us(0)), us(0));
}

TEST(LogGP, AnEmptyMessageCostsAsMuchAsOneByte) {
  LogGP network(four_nodes(), kOneRankPerNode);
  EXPECT_EQ(network.begin_send(0, 1, {0}, us(0)).arrival, us(110));
  EXPECT_EQ(network.begin_send(2, 1, {1}, us(0)).arrival, us(110));
}

TEST(LogGP, TheOverheadOfTheSenderMayGrowWithTheSize) {
  Platform platform = four_nodes();
  platform.between.ranges[0].send_rate = Parameter<BytesPerSecond>{{500'000}, 0, ""};  // 2 us/B
  LogGP network(platform, kOneRankPerNode);
  EXPECT_EQ(network.begin_send(0, 1, {10}, us(0)).arrival, us(10 + 20 + 100 + 9));
}

TEST(LogGP, EachRangeOfSizesHasParametersOfItsOwn) {
  Platform platform = four_nodes();
  MessageRange small = simple_range();
  small.upto = Bytes{8};
  small.latency.value = microseconds(1);
  platform.between.ranges.insert(platform.between.ranges.begin(), small);
  LogGP network(platform, kOneRankPerNode);
  EXPECT_EQ(network.begin_send(0, 1, {8}, us(0)).arrival, us(10 + 1 + 7));
  EXPECT_EQ(network.begin_send(1, 2, {9}, us(0)).arrival, us(10 + 100 + 8));
  EXPECT_EQ(network.begin_send(2, 1, {8}, us(0)).arrival, us(10 + 1 + 7));
}

TEST(LogGP, PairsOfNodesMayHaveATransportOfTheirOwn) {
  Platform platform = four_nodes();
  platform.inside.ranges[0].latency.value = microseconds(2);
  PairTransport near{0, 1, 2, 2, platform.between};
  near.transport.ranges[0].latency.value = microseconds(50);
  platform.pairs.push_back(near);
  const std::vector<std::uint32_t> nodes{0, 0, 1, 2, 3};  // ranks 0 and 1 on node 0
  LogGP network(platform, nodes);
  const auto latency = [&](std::uint32_t rank, std::uint32_t peer) {
    const LogGP::Departure sent = network.begin_send(rank, peer, {1}, us(1'000));
    return sent.arrival - sent.start - microseconds(10);
  };
  EXPECT_EQ(latency(0, 1), microseconds(2));
  EXPECT_EQ(latency(0, 2), microseconds(100));
  EXPECT_EQ(latency(0, 3), microseconds(50));
  EXPECT_EQ(latency(3, 2), microseconds(50));  // in both directions
  EXPECT_EQ(latency(3, 4), microseconds(100));
}

TEST(LogGP, ATimeBeyondTheAxisIsAnError) {
  Platform platform = four_nodes();
  platform.between.ranges[0].gap_rate = Parameter<BytesPerSecond>{{1}, 0, ""};
  LogGP network(platform, kOneRankPerNode);
  EXPECT_THROW(network.begin_send(0, 1, {10'000'000}, us(0)), Error);  // 115 days
  const Bytes sixty_days{5'184'000};
  EXPECT_NO_THROW(network.begin_send(0, 1, sixty_days, us(0)));
  EXPECT_THROW(network.begin_send(0, 1, sixty_days, us(0)), Error);
}

// Random programs: each rank sends and receives in turn, at random delays.
TEST(LogGPProperty, NothingIsFasterThanLatencyAndOverheadAndNoRankGoesBack) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomStream random(seed, "loggp");
  for (int round = 0; round < 50; ++round) {
    Platform platform = four_nodes();
    MessageRange& range = platform.between.ranges[0];
    for (Parameter<Duration>* parameter : {&range.send, &range.receive, &range.latency, &range.gap})
      parameter->value = nanoseconds(static_cast<std::int64_t>(random.below(100'000)));
    range.gap_rate->value = {1 + random.below(10'000'000'000)};
    platform.inside = platform.between;
    LogGP network(platform, kOneRankPerNode);
    std::vector<Time> cpu(4), last_send(4), last_receive(4);
    for (int i = 0; i < 200; ++i) {
      const auto rank = static_cast<std::uint32_t>(random.below(4)), peer = static_cast<std::uint32_t>(random.below(4));
      const Bytes size{random.below(100'000)};
      cpu[rank] += nanoseconds(static_cast<std::int64_t>(random.below(1'000)));
      const LogGP::Departure sent = network.begin_send(rank, peer, size, cpu[rank]);
      ASSERT_GE(sent.start, cpu[rank]);
      ASSERT_GE(sent.start, last_send[rank]);
      ASSERT_GE(sent.arrival, sent.start + range.send.value + range.latency.value);
      cpu[rank] = sent.start + range.send.value;
      last_send[rank] = sent.start + range.gap.value;
      const Time received = network.begin_receive(peer, rank, size, std::max(cpu[peer], sent.arrival));
      ASSERT_GE(received, sent.arrival);
      ASSERT_GE(received, last_receive[peer]);
      cpu[peer] = received + range.receive.value;
      last_receive[peer] = received + range.gap.value;
    }
  }
}

TEST(LogGPProperty, AMessageThatStartsLaterOrIsLargerDoesNotArriveEarlier) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomStream random(seed, "loggp monotone");
  for (int round = 0; round < 1'000; ++round) {
    const std::uint64_t bytes = random.below(10'000), more = random.below(10'000);
    const Time early = us(static_cast<std::int64_t>(random.below(1'000)));
    const Time late = early + microseconds(static_cast<std::int64_t>(random.below(1'000)));
    LogGP one(four_nodes(), kOneRankPerNode), other(four_nodes(), kOneRankPerNode);
    for (int i = 0; i < 3; ++i) {
      const LogGP::Departure a = one.begin_send(0, 1, {bytes}, early), b = other.begin_send(0, 1, {bytes + more}, late);
      ASSERT_LE(a.start, b.start);
      ASSERT_LE(a.arrival, b.arrival);
    }
  }
}

struct Table2 {
  const char* file;
  std::uint64_t size;
  double latency, overhead, gap, per_byte;  // microseconds
};

TEST(LogGP, TheShippedPlatformsHaveTheParametersOfTable2) {
  const std::vector<Table2> rows{
      {"tcp", 1, 45.74, 3.46, 0.915, 0.00849},        {"sci", 12'288, 5.48, 6.10, 7.78, 0.0045},
      {"sci", 12'289, 5.48, 6.10, 13.34, 0.0037},     {"ib-sdr", 12'288, 5.96, 4.72, 5.14, 0.00073},
      {"ib-sdr", 12'289, 5.96, 4.72, 21.39, 0.00103}, {"iwarp", 12'288, 10.97, 5.05, 5.00, 0.0023},
      {"iwarp", 12'289, 10.97, 5.05, 42.00, 0.00101}, {"ib-ddr", 12'288, 2.50, 1.49, 1.08, 0.00067},
      {"ib-ddr", 12'289, 2.50, 1.49, 11.90, 0.00058}, {"gm", 32'768, 10.53, 1.27, 9.44, 0.0092},
      {"gm", 32'769, 10.53, 1.27, 52.01, 0.0042},     {"mx", 32'768, 2.98, 1.48, 2.00, 0.00081},
      {"mx", 32'769, 2.98, 1.48, 33.10, 0.00109}};
  for (const Table2& row : rows) {
    SCOPED_TRACE(testing::Message() << row.file << ", " << row.size << " B");
    const Platform platform = read_platform(std::string(PLUMBLINE_PLATFORMS "/loggp-") + row.file + ".xml");
    EXPECT_EQ(platform.network, NetworkKind::kLogGP);
    EXPECT_EQ(platform.nodes.size(), 2'048U);
    EXPECT_EQ(platform.inside, platform.between);
    const MessageRange& range = range_of(platform.between, {row.size});
    EXPECT_EQ(range.latency.value, duration_from_seconds(row.latency * 1e-6));
    EXPECT_EQ(range.send.value, duration_from_seconds(row.overhead * 1e-6));
    EXPECT_EQ(range.receive.value, range.send.value);
    EXPECT_EQ(range.gap.value, duration_from_seconds(row.gap * 1e-6));
    EXPECT_EQ(transfer_time({10'000}, range.gap_rate->value), duration_from_seconds(row.per_byte * 1e-2));
  }
}

}  // namespace
}  // namespace plumbline::hw
