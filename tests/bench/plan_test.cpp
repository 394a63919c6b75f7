#include "bench/results/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using ::testing::HasSubstr;

Plan example_plan() {
  Plan plan;
  plan.seed = UINT64_MAX;
  Request& bcast = plan.requests.emplace_back();
  bcast.operation = "bcast";
  bcast.implementation = "binomial";
  bcast.sizes = {0, 1ULL << 40};
  bcast.adaptive = true;
  bcast.effort = {"global", "round time", "Student", 3, 1, 6, 7, 0.99, 0.1, 2.5, 1e-3, 1e-7};
  bcast.keep_ranks = true;
  Request& write = plan.requests.emplace_back();
  write.operation = "file_write_at";
  write.sizes = {4096};
  write.numbers = {{"piece", 512}};
  write.words = {{"directory", "/d d/\"q\""}, {"hint.cb_nodes", "2"}};
  return plan;
}

std::string fault_in(const std::string& text) {
  try {
    parse_plan(text, "p.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, ReadsBackWhatWasWritten) {
  const test::TemporaryDirectory directory;
  const std::filesystem::path path = directory / "plan.json";
  write_plan({}, path);
  write_plan(example_plan(), path);  // replaces
  std::ifstream in(path);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(parse_plan(text, "p.json"), example_plan());
}

TEST(Plan, LeavesDefaultsWhereNothingIsSaid) {
  const Plan plan = parse_plan(R"({"requests": [{"operation": "bcast"}]})", "p.json");
  ASSERT_EQ(plan.requests.size(), 1);
  Request expected;
  expected.operation = "bcast";
  EXPECT_EQ(plan.requests[0], expected);
}

TEST(Plan, SaysWhereItIsWrong) {
  EXPECT_EQ(fault_in("[]"), "p.json: is not a JSON object; files of another version are not read");
  EXPECT_THAT(fault_in(R"({"requests": 3})"), HasSubstr("'requests' is not a list"));
  EXPECT_THAT(fault_in(R"({"requests": [{}, 3]})"), HasSubstr("p.json: requests[1]: is not a JSON object"));
  EXPECT_THAT(fault_in(R"({"requests": [{"size": []}]})"),
              HasSubstr("p.json: requests[0]: nothing is known of 'size'"));
  EXPECT_THAT(fault_in(R"({"requests": [{"sizes": [1, -1]}]})"), HasSubstr("'sizes' is not a whole number"));
  EXPECT_THAT(fault_in(R"({"requests": [{"effort": {"root": true}}]})"),
              HasSubstr("p.json: requests[0].effort: 'root' is not a whole number"));
  EXPECT_THAT(fault_in(R"({"requests": [{"numbers": {"a": null}}]})"), HasSubstr("'numbers.a' is not a number"));
}

}  // namespace
}  // namespace plumbline::bench
