// Runs on a platform with known faults are made by the replay itself; blame is then asked with the platform as it
// should be.

#include "cli/workflows/validate/expectation/blame.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/expect.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

constexpr std::uint32_t kRanks = 4;

hw::Platform star() {
  std::string text = R"(<platform version="1" name="star">)";
  for (std::uint32_t i = 0; i < kRanks; ++i)
    text += fmt::format(R"(<node name="n{0}" cores="1" memory-rate="10GB/s" interface-rate="10GB/s"/>)", i);
  text += R"(<switch name="s0" rate="48GB/s"/>)";
  for (std::uint32_t i = 0; i < kRanks; ++i)
    text += fmt::format(R"(<edge name="n{0}-s0" from="n{0}" to="s0" latency="10us" rate="100MB/s"/>)", i);
  text += R"(<packets granularity="64KiB" header="40B"/>
    <inside><range protocol="eager" send="1us" receive="1us" latency="1us"/></inside>
    <between><range protocol="eager" send="2us" receive="2us" latency="5us"/></between></platform>)";
  return hw::parse_platform(text, "star.xml");
}

// What each rank calls, in the text form of programs; between two calls it computes for a millisecond.
using Calls = std::vector<std::vector<std::string>>;

constexpr int kRounds = 6;

// Each rank exchanges with each other in turn.
Calls everybody_with_everybody(std::uint64_t bytes) {
  Calls calls(kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank)
    for (int round = 0; round < kRounds; ++round)
      for (std::uint32_t shift = 1; shift < kRanks; ++shift)
        calls[rank].push_back(fmt::format("sendrecv to {} tag 1 {}B from {} tag 1 {}B", (rank + shift) % kRanks, bytes,
                                          (rank + kRanks - shift) % kRanks, bytes));
  return calls;
}

// 0 and 1 exchange, then 2 and 3, then 0 and 1 again: never both pairs at a time.
Calls one_pair_after_the_other(std::uint64_t bytes) {
  Calls calls(kRanks);
  const auto exchange = [&](std::uint32_t one, std::uint32_t other) {
    for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}})
      calls[from].push_back(fmt::format("sendrecv to {0} tag 1 {1}B from {0} tag 1 {1}B", to, bytes));
  };
  const auto token = [&](std::uint32_t from, std::uint32_t to) {
    calls[from].push_back(fmt::format("send {} tag 2 8B", to));
    calls[to].push_back(fmt::format("recv {} tag 2 8B", from));
  };
  for (int round = 0; round < kRounds; ++round) {
    exchange(0, 1);
    token(1, 2);
    exchange(2, 3);
    token(3, 0);
  }
  return calls;
}

using Times = std::vector<std::vector<replay::OperationTimes>>;

// Without times each call takes a microsecond.
std::string program_text(const Calls& calls, const Times& times = {}) {
  std::string text = fmt::format("ranks {}\n", kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) text += fmt::format("node n{0} ranks {0}-{0} cores 1\n", rank);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    text += fmt::format("rank {}\n", rank);
    for (std::size_t i = 0; i < calls[rank].size(); ++i) {
      std::int64_t begin = static_cast<std::int64_t>(i) * 1'001'000'000, length = 1'000'000;
      if (!times.empty()) {
        begin = times[rank][i].begin.ps;
        length = (times[rank][i].end - times[rank][i].begin).ps;
      }
      text += fmt::format("@{}ps {} +{}ps\n", begin, calls[rank][i], length);
    }
  }
  return text;
}

// What was observed on `truth` is held against the platform without faults.
Blame blame_of(const Calls& calls, const hw::Platform& truth, const hw::Platform& platform = star()) {
  const test::TemporaryDirectory directory;
  const replay::Program plan = replay::parse_program(program_text(calls), "plan", directory / "plan");
  const replay::ReplayResult ran = replay::replay(plan, truth, {.mode = replay::Mode::kFree});
  Times times;
  for (const auto& of_rank : ran.times) times.emplace_back(of_rank.begin(), of_rank.end());
  const replay::Program program = replay::parse_program(program_text(calls, times), "run", directory / "run");
  return blame(program, replay::expect::expectation_of(program, platform, {}).columns, platform);
}

hw::Platform with(const std::vector<hw::Setting>& settings) {
  hw::Platform platform = star();
  Diagnostics faults;
  for (const hw::Setting& setting : settings) hw::apply(setting, platform, faults);
  faults.throw_if_any();
  return platform;
}

TEST(Blame, ACableAtHalfItsRateIsNamedWithItsRate) {
  const Blame found = blame_of(everybody_with_everybody(1'000'000), with({{"link.n2-s0.rate", "50MB/s"}}));
  ASSERT_EQ(found.blamed.size(), 1U);
  EXPECT_EQ(found.blamed[0].component, "link n2-s0");
  EXPECT_EQ(found.blamed[0].exposed.slowness, Slowness::kRate);
  EXPECT_NEAR(found.blamed[0].fitted, 50e6, 10e6);
  EXPECT_GT(found.blamed[0].explained_s, 0.8 * found.lost_s);
  EXPECT_LE(found.replays, 40U);
}

// Of a pair that talks to nobody else with large messages either cable may be the slow one.
TEST(Blame, OfTwoSlowCablesBothAreNamedTheSlowerFirst) {
  const Blame found = blame_of(one_pair_after_the_other(1'000'000),
                               with({{"link.n1-s0.rate", "60MB/s"}, {"link.n3-s0.rate", "30MB/s"}}));
  ASSERT_EQ(found.blamed.size(), 2U);
  const auto may_be = [](const Blamed& blamed, const char* component) {
    return blamed.component == component || std::ranges::count(blamed.one_of, component) > 0;
  };
  EXPECT_TRUE(may_be(found.blamed[0], "link n3-s0")) << found.blamed[0].component;
  EXPECT_TRUE(may_be(found.blamed[1], "link n1-s0")) << found.blamed[1].component;
  EXPECT_FALSE(may_be(found.blamed[0], "link n1-s0"));
  EXPECT_NEAR(found.remainder_s, 0, 0.2 * found.lost_s);
}

TEST(Blame, ALongWayOfSmallMessagesIsLatency) {
  const Blame found = blame_of(everybody_with_everybody(8), with({{"link.n1-s0.latency", "1ms"}}));
  ASSERT_GE(found.blamed.size(), 1U);
  EXPECT_EQ(found.blamed[0].component, "link n1-s0");
  EXPECT_EQ(found.blamed[0].exposed.slowness, Slowness::kLatency);
  EXPECT_NEAR(found.blamed[0].fitted, 1e-3, 0.25e-3);
}

TEST(Blame, TellsWhetherWhatIsExpectedWasMeasured) {
  const Calls calls = everybody_with_everybody(1'000'000);
  const hw::Platform truth = with({{"link.n2-s0.rate", "50MB/s"}});
  hw::Platform assumed = star(), unseen = star();
  for (hw::Edge& edge : assumed.edges) edge.rate.source = "assumed: nobody measured";
  for (hw::Edge& edge : unseen.edges) edge.rate.source = "not seen: something else decides";
  const auto is_measured = [&](const hw::Platform& platform) {
    const Blame found = blame_of(calls, truth, platform);
    return found.blamed.size() == 1 && found.blamed[0].is_measured;
  };
  EXPECT_TRUE(is_measured(star()));
  EXPECT_FALSE(is_measured(assumed));
  EXPECT_FALSE(is_measured(unseen));
}

TEST(Blame, NobodyIsBlamedWhoIsSlowerByLessThanModelsAreOff) {
  const Calls calls = everybody_with_everybody(1'000'000);
  EXPECT_TRUE(blame_of(calls, with({{"link.n2-s0.rate", "95MB/s"}})).blamed.empty());
  EXPECT_EQ(blame_of(calls, with({{"link.n2-s0.rate", "80MB/s"}})).blamed.size(), 1U);
}

TEST(Blame, NobodyIsBlamedWhereNothingIsLost) {
  const Blame found = blame_of(everybody_with_everybody(1'000'000), star());
  EXPECT_TRUE(found.blamed.empty());
  EXPECT_NEAR(found.lost_s, 0, 1e-6);
}

}  // namespace
}  // namespace plumbline::cli::validate
