// Platforms that come back from the campaigns that they predict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hwmodels/calibrate/campaign.hpp"
#include "hwmodels/platform_xml.hpp"
#include "hwmodels/topology.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Relative.
double deviation(double measured, double truth) { return std::abs(measured - truth) / truth; }
double deviation(BytesPerSecond measured, BytesPerSecond truth) {
  return deviation(static_cast<double>(measured.count), static_cast<double>(truth.count));
}
double deviation(Duration measured, Duration truth) { return deviation(measured.seconds(), truth.seconds()); }

std::vector<std::uint32_t> groups_in(const Platform& platform) {
  std::vector<std::uint32_t> groups;
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
  EXPECT_EQ(groups_in(made.platform), (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  ASSERT_EQ(made.platform.edges.size(), 9U);
  EXPECT_EQ(made.platform.edges.back().name, "s0-s1");
  EXPECT_LT(deviation(made.platform.edges.back().rate.value, tree.uplink), 0.03);
  EXPECT_LT(deviation(made.platform.edges.back().latency.value, tree.uplink_latency), 0.1);
  EXPECT_LT(deviation(made.platform.edges[0].rate.value, tree.link), 0.03);
  EXPECT_LT(deviation(made.platform.edges[0].latency.value, tree.link_latency), 0.1);
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
  EXPECT_LT(deviation(edge_of(const_cast<Platform&>(made.platform), "n3-s0").rate.value, {12'500'000}), 0.03);
}

}  // namespace
}  // namespace plumbline::hw::calibration
