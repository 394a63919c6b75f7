// Platforms that come back from the campaigns that they predict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/statistics/sign_test.hpp"
#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "hwmodels/topology/topology.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/support/cases.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Relative.
double deviation(double measured, double truth) { return std::abs(measured - truth) / truth; }
double deviation(BytesPerSecond measured, BytesPerSecond truth) {
  return deviation(static_cast<double>(measured.count), static_cast<double>(truth.count));
}
double deviation(Duration measured, Duration truth) { return deviation(measured.seconds(), truth.seconds()); }

using Groups = std::vector<std::uint32_t>;

Groups groups_in(const Platform& platform) {
  Groups groups;
  for (std::uint32_t node = 0; node < platform.nodes.size(); ++node)
    for (const Edge& edge : platform.edges)
      if (edge.from == node) groups.push_back(edge.to - static_cast<std::uint32_t>(platform.nodes.size()));
  return groups;
}

std::string notes_of(const Calibration& made) {
  std::string text;
  for (const std::string& note : made.notes) text += note + "\n";
  return text;
}

TEST(CalibratedCampaign, GivesTheStarThatWasMeasuredWithoutNoise) {
  const Tree tree{.groups = {4}};
  const Platform truth = platform_of(tree);
  const Calibration made = calibrate(SyntheticMeasurer(truth, {}).campaign());
  SCOPED_TRACE(notes_of(made));
  const Platform& platform = made.platform;
  ASSERT_EQ(platform.nodes.size(), 4U);
  EXPECT_EQ(platform.switches.size(), 1U);
  ASSERT_EQ(platform.edges.size(), 4U);
  EXPECT_EQ(platform.edges[3].name, "n3-s0");
  for (const Edge& edge : platform.edges) {
    EXPECT_LT(deviation(edge.rate.value, tree.link), 0.005) << edge.rate.value.count;
    EXPECT_LT(deviation(edge.latency.value, tree.link_latency), 0.02) << edge.latency.value.ps;
    EXPECT_FALSE(edge.half_duplex);
  }
  EXPECT_LT(deviation(static_cast<double>(platform.packets.granularity.count), 9000.0), 0.02);
  ASSERT_EQ(platform.between.ranges.size(), 2U);
  EXPECT_EQ(platform.between.ranges[0].upto, Bytes{65'536});
  EXPECT_EQ(platform.between.ranges[1].protocol, Protocol::kRendezvous);
  EXPECT_LT(deviation(platform.between.ranges[0].send.value, microseconds(8)), 0.01);
  EXPECT_LT(deviation(platform.between.ranges[0].receive.value, microseconds(10)), 0.01);
  EXPECT_EQ(platform.between.progress, Progress::kInCalls);
  EXPECT_THAT(made.findings, IsEmpty());
  EXPECT_EQ(parse_platform(to_xml(platform), "made").edges, platform.edges);
}

// Every one-way time that was measured is that of the platform.
TEST(CalibratedCampaign, GivesAPlatformOnWhichEachMessageTakesWhatItTook) {
  const Platform truth = platform_of({.groups = {3, 3}});
  SyntheticMeasurer measurer(truth, {});
  const Calibration made = calibrate(measurer.campaign());
  SCOPED_TRACE(notes_of(made));
  const SyntheticMeasurer again(made.platform, {});
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {4, 5}, {0, 4}, {2, 3}})
    for (std::uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 3)
      EXPECT_LT(deviation(again.one_way_ns(a, b, bytes), measurer.one_way_ns(a, b, bytes)), 0.02)
          << bytes << " B from n" << a << " to n" << b;
}

TEST(CalibratedCampaign, FindsTwoSwitchesAndTheRateOfTheCableBetweenThem) {
  const Tree tree{.groups = {4, 4}, .uplink = {20'000'000}};
  const Calibration made = calibrate(SyntheticMeasurer(platform_of(tree), {}).campaign());
  SCOPED_TRACE(notes_of(made));
  EXPECT_EQ(groups_in(made.platform), (Groups{0, 0, 0, 0, 1, 1, 1, 1}));
  ASSERT_EQ(made.platform.edges.size(), 9U);
  EXPECT_EQ(made.platform.edges.back().name, "s0-s1");
  EXPECT_LT(deviation(made.platform.edges.back().rate.value, tree.uplink), 0.03);
  EXPECT_LT(deviation(made.platform.edges.back().latency.value, tree.uplink_latency), 0.1);
  EXPECT_LT(deviation(made.platform.edges[0].rate.value, tree.link), 0.03);
  EXPECT_LT(deviation(made.platform.edges[0].latency.value, tree.link_latency), 0.1);
}

TEST(CalibratedCampaign, FindsTwoSwitchesThatAreNoFartherApartThanNodesByTheirStreams) {
  const Tree tree{.groups = {4, 4}, .uplink = {15'000'000}, .uplink_latency = {}};
  Platform truth = platform_of(tree);
  const Calibration made = calibrate(SyntheticMeasurer(truth, {.pairs = 0.02, .runs = 0.02, .seed = 5}).campaign());
  SCOPED_TRACE(notes_of(made));
  EXPECT_EQ(groups_in(made.platform), (Groups{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_LT(deviation(made.platform.edges.back().rate.value, tree.uplink), 0.05);
}

TEST(CalibratedCampaign, FindsATreeOfThreeSwitchesAndItsCore) {
  const Tree tree{.groups = {3, 3, 3}, .uplink = {12'500'000}};
  const Calibration made = calibrate(SyntheticMeasurer(platform_of(tree), {.runs = 0.01}).campaign());
  SCOPED_TRACE(notes_of(made));
  EXPECT_EQ(groups_in(made.platform), (Groups{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  ASSERT_EQ(made.platform.edges.size(), 12U);
  EXPECT_EQ(made.platform.edges.back().name, "s2-core");
  EXPECT_LT(deviation(made.platform.edges.back().rate.value, tree.uplink), 0.05);
  EXPECT_LT(deviation(made.platform.edges.back().latency.value, tree.uplink_latency), 0.1);
}

// Cables between switches that carry all that the nodes can send: only distance tells of them.
TEST(CalibratedCampaign, SaysOfFullBisectionThatItKnowsTheLeastThatUplinksCarry) {
  const Tree tree{.groups = {4, 4}, .uplink = {100'000'000}};
  const Calibration made = calibrate(SyntheticMeasurer(platform_of(tree), {.runs = 0.01}).campaign());
  EXPECT_EQ(groups_in(made.platform), (Groups{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_THAT(notes_of(made), HasSubstr("or more"));
  EXPECT_GE(made.platform.edges.back().rate.value.count, 4 * tree.link.count * 9 / 10);
  EXPECT_THAT(made.findings, IsEmpty());
}

TEST(CalibratedCampaign, FindsABackplaneThatAllStreamsShare) {
  Platform truth = platform_of({.groups = {6}});
  truth.switches[0].rate.value = {30'000'000};
  const Calibration made = calibrate(SyntheticMeasurer(truth, {.runs = 0.01}).campaign());
  SCOPED_TRACE(notes_of(made));
  EXPECT_EQ(made.platform.switches.size(), 1U);
  EXPECT_LT(deviation(made.platform.switches[0].rate.value, {30'000'000}), 0.05);
}

TEST(CalibratedCampaign, GivesWhatMessagesCostInsideOfNodes) {
  const Platform truth = platform_of({.groups = {3}});
  const Calibration made = calibrate(SyntheticMeasurer(truth, {}, 2).campaign());
  SCOPED_TRACE(notes_of(made));
  ASSERT_EQ(made.platform.inside.ranges.size(), 1U);
  const MessageRange& range = made.platform.inside.ranges[0];
  EXPECT_LT(deviation(range.send.value, nanoseconds(300)), 0.01);
  EXPECT_LT(deviation(range.receive.value, nanoseconds(350)), 0.01);
  EXPECT_LT(deviation(range.latency.value, nanoseconds(100)), 0.02);
  for (const Node& node : made.platform.nodes) {
    EXPECT_LT(deviation(node.memory_rate.value, {10'000'000'000}), 0.01);
    EXPECT_EQ(node.cores, 2U);
  }
  EXPECT_EQ(made.classes.front().name, "inside a node");
}

TEST(CalibratedCampaign, IsOfOneMachineWhereThereIsOneNode) {
  Platform truth = platform_of({.groups = {1}});
  truth.edges.clear();
  const Calibration made = calibrate(SyntheticMeasurer(truth, {}, 2).campaign());
  EXPECT_TRUE(made.platform.edges.empty());
  EXPECT_TRUE(made.platform.between.ranges.empty());
  EXPECT_FALSE(made.platform.inside.ranges.empty());
  EXPECT_EQ(parse_platform(to_xml(made.platform), "made").nodes.size(), 1U);
}

// The receiver copies with half of the rate of the memory.
TEST(CalibratedCampaign, TellsUntilWhenSendersInsideOfANodeWait) {
  for (const SenderFree wanted : {SenderFree::kArrived, SenderFree::kCopied}) {
    Platform truth = platform_of({.groups = {3}});
    truth.inside.ranges.push_back(truth.inside.ranges.front());
    truth.inside.ranges.front().upto = Bytes{4096};
    MessageRange& copied = truth.inside.ranges.back();
    copied.protocol = Protocol::kRendezvous;
    copied.send_rate.reset();
    copied.receive_rate = Parameter<BytesPerSecond>{{truth.nodes.front().memory_rate.value.count / 2}, 0, ""};
    truth.inside.sender_free = wanted;
    EXPECT_EQ(calibrate(SyntheticMeasurer(truth, {}, 2).campaign()).platform.inside.sender_free, wanted);
  }
}

TEST(CalibratedCampaign, FindsHalfDuplexCables) {
  Platform truth = platform_of({.groups = {4}});
  for (Edge& edge : truth.edges) edge.half_duplex = true;
  const Calibration made = calibrate(SyntheticMeasurer(truth, {.runs = 0.01}).campaign());
  for (const Edge& edge : made.platform.edges) EXPECT_TRUE(edge.half_duplex);
  EXPECT_LT(deviation(made.platform.edges[0].rate.value, {12'500'000}), 0.05);
}

TEST(CalibratedCampaign, NamesTheOnlyCableThatIsHalfDuplex) {
  constexpr int kTrials = test::cases(20);
  for (int trial = 0; trial < kTrials; ++trial) {
    Platform truth = platform_of({.groups = {8}});
    edge_of(truth, "n3-s0").half_duplex = true;
    const Calibration made = calibrate(
        SyntheticMeasurer(truth, {.pairs = 0.01, .runs = 0.02}, 100 + static_cast<unsigned>(trial)).campaign());
    ASSERT_EQ(made.findings.size(), 1U) << "trial " << trial;
    EXPECT_EQ(made.findings[0].component, "link n3-s0");
    EXPECT_EQ(made.findings[0].quantity, "rate of both directions at once");
    EXPECT_NEAR(made.findings[0].severity, 0.5, 0.1);
    for (const Edge& edge : made.platform.edges) EXPECT_FALSE(edge.half_duplex) << edge.name;
  }
}

// Where all stream at once, each direction of the cable waits for the other.
TEST(CalibratedCampaign, NamesAHalfDuplexCableOnceWhereStreamsOfAllTellOfMorePairs) {
  constexpr int kTrials = test::cases(20);
  for (int trial = 0; trial < kTrials; ++trial) {
    Platform truth = platform_of({.groups = {8}});
    edge_of(truth, "n3-s0").half_duplex = true;
    const Noise noise{.pairs = 0.01, .runs = 0.02, .seed = 100 + static_cast<unsigned>(trial)};
    const Calibration made = calibrate(SyntheticMeasurer(truth, noise).campaign({.rings = true}));
    ASSERT_EQ(made.findings.size(), 1U) << "trial " << trial << "\n" << notes_of(made);
    EXPECT_EQ(made.findings[0].component, "link n3-s0");
    EXPECT_EQ(made.findings[0].quantity, "rate of both directions at once");
  }
}

TEST(CalibratedCampaign, NamesBothFaultsOfACableThatIsHalfDuplexAndSlowInOneDirection) {
  constexpr int kTrials = test::cases(20);
  for (const bool out : {true, false}) {
    for (int trial = 0; trial < kTrials; ++trial) {
      Platform truth = platform_of({.groups = {8}});
      edge_of(truth, "n3-s0").half_duplex = true;
      SyntheticMeasurer measurer(truth, {.pairs = 0.01, .runs = 0.01, .seed = 300 + static_cast<unsigned>(trial)});
      measurer.slow_down(3, out, 1.5);
      const Calibration made = calibrate(measurer.campaign({.rings = true}));
      std::set<std::string> named;
      for (const Finding& each : made.findings) named.insert(each.component + ": " + each.quantity);
      EXPECT_EQ(named, (std::set<std::string>{"link n3-s0: rate of both directions at once",
                                              out ? "link n3-s0, from n3: rate" : "link n3-s0, to n3: rate"}))
          << "trial " << trial;
    }
  }
}

TEST(CalibratedCampaign, TellsWhoGoesOnWithTransfers) {
  Platform truth = platform_of({.groups = {3}});
  for (const Progress progress : {Progress::kInCalls, Progress::kThread, Progress::kHardware}) {
    truth.between.progress = progress;
    EXPECT_EQ(calibrate(SyntheticMeasurer(truth, {.runs = 0.02}).campaign()).platform.between.progress, progress);
  }
}

TEST(CalibratedCampaign, FindsALinkOfHalfTheRateByItsName) {
  Platform truth = platform_of({.groups = {8}});
  edge_of(truth, "n3-s0").rate.value = {6'250'000};
  const Calibration made = calibrate(SyntheticMeasurer(truth, {.pairs = 0.01, .runs = 0.01}).campaign());
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].component, "link n3-s0, both directions");
  EXPECT_EQ(made.findings[0].reference, Reference::kPeers);
  EXPECT_NEAR(made.findings[0].severity, 0.5, 0.03);
  EXPECT_THAT(title(made.findings[0]), HasSubstr("MB/s"));
  Platform platform = made.platform;
  EXPECT_LT(deviation(edge_of(platform, "n3-s0").rate.value, {12'500'000}), 0.03) << "fitted away";
}

struct SlowSide {
  bool out;
  double times;
  std::string component;
};

TEST(CalibratedCampaign, NamesTheDirectionOfASlowLinkDownToFourFifthsOfTheRate) {
  constexpr int kTrials = test::cases(20);
  for (const SlowSide& slow : {SlowSide{true, 1.25, "link n2-s0, from n2"}, SlowSide{false, 1.25, "link n2-s0, to n2"},
                               SlowSide{true, 2, "link n2-s0, from n2"}, SlowSide{false, 2, "link n2-s0, to n2"}}) {
    int named = 0, others = 0;
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
      SyntheticMeasurer measurer(platform_of({.groups = {8}}),
                                 {.pairs = 0.01, .runs = 0.01, .repetitions = 0.05, .seed = seed});
      measurer.slow_down(2, slow.out, slow.times);
      for (const Finding& finding : calibrate(measurer.campaign({.trains = false})).findings)
        if (++(finding.component == slow.component ? named : others) > 0 && others > 0)
          std::printf("seed %lu: %s\n", seed, title(finding).c_str());
    }
    EXPECT_EQ(named, kTrials) << slow.component << " " << slow.times;
    EXPECT_EQ(others, 0) << slow.component << " " << slow.times;
  }
}

TEST(CalibratedCampaign, NamesAPairThatIsSlowerThanItsCables) {
  SyntheticMeasurer measurer(platform_of({.groups = {8}}), {.pairs = 0.01, .runs = 0.01});
  measurer.slow_pair(5, 6, 1.6);
  const Calibration made = calibrate(measurer.campaign({.trains = false}));
  SCOPED_TRACE(notes_of(made));
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].component, "n5 to n6");
}

TEST(CalibratedCampaign, NamesANodeThatIsFarFromAllOthers) {
  Platform truth = platform_of({.groups = {8}});
  edge_of(truth, "n6-s0").latency.value = milliseconds(1);
  const Calibration made = calibrate(SyntheticMeasurer(truth, {.pairs = 0.02, .runs = 0.02}).campaign());
  EXPECT_EQ(made.platform.switches.size(), 1U);
  ASSERT_FALSE(made.findings.empty());
  for (const Finding& finding : made.findings) {
    EXPECT_EQ(finding.component, "link n6-s0") << title(finding);
    EXPECT_THAT(finding.quantity, HasSubstr("smallest message"));
  }
  EXPECT_LT(deviation(made.platform.edges[0].latency.value, microseconds(25)), 0.15);
}

// 200 machines of 4 to 11 nodes behind one to three switches, all healthy, with noise of 1 to 3 % in each pair and run.
TEST(CalibratedCampaign, FindsNothingWrongWithHealthyMachines) {
  constexpr std::uint64_t kMachines = test::cases(200);
  std::uint64_t accused = 0;
  for (std::uint64_t seed = 1; seed <= kMachines; ++seed) {
    std::mt19937_64 random(seed);
    Tree tree;
    tree.groups.assign(1 + random() % 3, static_cast<std::uint32_t>(4 + random() % 3));
    if (tree.groups.size() > 1) tree.groups.assign(tree.groups.size(), static_cast<std::uint32_t>(3 + random() % 2));
    tree.link = {1'000'000 * (10 + random() % 1000)};
    tree.uplink = {tree.link.count * (1 + random() % 3)};
    tree.link_latency = nanoseconds(static_cast<std::int64_t>(1000 + random() % 50'000));
    const double noise = 0.01 * static_cast<double>(1 + random() % 3);
    SyntheticMeasurer measurer(platform_of(tree), {.pairs = noise, .runs = noise, .repetitions = 0.1, .seed = seed});
    const Calibration made = calibrate(measurer.campaign({.contentions = 20, .trains = false}));
    accused += !made.findings.empty();
    if (!made.findings.empty()) std::printf("seed %lu: %s\n", seed, title(made.findings[0]).c_str());
  }
  EXPECT_EQ(accused, 0U);
}

TEST(CalibratedCampaign, TakesGivenHardwareAndSaysWhatFallsShortOfIt) {
  const Platform truth = platform_of({.groups = {4}});
  Platform nominal = truth;
  std::reverse(nominal.nodes.begin(), nominal.nodes.end());  // its own order
  for (Edge& edge : nominal.edges) edge.from = 3 - edge.from;
  for (Edge& edge : nominal.edges) edge.rate.value = {25'000'000};
  edge_of(nominal, "n1-s0").rate.value = {12'900'000};
  const Calibration made =
      calibrate(SyntheticMeasurer(truth, {.runs = 0.01}).campaign(), {.nominal = nominal, .nominal_name = "data.xml"});
  SCOPED_TRACE(notes_of(made));
  EXPECT_EQ(made.platform.nodes[0].name, "n3");
  EXPECT_EQ(made.platform.edges[0].rate.value, (BytesPerSecond{25'000'000}));
  EXPECT_EQ(made.platform.edges[0].rate.source, "nominal: data.xml");
  EXPECT_FALSE(made.platform.between.ranges.empty());
  std::set<std::string> components;
  for (const Finding& finding : made.findings) {
    EXPECT_EQ(finding.reference, Reference::kNominal);
    EXPECT_NEAR(finding.severity, 0.5, 0.03);
    components.insert(finding.component);
  }
  EXPECT_EQ(components, (std::set<std::string>{"link n0-s0, from n0", "link n0-s0, to n0", "link n2-s0, from n2",
                                               "link n2-s0, to n2", "link n3-s0, from n3", "link n3-s0, to n3"}));
}

// How sure a finding is rests on the runs that are beyond the band and on those that are not.
TEST(CalibratedCampaign, AnswersForANominalFindingWithTheSignTestOverItsRuns) {
  const Platform nominal = platform_of({.groups = {4}});
  std::uint32_t undecided = 0;  // findings some of whose runs are within the band
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Platform truth = nominal;
    for (Edge& edge : truth.edges) edge.rate.value.count = edge.rate.value.count * 89 / 100;
    SyntheticMeasurer measurer(truth, {.runs = 0.03, .seed = seed});
    const Calibration made = calibrate(measurer.campaign({.runs = 5, .contentions = 20, .trains = false}),
                                       {.nominal = nominal, .nominal_name = "data.xml"});
    for (const Finding& finding : made.findings) {
      unsigned below = 0, runs = 0;
      ASSERT_EQ(std::sscanf(finding.basis.c_str(), "%u of %u medians", &below, &runs), 2) << finding.basis;
      EXPECT_EQ(finding.p, statistics::sign_test(below, runs)) << title(finding) << ": " << finding.basis;
      undecided += below < runs;
    }
  }
  EXPECT_GT(undecided, 0U);
}

TEST(CalibratedCampaign, RefusesGivenHardwareWithoutANodeThatWasMeasured) {
  const Platform truth = platform_of({.groups = {4}});
  Platform nominal = truth;
  nominal.nodes[2].name = "other";
  const bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign({.trains = false});
  try {
    calibrate(campaign, {.nominal = nominal, .nominal_name = "data.xml"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("data.xml: has no node of these names, which were measured: n2"));
  }
}

TEST(CalibratedCampaign, GivesALogGPPlatformOnRequest) {
  const Platform truth = platform_of({.groups = {4}, .packet = Bytes{1'000'000}});
  const Calibration made = calibrate(SyntheticMeasurer(truth, {}).campaign(), {.network = NetworkKind::kLogGP});
  EXPECT_EQ(made.platform.network, NetworkKind::kLogGP);
  EXPECT_TRUE(made.platform.edges.empty());
  ASSERT_FALSE(made.platform.between.ranges.empty());
  const MessageRange& small = made.platform.between.ranges.front();
  EXPECT_LT(deviation(small.send.value, microseconds(8)), 0.01);
  ASSERT_TRUE(small.gap_rate);
  EXPECT_EQ(parse_platform(to_xml(made.platform), "made").network, NetworkKind::kLogGP);
}

// Nobody measured ranks of one node.
TEST(CalibratedCampaign, GivesASampledPlatformOfSeveralNodesOnRequest) {
  const Platform truth = platform_of({.groups = {4}, .packet = Bytes{1'000'000}});
  SyntheticMeasurer measurer(truth, {});
  bench::Campaign campaign = measurer.campaign();
  for (const std::uint64_t bytes : {8ULL, 1024ULL, 1ULL << 20}) {
    bench::Cell cell = cell_of("one_way", "", bytes, {0, 1});
    cell.in_flight = 1;
    cell.seconds.assign(40, measurer.one_way_ns(0, 1, bytes) * 1e-9);
    cell.flags.assign(cell.seconds.size(), 0);
    campaign.cells.push_back(cell);
  }
  const Platform made = [&] {
    const Calibration calibration = calibrate(campaign, {.network = NetworkKind::kSampled});
    EXPECT_THAT(notes_of(calibration), HasSubstr("no times of messages were measured inside of nodes"));
    return calibration.platform;
  }();
  EXPECT_EQ(made.network, NetworkKind::kSampled);
  EXPECT_TRUE(made.edges.empty());
  ASSERT_FALSE(made.between.ranges.empty());
  const MessageRange& small = made.between.ranges.front();
  EXPECT_LT(deviation(small.send.value, microseconds(8)), 0.01);
  EXPECT_TRUE(small.gap_rate);
  const std::vector<MessageTimes>& times = range_of(made.between, Bytes{8}).times;
  const auto eight = std::ranges::find(times, Bytes{8}, &MessageTimes::size);
  ASSERT_NE(eight, times.end());
  EXPECT_LT(deviation(eight->quantiles.front().value.seconds(), measurer.one_way_ns(0, 1, 8) * 1e-9), 1e-6);
  EXPECT_EQ(made.inside.ranges.front().times.front().source, "assumed: as between nodes");
  EXPECT_EQ(parse_platform(to_xml(made), "made"), made);
}

TEST(CalibratedCampaign, LeavesDisturbedRunsOutWhereEnoughOthersAreAndNamesThem) {
  bench::Campaign campaign = SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign({.runs = 4});
  for (bench::Cell& cell : campaign.cells)
    if (cell.run == 1)
      for (double& seconds : cell.seconds) seconds *= 5;
  campaign.runs[1].disturbances = {"load 9.0 on 2 cores"};
  const Calibration made = calibrate(campaign);
  EXPECT_THAT(notes_of(made), HasSubstr("run 1: load 9.0 on 2 cores: left out"));
  EXPECT_THAT(made.disturbances, IsEmpty());
  EXPECT_LT(made.platform.edges[0].rate.spread, 0.01);
  campaign.runs[0].disturbances = campaign.runs[2].disturbances = {"stolen 5 %"};
  const Calibration in_use = calibrate(campaign);
  EXPECT_EQ(in_use.disturbances.size(), 3U);
  EXPECT_THAT(in_use.platform.edges[0].rate.source, HasSubstr("machine in use"));
}

// In a laboratory all nodes are one machine: that is so in each run, and tells none from the others.
TEST(CalibratedCampaign, LeavesNoRunOutBecauseItsRanksSharedCoresAndMarksSources) {
  bench::Campaign campaign = SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign({.runs = 4});
  for (bench::Run& run : campaign.runs) {
    run.bindings.assign(run.node_of.size(), "0-1");
    run.boots.assign(run.node_of.size(), "one");
  }
  const Calibration made = calibrate(campaign);
  EXPECT_THAT(made.disturbances, IsEmpty());
  EXPECT_THAT(notes_of(made), Not(HasSubstr("left out")));
  EXPECT_THAT(made.platform.edges[0].rate.source, HasSubstr("4 runs (ranks shared cores)"));
}

TEST(CalibratedCampaign, TakesNoFlaggedRepetition) {
  bench::Campaign campaign = SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign();
  const Platform without = calibrate(campaign).platform;
  for (bench::Cell& cell : campaign.cells) {
    cell.seconds.insert(cell.seconds.end(), cell.seconds.size() + 2, 1000.0);
    cell.flags.resize(cell.seconds.size(), 1);
  }
  EXPECT_EQ(calibrate(campaign).platform, without);
}

TEST(CalibratedCampaign, SaysWhereEachNumberIsFrom) {
  const Platform platform =
      calibrate(SyntheticMeasurer(platform_of({.groups = {3, 3}}), {.runs = 0.01}).campaign()).platform;
  for (const Edge& edge : platform.edges) {
    EXPECT_THAT(edge.rate.source, HasSubstr("3 runs"));
    EXPECT_GT(edge.rate.spread, 0);
    EXPECT_THAT(edge.latency.source, HasSubstr("3 runs"));
  }
  for (const Switch& each : platform.switches) EXPECT_FALSE(each.rate.source.empty());
  for (const Node& node : platform.nodes) EXPECT_FALSE(node.interface_rate.source.empty());
  for (const MessageRange& range : platform.between.ranges) {
    EXPECT_THAT(range.send.source, HasSubstr("repetitions"));
    EXPECT_GT(range.send.spread, 0);
  }
}

TEST(CalibratedCampaign, BearsNumbersThatAreNone) {
  bench::Campaign campaign = SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign();
  const Platform without = calibrate(campaign).platform;
  for (bench::Cell& cell : campaign.cells) {
    for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) cell.seconds.push_back(wrong);
    cell.flags.resize(cell.seconds.size());
  }
  EXPECT_EQ(calibrate(campaign).platform, without);
  for (bench::Cell& cell : campaign.cells)
    if (cell.numbers.contains("messages")) cell.numbers["messages"] = 1e300;
  EXPECT_THROW(calibrate(campaign), Error);
}

TEST(CalibratedCampaign, IsRefusedWithoutAnythingOfTheNetwork) {
  bench::Campaign campaign;
  campaign.environment.host = "here";
  campaign.runs.emplace_back();
  EXPECT_THROW(calibrate(campaign), Error);
}

TEST(CalibratedCampaign, IsRefusedWhereACellNamesARankThatIsNotThere) {
  bench::Campaign campaign = SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign({.trains = false});
  campaign.cells.back().ranks = {0, 77};
  EXPECT_THROW(calibrate(campaign), Error);
}

}  // namespace
}  // namespace plumbline::hw::calibration
