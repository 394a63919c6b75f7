// Calls that failed, in the report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"
#include "replay/report/text_failures.hpp"
#include "schema_check.hpp"

namespace plumbline::replay {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Program failing(Programs& programs) {
  const std::string send = "unmodelled MPI_Send +1us site \"f (x.c:1)\" not-judged \"failed: MPI_ERR_RANK\"\n";
  return programs.parse("ranks 2\nrank 0\n" + send + send + "barrier\nrank 1\n" + send + "barrier\n" +
                        "unmodelled MPI_Bcast +1us not-judged \"failed: MPI_ERR_ROOT, and the process ended in this "
                        "call\"\n");
}

TEST(Failures, AreCountedAndListedInTextAndInJson) {
  Programs programs;
  const Program program = failing(programs);
  const Report report = make_report(program, as_observed(program));
  EXPECT_THAT(report.notes,
              Contains("4 calls failed, most often MPI_Send (MPI_ERR_RANK); calls that failed are not judged"));
  EXPECT_THAT(to_text(report, {.details = true}),
              HasSubstr("Calls that failed\n"
                        "  - MPI_Send (MPI_ERR_RANK), 3 times, at f (x.c:1), ranks 0, 1\n"
                        "  - MPI_Bcast (MPI_ERR_ROOT), 1 time, rank 1; the process ended in it\n"));
  const auto json = nlohmann::json::parse(json_text(report));
  EXPECT_EQ(schema_faults(json, PLUMBLINE_REPORT_SCHEMA), "");
  EXPECT_EQ(json["failed_calls"].size(), 2U);
  EXPECT_EQ(json["failed_calls"][0]["times"], 3);
  EXPECT_EQ(json["failed_calls"][0]["error_class"], "MPI_ERR_RANK");
  EXPECT_EQ(json["failed_calls"][1]["ended_the_process"], true);
}

TEST(Failures, AreNotSpokenOfWhereThereIsNone) {
  Programs programs;
  const Program program = programs.parse("ranks 2\nrank 0\nbarrier\nrank 1\nbarrier\n");
  const Report report = make_report(program, as_observed(program));
  EXPECT_THAT(to_text(report, {.details = true}), Not(HasSubstr("failed")));
  EXPECT_EQ(nlohmann::json::parse(json_text(report))["failed_calls"].size(), 0U);
}

TEST(Failures, ManyWaysToFailAreCut) {
  std::vector<FailedCalls> failed;
  for (std::uint64_t times = 9; times > 0; --times)
    failed.push_back({"MPI_Send", "MPI_ERR_RANK", "", false, times, {0}});
  failed[0].ranks = {0, 1, 2, 3, 4, 5};
  EXPECT_THAT(failed_call_lines(failed, 1),
              ElementsAre("MPI_Send (MPI_ERR_RANK), 9 times, ranks 0, 1, 2, 3 and 2 more", "36 calls in 8 other ways"));
}

}  // namespace
}  // namespace plumbline::replay
