// Sums over operations and ranks that no Duration holds: an hour of 4,096 ranks is 170 days.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"
#include "schema_check.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay {
namespace {

constexpr std::uint32_t kRanks = 16;
constexpr std::int64_t kDay = 86'400;

class LongRuns : public testing::Test {
 protected:
  // On every rank a collective call, writes and receives, of up to ten days each.
  Program random_program() {
    std::string text = fmt::format("ranks {}\n", kRanks);
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      text += fmt::format("rank {}\n barrier +{}s\n", rank, days());
      for (int i = 0; i < 3; ++i) text += fmt::format(" pwrite 0..9 file /f +{}s\n", days());
      for (int i = 0; i < 3; ++i) text += fmt::format(" recv none tag 0 0B +{}s\n", days());
      text += fmt::format(" compute {}s\n local MPI_Comm_rank +1s\n", days());
    }
    return programs_.parse(text);
  }

  Expected random_expectation(const Program& program) {
    Expected expected = as_observed(program);
    for (ExpectedRank& columns : expected.ranks)
      for (std::size_t i = 0; i < columns.lower.size(); ++i) {
        const Duration lower = seconds(days());
        expect(columns, i, lower, lower + seconds(days()), seconds(days() / 10));
        columns.as_run_upper[i] += seconds(days());
      }
    return expected;
  }

  std::int64_t days() { return static_cast<std::int64_t>(random_() % (10 * kDay)); }

  std::uint64_t seed_ = test::random_seed();
  std::mt19937_64 random_{seed_};
  Programs programs_;
};

TEST_F(LongRuns, AreSummedExactly) {
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed_ << " round " << round);
    const Program program = random_program();
    const Report report = make_report(program, random_expectation(program));
    const Totals& totals = report.totals;
    std::int64_t observed_s = 0;  // in whole seconds, which are all there is here
    for (std::uint32_t rank = 0; rank < kRanks; ++rank)
      for (const OperationTimes& times : program.rank(rank).times)
        observed_s += (times.end - times.begin).ps / seconds(1).ps;
    EXPECT_EQ(totals.judged + totals.not_judged, TimeSum(seconds(1)) * observed_s);
    EXPECT_FALSE(totals.rank_time().duration()) << "no such run";
    EXPECT_EQ(totals.judged + totals.not_judged + totals.polling + totals.compute + totals.off_cpu + totals.outside,
              totals.rank_time());
    EXPECT_EQ(totals.own, totals.stack + totals.structure);
    TimeSum own;
    for (const Row& row : report.rows)
      for (const RankPart& part : row.parts) own += part.own;
    EXPECT_EQ(totals.own, own);
  }
}

TEST_F(LongRuns, AreToldAsTextAndAsJson) {
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed_);
  const Program program = random_program();
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", seconds(1));
  const Report report = make_report(
      program, expected,
      {.compare = {}, .lateness = ModelLateness{1'000'000, TimeSum(seconds(kDay)) * 1'000'000}, .notes = {}});
  EXPECT_NE(to_text(report, {.details = true, .width = 10'000}).find("by 86400 s on average"), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(json_text(report));
  EXPECT_EQ(schema_faults(json, PLUMBLINE_REPORT_SCHEMA), "");
  EXPECT_DOUBLE_EQ(json["totals"]["own_excess_ps"].get<double>(), report.totals.own.seconds() * 1e12);
  EXPECT_DOUBLE_EQ(json["totals"]["lateness_s"].get<double>(), 1e6 * kDay);
}

}  // namespace
}  // namespace plumbline::replay
