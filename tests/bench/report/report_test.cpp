#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bench/report/axis.hpp"
#include "bench/report/campaign_difference.hpp"
#include "bench/report/curves.hpp"
#include "bench/report/plot.hpp"
#include "bench/report/summary.hpp"
#include "bench/report/svg.hpp"

namespace plumbline::bench {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs of "bcast" of one size, each with these times.
Campaign campaign_of(const std::vector<std::vector<double>>& runs, std::uint64_t bytes = 8) {
  Campaign campaign;
  for (const std::vector<double>& seconds : runs) {
    Cell cell{"bcast", "library", bytes, static_cast<std::uint32_t>(campaign.runs.size())};
    cell.seconds = seconds;
    cell.flags.assign(seconds.size(), 0);
    campaign.cells.push_back(cell);
    campaign.runs.emplace_back().mpi = "mpich";
  }
  return campaign;
}

TEST(Summary, HasTheMedianOfRunsAndTheTailsOfAllRepetitions) {
  const Campaign campaign = campaign_of({{1, 2, 9}, {3, 4, 5}, {7, 8, 100}});
  const std::vector<SummaryRow> rows = summarise(campaign, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0].run_medians, ElementsAre(2, 4, 8));
  EXPECT_EQ(rows[0].median(), 4);
  EXPECT_FALSE(rows[0].has_interval());
  EXPECT_EQ(rows[0].interval().low, 2);
  EXPECT_EQ(rows[0].interval().high, 8);
  EXPECT_EQ(rows[0].sorted.front(), 1);
  EXPECT_EQ(rows[0].sorted.back(), 100);
  EXPECT_EQ(rows[0].quantile(0.99), 100);
  EXPECT_EQ(rows[0].repetitions, 9U);
}

TEST(Summary, LeavesFlaggedRepetitionsOutAndCountsThem) {
  Campaign campaign = campaign_of({{1, 2, 3, 500}, {9}});
  campaign.cells[0].flags = {0, 0, 0, 1};
  campaign.cells[1].flags = {2};
  const std::vector<SummaryRow> rows = summarise(campaign, {});
  EXPECT_THAT(rows[0].run_medians, ElementsAre(2));
  EXPECT_EQ(rows[0].runs, 2U);
  EXPECT_DOUBLE_EQ(rows[0].flagged_share(), 2.0 / 5);
  EXPECT_EQ(rows[0].sorted.back(), 3);
}

TEST(Summary, KeepsApartWhatDiffersInMoreThanSizeAndRun) {
  Campaign campaign = campaign_of({{1}, {1}, {1}, {1}});
  campaign.cells[1].numbers["messages"] = 4;
  campaign.runs[2].mpi = "openmpi";
  campaign.cells[3].bytes = 4;
  EXPECT_EQ(summarise(campaign, {}).size(), 4U);
  EXPECT_EQ(summarise(campaign, {.mpis = {"openmpi"}}).size(), 1U);
  EXPECT_EQ(summarise(campaign, {.sizes = {4}}).size(), 1U);
  EXPECT_EQ(summarise(campaign, {.operations = {"scan"}}).size(), 0U);
}

TEST(Summary, CountsContaminatedRuns) {
  Campaign campaign = campaign_of({{1}, {1}});
  campaign.runs[1].disturbances = {"load"};
  EXPECT_EQ(summarise(campaign, {}).at(0).contaminated, 1U);
}

TEST(Names, TellAsMuchAsDiffers) {
  Subject first{"bcast", "library", "mpich"}, second = first, third = first;
  second.implementation = "chain";
  third.numbers["messages"] = 4;
  EXPECT_THAT(short_names({first}), ElementsAre("bcast"));
  EXPECT_THAT(short_names({first, second, third}),
              ElementsAre("bcast, library", "bcast, chain", "bcast, library, messages 4"));
}

TEST(Names, DoNotTellWhatOnlyAnotherOperationHas) {
  Subject first{"bcast", "library", "mpich"}, second{"round_trip", "library", "mpich"};
  second.numbers["messages"] = 4;
  EXPECT_THAT(short_names({first, second}), ElementsAre("bcast", "round_trip"));
  second.mpi = "openmpi";
  EXPECT_THAT(short_names({first, second}), ElementsAre("bcast, mpich", "round_trip, openmpi"));
}

// By hand: p sorted 0.01, 0.02, 0.03, 0.5; times 4 / rank: 0.04, 0.04, 0.04, 0.5.
TEST(FalseDiscoveries, AreAdjustedForByBenjaminiAndHochberg) {
  EXPECT_THAT(adjusted(std::vector{0.5, 0.01, 0.03, 0.02}),
              ElementsAre(DoubleEq(0.5), DoubleNear(0.04, 1e-15), DoubleNear(0.04, 1e-15), DoubleNear(0.04, 1e-15)));
  EXPECT_THAT(adjusted(std::vector{0.9, 0.04}), ElementsAre(DoubleEq(0.9), DoubleEq(0.08)));
}

TEST(Against, SevenRunsThatAreAllSlowerAreTold) {
  const auto times = [](double base) {
    std::vector<std::vector<double>> runs;
    for (int i = 0; i < 7; ++i) runs.push_back({base + 0.01 * i});
    return runs;
  };
  const std::vector<SummaryRow> slow = summarise(campaign_of(times(2)), {}),
                                fast = summarise(campaign_of(times(1)), {});
  const AgainstReference differences = compare(slow, fast);
  ASSERT_EQ(differences.both.size(), 1U);
  EXPECT_NEAR(differences.both[0].p, 2.0 / 3432, 1e-9);  // 2 / C(14, 7)
  EXPECT_NEAR(differences.least_p, 2.0 / 3432, 1e-9);
  EXPECT_NEAR(differences.both[0].ratio(), 2.03 / 1.03, 1e-12);
}

TEST(Against, ThreeRunsOfEachCannotTell) {
  const std::vector<SummaryRow> rows = summarise(campaign_of({{1}, {2}, {3}}), {});
  EXPECT_DOUBLE_EQ(compare(rows, rows).least_p, 0.1);  // 2 / C(6, 3)
}

TEST(Against, CountsWhatHasNoCounterpart) {
  const std::vector<SummaryRow> here = summarise(campaign_of({{1}}, 8), {}),
                                there = summarise(campaign_of({{1}}, 16), {});
  const AgainstReference differences = compare(here, there);
  EXPECT_TRUE(differences.both.empty());
  EXPECT_EQ(differences.only_here, 1U);
  EXPECT_EQ(differences.only_in_reference, 1U);
}

TEST(Axes, AreLogarithmicWithAPlaceForZeroWhereValuesSpread) {
  const Axis axis = axis_over({0, 1, 1024}, 16, false, 0, 1000);
  EXPECT_TRUE(axis.is_logarithmic());
  EXPECT_LT(axis.at(0), axis.at(1));
  EXPECT_NEAR(axis.at(32), (axis.at(1) + axis.at(1024)) / 2, 1e-9);
  EXPECT_THAT(marks_of_bytes(axis).front().label, "0");
}

TEST(Axes, OfRanksAreMarkedAtPowersOfTwo) {
  std::vector<std::string> labels;
  for (const Mark& mark : marks_of_ranks(axis_over({2, 16}, 4, false, 0, 1000))) labels.push_back(mark.label);
  EXPECT_THAT(labels, ElementsAre("2", "4", "8", "16"));
}

TEST(Axes, AreLinearFromZeroWhereValuesLieTogether) {
  const Axis axis = axis_over({2e-6, 3e-6}, 10, true, 0, 1000);
  EXPECT_FALSE(axis.is_logarithmic());
  EXPECT_EQ(axis.at(0), 0);
  std::vector<std::string> labels;
  for (const Mark& mark : marks_of_seconds(axis)) labels.push_back(mark.label);
  EXPECT_THAT(labels, ElementsAre("0 s", "500 ns", "1 us", "1.5 us", "2 us", "2.5 us", "3 us"));
}

TEST(Axes, OfAnyValuesHaveMarksWithin) {
  for (const std::vector<double>& values :
       std::vector<std::vector<double>>{{5}, {0}, {}, {1e-9, 1e3}, {1e-12, 1e-12}, {0, 3}, {7, 8, 9}}) {
    const Axis axis = axis_over(values, 10, false, 0, 100);
    for (const auto& marks : {marks_of_seconds(axis), marks_of_bytes(axis), marks_of_counts(axis)}) {
      EXPECT_LE(marks.size(), 60U);
      for (const Mark& mark : marks) {
        EXPECT_GE(axis.at(mark.value), 0);
        EXPECT_LE(axis.at(mark.value), 100);
      }
    }
  }
}

TEST(Plots, TellTheExactLeastAndMost) {
  const std::string svg = plot(summarise(campaign_of({{1.25e-6, 2e-6, 3.5e-3}}), {}), PlotKind::kHistogram, "title");
  EXPECT_THAT(svg, HasSubstr("1.25 us .. 3.5 ms"));
}

// Runs of 2, 4 and 8 ranks, each with one time of 8 B.
Campaign campaign_of_layouts() {
  Campaign campaign = campaign_of({{1e-6}, {2e-6}, {4e-6}});
  for (std::size_t i = 0; i < 3; ++i) campaign.runs[i].per_node = 2U << i;
  return campaign;
}

TEST(Plots, OverRanksHaveLayoutsInOneCurveAndACurveForEachSize) {
  Campaign campaign = campaign_of_layouts();
  const std::string one = plot(summarise(campaign, {}), PlotKind::kLines, "title", PlotOver::kRanks);
  for (const char* mark : {">2<", ">4<", ">8<", ">ranks<", ">bcast<", "Each point is one value."})
    EXPECT_THAT(one, HasSubstr(mark));
  Cell other = campaign.cells[0];
  other.bytes = 1024;
  campaign.cells.push_back(other);
  const std::string two = plot(summarise(campaign, {}), PlotKind::kLines, "title", PlotOver::kRanks);
  EXPECT_THAT(two, HasSubstr(">bcast, 8 B<"));
  EXPECT_THAT(two, HasSubstr(">bcast, 1 KiB<"));
}

TEST(Plots, OverRanksRefuseTwoLayoutsOfAsManyRanks) {
  Campaign campaign = campaign_of_layouts();
  campaign.runs[0].nodes = 2;  // two nodes with two ranks each, and one with four
  EXPECT_THROW(plot(summarise(campaign, {}), PlotKind::kLines, "", PlotOver::kRanks), Error);
}

TEST(Plots, OfOneValueOrOfEqualValuesAreDrawn) {
  for (const PlotKind kind : {PlotKind::kLines, PlotKind::kBox, PlotKind::kHistogram})
    for (const auto& runs : std::vector<std::vector<std::vector<double>>>{{{1e-6}}, {{1e-6, 1e-6}, {1e-6}}, {{0, 0}}}) {
      const std::string svg = plot(summarise(campaign_of(runs, 0), {}), kind, "title");
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
      EXPECT_THAT(svg, Not(HasSubstr("inf")));
    }
}

TEST(Plots, OfNothingOrOfTooMuchAreRefused) {
  EXPECT_THROW(plot({}, PlotKind::kLines, ""), Error);
  Campaign campaign = campaign_of(std::vector<std::vector<double>>(kMostCurves + 1, {1}));
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) campaign.cells[i].numbers["n"] = static_cast<double>(i);
  EXPECT_THROW(plot(summarise(campaign, {}), PlotKind::kLines, ""), Error);
}

}  // namespace
}  // namespace plumbline::bench
