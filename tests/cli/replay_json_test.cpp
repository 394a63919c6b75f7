#include "cli/verbs/replay/replay_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/program/text/text.hpp"
#include "schema_check.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

// 1000 B take 1 us to send, 1 us of latency, (1000 + 40) B / 1 GB/s in memory and 1 us to receive: 4.04 us.
constexpr char kPlatform[] = R"(<platform version="1" name="two ranks">
  <node name="n0" cores="2" memory-rate="1GB/s"/>
  <inside>
    <range protocol="eager" send="1us" receive="1us" latency="1us"/>
  </inside>
  <filesystem name="disk"> <path prefix="/"/>
    <cached-write call="1us" rate="1GB/s"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s"/>
    <metadata open="1us" close="1us" sync="1us"/>
  </filesystem>
</platform>)";

nlohmann::json told_of(const std::string& program_text) {
  const test::TemporaryDirectory directory;
  const replay::Program program = replay::parse_program(program_text, "test", directory / "program");
  replay::expect::Expectation expectation =
      replay::expect::expectation_of(program, hw::parse_platform(kPlatform, "platform.xml"), {});
  expectation.columns.platform = "platform.xml";
  const nlohmann::json told = nlohmann::json::parse(replay_json(expectation, program));
  EXPECT_EQ(replay::schema_faults(told, PLUMBLINE_REPLAY_SCHEMA), "");
  return told;
}

TEST(ReplayJson, SumsWhatIsExpectedOfOperations) {
  const nlohmann::json told = told_of(
      "ranks 2\nnode n0 ranks 0-1 cores 2\n"
      "rank 0\n@0us send 1 tag 1 1000B +9us\n"
      "rank 1\n@0us recv 0 tag 1 1000B +9us\n");
  EXPECT_EQ(told["ranks"], 2);
  EXPECT_EQ(told["messages"], 1);
  EXPECT_EQ(told["observed_ps"], 9'000'000);
  EXPECT_EQ(told["expected_ps"], 4'040'000);
  const nlohmann::json& judged = told["judged"];
  EXPECT_EQ(judged["operations"], 2);
  EXPECT_EQ(judged["observed_ps"], 18'000'000);
  for (const char* const expectation : {"ideal", "as_configured", "as_run"}) {
    EXPECT_EQ(judged[expectation]["lower_ps"], 5'040'000)
        << expectation << ": 1 us of the sender, 4.04 of the receiver";
    EXPECT_EQ(judged[expectation]["upper_ps"], 5'040'000) << expectation;
  }
  EXPECT_TRUE(told["not_judged"].empty());
}

// Through the device 100 us and 1 MB / 100 MB/s; through the cache 1 us and 1 MB / 1 GB/s.
TEST(ReplayJson, TellsBothSidesOfThePageCache) {
  const nlohmann::json told =
      told_of("ranks 1\nnode n0 ranks 0 cores 2\nrank 0\n@0us posix_open /f\n@1us pwrite 0..1000000 file /f +20ms\n");
  EXPECT_EQ(told["judged"]["ideal"]["lower_ps"], 1'002'000'000) << "and 1 us to open it";
  EXPECT_EQ(told["judged"]["ideal"]["upper_ps"], 10'101'000'000);
}

TEST(ReplayJson, LeavesOutOfTheSumsWhatIsNotJudged) {
  const nlohmann::json told =
      told_of("ranks 1\nnode n0 ranks 0 cores 2\nrank 0\n@0us unmodelled MPI_Win_attach +7us\n");
  EXPECT_EQ(told["judged"]["operations"], 0);
  EXPECT_EQ(told["judged"]["observed_ps"], 0);
  ASSERT_EQ(told["not_judged"].size(), 1U);
  EXPECT_EQ(told["not_judged"][0]["operations"], 1);
  EXPECT_EQ(told["not_judged"][0]["observed_ps"], 7'000'000);
  EXPECT_EQ(told["expected_ps"], 7'000'000) << "it keeps what was observed";
}

}  // namespace
}  // namespace plumbline::cli
