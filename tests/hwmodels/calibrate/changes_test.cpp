// Changes of protocol that runs placed by comparison, on their way into a platform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/calibrate/network/agreed_changes.hpp"
#include "hwmodels/calibrate/network/loggp.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SeenChange seen(std::uint32_t run, std::uint64_t low, std::uint64_t high) { return {{}, run, low, high}; }

TEST(AgreedChanges, AreWhereMostRunsPutThem) {
  EXPECT_THAT(agreed_changes({seen(0, 3840, 4096), seen(1, 4096, 4352), seen(2, 3840, 4096)}, 3),
              ElementsAre(AgreedChange{3840, 4096, 3}));
  EXPECT_THAT(agreed_changes({seen(0, 256, 512), seen(1, 512, 768), seen(2, 768, 1024)}, 3),
              ElementsAre(AgreedChange{512, 768, 3}));
}

TEST(AgreedChanges, AreThoseOfHalfOfTheRuns) {
  const std::vector<SeenChange> of_runs = {seen(0, 100, 200), seen(1, 100, 200), seen(2, 900, 1000)};
  EXPECT_THAT(agreed_changes(of_runs, 4), ElementsAre(AgreedChange{100, 200, 2}));
  EXPECT_THAT(agreed_changes(of_runs, 5), IsEmpty());
  EXPECT_THAT(agreed_changes({}, 3), IsEmpty());
}

TEST(AgreedChanges, OfTwoPairsInOneRunAreOneRun) {
  EXPECT_THAT(agreed_changes({seen(0, 100, 200), seen(0, 150, 250)}, 3), IsEmpty());
}

// One line, 1 us + 1 ns/B, of nine sizes.
std::vector<RoundTrips> on_one_line() {
  std::vector<RoundTrips> points;
  for (double size = 1; size <= 2049; size += 256)
    points.push_back({size, 2000, 2000 + 9 * (1000 + size - 1), 0, 0, 0, 0});
  return points;
}

TEST(LogGPFitted, IsCutAtKnownChanges) {
  const std::vector<double> known = {700, 1025};
  const LogGPFit fit = fit_loggp(on_one_line(), 10, kLogGPChanges, known);
  ASSERT_EQ(fit.intervals.size(), 3U);
  EXPECT_EQ(fit.intervals[0].last, 513);
  EXPECT_EQ(fit.intervals[1].first, 769);
  EXPECT_EQ(fit.intervals[1].last, 769);
  EXPECT_EQ(fit.intervals[2].first, 1025);
  EXPECT_NEAR(fit.intervals[2].gap, 1000, 1e-6);
}

TEST(LogGPFitted, IsNotCutOutsideOfItsSizes) {
  const std::vector<double> known = {0, 1, 4096};
  EXPECT_EQ(fit_loggp(on_one_line(), 10, kLogGPChanges, known).intervals.size(), 1U);
}

TEST(LogGPFitted, TakesOverheadsOfAllSizesWhereAnIntervalHasNone) {
  std::vector<RoundTrips> points = on_one_line();
  for (RoundTrips& each : points) {
    if (each.size > 1024) continue;
    each.delay = each.receive_delay = 20'000;
    each.spaced = each.one + 9 * (300 + each.delay);
    each.receives = 9 * (200 + each.receive_delay);
  }
  const std::vector<double> known = {1025};
  const LogGPFit fit = fit_loggp(points, 10, kLogGPChanges, known);
  EXPECT_NEAR(fit.intervals[1].sends.at(2000), 300, 1e-6);
  EXPECT_NEAR(fit.intervals[1].receives.at(2000), 200, 1e-6);
  EXPECT_TRUE(fit.delay_too_short.empty()) << "not measured is not too short";
}

TEST(LogGPTransport, EndsARangeWhereMessagesBeginToWaitBetweenTwoSizes) {
  const std::vector<double> known = {1025};
  const Transport transport = loggp_transport(fit_loggp(on_one_line(), 10, kLogGPChanges, known), 900, "");
  ASSERT_EQ(transport.ranges.size(), 2U);
  EXPECT_EQ(transport.ranges[0].upto, Bytes{899});
  EXPECT_EQ(transport.ranges[1].protocol, Protocol::kRendezvous);
}

// The runs' trains go on evenly, and each run says that it saw a change.
TEST(CalibratedChanges, CutTheIntervalsOfALogGPPlatform) {
  const Platform truth = platform_of({.groups = {4}, .packet = Bytes{1'000'000}, .eager = Bytes{1 << 20}});
  bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign();
  for (std::uint32_t run = 0; run < 3; ++run) {
    bench::Cell cell;
    cell.operation = "prtt";
    cell.words = {{"part", "change"}};
    cell.ranks = {0, 1};
    cell.run = run;
    cell.bytes = 5793;  // one of the sizes that were measured
    cell.numbers = {{"low_bytes", 5600}, {"messages", 8}};
    cell.seconds = {1, 1, 1};
    cell.flags = {0, 0, 0};
    campaign.cells.push_back(cell);
  }
  const Calibration made = calibrate(campaign, {.network = NetworkKind::kLogGP});
  const auto& ranges = made.platform.between.ranges;
  EXPECT_TRUE(std::ranges::any_of(ranges, [](const MessageRange& range) { return range.upto == Bytes{4096}; }));
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("change between 5600 and 5793 B, in 3 of 3 runs")));

  bench::Campaign quiet = campaign;
  std::erase_if(quiet.cells, [](const bench::Cell& cell) {
    return cell.words.contains("part") && cell.words.at("part") == "change";
  });
  EXPECT_EQ(calibrate(campaign).platform, calibrate(quiet).platform) << "times of a comparison are no figures";
}

}  // namespace
}  // namespace plumbline::hw::calibration
