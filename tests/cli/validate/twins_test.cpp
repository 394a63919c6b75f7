// The suite's program is a script here that tells its times as the real one does.

#include "cli/workflows/validate/session/twins.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/workflows/validate/settings/costs.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::HasSubstr;
using testing::Not;

class Twins : public testing::Test {
 protected:
  Twins() {
    mpi_.installed.flavour = "mpich";
    mpi_.suite = directory_ / "suite";
    mpi_.layout.launcher = {"{program}"};  // without a launcher
  }

  TwinOutcome run(const std::string& script, const TwinWork& work) {
    std::ofstream(mpi_.suite) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(mpi_.suite, std::filesystem::perms::owner_all);
    return run_twins({}, mpi_, work, directory_ / "log");
  }

  const test::TemporaryDirectory directory_;
  Mpi mpi_;
};

constexpr char kSlowerWithSetting[] = R"(
echo "a line of the launcher"
t=1.0; [ -n "$SLOW" ] || t=0.25
printf '{"cell": "halo", "seconds": %s}\n{"cell": "bcast", "seconds": 0.5}\n' "$t"
)";

// Ranks were stopped for nine times as long as they ran.
TEST_F(Twins, CountTypicalRepetitionsWhereThatIsAskedFor) {
  const char* const script = R"(printf '{"cell": "halo", "seconds": 1.0, "typical_seconds": 0.1}\n')";
  for (const bool typical : {false, true}) {
    const TwinOutcome outcome = run(script, {.arguments = {"halo"}, .pairs = 1, .typical = typical});
    EXPECT_DOUBLE_EQ(outcome.as_is_s, typical ? 0.1 : 1.0);
    EXPECT_DOUBLE_EQ(outcome.changed_s, typical ? 0.1 : 1.0);
    EXPECT_THAT(outcome.cells[0].typical_as_is, testing::ElementsAre(0.1));
    EXPECT_THAT(outcome.cells[0].typical_changed, testing::ElementsAre(0.1));
    EXPECT_EQ(outcome.typical, typical);
  }
}

TEST_F(Twins, SayWhatASettingCostsAndInWhichCell) {
  ::setenv("SLOW", "1", 1);
  const TwinOutcome outcome = run(kSlowerWithSetting, {.arguments = {"halo", "bcast"}, .changed = {"SLOW="}});
  ::unsetenv("SLOW");
  EXPECT_EQ(outcome.fault, "");
  EXPECT_DOUBLE_EQ(outcome.gain_s(), 0.75);
  EXPECT_LT(outcome.p, 0.01) << "five against five, all slower";
  EXPECT_TRUE(outcome.is_apart);
  EXPECT_GT(outcome.took_s, 0);
  ASSERT_EQ(outcome.cells.size(), 2U);
  EXPECT_EQ(outcome.cells[0].name, "halo");
  EXPECT_THAT(outcome.cells[0].as_is, testing::Each(1.0));
  EXPECT_THAT(outcome.cells[0].changed, testing::Each(0.25));
}

// A side that is slower makes fewer repetitions in its time.
TEST_F(Twins, AreHeldAgainstEachOtherByWhatOneRepetitionTakes) {
  const TwinOutcome outcome = run(R"(
r=100; [ -z "$FAST" ] || r=400
printf '{"cell": "halo", "repetitions": %s, "seconds": 2.0}\n' "$r"
)",
                                  {.arguments = {"halo"}, .changed = {"FAST=1"}});
  EXPECT_DOUBLE_EQ(outcome.as_is_s, 2.0);
  EXPECT_DOUBLE_EQ(outcome.changed_s, 0.5) << "of 100 repetitions too";
}

TEST_F(Twins, TellCellsOfOneNameApartByTheirPlace) {
  const TwinOutcome outcome = run(R"(
printf '{"cell": "halo", "seconds": 1.0}\n{"cell": "halo", "seconds": 3.0}\n'
)",
                                  {.arguments = {"halo:side=1", "halo:side=2"}, .changed = {"X=1"}});
  ASSERT_EQ(outcome.cells.size(), 2U);
  EXPECT_THAT(outcome.cells[0].as_is, testing::Each(1.0));
  EXPECT_THAT(outcome.cells[1].as_is, testing::Each(3.0));
}

TEST_F(Twins, SayThatTheWorkIsToTakeSoLong) {
  const TwinOutcome outcome =
      run("[ \"$2 $3 $4 $5\" = \"--seconds 1.5 --least 3\" ] && echo '{\"cell\": \"halo\", \"seconds\": 1}'",
          {.arguments = {"halo"}, .changed = {"X=1"}, .seconds = 1.5, .least = 3});
  EXPECT_EQ(outcome.fault, "");
}

TEST_F(Twins, DoNotWaitLongForAChangeThatHangs) {
  const TwinOutcome outcome = run("[ -z \"$HANG\" ] || sleep 10000\n" + std::string(kSlowerWithSetting),
                                  {.arguments = {"halo"}, .changed = {"HANG=1"}, .patience_s = 10'000});
  EXPECT_THAT(outcome.fault, HasSubstr("did not end in"));
  EXPECT_THAT(outcome.fault, Not(HasSubstr("10000 s"))) << "the side that is as it was says how long is long";
  EXPECT_FALSE(outcome.as_is_failed);
}

TEST_F(Twins, ShowNothingWhereBothSidesTakeAsLong) {
  const TwinOutcome outcome = run(kSlowerWithSetting, {.arguments = {"halo"}, .changed = {"OTHER=1"}});
  EXPECT_DOUBLE_EQ(outcome.gain_s(), 0);
  EXPECT_GT(outcome.p, 0.4);
}

// With it 1 and 2 s, without it 0.9 and 1.5.
TEST_F(Twins, AreNotApartWhereTheirTimesOverlap) {
  const std::string script = fmt::format(R"(
n=$(cat {0} 2>/dev/null); echo "$n"x > {0}
case $n in '') t=1.0 ;; x) t=0.9 ;; xx) t=1.5 ;; *) t=2.0 ;; esac
printf '{{"cell": "halo", "seconds": %s}}\n' "$t"
)",
                                         (directory_ / "count").string());
  const TwinOutcome outcome = run(script, {.arguments = {"halo"}, .changed = {"OTHER=1"}, .pairs = 2});
  EXPECT_EQ(outcome.fault, "");
  EXPECT_NEAR(outcome.least_gain_s(), 0.1, 1e-9);
  EXPECT_FALSE(outcome.is_apart);
}

TEST_F(Twins, HaveAFaultWhereASideFails) {
  const TwinOutcome outcome = run("echo no such cell; exit 2", {.arguments = {"halo"}});
  EXPECT_THAT(outcome.fault, HasSubstr("status 2"));
  EXPECT_THAT(outcome.fault, HasSubstr("no such cell"));
  EXPECT_TRUE(outcome.as_is_failed);
}

TEST_F(Twins, HaveAFaultWhereNobodyTellsATime) {
  EXPECT_THAT(run("echo '{\"cell\": \"halo\"}'", {.arguments = {"halo"}}).fault, HasSubstr("no cell"));
}

TEST_F(Twins, TakeTheTimesOfASideThatHangsAtItsEnd) {
  const TwinOutcome outcome = run("echo '{\"cell\": \"halo\", \"seconds\": 1}'; sleep 60",
                                  {.arguments = {"halo"}, .pairs = 1, .patience_s = 0.5});
  EXPECT_EQ(outcome.fault, "");
  EXPECT_DOUBLE_EQ(outcome.as_is_s, 1);
}

TEST_F(Twins, EndASideThatHangsSoonAfterItsLastCell) {
  const auto began = std::chrono::steady_clock::now();
  const TwinOutcome outcome =
      run("echo '{\"cell\": \"halo\", \"seconds\": 1}'; echo '{\"cell\": \"io\", \"skipped\": \"one rank\"}'; exec "
          "sleep 60",
          {.arguments = {"halo", "io"}, .pairs = 1, .patience_s = 60, .grace_s = 0.2});
  EXPECT_EQ(outcome.fault, "");
  EXPECT_DOUBLE_EQ(outcome.as_is_s, 1);
  const double all_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_LT(all_s, 60) << "two sides, each of which may take a minute";
  EXPECT_LE(outcome.took_s, all_s - 2 * 0.2) << "without what they hung";
  EXPECT_THAT(outcome.cells, testing::SizeIs(1)) << "the other one was skipped";
}

TEST_F(Twins, EndASideThatDoesNot) {
  EXPECT_THAT(run("sleep 60", {.arguments = {}, .pairs = 1, .patience_s = 0.3}).fault, HasSubstr("did not end"));
}

TEST_F(Twins, NameACellWithItsParameters) {
  const TwinOutcome outcome = run("echo '{\"cell\": \"bcast\", \"parameters\": \"bytes=8\", \"seconds\": 1}'",
                                  {.arguments = {"bcast:bytes=8"}, .changed = {"X=1"}, .pairs = 1});
  ASSERT_EQ(outcome.cells.size(), 1U);
  EXPECT_EQ(outcome.cells[0].name, "bcast:bytes=8");
}

// The second time the program makes twice the repetitions, in as many times the seconds.
TEST_F(Twins, CountMorePairsOfTheSameWorkWithTheFirstOnes) {
  ::setenv("SLOW", "1", 1);
  const TwinWork work = {.arguments = {"halo", "bcast"}, .changed = {"SLOW="}, .pairs = 2};
  const TwinOutcome first = run(kSlowerWithSetting, work);
  TwinOutcome more = first;
  for (TwinCell& cell : more.cells) {
    cell.repetitions = 2;
    for (double& time : cell.as_is) time *= 2;
    for (double& time : cell.changed) time *= 2;
  }
  ::unsetenv("SLOW");
  EXPECT_NEAR(first.p, 1.0 / 6, 0.1) << "two against two";
  const TwinOutcome both = with_more_pairs(first, more);
  EXPECT_LT(both.p, 0.05) << "four against four";
  EXPECT_TRUE(both.is_apart);
  EXPECT_THAT(both.cells[0].as_is, testing::ElementsAre(1, 1, 1, 1));
  EXPECT_DOUBLE_EQ(both.gain_s(), 0.75);
  more.fault = "status 2";
  EXPECT_EQ(with_more_pairs(first, more).fault, "status 2");
}

// A broadcast of 8 B is 12 times as long with a setting, an all-to-all 1.6 and another cell 3 times without it.
TEST(DifferingCells, AreThoseTwiceAsLongInEveryRun) {
  TwinOutcome outcome;
  outcome.cells = {{"bcast", {2.4, 2.6}, {0.2, 0.19}},
                   {"alltoall", {1.0, 1.0}, {1.6, 1.7}},
                   {"metadata", {1.0, 0.9}, {3.0, 3.3}},
                   {"reduce", {1.0, 9.0}, {1.0, 2.0}}};
  const auto rows = differing_cells(outcome);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (replay::validate::Datum{"bcast", "12", "times as long with it"}));
  EXPECT_EQ(rows[1], (replay::validate::Datum{"metadata", "3", "times as long without it"}));
}

// With the setting a broadcast takes 12 times as long, and an exchange gains as much as it loses.
TwinOutcome with_a_loss_that_others_make_up(const std::vector<double>& bcast_as_is) {
  TwinOutcome outcome;
  outcome.cells = {{"bcast", bcast_as_is, {0.18, 0.19, 0.20, 0.21, 0.22}},
                   {"exchange", {4, 4, 4, 4, 4}, {6.2, 6.2, 6.2, 6.2, 6.2}}};
  outcome.as_is_s = 6.4;
  outcome.changed_s = 6.4;
  return outcome;
}

TEST(LosingCells, AreThoseThatTakeOneAndAHalfTimesAsLongInEveryRun) {
  EXPECT_THAT(losing_cells(with_a_loss_that_others_make_up({2.4, 2.4, 2.4, 2.4, 2.4})), testing::ElementsAre("bcast"));
  EXPECT_THAT(losing_cells(with_a_loss_that_others_make_up({2.4, 2.4, 2.4, 2.4, 0.34})), testing::ElementsAre("bcast"));
  EXPECT_THAT(losing_cells(with_a_loss_that_others_make_up({2.4, 2.4, 2.4, 2.4, 0.32})), testing::IsEmpty())
      << "1.45 times the longest without it";
}

// In the first run without the setting, and in one with it, a rank was stopped for as long as 20 broadcasts take.
TEST(LosingCells, AreToldByTypicalRepetitions) {
  TwinOutcome outcome;
  outcome.cells = {{"bcast", {2.4, 6.4, 2.4}, {4.2, 0.2, 0.2}, 20, {2.4, 2.4, 2.4}, {0.2, 0.2, 0.2}},
                   {"scan", {6.4, 6.4, 6.4}, {2.4, 2.4, 2.4}, 20, {2.4, 2.4, 2.4}, {2.4, 2.4, 2.4}}};
  EXPECT_THAT(losing_cells(outcome), testing::ElementsAre("bcast"));
  EXPECT_NEAR(loss_in(outcome, {"bcast"}).lost_s, 2.2, 1e-12);
  EXPECT_NEAR(loss_in(outcome, {"bcast"}).p, 1.0 / 20, 1e-12) << "three against three, all slower";
  EXPECT_EQ(differing_cells(outcome).size(), 1U);
}

TEST(LosingCells, CostWhatTheyLoseThoughOthersGainAsMuch) {
  const TwinOutcome outcome = with_a_loss_that_others_make_up({2.4, 2.5, 2.45, 2.6, 2.3});
  const CellLoss loss = loss_in(outcome, {"bcast"});
  EXPECT_NEAR(loss.lost_s, 2.45 - 0.2, 1e-12);
  EXPECT_NEAR(loss.p, 1.0 / 252, 1e-12) << "five against five, all slower";
  EXPECT_FALSE(is_costly(outcome)) << "over all cells";
  EXPECT_TRUE(is_costly(outcome, loss));
}

// As above, with more cells beside it that take 20 s each, with the setting or without.
TwinOutcome with_cells_beside(const std::vector<double>& bcast_as_is, std::size_t cells) {
  TwinOutcome outcome = with_a_loss_that_others_make_up(bcast_as_is);
  for (std::size_t i = 0; i < cells; ++i)
    outcome.cells.push_back({"write" + std::to_string(i), {20, 20, 20, 20, 20}, {20, 20, 20, 20, 20}});
  outcome.as_is_s = outcome.changed_s = 6.4 + 20.0 * static_cast<double>(cells);
  return outcome;
}

TEST(LosingCells, CostWhatTheyLoseOfCellsThatAreWeighedAlike) {
  const TwinOutcome outcome = with_cells_beside({2.4, 2.5, 2.45, 2.6, 2.3}, 30);
  const CellLoss loss = loss_in(outcome, {"bcast"});
  EXPECT_LT(loss.lost_s, 0.01 * outcome.as_is_s) << "among the seconds it does not show";
  EXPECT_NEAR(loss.share_alike, (1 - 0.2 / 2.45) / 32, 1e-12);
  EXPECT_TRUE(is_costly(outcome, loss));
  EXPECT_TRUE(is_worth_more_pairs(outcome));
}

TEST(LosingCells, CostNothingWhereTheyDoNotLoseAgainOrHardlyAnything) {
  const TwinOutcome again = with_a_loss_that_others_make_up({0.2, 0.3, 0.2, 0.2, 0.1});
  EXPECT_FALSE(is_costly(again, loss_in(again, {"bcast"})));
  const TwinOutcome hardly = with_cells_beside({2.4, 2.5, 2.45, 2.6, 2.3}, 60);
  EXPECT_FALSE(is_costly(hardly, loss_in(hardly, {"bcast"}))) << "0.2 % of the seconds, and 1.5 % of the cells";
  EXPECT_FALSE(is_costly(again, loss_in(again, {}))) << "nobody was suspected";
}

// Seven runs with a setting that costs nothing and seven without it, between which the machine has changed a little.
TEST(Costs, OfChanceAreMeasuredAgainBeforeTheyAreFindings) {
  TwinOutcome outcome;
  outcome.as_is_s = 6.1;
  outcome.changed_s = 5.8;
  outcome.took_s = 4;
  const auto loss = [](double p) { return CellLoss{0.3, p}; };
  EXPECT_FALSE(is_costly(outcome, loss(0.036)));
  EXPECT_TRUE(is_unclear(outcome, loss(0.036)));
  EXPECT_TRUE(is_costly(outcome, loss(1.0 / 252))) << "five against five, all slower";
  EXPECT_FALSE(is_unclear(outcome, loss(1.0 / 252)));
  EXPECT_FALSE(is_unclear(outcome, loss(0.2))) << "refuted";
  EXPECT_FALSE(is_unclear(outcome, {0.01, 0.036})) << "it costs hardly anything";
  outcome.took_s = 120;
  EXPECT_FALSE(is_unclear(outcome, loss(0.036))) << "long";
  outcome.took_s = 4;
  outcome.fault = "status 2";
  EXPECT_FALSE(is_unclear(outcome, loss(0.036)));
}

// Two ping-pongs of two ranks with mpi_leave_pinned 0, which devices of fast networks look at alone, and without it:
// 2.9 % by chance. 150 runs of each did not differ (p 0.2).
TEST(Costs, OfSevenRunsThatOverlapAreUnclear) {
  const std::vector<double> with{6.173e-3, 5.921e-3, 6.024e-3, 5.844e-3, 5.833e-3, 5.995e-3, 5.984e-3};
  const std::vector<double> without{5.800e-3, 5.911e-3, 5.724e-3, 5.660e-3, 5.809e-3, 5.963e-3, 5.876e-3};
  TwinOutcome outcome;
  outcome.cells = {{"ping_pong", with, without}};
  outcome.as_is_s = 5.984e-3;
  outcome.took_s = 5;
  const CellLoss loss = loss_in(outcome, {"ping_pong"});
  EXPECT_NEAR(loss.p, 0.013, 0.001);
  EXPECT_GT(loss.lost_s, 0.02 * outcome.as_is_s);
  EXPECT_FALSE(is_costly(outcome, loss));
  EXPECT_TRUE(is_unclear(outcome, loss));
}

// A setting makes messages 1.3 times as long, a file of hints reads half as long.
TEST(SomeCells, HaveALossThatOthersMakeUp) {
  TwinOutcome outcome;
  outcome.cells = {{"alltoall:bytes=8", {1.3, 1.32}, {1.0, 1.02}}, {"read", {1.0, 1.0}, {2.0, 2.1}}};
  outcome.took_s = 3;
  const auto is_read = [](const TwinCell& cell) { return cell.name == "read"; };
  const TwinOutcome messages = of_cells(outcome, std::not_fn(is_read)), files = of_cells(outcome, is_read);
  EXPECT_NEAR(messages.as_is_s, 1.31, 1e-12);
  EXPECT_NEAR(messages.gain_s(), 0.3, 1e-12);
  EXPECT_EQ(messages.took_s, 3);
  EXPECT_TRUE(loses_much(messages));
  EXPECT_FALSE(loses_much(files));
  const TwinOutcome none = of_cells(outcome, [](const TwinCell&) { return false; });
  EXPECT_FALSE(none.fault.empty());
  EXPECT_EQ(none.gain_s(), 0);
  EXPECT_FALSE(loses_much(none));
}

TEST(SomeCells, LoseLittleWhereRunsOverlapOrLessThanATwentiethIsLost) {
  TwinOutcome overlapping, little;
  overlapping.cells = {{"alltoall", {1.3, 1.1}, {1.0, 1.2}}};
  little.cells = {{"alltoall", {1.04, 1.05}, {1.0, 1.0}}};
  const auto all = [](const TwinCell&) { return true; };
  EXPECT_FALSE(loses_much(of_cells(overlapping, all)));
  EXPECT_FALSE(loses_much(of_cells(little, all)));
}

TEST(MorePairs, AreWorthTheirTimeWhereRunsAreShortThoughTheyOverlap) {
  TwinOutcome outcome;
  outcome.cells = {{"halo", {1.0, 1.4}, {0.8, 1.1}}};
  outcome.as_is_s = 1.2;
  outcome.least_as_is_s = 1.0;
  outcome.least_changed_s = 0.8;
  outcome.took_s = 6;
  EXPECT_TRUE(is_worth_more_pairs(outcome));
  outcome.took_s = 60;
  EXPECT_FALSE(is_worth_more_pairs(outcome)) << "long";
  outcome.is_apart = true;
  EXPECT_TRUE(is_worth_more_pairs(outcome));
  outcome.least_changed_s = 0.995;
  EXPECT_FALSE(is_worth_more_pairs(outcome)) << "half a percent";
  outcome.cells.push_back({"bcast", {0.1, 0.1}, {0.01, 0.01}});
  EXPECT_TRUE(is_worth_more_pairs(outcome)) << "by one cell";
  outcome.fault = "status 2";
  EXPECT_FALSE(is_worth_more_pairs(outcome));
}

}  // namespace
}  // namespace plumbline::cli::validate
