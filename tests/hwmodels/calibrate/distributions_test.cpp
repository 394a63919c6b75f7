#include "hwmodels/calibrate/network/distributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/statistics/distribution.hpp"
#include "hwmodels/network/sampled.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::hw::calibration {
namespace {

// One-way times in seconds: a bounded minimum, a long tail.
std::vector<double> one_way_times(std::uint64_t seed, double least, std::size_t count) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> rise(0, 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(least * (1 + 0.1 * rise(random)));
  return values;
}

bench::Cell cell_of(const std::string& operation, std::uint64_t bytes, std::uint32_t in_flight, std::uint32_t run,
                    std::vector<double> seconds) {
  bench::Cell cell;
  cell.operation = operation;
  cell.implementation = "library";
  cell.bytes = bytes;
  cell.run = run;
  cell.ranks = {0, 1};
  cell.in_flight = in_flight;
  cell.flags.assign(seconds.size(), 0);
  cell.seconds = std::move(seconds);
  return cell;
}

// Run 0: two ranks on one node; run 1: on two.
bench::Campaign two_runs() {
  bench::Campaign campaign;
  campaign.runs.resize(2);
  campaign.runs[0].node_of = {0, 0};
  campaign.runs[1].node_of = {0, 1};
  return campaign;
}

std::vector<double> doubled(std::vector<double> values) {
  for (double& value : values) value *= 2;
  return values;
}

TEST(DistributionsOfCells, AreOfTheHalfOfARoundTripAndAtTheirPlaceWithinTheTolerance) {
  bench::Campaign campaign = two_runs();
  std::vector<double> times = one_way_times(1, 50e-6, 3000);
  campaign.cells = {cell_of("round_trip", 1024, 1, 1, doubled(times))};
  const Distributions found = distributions(campaign);
  EXPECT_TRUE(found.notes.empty());
  EXPECT_TRUE(found.inside.empty());
  ASSERT_EQ(found.between.size(), 1U);
  const MessageTimes& between = found.between.front();
  EXPECT_EQ(between.size.count, 1024U);
  EXPECT_EQ(between.count, 3000U);
  EXPECT_EQ(between.source, "calibrate: 3000 round trips, halved, in 1 run");
  std::ranges::sort(times);
  const statistics::Distribution truth = statistics::exact(times);
  EXPECT_EQ(between.quantiles.front().value, duration_from_seconds(times.front()));
  EXPECT_EQ(between.quantiles.back().value, duration_from_seconds(times.back()));
  const QuantileTable table(between.quantiles);
  for (int i = 0; i <= 10'000; ++i) {
    const double share = i / 10'000.0, value = statistics::value_at(truth, share) * 1e12;
    EXPECT_NEAR(static_cast<double>(table.at(share).ps), value, 0.00501 * value) << share;
  }
  for (const double share : {0.5, 0.99, 0.999})
    EXPECT_NEAR(static_cast<double>(table.at(share).ps), statistics::value_at(truth, share) * 1e12, 2) << share;
  EXPECT_LT(between.quantiles.size(), 60U);
}

TEST(DistributionsOfCells, TakeTheSharedClockWhereThereIsOneAndAllRunsTogether) {
  bench::Campaign campaign = two_runs();
  campaign.cells = {cell_of("round_trip", 8, 1, 0, std::vector<double>(50, 9e-6)),
                    cell_of("one_way", 8, 1, 0, std::vector<double>(40, 2e-6)),
                    cell_of("one_way", 8, 1, 1, std::vector<double>(40, 7e-6)),
                    cell_of("one_way", 8, 1, 0, std::vector<double>(30, 3e-6))};
  const Distributions found = distributions(campaign);
  ASSERT_EQ(found.inside.size(), 1U);
  EXPECT_EQ(found.inside[0].count, 70U);
  EXPECT_EQ(found.inside[0].quantiles.front().value, microseconds(2));
  EXPECT_EQ(found.inside[0].quantiles.back().value, microseconds(3));
  ASSERT_EQ(found.between.size(), 1U);
  EXPECT_EQ(found.between[0].quantiles.front().value, microseconds(7));
}

TEST(DistributionsOfCells, LeaveOutAndSaySoWhatIsInvalidOrTooLittleOrOfUnknownPlace) {
  bench::Campaign campaign = two_runs();
  campaign.cells = {cell_of("round_trip", 8, 1, 0, std::vector<double>(40, 2e-6)),
                    cell_of("round_trip", 64, 1, 0, std::vector<double>(10, 2e-6)),
                    cell_of("pairs", 8, 2, 0, std::vector<double>(40, 2e-6)),
                    cell_of("one_way", 512, 1, 1, std::vector<double>(40, 2e-6)),
                    cell_of("bcast", 8, 1, 0, std::vector<double>(40, 2e-6))};
  campaign.cells[0].flags[0] = 1;
  campaign.cells[0].seconds[0] = 1;
  campaign.cells[2].ranks = {0, 1, 2, 3};
  campaign.cells[3].clock_bound_s = 1e-6;
  const Distributions found = distributions(campaign);
  ASSERT_EQ(found.inside.size(), 1U);
  EXPECT_EQ(found.inside[0].count, 39U);
  EXPECT_EQ(found.inside[0].quantiles.back().value, microseconds(1));
  EXPECT_EQ(found.notes,
            (std::vector<std::string>{
                "pairs of 8 B with 2 in flight, run 0 is left out: it is not of two ranks whose nodes are known",
                "64 B inside of a node with 1 in flight is left out: 10 valid repetitions, and 30 are needed",
                "512 B between nodes with 1 in flight: the clocks are known to 1 us, and the median is 2 us"}));
}

TEST(DistributionsOfCells, MakeAPlatformASampledOneThatReadsAsItIsWritten) {
  bench::Campaign campaign = two_runs();
  for (const std::uint64_t bytes : {8ULL, 1024ULL, 65536ULL, 65537ULL, 1ULL << 20})
    for (const std::uint32_t in_flight : {1U, 2U})
      campaign.cells.push_back(
          cell_of("pairs", bytes, in_flight, 0,
                  one_way_times(bytes, 1e-6 * in_flight * (1 + static_cast<double>(bytes) / 1e4), 500)));
  Platform platform;
  platform.nodes.emplace_back().name = "here";
  platform.nodes.front().memory_rate.value = {1'000'000'000};
  MessageRange eager, rendezvous;
  eager.upto = Bytes{65536};
  rendezvous.protocol = Protocol::kRendezvous;
  platform.inside.ranges = {eager, rendezvous};
  use(distributions(campaign), platform);
  EXPECT_EQ(platform.network, NetworkKind::kSampled);
  EXPECT_EQ(platform.inside.ranges[0].times.size(), 6U);
  EXPECT_EQ(platform.inside.ranges[1].times.size(), 4U);
  EXPECT_EQ(parse_platform(to_xml(platform), "written.xml"), platform);
}

TEST(DistributionsOfCells, DoNotMakeOneWhereARangeWasNotMeasured) {
  bench::Campaign campaign = two_runs();
  campaign.cells = {cell_of("round_trip", 8, 1, 0, std::vector<double>(40, 2e-6))};
  Platform platform;
  MessageRange small, large;
  small.upto = Bytes{64};
  platform.inside.ranges = {small, large};
  platform.between.ranges = {large};
  std::string told;
  try {
    use(distributions(campaign), platform);
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) told += problem.what + "\n";
  }
  EXPECT_EQ(told,
            "no times of messages above 64 B inside of a node\n"
            "no times of messages of any size between nodes\n");
}

}  // namespace
}  // namespace plumbline::hw::calibration
