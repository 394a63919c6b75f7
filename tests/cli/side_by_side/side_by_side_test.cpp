// What workflows find out is the same at any number of replays at a time.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/verbs/replay/outcome_table.hpp"
#include "cli/verbs/replay/replay_json.hpp"
#include "cli/verbs/replay/sample_table.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/expect.hpp"
#include "replay/expect/samples.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/mpi/stuck.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

constexpr char kPlatform[] = R"(<platform version="1" name="four ranks">
  <node name="n0" cores="4" memory-rate="1GB/s"><noise period="17us" duration="3us"/></node>
  <inside>
    <range protocol="eager" send="1us" receive="1us" latency="1us" latency-spread="10%"/>
  </inside>
  <filesystem name="disk"> <path prefix="/"/>
    <cached-write call="1us" rate="1GB/s" rate-spread="20%"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s"/>
    <metadata open="1us" close="1us" sync="1us"/>
  </filesystem>
</platform>)";

constexpr char kSampled[] = R"(<platform version="1" network="sampled">
  <node name="n0" cores="4"/>
  <inside><range protocol="eager" send="1us" receive="1us">
    <times size="8B" quantiles="0%:9us 2.5%:10us 50%:11us 97.5%:18us 100%:90us"/>
    <times size="1MB" quantiles="0%:10us 2.5%:11us 50%:12us 97.5%:20us 100%:112us"/>
  </range></inside>
</platform>)";

// Computation, messages, a reduction that is configured otherwise than the best, a file, and a broadcast that was
// recorded inside: of two ranks of four.
std::string program_text(const std::string& properties, bool has_inner_and_file) {
  std::string text = "ranks 4\nnode n0 ranks 0-3 cores 4\nproperty library = \"Open MPI v4.1.4\"\n" + properties;
  for (int rank = 0; rank < 4; ++rank) {
    const std::string other = std::to_string(rank ^ 1);
    text += "rank " + std::to_string(rank) + "\n@0us reduce root 0 400000B +900us\n";
    for (int i = 0; i < 20; ++i) {
      const std::string at = "@" + std::to_string(1000 + 100 * i) + "us ";
      text += at + (rank % 2 == 0 ? "send " : "recv ") + other + " tag 1 1000B +9us\n";
    }
    if (!has_inner_and_file) continue;
    text += "@4000us open /data +1us\n@4010us write 0..1000000 +5ms\n";
    text += "@10000us bcast root 0 1000B +90us\n";
    if (rank == 0)
      for (const char* to : {"1", "2", "3"})
        text += std::string(" inner send ") + to + " tag 0 1000B -> a" + to + "\n inner done a" + to + "\n";
    else
      text += " inner recv 0 tag 0 1000B -> a\n inner done a\n";
  }
  return text;
}

class SideBySide : public testing::TestWithParam<std::uint32_t> {
 protected:
  replay::Program program(const std::string& text) {
    return replay::parse_program(text, "test", directory_ / std::to_string(programs_++));
  }

  Team team() const { return {.jobs = GetParam()}; }

 private:
  test::TemporaryDirectory directory_;
  int programs_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Jobs, SideBySide, testing::Values(2U, 5U),
                         [](const auto& jobs) { return std::to_string(jobs.param); });

void expect_equal(const std::vector<replay::ExpectedRank>& some, const std::vector<replay::ExpectedRank>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t rank = 0; rank < some.size(); ++rank) {
    const replay::ExpectedRank &a = some[rank], &b = others[rank];
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.as_configured, b.as_configured);
    EXPECT_EQ(a.as_configured_upper, b.as_configured_upper);
    EXPECT_EQ(a.as_run, b.as_run);
    EXPECT_EQ(a.as_run_upper, b.as_run_upper);
    EXPECT_EQ(a.band, b.band);
    EXPECT_EQ(a.not_judged, b.not_judged);
    EXPECT_EQ(a.by_inner, b.by_inner);
    for (std::size_t i = 0; i < a.free.size(); ++i) {
      EXPECT_EQ(a.free[i].begin, b.free[i].begin);
      EXPECT_EQ(a.free[i].end, b.free[i].end);
    }
  }
}

TEST_P(SideBySide, TheReplaysOfAnExpectationMakeTheSameColumns) {
  const replay::Program of_all = program(program_text("", true));
  const hw::Platform platform = hw::parse_platform(kPlatform, "platform.xml");
  expect::ExpectOptions how{.team = team()};
  const expect::Expectation alone = expect::expectation_of(of_all, platform, {}),
                            together = expect::expectation_of(of_all, platform, how);
  EXPECT_EQ(alone.runs, 7U) << "ideal, configured and as run, each in the cache and on the device; free";
  EXPECT_EQ(replay_json(together, of_all), replay_json(alone, of_all));
  expect_equal(together.columns.ranks, alone.columns.ranks);
}

TEST_P(SideBySide, TheReplaysOfASampledNetworkMakeTheSameBands) {
  const replay::Program messages = program(program_text("", false));
  const hw::Platform platform = hw::parse_platform(kSampled, "platform.xml");
  expect::ExpectOptions how{.team = team()};
  expect_equal(expect::expectation_of(messages, platform, how).columns.ranks,
               expect::expectation_of(messages, platform, {}).columns.ranks);
}

// The send of rank 0 has no receive: what the first replay finds to be unanswered, the others leave out.
TEST_P(SideBySide, WhatARecordingLacksIsLeftOutByAllReplays) {
  std::string text = program_text("property remarks = \"incomplete: rank 1 was killed\"\n", true);
  text.insert(text.find("rank 1\n"), "@99000us recv 1 tag 7 8B +9us\n");
  const replay::Program incomplete = program(text);
  const hw::Platform platform = hw::parse_platform(kPlatform, "platform.xml");
  expect::ExpectOptions how{.team = team()};
  const expect::Expectation alone = expect::expectation_of(incomplete, platform, {}),
                            together = expect::expectation_of(incomplete, platform, how);
  ASSERT_NE(together.anchored.unanswered, nullptr);
  expect_equal(together.columns.ranks, alone.columns.ranks);
  const auto samples = [&](const Team& of) {
    return expect::sample(incomplete, platform, {.count = 8, .team = of}).lengths;
  };
  EXPECT_EQ(samples(team()), samples({}));
}

TEST_P(SideBySide, SamplesAreInTheOrderOfTheirSeeds) {
  const replay::Program messages = program(program_text("", false));
  const hw::Platform platform = hw::parse_platform(kSampled, "platform.xml");
  const auto text = [&](const Team& of) {
    return sample_json(expect::sample(messages, platform, {.count = 40, .team = of}));
  };
  EXPECT_EQ(text(team()), text({}));
}

TEST_P(SideBySide, TheOutcomesOfASweepAreInItsOrder) {
  const replay::Program of_all = program(program_text("", true));
  const hw::Platform platform = hw::parse_platform(kPlatform, "platform.xml");
  const std::vector<expect::Sweep> sweeps = {expect::parse_sweep("node.n0.memory-rate=500MB/s,1GB/s,2GB/s"),
                                             expect::parse_sweep("collective.reduce=linear,binomial")};
  const auto text = [&](const Team& of) {
    return outcome_json(expect::try_out(of_all, platform, {}, sweeps, {.keep_times = true, .team = of}));
  };
  EXPECT_EQ(text(team()), text({}));
}

// Rank 0 waits for a message that nobody sends.
TEST_P(SideBySide, AReplayThatCannotGoOnSaysTheSame) {
  std::string text = program_text("", false);
  text.insert(text.find("rank 1\n"), "@99000us recv 1 tag 7 8B +9us\n");
  const replay::Program stuck = program(text);
  const hw::Platform platform = hw::parse_platform(kPlatform, "platform.xml");
  const auto told = [&](const Team& of) -> std::string {
    try {
      expect::expectation_of(stuck, platform, {.team = of});
    } catch (const replay::Stuck& error) {
      return error.what();
    }
    return "it goes on";
  };
  EXPECT_EQ(told(team()), told({}));
  EXPECT_NE(told(team()).find("rank 0"), std::string::npos) << told(team());
}

}  // namespace
}  // namespace plumbline::cli
