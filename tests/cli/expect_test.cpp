#include "replay/expect/expect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

constexpr char kPlatform[] = R"(<platform version="1" name="two ranks">
  <node name="n0" cores="2" memory-rate="1GB/s"/>
  <inside>
    <range protocol="eager" send="1us" receive="1us" latency="1us" latency-spread="10%"/>
  </inside>
  <filesystem name="disk"> <path prefix="/"/>
    <cached-write call="1us" rate="1GB/s" rate-spread="20%"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s"/>
    <metadata open="1us" close="1us" sync="1us"/>
  </filesystem>
</platform>)";

expect::Expectation expect_of(const std::string& program_text) {
  const test::TemporaryDirectory directory;
  const replay::Program program = replay::parse_program(program_text, "test", directory / "program");
  return expect::expectation_of(program, hw::parse_platform(kPlatform, "platform.xml"), {});
}

// 1000 B: send 1 us; latency 1 us; memory (1000 + 40 B) / 1 GB/s = 1.04 us; receive 1 us.
TEST(Expect, AMessageIsExpectedToTakeWhatThePlatformSaysWithinItsSpread) {
  const expect::Expectation result = expect_of(
      "ranks 2\nnode n0 ranks 0-1 cores 2\n"
      "rank 0\n@0us send 1 tag 1 1000B +9us\n"
      "rank 1\n@0us recv 0 tag 1 1000B +9us\n");
  EXPECT_EQ(result.runs, 2U) << "anchored and free: the program does no I/O";
  const replay::ExpectedRank& receiver = result.columns.ranks[1];
  EXPECT_EQ(receiver.lower[0], nanoseconds(4040));
  EXPECT_EQ(receiver.upper[0], receiver.lower[0]);
  EXPECT_EQ(receiver.band[0], nanoseconds(404)) << "10 % of it, the largest spread of the range";
}

TEST(Expect, OnASampledNetworkTheBandReachesToTheQuantiles) {
  constexpr char kSampled[] = R"(<platform version="1" network="sampled">
    <node name="n0" cores="2"/>
    <inside><range protocol="eager" send="1us" receive="1us">
      <times size="1kB" quantiles="0%:10us 2.5%:11us 50%:12us 97.5%:20us 100%:112us"/>
    </range></inside>
  </platform>)";
  const test::TemporaryDirectory directory;
  const replay::Program program = replay::parse_program(
      "ranks 2\nnode n0 ranks 0-1 cores 2\n"
      "rank 0\n@0us send 1 tag 1 1000B +9us\n"
      "rank 1\n@0us recv 0 tag 1 1000B +9us\n",
      "test", directory / "program");
  const expect::Expectation result = expect::expectation_of(program, hw::parse_platform(kSampled, "platform.xml"), {});
  EXPECT_EQ(result.runs, 4U) << "anchored, free, and anchored with two other quantiles";
  const replay::ExpectedRank &sender = result.columns.ranks[0], &receiver = result.columns.ranks[1];
  EXPECT_EQ(receiver.lower[0], microseconds(12));
  EXPECT_EQ(receiver.band[0], microseconds(20 - 12));
  EXPECT_EQ(sender.lower[0], microseconds(1));
  EXPECT_EQ(sender.band[0], Duration{});
}

// 1 MB: in the cache 1 us + 1 ms, on the device 100 us + 10 ms.
TEST(Expect, ABufferedWriteIsExpectedBetweenCacheAndDevice) {
  const expect::Expectation result = expect_of(
      "ranks 1\nnode n0 ranks 0-0 cores 2\n"
      "rank 0\n@0us open /data +1us\nwrite 0..1000000 +5ms\n");
  const replay::ExpectedRank& rank = result.columns.ranks[0];
  EXPECT_EQ(rank.lower[1], microseconds(1001));
  EXPECT_EQ(rank.upper[1], microseconds(10100));
  EXPECT_EQ(rank.band[1], duration_from_seconds(1001e-6 * 0.2));
}

// The library sent the 1000 B twice: at 0 and at 1 us. The second waits for the memory until 3.04 us, is there at 4.08
// us, and is received until 5.08 us. The second broadcast has a message without an end: it is expected as ever.
TEST(Expect, ACollectiveIsAsRunByTheMessagesThatWereRecordedInsideOfIt) {
  const expect::Expectation result = expect_of(
      "ranks 2\nnode n0 ranks 0-1 cores 2\n"
      "rank 0\n@0us bcast root 0 1000B +9us\n inner send 1 tag 0 1000B -> a\n inner done a\n"
      " inner send 1 tag 0 1000B -> b\n inner done b @9us\n"
      "@20us bcast root 0 1000B +9us\n inner send 1 tag 1 1000B -> a\n inner done a @29us\n"
      "rank 1\n@0us bcast root 0 1000B +9us\n inner recv 0 tag 0 1000B -> a\n inner done a\n"
      " inner recv 0 tag 0 1000B -> b\n inner done b @9us\n"
      "@20us bcast root 0 1000B +9us\n inner recv 0 tag 1 1000B -> a\n");
  const replay::ExpectedRank& receiver = result.columns.ranks[1];
  EXPECT_EQ(receiver.lower[0], nanoseconds(4040));
  EXPECT_EQ(receiver.upper[0], nanoseconds(4040));
  EXPECT_EQ(receiver.as_run[0], nanoseconds(5080));
  EXPECT_EQ(receiver.as_run_upper[0], nanoseconds(5080));
  EXPECT_EQ(receiver.as_run[1], receiver.lower[1]);
  EXPECT_EQ(receiver.by_inner, (Column<std::uint8_t>{1, 0}));
  ASSERT_EQ(result.inner_faults.size(), 1U);
  EXPECT_EQ(result.inner_faults[0].operations, 2U);
}

std::string reduce_of_4(const std::string& library) {
  std::string text = "ranks 4\nnode n0 ranks 0-3 cores 2\nproperty library = \"" + library + "\"\n";
  for (int rank = 0; rank < 4; ++rank) text += "rank " + std::to_string(rank) + "\n@0us reduce root 0 400000B +9ms\n";
  return text;
}

// Open MPI's table says linear for 4 ranks and 262,144 B to 512 KiB: the root receives and combines three times.
TEST(Expect, WhereNothingWasRecordedInsideACollectiveIsAsRunAsItIsConfigured) {
  const expect::Expectation result = expect_of(reduce_of_4("Open MPI v4.1.4"));
  EXPECT_EQ(result.runs, 3U) << "ideal anchored and free, as configured";
  const replay::ExpectedRank& root = result.columns.ranks[0];
  EXPECT_GT(root.as_configured[0], root.lower[0]);
  EXPECT_EQ(root.as_run[0], root.as_configured[0]);
  EXPECT_TRUE(root.by_inner.empty());
  ASSERT_EQ(result.configured_collectives.size(), 1U);
  EXPECT_EQ(result.configured_collectives[0].algorithm, "openmpi linear");
  EXPECT_NE(result.collectives[0].algorithm, "openmpi linear");
}

TEST(Expect, WhatIsConfiguredIsReplayedOnlyWhereItDiffersFromTheIdeal) {
  std::string text = "ranks 2\nnode n0 ranks 0-1 cores 2\nproperty library = \"Open MPI\"\n";
  for (int rank = 0; rank < 2; ++rank) text += "rank " + std::to_string(rank) + "\n@0us barrier +9us\n";
  const expect::Expectation same = expect_of(text);
  EXPECT_EQ(same.runs, 2U);
  EXPECT_TRUE(same.columns.ranks[0].as_configured.empty());
}

// Rank 1 wrote 1 MB in 5 us, where 1001 us are expected, and was at the barrier before rank 0, which came after 3 ms.
TEST(Expect, ARankThatWasFasterThanItsModelWaitsForOthersFromWhenItWasObservedToCome) {
  const auto rank_1_in = [](const std::string& call_of_0, const std::string& before, const std::string& call_of_1) {
    return expect_of("ranks 2\nnode n0 ranks 0-1 cores 2\nrank 0\n" + call_of_0 + "\nrank 1\n@0us open /data +1us\n" +
                     before + call_of_1 + "\n")
        .columns.ranks[1]
        .lower.back();
  };
  const std::string write = "write 0..1000000 +5us\n";
  for (const std::string call : {"barrier", "allreduce 8B", "bcast root 0 8B", "reduce root 1 8B"}) {
    SCOPED_TRACE(call);
    const Duration with = rank_1_in("@3ms " + call + " +10us", write, "@10us " + call + " +3ms");
    EXPECT_EQ(with, rank_1_in("@3ms " + call + " +10us", "", "@10us " + call + " +3ms"));
    EXPECT_GE(with, microseconds(2990));
  }
  EXPECT_LT(rank_1_in("@10us barrier +3ms", write, "@10us barrier +3ms"), microseconds(20))
      << "both were there at once: nobody waited for anybody";
  EXPECT_LT(rank_1_in("@3ms reduce root 0 8B +10us", write, "@10us reduce root 0 8B +3ms"), microseconds(20))
      << "what sends to the root waits for nobody";
}

// 30 us of computation from 1 us on, under noise of 3 us every 17 us, whose phase is random: two or three of them.
TEST(Expect, ASeedChoosesTheNoise) {
  const test::TemporaryDirectory directory;
  const replay::Program program = replay::parse_program(
      "ranks 1\nnode n0 ranks 0-0 cores 2\nrank 0\n@0us local MPI_Wtime +1us\n@31us local MPI_Wtime +1us\n", "test",
      directory / "program");
  hw::Platform platform = hw::parse_platform(kPlatform, "platform.xml");
  platform.nodes.front().noise.emplace();
  platform.nodes.front().noise->period.value = microseconds(17);
  platform.nodes.front().noise->duration.value = microseconds(3);
  const auto begin = [&](std::uint64_t seed) {
    return expect::expectation_of(program, platform, {.seed = seed}).columns.ranks[0].free[1].begin;
  };
  std::vector<Time> begins;
  for (std::uint64_t seed = 1; seed < 20; ++seed) begins.push_back(begin(seed));
  EXPECT_EQ(begin(1), begins.front());
  EXPECT_GE(std::ranges::min(begins), Time{microseconds(37).ps});
  EXPECT_LT(std::ranges::min(begins), std::ranges::max(begins));
  EXPECT_LE(std::ranges::max(begins), Time{microseconds(40).ps});
}

}  // namespace
}  // namespace plumbline::cli
