#include "viewer/report/html_report.hpp"
#include "replay/report/make_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <fstream>
#include <functional>
#include <random>
#include <regex>

#include "base/quantity.hpp"
#include "replay/report/report.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "tests/replay/validate/sample.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "viewer/report/waterfall.hpp"

namespace plumbline::viewer {
namespace {

using replay::validate::sample_validation;
using replay::validate::Validation;
using testing::HasSubstr;
using testing::Not;

// Two ranks: MPI-IO that is split into eight writes and so loses to structure, a late sender, and a slow send.
class HtmlReport : public testing::Test {
 protected:
  replay::Report report() {
    const std::string inner = replay::repeated("  inner write 1024B +120ms\n", 8);
    const std::string write = "write_at_all 0..8192 +1200ms site \"write_checkpoint (jacobi.c:142)\"\n" + inner;
    const std::string rank =
        "open /out/state.dat collective\n" + replay::repeated(write + "compute 3800ms\n", 6) + "barrier\n";
    const replay::Program program =
        programs_.parse("ranks 2\nnode alpha ranks 0-1 cores 4\nproperty library = \"MPICH 4.0.2\"\nrank 0\n" + rank +
                        "rank 1\n" + rank);
    replay::Expected expected = replay::as_observed(program);
    replay::expect_all(program, expected, "MPI_File_write_at_all", milliseconds(500), milliseconds(10));
    for (replay::ExpectedRank& columns : expected.ranks)
      for (std::size_t i = 0; i < columns.as_run.size(); ++i)
        if (columns.lower[i] == milliseconds(500)) {
          columns.upper[i] = milliseconds(600);
          columns.as_run[i] = columns.as_run_upper[i] = milliseconds(900);
        }
    return replay::make_report(program, expected);
  }

 private:
  replay::Programs programs_;
};

void expect_well_formed(const std::string& page) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(page.c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
}

TEST_F(HtmlReport, IsWellFormedXml) {
  const replay::Report run = report();
  const std::vector<NamedReport> runs{{"ring (openmpi)", &run}};
  expect_well_formed(html_report(sample_validation(), runs));
  expect_well_formed(html_report(sample_validation()));
  expect_well_formed(html_report(replay::validate::healthy_validation(), runs));
  expect_well_formed(html_report(Validation{}));
}

TEST_F(HtmlReport, NeedsNoScriptsNoNetworkAndNoOtherFile) {
  const replay::Report run = report();
  const std::string page = html_report(sample_validation(), std::vector<NamedReport>{{"ring (openmpi)", &run}});
  for (const char* word : {"http://", "https://", "<script", "javascript:", "<link", "<img", "<iframe", "@import",
                           "src=", " onload", " onclick"})
    EXPECT_THAT(page, Not(HasSubstr(word)));
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'"));
  const std::regex reference("(href=\"|url\\()([^\")]*)");
  for (std::sregex_iterator each(page.begin(), page.end(), reference), end; each != end; ++each)
    EXPECT_TRUE((*each)[2].str().starts_with('#')) << each->str();
}

TEST_F(HtmlReport, TellsWhatTheTextTellsAndMore) {
  const replay::Report run = report();
  const std::string page = html_report(sample_validation(), std::vector<NamedReport>{{"ring (openmpi)", &run}});
  for (const char* part :
       {"2 findings: they cost up to 31 % of the suite.", "79 of 84 checks made", "2 min 32 s",
        "disturbed: load of 1.4", "a cable carries 48 of 100 Mbit/s at n3",
        "set by /etc/openmpi/openmpi-mca-params.conf, line 62", "OMPI_MCA_btl=vader,self,tcp", "MPIR_CVAR_NOLOCAL=0",
        "predicted 2 s, measured 1.9 s", "48.2 Mbit/s, 47.9 Mbit/s", "site.suppress:3",
        "coll_tuned_bcast_algorithm is 1", "rank 3 was killed by signal 9", "? not judged", "– could not run",
        "MPI_File_write_at_all", "6.1.0-13-amd64", "the platform was calibrated in the same run"})
    EXPECT_THAT(page, HasSubstr(part));
}

Validation hostile_validation(const std::string& text) {
  Validation validation = sample_validation();
  validation.machine.nodes = {text};
  validation.machine.kernel = validation.level = validation.created = validation.command = text;
  for (replay::validate::Diagnosis& each : validation.diagnoses) {
    each.id = each.title = each.component = each.mpi = each.cost_basis = text;
    each.places = {text};
    each.evidence = {{text, text, text}};
    each.origin = replay::validate::Origin{"file", text, 1};
    each.remedy.openmpi = {text};
  }
  for (replay::validate::Observation& each : validation.observations) each.text = each.id = text, each.places = {text};
  for (replay::validate::SuiteRun& each : validation.suite) each.name = each.fault = each.archive = text;
  for (replay::validate::CheckResult& each : validation.checks) each.id = each.reason = text;
  validation.notes = validation.disturbances = {text};
  return validation;
}

TEST_F(HtmlReport, EscapesWhateverNamesHold) {
  const std::string page =
      html_report(hostile_validation("<script>alert(1)</script>\" onload=\"x' & \xff\x01 --> ]]> </style></title>"));
  expect_well_formed(page);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\" onload")));
  EXPECT_THAT(
      page,
      HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x&#39; &amp; \xef\xbf\xbd\xef\xbf\xbd"));
}

TEST_F(HtmlReport, AnyBytesInNamesLeaveItWellFormed) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < test::cases(100); ++i) {
    std::string text;
    for (std::uint64_t length = random() % 40; length > 0; --length) text += static_cast<char>(random());
    expect_well_formed(html_report(hostile_validation(text)));
  }
}

TEST_F(HtmlReport, PartsOfTheWaterfallAddUpToRanksTimesRun) {
  const replay::Report run = report();
  const replay::Totals* totals[]{&run.totals, &run.totals, &run.totals};
  TimeSum sum;
  for (const WaterfallPart& part : waterfall_of(totals)) sum += part.time;
  EXPECT_EQ(sum.ps, (run.totals.rank_time() * 3).ps);
  EXPECT_GT(run.totals.structure.ps, 0);
  EXPECT_GT(run.totals.lost_to_stack().ps, 0);
}

TEST_F(HtmlReport, TheWaterfallShowsItsSumAndGainsBackwards) {
  replay::Totals totals;
  totals.ranks = 2;
  totals.run = seconds(10);
  totals.compute = seconds(8);
  totals.judged = seconds(10);
  totals.own = totals.stack = seconds(3);
  totals.gained = seconds(1);
  totals.inherited = seconds(2);
  totals.outside = seconds(2);
  const replay::Totals* one[]{&totals};
  const std::vector<WaterfallPart> parts = waterfall_of(one);
  const std::string figure = waterfall_figure(parts);
  for (const char* text : {">8 s (40.0 %)<", ">5 s (25.0 %)<", ">4 s (20.0 %)<", ">-1 s (-5.0 %)<", ">20 s (100 %)<"})
    EXPECT_THAT(figure, HasSubstr(text));
  EXPECT_THAT(figure, Not(HasSubstr("set-up"))) << "what took no time is left out";
  EXPECT_EQ(waterfall_figure({}), "");
}

TEST_F(HtmlReport, StatesAreToldInWordsNotByColourAlone) {
  const std::string page = html_report(sample_validation());
  EXPECT_THAT(page, HasSubstr(">✗ found</span>"));
  EXPECT_THAT(page, HasSubstr(">✓ passed</span>"));
}

}  // namespace
}  // namespace plumbline::viewer
