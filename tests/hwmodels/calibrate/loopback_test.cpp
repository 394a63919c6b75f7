// Latencies of cables and what kernel and library take, told apart by ranks of one node that share no memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "base/statistics/sign_test.hpp"
#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// What kernel and library take beside the calls, of every message.
Platform with_software(Platform platform, Duration software) {
  for (MessageRange& range : platform.between.ranges) range.latency.value += software;
  return platform;
}

double off_by(Duration found, Duration truth) { return std::abs(found.seconds() - truth.seconds()) / truth.seconds(); }

std::string told_by(const Calibration& made) {
  std::string text;
  for (const std::string& note : made.notes) text += note + "\n";
  return text;
}

struct Drawn {
  Tree tree;
  Duration software;
};

Drawn draw(std::mt19937_64& random) {
  const auto microseconds_between = [&](double least, double most) {
    return nanoseconds(
        std::llround(1e3 * std::exp(std::uniform_real_distribution<double>(std::log(least), std::log(most))(random))));
  };
  Drawn drawn;
  drawn.tree.groups.assign(1 + random() % 2, static_cast<std::uint32_t>(3 + random() % 3));
  drawn.tree.link = {1'000'000 * (10 + random() % 1000)};
  drawn.tree.uplink = {drawn.tree.link.count * 2};
  drawn.tree.link_latency = microseconds_between(1, 100);
  drawn.tree.uplink_latency = drawn.tree.link_latency * 2;
  drawn.software = microseconds_between(1, 50);
  return drawn;
}

TEST(Loopback, TellsTheLatencyOfCablesFromWhatKernelAndLibraryTake) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < test::cases(60); ++i) {
    const Drawn drawn = draw(random);
    SCOPED_TRACE(fmt::format("machine {}: {} groups of {}, cables of {} ps and {} B/s, software {} ps", i,
                             drawn.tree.groups.size(), drawn.tree.groups[0], drawn.tree.link_latency.ps,
                             drawn.tree.link.count, drawn.software.ps));
    SyntheticMeasurer measurer(with_software(platform_of(drawn.tree), drawn.software), {});
    const Platform made =
        calibrate(measurer.campaign({.runs = 2, .repetitions = 2, .contentions = 20, .loopback = true})).platform;
    double worst = 0;
    for (std::size_t node = 0; node < made.nodes.size(); ++node)  // their cables come first
      worst = std::max(worst, off_by(made.edges[node].latency.value, drawn.tree.link_latency));
    EXPECT_LE(worst, 0.02);
    EXPECT_LE(off_by(made.between.ranges.front().latency.value, drawn.software), 0.02);
  }
}

// Only where the numbers stand changes, not what they add up to. (A range whose whole latency is shorter than that of
// the first one has none left where cables have all of it; with less in the cables it is nearer to what was measured.)
TEST(Loopback, ChangesNoPredictedTime) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < test::cases(40); ++i) {
    const Drawn drawn = draw(random);
    const double noise = 0.01 * static_cast<double>(random() % 3);
    const Platform truth = with_software(platform_of(drawn.tree), drawn.software);
    SyntheticMeasurer measurer(truth, {.pairs = noise, .runs = noise, .repetitions = noise, .seed = random()});
    const bench::Campaign campaign = measurer.campaign({.contentions = 20, .loopback = true});
    bench::Campaign without = campaign;
    std::erase_if(without.cells, [](const bench::Cell& cell) { return cell.words.contains(bench::kWay); });
    const Platform apart = calibrate(campaign).platform, together = calibrate(without).platform;
    const SyntheticMeasurer one(apart, {}), other(together, {}), measured(truth, {});
    for (std::uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 7) {
      const MessageRange& range = range_of(together.between, Bytes{bytes});
      const bool is_cut = range.latency.value == Duration{} && &range != &together.between.ranges.front();
      const auto last = static_cast<std::uint32_t>(truth.nodes.size() - 1);
      for (const std::uint32_t to : {1U, last}) {
        const double its = one.one_way_ns(0, to, bytes), before = other.one_way_ns(0, to, bytes);
        EXPECT_LE(its, before + 0.1) << bytes << " B to n" << to;
        EXPECT_GE(its, is_cut ? 0 : before - 0.1) << bytes << " B to n" << to;
      }
    }
  }
}

TEST(Loopback, IsSaidInTheSourcesAndInAClassOfItsOwn) {
  const Platform truth = with_software(platform_of({.groups = {4}}), microseconds(20));
  const Calibration with = calibrate(SyntheticMeasurer(truth, {}).campaign({.loopback = true}));
  EXPECT_THAT(with.platform.edges[0].latency.source,
              HasSubstr("3 runs: round trips beyond those through the loopback"));
  EXPECT_THAT(with.platform.between.ranges[0].latency.source, HasSubstr("less both calls, 15 repetitions"));
  EXPECT_EQ(with.classes.back().name, "through the loopback");
  EXPECT_EQ(with.classes.back().smallest.ps / 1'000'000, 38) << "8 + 20 + 10 us";
  EXPECT_EQ(parse_platform(to_xml(with.platform), "made").between, with.platform.between);

  const Calibration without = calibrate(SyntheticMeasurer(truth, {}).campaign());
  EXPECT_THAT(without.platform.edges[0].latency.source, HasSubstr("kernel and library are in it"));
  EXPECT_LT(off_by(without.platform.edges[0].latency.value, microseconds(35)), 0.02);
}

// Cables of 25 us and software of 20 us were measured, with 38 us through the loopback. Ranks that had waited take 48
// us there: the 10 us more are software, and half of them was missing in each of two cables.
TEST(Loopback, IsThatOfRanksThatWaitedWhereItWasMeasured) {
  const Platform truth = with_software(platform_of({.groups = {4}}), microseconds(20));
  bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign({.loopback = true});
  const Calibration before = calibrate(campaign);
  EXPECT_THAT(told_by(before), HasSubstr("no rank had waited"));
  const std::vector<bench::Cell> cells = campaign.cells;
  for (bench::Cell cell : cells) {
    if (!cell.words.contains(bench::kWay)) continue;
    cell.words["part"] = "waited";
    for (double& seconds : cell.seconds) seconds += 2 * 10e-6;
    campaign.cells.push_back(std::move(cell));
  }
  const Calibration made = calibrate(campaign);
  EXPECT_THAT(told_by(made), Not(HasSubstr("no rank had waited")));
  EXPECT_NEAR(before.platform.edges[0].latency.value.seconds() * 1e6, 25, 0.5);
  EXPECT_NEAR(made.platform.edges[0].latency.value.seconds() * 1e6, 20, 0.5);
  EXPECT_NEAR(made.platform.between.ranges[0].latency.value.seconds() * 1e6, 30, 0.6);
}

TEST(Loopback, IsNoPairInsideOfANode) {
  const Platform truth = with_software(platform_of({.groups = {4}}), microseconds(20));
  const Platform with = calibrate(SyntheticMeasurer(truth, {}, 2).campaign({.loopback = true})).platform;
  const Platform without = calibrate(SyntheticMeasurer(truth, {}, 2).campaign()).platform;
  EXPECT_EQ(with.inside, without.inside);
}

// The library took no notice: what is called loopback took as long as shared memory.
TEST(Loopback, IsNotUsedWhereItTakesNoLongerThanSharedMemory) {
  const Platform truth = with_software(platform_of({.groups = {4}}), microseconds(20));
  bench::Campaign campaign = SyntheticMeasurer(truth, {.runs = 0.02}, 2).campaign({.loopback = true});
  bench::Campaign without = campaign;
  std::erase_if(without.cells, [](const bench::Cell& cell) { return cell.words.contains(bench::kWay); });
  for (bench::Cell& cell : campaign.cells)
    if (cell.words.contains(bench::kWay)) cell.seconds.assign(cell.seconds.size(), 2 * 750e-9);  // 300 + 100 + 350 ns
  const Calibration made = calibrate(campaign);
  EXPECT_THAT(told_by(made), HasSubstr("the library did not leave it"));
  EXPECT_EQ(made.platform, calibrate(without).platform);
}

TEST(Loopback, LeavesCablesWithoutLatencyWhereItTakesAsLongAsTheNetwork) {
  const Platform truth = with_software(platform_of({.groups = {4}}), microseconds(20));
  bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign({.loopback = true});
  for (bench::Cell& cell : campaign.cells)
    if (cell.words.contains(bench::kWay)) cell.seconds.assign(cell.seconds.size(), 1e-3);
  const Calibration made = calibrate(campaign);
  EXPECT_THAT(told_by(made), HasSubstr("the loopback takes as long as messages between nodes"));
  for (const Edge& edge : made.platform.edges) EXPECT_EQ(edge.latency.value, Duration{});
  EXPECT_LT(off_by(made.platform.between.ranges[0].latency.value, microseconds(70)), 0.02);
}

TEST(Loopback, LeavesAFarNodeAFindingOfItsPeers) {
  Platform truth = with_software(platform_of({.groups = {8}}), microseconds(20));
  edge_of(truth, "n6-s0").latency.value = milliseconds(1);
  const Calibration made =
      calibrate(SyntheticMeasurer(truth, {.pairs = 0.02, .runs = 0.02}).campaign({.loopback = true}));
  ASSERT_FALSE(made.findings.empty());
  for (const Finding& finding : made.findings) {
    EXPECT_EQ(finding.component, "link n6-s0") << title(finding);
    EXPECT_EQ(finding.reference, Reference::kPeers);
  }
  EXPECT_LT(off_by(made.platform.edges[0].latency.value, microseconds(25)), 0.15);
}

std::vector<std::string> components_of(const std::vector<Finding>& findings) {
  std::vector<std::string> components;
  for (const Finding& finding : findings)
    if (finding.reference == Reference::kNominal) components.push_back(finding.component);
  return components;
}

TEST(NominalLatency, IsJudgedWhereTheLoopbackWasMeasured) {
  const Platform nominal = platform_of({.groups = {6}});  // cables of 25 us
  Platform truth = with_software(nominal, microseconds(30));
  edge_of(truth, "n2-s0").latency.value = microseconds(45);
  const CampaignOptions given{.nominal = nominal, .nominal_name = "data.xml"};
  SyntheticMeasurer measurer(truth, {.runs = 0.01});
  const Calibration made = calibrate(measurer.campaign({.loopback = true}), given);
  SCOPED_TRACE(told_by(made));
  EXPECT_THAT(components_of(made.findings), testing::ElementsAre("link n2-s0"));
  for (const Finding& finding : made.findings) {
    if (finding.reference != Reference::kNominal) continue;
    EXPECT_NEAR(finding.measured, 70'000, 3'500) << title(finding);
    EXPECT_NEAR(finding.expected, 50'000, 1);
    EXPECT_THAT(title(finding), HasSubstr("link n2-s0: latency of the way to nodes"));
  }
  EXPECT_THAT(components_of(calibrate(SyntheticMeasurer(truth, {.runs = 0.01}).campaign(), given).findings), IsEmpty())
      << "without the loopback nobody knows what is the cables'";
}

TEST(NominalLatency, AnswersWithTheSignTestOverTheRunsOfAllWays) {
  const Platform nominal = platform_of({.groups = {6}});
  std::uint32_t undecided = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Platform truth = with_software(nominal, microseconds(30));
    edge_of(truth, "n2-s0").latency.value = microseconds(36);
    SyntheticMeasurer measurer(truth, {.runs = 0.03, .seed = seed});
    const Calibration made = calibrate(measurer.campaign({.runs = 5, .trains = false, .loopback = true}),
                                       {.nominal = nominal, .nominal_name = "data.xml"});
    for (const Finding& finding : made.findings) {
      unsigned above = 0, runs = 0;
      if (std::sscanf(finding.basis.c_str(), "%u of %u medians of runs, less", &above, &runs) != 2) continue;
      EXPECT_EQ(finding.p, statistics::sign_test(above, runs)) << title(finding) << ": " << finding.basis;
      undecided += above < runs;
    }
  }
  EXPECT_GT(undecided, 0U);
}

// Noise of 1 to 3 % in pairs and runs, and data sheets that are right.
TEST(NominalLatency, AccusesNoHealthyMachine) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < test::cases(60); ++i) {
    Drawn drawn = draw(random);
    const Platform nominal = platform_of(drawn.tree);
    const double noise = 0.01 * static_cast<double>(1 + random() % 3);
    // Of times that are mostly software, the noise of the software is larger than the cables are.
    if (drawn.software > drawn.tree.link_latency) drawn.software = drawn.tree.link_latency;
    SyntheticMeasurer measurer(with_software(nominal, drawn.software),
                               {.pairs = noise / 3, .runs = noise, .repetitions = 0.1, .seed = random()});
    const Calibration made =
        calibrate(measurer.campaign({.runs = 5, .contentions = 20, .trains = false, .loopback = true}),
                  {.nominal = nominal, .nominal_name = "data.xml"});
    for (const Finding& finding : made.findings)
      EXPECT_THAT(finding.quantity, Not(HasSubstr("latency"))) << title(finding);
  }
}

}  // namespace
}  // namespace plumbline::hw::calibration
