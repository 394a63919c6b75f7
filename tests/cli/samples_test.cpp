#include "replay/expect/samples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/verbs/replay/sample_table.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

// Ten messages to and fro, each evenly between 10 and 30 us.
hw::Platform sampled_platform() {
  hw::Platform platform;
  platform.network = hw::NetworkKind::kSampled;
  platform.nodes.emplace_back().name = "node";
  hw::MessageRange range;
  range.times = {{Bytes{8}, 1, 0, "", {{0, microseconds(10)}, {1, microseconds(30)}}}};
  platform.inside.ranges = {range};
  return platform;
}

replay::Program ping_pong(const test::TemporaryDirectory& directory) {
  std::string text = "ranks 2\n";
  for (int rank = 0; rank < 2; ++rank) {
    text += fmt::format("rank {}\n", rank);
    for (int i = 0; i < 5; ++i)
      for (int half = 0; half < 2; ++half)
        text += fmt::format(" {} {} tag 0 8B\n", half == rank ? "send" : "recv", 1 - rank);
  }
  return replay::parse_program(text, "program.txt", directory.path() / "program");
}

TEST(SampledRuns, EachIsThatOfItsOwnSeed) {
  const test::TemporaryDirectory directory;
  const replay::Program program = ping_pong(directory);
  const expect::Samples samples = expect::sample(program, sampled_platform(), {.seed = 5, .count = 20});
  ASSERT_EQ(samples.lengths.size(), 20U);
  for (std::uint32_t run = 0; run < 20; ++run) {
    const replay::ReplayResult alone =
        replay::replay(program, sampled_platform(), {.mode = replay::Mode::kFree, .seed = 5 + run});
    EXPECT_EQ(samples.lengths[run], alone.end - Time{}) << run;
  }
}

TEST(SampledRuns, TheSameBaseSeedPrintsTheSame) {
  const test::TemporaryDirectory directory;
  const replay::Program program = ping_pong(directory);
  const auto text = [&](std::uint64_t seed) {
    const expect::Samples samples = expect::sample(program, sampled_platform(), {.seed = seed, .count = 50});
    return sample_table(samples) + sample_json(samples);
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

// The sum of ten times has the mean 200 us and the standard deviation sqrt(10/12) * 20 us = 18.26 us.
TEST(SampledRuns, TheirMeanIsThatOfTheMessages) {
  const test::TemporaryDirectory directory;
  const expect::Samples samples = expect::sample(ping_pong(directory), sampled_platform(), {.count = 400});
  const expect::SampleSummary summary = expect::summary_of(samples);
  EXPECT_NEAR(summary.mean.mean, 200e-6, 3 * 18.26e-6 / 20);
  EXPECT_NEAR(summary.mean.half_width, 1.966 * 18.26e-6 / 20, 0.2e-6);
  EXPECT_NEAR(summary.band.low, 200e-6 - 1.96 * 18.26e-6, 8e-6);
  EXPECT_NEAR(summary.band.high, 200e-6 + 1.96 * 18.26e-6, 8e-6);
  EXPECT_GE(summary.least, 100e-6);
  EXPECT_LE(summary.greatest, 300e-6);
}

TEST(SampledRuns, AreSummedUpAsPeopleAndProgramsReadThem) {
  const expect::Samples samples{
      3, {microseconds(10), microseconds(20), microseconds(30), microseconds(20), microseconds(10), microseconds(30)}};
  EXPECT_EQ(sample_table(samples),
            "expected, 6 runs of seeds 3 to 8:\n"
            "  mean    20 us ± 9.386 us with 95 %\n"
            "  median  20 us, 10 us to 30 us with 95 %\n"
            "  95 % of the runs take 10 us to 30 us, all 10 us to 30 us\n");
  const nlohmann::json json = nlohmann::json::parse(sample_json(samples));
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["lengths_ps"][2], 30'000'000);
  EXPECT_DOUBLE_EQ(json["median_s"].get<double>(), 20e-6);
  EXPECT_DOUBLE_EQ(json["greatest_s"].get<double>(), 30e-6);
}

}  // namespace
}  // namespace plumbline::cli
