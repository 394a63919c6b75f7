// What the components of the platform did, in every face of the report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"
#include "schema_check.hpp"

namespace plumbline::replay {
namespace {

using testing::HasSubstr;
using testing::Not;

class Components : public testing::Test {
 protected:
  // A run of 10 s.
  Program program() {
    return programs_.parse("ranks 1\nnode alpha ranks 0-0 cores 4\nrank 0\nbarrier\ncompute 10s\nbarrier\n");
  }

  Report report_of(std::vector<ComponentTotals> components) {
    const Program observed = program();
    Expected expected = as_observed(observed);
    expected.components = std::move(components);
    return make_report(observed, expected);
  }

  Programs programs_;
};

ComponentTotals link() {
  return {"n0-s0 >",
          "link",
          milliseconds(2500),
          {{"bytes served", "B", 5'000'000}},
          {{"packets waiting", "packets", 0.266, 3}}};
}

ComponentTotals disk() {
  return {"d0",
          "disk",
          seconds(1),
          {{"bytes read", "B", 1'000'000}, {"bytes written", "B", 2'000'000}, {"accesses", "1", 12}},
          {{"accesses waiting", "accesses", 12.34, 40}, {"pages dirty", "pages", 7, 9}}};
}

TEST_F(Components, AreATableInTheText) {
  EXPECT_THAT(
      to_text(report_of({link(), disk()}), {.details = true}),
      HasSubstr("\nWhat the platform did in the expected run (2 components, by time busy)\n"
                "component  kind   busy   share  bytes  mean queue  longest\n"
                "n0-s0 >    link  2.5 s  25.0 %   5 MB        0.27        3\n"
                "d0         disk    1 s  10.0 %   3 MB        12.3       40\n"
                "    bytes read 1 MB, bytes written 2 MB, accesses 12, pages dirty 7.0 on average, 9 at most\n"));
}

TEST_F(Components, HoldBytesBesideTheirQueueAndNotInIt) {
  EXPECT_THAT(
      to_text(
          report_of(
              {{"d0 cache", "cache", {}, {}, {{"memory used", "B", 1260.6, 19'520}, {"jobs waiting", "#", 0.5, 2}}}}),
          {.details = true}),
      HasSubstr("d0 cache   cache   0 s  0.0 %               0.50        2\n"
                "    memory used 1.26 kB on average, 19.52 kB at most\n"));
}

TEST_F(Components, OfWhichThereAreManyAreShownByTheTenBusiest) {
  std::vector<ComponentTotals> many;
  for (int i = 11; i > 0; --i) many.push_back({"c" + std::to_string(i), "switch", milliseconds(900 * i), {}, {}});
  const std::string text = to_text(report_of(many), {.details = true});
  EXPECT_THAT(text, HasSubstr("(10 of 11 components, by time busy)"));
  EXPECT_THAT(text, HasSubstr("\nc2 "));
  EXPECT_THAT(text, Not(HasSubstr("\nc1 ")));
}

TEST_F(Components, AreAllInTheJsonWithTheirQuantities) {
  const Report report = report_of({link(), disk()});
  const nlohmann::json json = nlohmann::json::parse(json_text(report));
  EXPECT_EQ(schema_faults(json, PLUMBLINE_REPORT_SCHEMA), "");
  EXPECT_EQ(json["components"][0], nlohmann::json::parse(R"({"name": "n0-s0 >", "kind": "link",
    "busy_s": 2.5, "busy_ps": 2500000000000, "share": 0.25,
    "totals": [{"name": "bytes served", "unit": "B", "value": 5000000}],
    "levels": [{"name": "packets waiting", "unit": "packets", "mean": 0.266, "most": 3}]})"));
  EXPECT_EQ(json["components"][1]["totals"].size(), 3U);
}

TEST_F(Components, OfTwoObservedRunsThereAreNone) {
  const Report report = make_report(program(), program());
  EXPECT_TRUE(report.components.empty());
  EXPECT_EQ(nlohmann::json::parse(json_text(report))["components"], nlohmann::json::array());
  EXPECT_THAT(to_text(report), Not(HasSubstr("What the platform did")));
}

}  // namespace
}  // namespace plumbline::replay
