#include "replay/validate/witness/noise.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "replay/validate/witness/witness.hpp"

namespace plumbline::replay::validate::test {
namespace {

using node::Interruptions;
using testing::ElementsAre;

constexpr Interruptions kQuiet{0.001, 0.004, 20e-6, 3, 8};

// Eight nodes that were timed twice.
std::map<std::string, std::vector<Interruptions>> quiet_nodes() {
  std::map<std::string, std::vector<Interruptions>> timed;
  for (int node = 0; node < 8; ++node) timed["n" + std::to_string(node)] = {kQuiet, kQuiet};
  return timed;
}

TEST(NoiseOf, QuietNodesIsNone) { EXPECT_TRUE(noise_of(quiet_nodes()).empty()); }

// Stopped for 5 ms in every 100.
TEST(NoiseOf, ANodeThatIsStoppedIsTheLesserOfBothTimes) {
  auto timed = quiet_nodes();
  timed["n2"] = {{0.052, 0.055, 5.1e-3, 0, 8}, {0.048, 0.2, 5e-3, 1, 8}};
  const auto found = noise_of(timed);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].host, "n2");
  EXPECT_DOUBLE_EQ(found[0].share, 0.048);
  EXPECT_DOUBLE_EQ(found[0].length, 5e-3);
  EXPECT_DOUBLE_EQ(found[0].peers, 0.001);
  const Observation seen = observation_of(found[0], timed["n2"]);
  EXPECT_EQ(seen.text,
            "Processors of n2 are taken away for 4.8 % of the time, 5 ms at a time, those of other nodes for 0.1 %");
  EXPECT_THAT(seen.places, ElementsAre("n2"));
  EXPECT_EQ(seen.rows.size(), 4U);
}

TEST(NoiseOf, ANodeOfABusyMachineNeedsTwiceAsMuchAsItsPeers) {
  auto timed = quiet_nodes();
  for (auto& [node, times] : timed)
    for (Interruptions& each : times) each.usual = 0.03;
  timed["n1"] = {{0.05, 0.05, 76e-6, 0, 8}, {0.055, 0.06, 76e-6, 0, 8}};
  EXPECT_TRUE(noise_of(timed).empty());
  timed["n2"] = {{0.079, 0.08, 5e-3, 0, 8}, {0.084, 0.09, 5e-3, 0, 8}};
  const auto found = noise_of(timed);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].host, "n2");
}

TEST(NoiseOf, OneMomentIsNone) {
  auto timed = quiet_nodes();
  timed["n2"] = {{0.5, 0.5, 5e-3, 0, 8}, kQuiet};
  EXPECT_TRUE(noise_of(timed).empty());
  timed["n2"] = {{0.5, 0.5, 5e-3, 0, 8}};
  EXPECT_TRUE(noise_of(timed).empty()) << "timed once";
}

TEST(NoiseOf, NodesThatAreAllAlikeIsToldOfAllFromFivePercentOn) {
  std::map<std::string, std::vector<Interruptions>> timed;
  for (const char* node : {"n0", "n1", "n2"}) timed[node] = {{0.04, 0.1, 1e-3, 0, 8}, {0.04, 0.1, 1e-3, 0, 8}};
  EXPECT_TRUE(noise_of(timed).empty());
  for (auto& [node, times] : timed) times[0].usual = times[1].usual = 0.07;
  timed["n1"][0].usual = 0.06;
  const auto found = noise_of(timed);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].host, "");
  EXPECT_DOUBLE_EQ(found[0].share, 0.06);
  EXPECT_THAT(observation_of(found[0], {}).places, ElementsAre());
}

TEST(NoiseOf, NobodySpeaksForNodesThatWereNotTimed) {
  const std::vector<Interruptions> busy(2, {0.4, 0.4, 1e-3, 0, 8});
  EXPECT_EQ(noise_of({{"n0", busy}, {"n1", busy}}).size(), 1U);
  EXPECT_TRUE(noise_of({{"n0", busy}, {"n1", {}}}).empty());
}

TEST(NoiseOf, OneProcessorIsNamedWhereItIsTheSameBothTimes) {
  auto timed = quiet_nodes();
  timed["n5"] = {{0.001, 0.30, 20e-6, 6, 8}, {0.001, 0.25, 20e-6, 6, 8}};
  const auto found = noise_of(timed);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].one, 6U);
  EXPECT_EQ(observation_of(found[0], timed["n5"]).text,
            "Processor 6 of n5 is taken away for 25.0 % of the time, those of other nodes for 0.4 %");
  timed["n5"][1].worst_processor = 2;
  EXPECT_TRUE(noise_of(timed).empty());
}

// As in a laboratory, where one core of the machine that all nodes share works for the switch.
TEST(NoiseOf, ABusyProcessorOfEveryNodeIsNone) {
  auto timed = quiet_nodes();
  for (auto& [node, times] : timed)
    for (Interruptions& each : times) each.worst = 0.95;
  EXPECT_TRUE(noise_of(timed).empty());
}

TEST(NoiseOf, ASingleNodeIsJudgedByItself) {
  const std::map<std::string, std::vector<Interruptions>> some{
      {"n0", {{0.04, 0.3, 1e-3, 0, 8}, {0.04, 0.3, 1e-3, 0, 8}}}},
      much{{"n0", {{0.08, 0.3, 1e-3, 0, 8}, {0.09, 0.3, 1e-3, 0, 8}}}};
  EXPECT_TRUE(noise_of(some).empty());
  EXPECT_EQ(noise_of(much).size(), 1U);
}

TEST(Witness, OfNoiseIsAnObservation) {
  WitnessInput input;
  for (const auto& [host, timed] : quiet_nodes()) input.nodes.push_back({host, {}, {}, {}, {}, timed});
  const auto is_noise = [](const Observation& each) { return each.id == kNoise; };
  EXPECT_EQ(std::ranges::count_if(witness(input), is_noise), 0);
  input.nodes[3].noise = {{0.05, 0.05, 5e-3, 0, 8}, {0.05, 0.05, 5e-3, 0, 8}};
  const auto seen = witness(input);
  EXPECT_EQ(std::ranges::count_if(seen, is_noise), 1);
}

}  // namespace
}  // namespace plumbline::replay::validate::test
