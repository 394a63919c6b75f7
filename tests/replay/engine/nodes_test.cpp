// What ranks of one node share, and what takes the CPU from them. Numbers of support.hpp.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "replay/mpi/transfers/costs.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

Time micro(std::int64_t n) { return Time{} + microseconds(n); }

hw::Platform one_node(std::uint32_t cores) {
  hw::Platform p = star(1);
  p.nodes.front().cores = cores;
  return p;
}

// Each rank computes that long, then calls MPI_Finalize, which takes no time.
Program computing(const std::vector<int>& microseconds) {
  std::string text = fmt::format("ranks {}\n", microseconds.size());
  for (std::size_t rank = 0; rank < microseconds.size(); ++rank)
    text += fmt::format("rank {}\n local MPI_Init\n compute {}us\n local MPI_Finalize\n", rank, microseconds[rank]);
  return program_of(text);
}

TEST(Placement, GoesByNamesWhateverTheirOrder) {
  hw::Platform p = star(3);
  std::swap(p.nodes[0].name, p.nodes[2].name);
  const Program program = program_of("ranks 3\nnode n0 ranks 0-0 cores 1\nnode n2 ranks 1-2 cores 1\n");
  EXPECT_EQ(place_ranks(program, p), (std::vector<std::uint32_t>{2, 0, 0}));
  p.placements = {{1, 1, 1}};
  EXPECT_EQ(place_ranks(program, p), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(SharedCores, MoreRanksThanCoresComputeAtTheirShare) {
  const ReplayResult r = run(computing({30, 30, 30}), one_node(2));
  for (int rank = 0; rank < 3; ++rank) EXPECT_EQ(r.times[rank][1].begin, micro(45)) << rank;  // 30 · 3/2
}

TEST(SharedCores, WhoIsDoneLeavesItsShareToTheOthers) {
  const ReplayResult r = run(computing({10, 20, 60}), one_node(1));
  EXPECT_EQ(r.times[0][1].begin, micro(30));  // 10 at a third
  EXPECT_EQ(r.times[1][1].begin, micro(50));  // then 10 at half
  EXPECT_EQ(r.times[2][1].begin, micro(90));  // then 40 alone
}

TEST(SharedCores, AsManyRanksAsCoresComputeAtFullSpeed) {
  const ReplayResult r = run(computing({10, 20}), one_node(2));
  EXPECT_EQ(r.times[0][1].begin, micro(10));
  EXPECT_EQ(r.times[1][1].begin, micro(20));
}

TEST(SharedCores, WaitingInMpiTakesNoCore) {
  const Program p = program_of("ranks 2\nrank 0\n compute 40us\n send 1 tag 0 0B\nrank 1\n recv 0 tag 0 0B\n");
  EXPECT_EQ(run(p, one_node(1)).times[0][0].begin, micro(40));
}

TEST(SharedCores, AnAnchoredReplayKeepsWhatWasObserved) {
  const ReplayResult r = run(computing({30, 30, 30}), one_node(1), Mode::kAnchored);
  EXPECT_EQ(r.times[2][1].begin, micro(30));
}

TEST(Speed, DividesComputeTimeInAFreeReplayAlone) {
  hw::Platform p = one_node(1);
  p.nodes.front().speed = 1.5;
  EXPECT_EQ(run(computing({30}), p).times[0][1].begin, micro(20));
  EXPECT_EQ(run(computing({30}), p, Mode::kAnchored).times[0][1].begin, micro(30));
}

TEST(Memory, IsSharedByTheMessagesOfANode) {
  // 1 GB/s for all: the second message is served behind the first one; 1 us to send, 2 to receive.
  const Program p = program_of(
      "ranks 4\nrank 0\n send 1 tag 0 1000B\nrank 1\n recv 0 tag 0 1000B\n"
      "rank 2\n send 3 tag 0 1000B\nrank 3\n recv 2 tag 0 1000B\n");
  const ReplayResult r = run(p, one_node(4));
  EXPECT_EQ(r.times[1][0].end, micro(4));
  EXPECT_EQ(r.times[3][0].end, micro(5));
}

TEST(NodeSockets, AreFilledByTheRanksOfANodeInTurn) {
  hw::Platform p = one_node(4);
  hw::Sockets& sockets = p.nodes.front().sockets.emplace();
  sockets.count = 2;
  sockets.rate.value = sockets.local_rate.value = {1'000'000'000};
  sockets.link_rate.value = sockets.interconnect_rate.value = {1'000'000'000};
  sockets.latency.value = microseconds(1);
  const std::string text = "ranks 4\nrank 0\n send {0} tag 0 1000B\nrank {0}\n recv 0 tag 0 1000B\n";
  // Ranks 0 and 1 are on one socket: 1 us; rank 2 on the other one: socket, link, interconnect, link, socket.
  EXPECT_EQ(run(program_of(fmt::format(fmt::runtime(text), 1)), p).times[1][0].end, micro(1 + 1 + 2));
  EXPECT_EQ(run(program_of(fmt::format(fmt::runtime(text), 2)), p).times[2][0].end, micro(1 + 5 + 2 * 1 + 2));
}

hw::Platform noisy(Duration period, Duration duration) {
  hw::Platform p = star(2);
  for (hw::Node& node : p.nodes) {
    node.noise.emplace();
    node.noise->period.value = period;
    node.noise->duration.value = duration;
  }
  return p;
}

// Picosecond by picosecond.
Time by_steps(Time begin, Duration work, std::int64_t period, std::int64_t taken, std::int64_t phase) {
  Time now = begin;
  while (work > Duration{}) {
    const std::int64_t place = ((now.ps - phase) % period + period) % period;
    if (place >= taken) work -= Duration{1};
    now += Duration{1};
  }
  return now;
}

TEST(CpuNoise, StretchesWorkByWhatItTakes) {
  for (const auto& [period, taken] : {std::pair{7, 3}, {10, 1}, {5, 4}, {2, 1}}) {
    const std::vector<std::uint32_t> nodes = {0, 1};
    const mpi::Noise noise(noisy(Duration{period}, Duration{taken}), nodes, 5, {});
    int fitting = 0;  // the phase is one of the period's
    for (std::int64_t phase = 0; phase < period; ++phase) {
      bool fits = true;
      for (std::int64_t begin = -20; begin < 20; ++begin)
        for (std::int64_t work = 0; work < 30; ++work)
          fits = fits && noise.after(1, {begin}, {work}) == by_steps({begin}, {work}, period, taken, phase);
      fitting += fits;
    }
    EXPECT_EQ(fitting, 1) << period << " " << taken;
  }
}

TEST(CpuNoise, StretchesComputeTimeInAFreeReplayAlone) {
  const Program p = program_of(
      one_rank_per_node(2, "rank 0\n local MPI_Init\n compute 800us\n local MPI_Finalize\nrank 1\n local MPI_Init\n"));
  // Of every 10 us 8 are left: 100 periods, give or take the one in which it begins.
  const hw::Platform platform = noisy(microseconds(10), microseconds(2));
  const Time end = run(p, platform).times[0][1].begin;
  EXPECT_GE(end, micro(1000 - 2));
  EXPECT_LE(end, micro(1000 + 2));
  EXPECT_EQ(run(p, platform, Mode::kAnchored).times[0][1].begin, micro(800));
}

TEST(CpuNoise, StretchesTheCpuTimeOfMessages) {
  std::string sends = "rank 0\n", receives = "rank 1\n";
  for (int i = 0; i < 1000; ++i) sends += " send 1 tag 0 0B\n", receives += " recv 0 tag 0 0B\n";
  const Program p = program_of(one_rank_per_node(2, sends + receives));
  const Time end = run(p, noisy(microseconds(10), microseconds(2))).times[0].back().end;  // 1000 · 1 us to send
  EXPECT_GE(end, micro(1250 - 2));
  EXPECT_LE(end, micro(1250 + 2));
}

TEST(CpuNoise, FollowsTheSeed) {
  const Program p = computing({500});
  hw::Platform platform = noisy(microseconds(100), microseconds(30));
  platform.placements = {{0, 0, 0}};
  const auto end = [&](std::uint64_t seed) {
    ReplayOptions options{.mode = Mode::kFree};
    options.seed = seed;
    return replay::replay(p, platform, options).times[0][1].begin;
  };
  EXPECT_EQ(end(1), end(1));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 10; ++seed) differs = differs || end(seed) != end(1);
  EXPECT_TRUE(differs);
}

TEST(PairTransports, TheLastOneThatHoldsCountsElseBetween) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    sim::RandomStream random(seed, "pairs");
    const auto nodes = static_cast<std::uint32_t>(1 + random.below(12));
    hw::Platform p = star(nodes);
    for (std::uint64_t n = random.below(6); n > 0; --n) {
      hw::PairTransport pair;
      pair.first_a = static_cast<std::uint32_t>(random.below(nodes));
      pair.last_a = pair.first_a + static_cast<std::uint32_t>(random.below(nodes - pair.first_a));
      pair.first_b = static_cast<std::uint32_t>(random.below(nodes));
      pair.last_b = pair.first_b + static_cast<std::uint32_t>(random.below(nodes - pair.first_b));
      pair.transport = p.between;
      pair.transport.ranges.front().send.value = microseconds(100 + static_cast<std::int64_t>(p.pairs.size()));
      p.pairs.push_back(pair);
    }
    mpi::Costs costs(p);
    const auto holds = [](const hw::PairTransport& pair, std::uint32_t a, std::uint32_t b) {
      return pair.first_a <= a && a <= pair.last_a && pair.first_b <= b && b <= pair.last_b;
    };
    for (std::uint32_t a = 0; a < nodes; ++a)
      for (std::uint32_t b = 0; b < nodes; ++b) {
        Duration expected = (a == b ? p.inside : p.between).ranges.front().send.value;
        for (const hw::PairTransport& pair : p.pairs)
          if (a != b && (holds(pair, a, b) || holds(pair, b, a))) expected = pair.transport.ranges.front().send.value;
        EXPECT_EQ(costs.of(costs.transport(a, b), 10).send, expected) << "seed " << seed << " " << a << " " << b;
      }
  }
}

}  // namespace
}  // namespace plumbline::replay::test
