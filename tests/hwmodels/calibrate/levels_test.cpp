// Levels, groups of nodes, the knee of a path, outliers among peers: each by hand and at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hwmodels/calibrate/fit/knee.hpp"
#include "hwmodels/calibrate/fit/levels.hpp"
#include "hwmodels/calibrate/fit/peers.hpp"
#include "hwmodels/calibrate/network/progress.hpp"
#include "hwmodels/calibrate/node/this_machine.hpp"
#include "hwmodels/calibrate/observations/cpu_list.hpp"
#include "hwmodels/calibrate/structure/switch_groups.hpp"

namespace plumbline::hw::calibration {
namespace {

using Levels = std::vector<std::uint32_t>;

std::vector<Measured> measured(const std::vector<double>& values, double spread = 0.01) {
  std::vector<Measured> result;
  for (const double value : values) result.push_back({value, spread});
  return result;
}

TEST(LevelsOfValues, AreToldApartByGapsWiderThanSpreadsAndSteps) {
  EXPECT_EQ(levels_of(measured({10, 20.1, 10.1, 20, 10.2})), (Levels{0, 1, 0, 1, 0}));
  EXPECT_EQ(levels_of(measured({1, 2, 4, 1.01, 2.02, 4.04})), (Levels{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(levels_of(measured({10, 10.5, 10.9})), (Levels{0, 0, 0})) << "less than a tenth apart";
  EXPECT_EQ(levels_of(measured({10, 12}, 0.3)), (Levels{0, 0})) << "apart by less than both are known to";
  EXPECT_EQ(levels_of(measured({10, 11.5, 13, 15, 17.4})), (Levels{0, 0, 0, 0, 0})) << "evenly scattered";
  EXPECT_EQ(levels_of(measured({})), Levels{});
}

TEST(LevelsOfValues, AreOneWhereValuesAreMerelyNoisy) {
  constexpr std::uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  int split = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::normal_distribution<double> noise(100, 100 * 0.04 * (trial % 2 + 1) / 2);  // 2 and 4 %
    std::vector<Measured> values;
    for (int i = 0; i < 28; ++i) values.push_back({noise(random), 0.02});
    const Levels levels = levels_of(values);
    split += *std::max_element(levels.begin(), levels.end()) > 0;
  }
  EXPECT_EQ(split, 0);
}

// Nodes 0 to 3 and 4 to 7 behind a switch each.
Contentions of_two_switches(double slowed) {
  Contentions all;
  for (std::uint32_t shift = 1; shift < 8; ++shift) {
    std::vector<Flow> round;
    for (std::uint32_t node = 0; node < 8; ++node) {
      const Flow flow{node, (node + shift) % 8};
      round.push_back(flow);
      const bool crosses = flow.from / 4 != flow.to / 4;
      const std::uint32_t crossing = std::min(shift, 8 - shift);
      all.streams.push_back({flow, shift - 1, crosses && crossing > 1 ? slowed : 1.01});
    }
    all.rounds.push_back(round);
  }
  return all;
}

TEST(GroupsOfNodes, AreFoundByStreamsAloneWhereSwitchesAreNoFartherThanNodes) {
  const Grouping found = find_groups(8, {}, of_two_switches(2));
  EXPECT_EQ(found.group_of, (Levels{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(found.groups, 2U);
  EXPECT_EQ(found.sharing, Sharing::kUplinks);
}

TEST(GroupsOfNodes, AreOneWhereNoStreamIsSlowed) {
  const Grouping found = find_groups(8, {}, of_two_switches(1.05));
  EXPECT_EQ(found.groups, 1U);
  EXPECT_EQ(found.sharing, Sharing::kNone);
}

TEST(GroupsOfNodes, ShareABackplaneWhereAllStreamsAreSlowed) {
  Contentions all = of_two_switches(2);
  for (Contention& each : all.streams) each.times = 2;
  EXPECT_EQ(find_groups(8, {}, all).sharing, Sharing::kBackplane);
}

TEST(GroupsOfNodes, AreFoundByDistanceAndSayThatNothingWasMeasuredAgainstOthers) {
  Distances distances;
  for (std::uint32_t a = 0; a < 6; ++a)
    for (std::uint32_t b = a + 1; b < 6; ++b) distances[{a, b}] = {a % 2 == b % 2 ? 50.0 : 90.0, 0.02};
  EXPECT_EQ(find_groups(6, distances, {}).group_of, (Levels{0, 1, 0, 1, 0, 1}));
  distances.clear();
  for (std::uint32_t a = 0; a < 6; ++a)
    for (std::uint32_t b = a + 1; b < 6; ++b) distances[{a, b}] = {50.0, 0.02};
  const Grouping one = find_groups(6, distances, {});
  EXPECT_EQ(one.groups, 1U);
  ASSERT_EQ(one.notes.size(), 1U);
  EXPECT_NE(one.notes[0].find("not seen"), std::string::npos);
}

// Six nodes, each sending to the third behind it, all slowed: of nodes 0 to 2 and 3 to 5, of 1 to 3 and 4 to 0, of 2 to
// 4 and 5 to 1 behind a switch each, all streams cross.
TEST(GroupsOfNodes, AreThoseThatSmallMessagesTellFaintlyOfAllThatExplainTheStreams) {
  Contentions all;
  all.rounds.emplace_back();
  for (std::uint32_t node = 0; node < 6; ++node) {
    all.rounds[0].push_back({node, (node + 3) % 6});
    all.streams.push_back({all.rounds[0].back(), 0, 1.5});
    all.rounds.push_back({{node, (node + 1) % 6}});
    all.streams.push_back({all.rounds.back()[0], node + 1, 1.0});
  }
  for (std::uint32_t first = 0; first < 3; ++first) {
    Levels truth;
    for (std::uint32_t node = 0; node < 6; ++node) truth.push_back((node + 6 - first) % 6 / 3);
    Distances distances;
    for (std::uint32_t a = 0; a < 6; ++a)
      for (std::uint32_t b = a + 1; b < 6; ++b) distances[{a, b}] = {truth[a] == truth[b] ? 50.0 : 52.0, 0.001};
    const Grouping found = find_groups(6, distances, all);
    EXPECT_EQ(found.groups, 2U);
    EXPECT_EQ(found.sharing, Sharing::kUplinks);
    for (std::uint32_t node = 0; node < 6; ++node)
      EXPECT_EQ(found.group_of[node] == found.group_of[0], truth[node] == truth[0]) << "first " << first;
  }
}

TEST(GroupsOfNodes, AreNoneForASingleNodeThatIsFarFromAllOthers) {
  Distances distances;
  for (std::uint32_t a = 0; a < 6; ++a)
    for (std::uint32_t b = a + 1; b < 6; ++b) distances[{a, b}] = {a == 3 || b == 3 ? 500.0 : 50.0, 0.02};
  EXPECT_EQ(find_groups(6, distances, {}).groups, 1U);
}

// latency + (k·min(s, Z) + s) / r, as docs/models/network-store-and-forward.md has it.
std::vector<RestPoint> crossing(double packet, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, noise);
  std::vector<RestPoint> points;
  for (double size = 1; size <= 65'536; size *= 1.5) {
    const double time = (50'000 + (std::min(size, packet) + size) * 80) * (1 + normal(random));
    points.push_back({size, time, time});
  }
  return points;
}

TEST(KneeOfAPath, IsAtTheSizeOfThePackets) {
  std::mt19937_64 random(1);
  for (const double packet : {1500.0, 4096.0, 9000.0, 30'000.0}) {
    const Knee exact = find_knee(crossing(packet, 0, random), {2, 80});
    EXPECT_TRUE(exact.seen);
    EXPECT_NEAR(exact.packet, packet, 0.005 * packet);
    const Knee noisy = find_knee(crossing(packet, 0.01, random), {2, 80});
    EXPECT_TRUE(noisy.seen);
    EXPECT_NEAR(noisy.packet, packet, 0.25 * packet);
  }
}

TEST(KneeOfAPath, IsNotSeenWhereEveryMessageIsOnePacket) {
  std::mt19937_64 random(1);
  EXPECT_FALSE(find_knee(crossing(102'400, 0, random), {2, 80}).seen);
  EXPECT_FALSE(find_knee(crossing(102'400, 0.01, random), {2, 80}).seen);
}

std::vector<Member> members(std::size_t count, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> own(1, noise), of_run(1, noise);
  std::vector<Member> all(count);
  for (Member& member : all) {
    const double centre = own(random);
    for (int run = 0; run < 5; ++run) member.runs.push_back(centre * of_run(random));
  }
  return all;
}

TEST(PeersOfAComponent, TellTheSlowOneByHowMuchTheOthersDiffer) {
  std::mt19937_64 random(3);
  std::vector<Member> all = members(16, 0.01, random);
  for (double& run : all[5].runs) run *= 1.25;
  const std::vector<Outlier> found = slower_than_peers(all);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].member, 5U);
  EXPECT_NEAR(found[0].times, 1.25, 0.05);
  EXPECT_LT(found[0].p, 0.001);
}

TEST(PeersOfAComponent, CannotBeTwo) {
  EXPECT_TRUE(slower_than_peers(std::vector<Member>{{{1, 1, 1}}, {{2, 2, 2}}}).empty());
}

TEST(PeersOfAComponent, AreNotToldApartByDifferencesThatDoNotMatter) {
  std::vector<Member> all(10, Member{{1, 1, 1, 1, 1}});
  all[2].runs = {1.04, 1.04, 1.04, 1.04, 1.04};
  EXPECT_TRUE(slower_than_peers(all).empty());
}

// Of 1000 classes of 3 to 32 healthy components, which differ by 5 % and vary by as much: one is expected.
TEST(PeersOfAComponent, AreHardlyEverCalledSlowWhereNoneIs) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  int with_findings = 0;
  constexpr int kClasses = 1000;
  for (int trial = 0; trial < kClasses; ++trial)
    with_findings += !slower_than_peers(members(static_cast<std::size_t>(3 + trial % 30), 0.05, random)).empty();
  EXPECT_LE(with_findings, 3);
}

TEST(ProgressOfTransfers, IsToldByWhatComputationHides) {
  EXPECT_EQ(progress_of({100, 100, 195, 110}), Progress::kInCalls);
  EXPECT_EQ(progress_of({100, 100, 102, 102}), Progress::kHardware);
  EXPECT_EQ(progress_of({100, 100, 125, 125}), Progress::kThread);
  EXPECT_DOUBLE_EQ(hidden(100, 200, 250), 0.5);
}

TEST(CpuLists, AreReadAsLinuxWritesThem) {
  EXPECT_EQ(parse_cpu_list("0-1,4"), (Levels{0, 1, 4}));
  EXPECT_EQ(parse_cpu_list("7"), Levels{7});
  for (const char* const wrong : {"", "x", "1-", "-1", "1,,2", "99999999999", "0-4294967295"})
    EXPECT_EQ(parse_cpu_list(wrong), Levels{}) << wrong;
}

TEST(ThisMachine, IsWhatHwlocIsToldItIs) {
  setenv("HWLOC_SYNTHETIC", "pack:2 core:3 pu:1", 1);
  const auto machine = this_machine();
  unsetenv("HWLOC_SYNTHETIC");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->cpus, 6U);
  EXPECT_EQ(machine->socket_of, (Levels{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(sockets_of(*machine), 2U);
}

}  // namespace
}  // namespace plumbline::hw::calibration
