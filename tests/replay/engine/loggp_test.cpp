// The LogGP network through the whole replay: how long a broadcast takes, alone and in a loop
// (docs/models/network-loggp.md). Values of Hoefler et al., "LogGP in theory and practice" (2009), parameters of its
// Table 2 for MPICH2 over TCP.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "support.hpp"

namespace plumbline::replay::test {
namespace {

struct Parameters {
  Duration latency, overhead, gap;
  BytesPerSecond gap_rate;  // 1/G
};

// L 45.74 us, o 3.46 us, g 0.915 us, G 0.00849 us/B.
const Parameters kEthernet{nanoseconds(45'740), nanoseconds(3'460), nanoseconds(915), {117'785'630}};
// L 5.96 us, o 4.72 us, g 5.14 us, G 0.00073 us/B.
const Parameters kInfiniBand{nanoseconds(5'960), nanoseconds(4'720), nanoseconds(5'140), {1'369'863'014}};

hw::Platform platform_of(std::uint32_t nodes, const Parameters& p) {
  hw::Platform platform;
  platform.network = hw::NetworkKind::kLogGP;
  for (std::uint32_t i = 0; i < nodes; ++i) platform.nodes.emplace_back().name = fmt::format("n{}", i);
  hw::MessageRange range;
  range.send.value = range.receive.value = p.overhead;
  range.latency.value = p.latency;
  range.gap.value = p.gap;
  range.gap_rate.emplace().value = p.gap_rate;
  platform.between.ranges = platform.inside.ranges = {range};
  return platform;
}

// Messages of one broadcast on a rank, both relative to the root: whom it receives from (none: -1), to whom it sends.
struct Part {
  int from = -1;
  std::vector<std::uint32_t> to;
};

Part chain(std::uint32_t rank, std::uint32_t size) {
  Part part{static_cast<int>(rank) - 1, {}};
  if (rank + 1 < size) part.to.push_back(rank + 1);
  return part;
}

// The largest subtree first.
Part binomial(std::uint32_t rank, std::uint32_t size) {
  Part part;
  std::uint32_t bit = std::bit_ceil(size);
  if (rank > 0) {
    bit = rank & (~rank + 1);
    part.from = static_cast<int>(rank - bit);
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (rank + bit < size) part.to.push_back(rank + bit);
  return part;
}

struct Scheme {
  const char* name;
  Part (*part)(std::uint32_t rank, std::uint32_t size);
  int broadcasts;
  bool change_root;  // the root of broadcast k is k mod size
};

double microseconds_per_broadcast(const Scheme& scheme, std::uint32_t size, std::uint64_t bytes, const Parameters& p,
                                  Mode mode) {
  std::string text = one_rank_per_node(size, "");
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    text += fmt::format("rank {}\n", rank);
    for (int k = 0; k < scheme.broadcasts; ++k) {
      const std::uint32_t root = scheme.change_root ? static_cast<std::uint32_t>(k) % size : 0;
      const Part part = scheme.part((rank + size - root) % size, size);
      if (part.from >= 0)
        text += fmt::format(" recv {} tag 0 {}B\n", (static_cast<std::uint32_t>(part.from) + root) % size, bytes);
      for (const std::uint32_t to : part.to) text += fmt::format(" send {} tag 0 {}B\n", (to + root) % size, bytes);
    }
  }
  const ReplayResult result = run(program_of(text), platform_of(size, p), mode);
  Time last;
  for (const auto& times : result.times) last = std::max(last, times.back().end);
  return last.seconds() * 1e6 / scheme.broadcasts;
}

constexpr Scheme kChain{"chain", chain, 1, false}, kChainLoop{"chain, loop", chain, 1000, false},
    kChainChange{"chain, change-root", chain, 1000, true}, kTree{"binomial", binomial, 1, false},
    kTreeLoop{"binomial, loop", binomial, 1000, false}, kTreeChange{"binomial, change-root", binomial, 1000, true};

struct Row {
  const char* network;
  std::uint64_t bytes;
  std::uint32_t size;
  double chain, chain_loop, chain_change, tree, tree_loop, tree_change;
};

class LogGPBroadcast : public testing::TestWithParam<Row> {};

TEST_P(LogGPBroadcast, TakesTheTimeOfItsClosedForm) {
  const Row& row = GetParam();
  const Parameters& p = row.network == std::string("ETH") ? kEthernet : kInfiniBand;
  const std::pair<const Scheme&, double> cases[] = {
      {kChain, row.chain}, {kChainLoop, row.chain_loop}, {kChainChange, row.chain_change},
      {kTree, row.tree},   {kTreeLoop, row.tree_loop},   {kTreeChange, row.tree_change}};
  for (const auto& [scheme, expected] : cases) {
    // All is observed to begin at once and to take no time, so that an anchored replay never holds anything back.
    EXPECT_NEAR(microseconds_per_broadcast(scheme, row.size, row.bytes, p, Mode::kFree), expected, 0.001)
        << scheme.name;
    if (row.size > 4) continue;
    EXPECT_NEAR(microseconds_per_broadcast(scheme, row.size, row.bytes, p, Mode::kAnchored), expected, 0.001)
        << scheme.name << ", anchored";
  }
}

INSTANTIATE_TEST_SUITE_P(Table, LogGPBroadcast,
                         testing::Values(Row{"ETH", 1, 2, 52.660, 3.509, 52.660, 52.660, 3.509, 52.660},
                                         Row{"ETH", 1, 4, 157.980, 7.071, 59.678, 105.320, 7.018, 56.169},
                                         Row{"ETH", 1, 16, 789.900, 7.703, 60.310, 210.640, 14.037, 63.188},
                                         Row{"ETH", 1, 64, 3317.580, 10.231, 62.838, 315.960, 21.055, 70.206},
                                         Row{"ETH", 1024, 4, 184.036, 9.775, 71.059, 122.691, 19.304, 70.997},
                                         Row{"ETH", 1024, 16, 920.179, 10.511, 71.795, 245.381, 38.608, 90.301},
                                         Row{"IB", 1, 4, 46.200, 9.477, 24.861, 30.800, 10.301, 20.550},
                                         Row{"IB", 1, 16, 231.000, 9.662, 25.046, 61.600, 20.601, 30.851},
                                         Row{"IB", 1024, 4, 48.440, 9.479, 25.610, 32.294, 11.794, 22.044},
                                         Row{"IB", 1024, 16, 242.202, 9.673, 25.803, 64.587, 23.588, 33.838}),
                         [](const auto& param) {
                           return fmt::format("{}_{}_bytes_{}_ranks", param.param.network, param.param.bytes,
                                              param.param.size);
                         });

TEST(LogGPNetwork, TwoMessagesOfARankLeaveAGapApart) {
  const Parameters p{microseconds(10), microseconds(1), microseconds(5), {1'000'000'000}};
  const Program program = program_of(one_rank_per_node(
      2,
      "rank 0\n isend 1 tag 0 1001B -> a\n isend 1 tag 0 1001B -> b\n wait a b\nrank 1\n recv 0 tag 0 1001B\n"
      " recv 0 tag 0 1001B\n"));
  const ReplayResult r = run(program, platform_of(2, p));
  // The interface is busy for g + 1000 G = 6 us: the second one starts at 6 us and is there at 6 + 1 + 10 + 1 = 18 us.
  EXPECT_EQ(r.times[0][1].end, Time{} + microseconds(7));
  EXPECT_EQ(r.times[1][0].end, Time{} + microseconds(13));
  EXPECT_EQ(r.times[1][1].end, Time{} + microseconds(19));
}

// A message of 10,001 bytes that came last is taken last, wherever it is in the list: 10 us of the interface, G 1 ns.
TEST(LogGPNetwork, AWaitTakesMessagesInTheOrderInWhichTheyArrived) {
  const Parameters simple{microseconds(3), microseconds(1), {}, {1'000'000'000}};
  for (const std::string list : {"small large", "large small"})
    for (const bool ahead : {false, true}) {
      const Program p = program_of(one_rank_per_node(
          3, "rank 0\n irecv 1 tag 0 10001B -> large\n irecv 2 tag 0 1B -> small\n compute 100us\n wait " + list +
                 "\nrank 1\n compute 20us\n send 0 tag 0 10001B\nrank 2\n send 0 tag 0 1B\n"));
      const ReplayResult r = replay::replay(p, platform_of(3, simple), {.mode = Mode::kFree, .run_ahead = ahead});
      EXPECT_EQ(duration(r.times[0][2]), microseconds(2)) << list << ", ahead " << ahead;  // the other way it takes 11
    }
}

TEST(LogGPNetwork, ARendezvousIsThreeMessages) {
  Parameters p{microseconds(10), microseconds(1), {}, {1'000'000'000}};
  hw::Platform platform = platform_of(2, p);
  platform.between.ranges.front().protocol = hw::Protocol::kRendezvous;
  const ReplayResult r =
      run(program_of(one_rank_per_node(2, "rank 0\n send 1 tag 0 1001B\nrank 1\n recv 0 tag 0 1001B\n")), platform);
  // Request: there at 11 us; answer: leaves at 13, there at 23; data: leaves at 25, there at 25 + 10 + 1.
  EXPECT_EQ(r.times[0][0].end, Time{} + microseconds(36));
  EXPECT_EQ(r.times[1][0].end, Time{} + microseconds(37));
}

}  // namespace
}  // namespace plumbline::replay::test
