// The endpoints of analyses, as functions from an address to a response. Of the world: four ranks, 25 rounds of a
// write, a message and a barrier; rank 2 writes for 400 ms, the others for 100 ms, where 50 ms were expected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "opened_world.hpp"
#include "tests/support/seed.hpp"
#include "viewer/server/api.hpp"
#include "viewer/server/encoding/base64.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000'000;

class AnalysesEndpoints : public testing::Test {
 protected:
  Json get(const std::string& target) {
    const Response response = handle(*opened_, {"GET", "/api/v1/" + target});
    EXPECT_EQ(response.status, 200U) << target << ": " << response.body;
    return Json::parse(response.body);
  }
  unsigned status(const std::string& target) { return handle(*opened_, {"GET", "/api/v1/" + target}).status; }
  std::string error(const std::string& target) {
    return Json::parse(handle(*opened_, {"GET", "/api/v1/" + target}).body)["error"];
  }

  const std::unique_ptr<Opened> opened_ = opened_pair();
};

TEST_F(AnalysesEndpoints, OperationsComeWorstFirstAndPageByPage) {
  const Json all = get("operations");
  EXPECT_EQ(all["total"], 300);
  EXPECT_EQ(all["pages"], 2);
  EXPECT_EQ(all["operations"].size(), 200U);
  EXPECT_EQ(all["operations"][0]["rank"], 2);
  EXPECT_EQ(all["operations"][0]["own_ps"], 350 * kMs);
  EXPECT_EQ(get("operations?page=1")["operations"].size(), 100U);
  const Json sends = get("operations?filter=call+%3D%3D+MPI_Send&sort=begin&lanes=0");
  EXPECT_EQ(sends["total"], 25);
  EXPECT_EQ(sends["operations"][0]["begin_ps"], 100 * kMs);
  EXPECT_EQ(get("operations?t0=0&t1=100000000000")["total"], 4);
}

TEST_F(AnalysesEndpoints, SearchCountsAndStepsAndTicks) {
  const Json first = get("search?q=rank%3D%3D2%26pwrite");
  EXPECT_EQ(first["count"], 25);
  EXPECT_EQ(first["ticks"].size(), 25U);
  EXPECT_EQ(first["hit"]["operation"], 0);
  EXPECT_EQ(get("search?q=rank%3D%3D2%26pwrite&from_rank=2&from_operation=0")["hit"]["operation"], 3);
  EXPECT_EQ(get("search?q=rank%3D%3D2%26pwrite&dir=previous")["hit"]["operation"], 72);
  EXPECT_EQ(get("search?q=rank%3D%3D2%26pwrite&from_rank=2&from_operation=0&dir=previous")["hit"], nullptr);
  EXPECT_EQ(get("search?q=pwrite&limit=3")["ticks"].size(), 3U);
  EXPECT_THAT(error("search?q=sze+%3E+3"), HasSubstr("filter:1: no field is called 'sze'"));
  EXPECT_EQ(status("search?q=x&from_rank=9&from_operation=0"), 404U);
}

TEST_F(AnalysesEndpoints, CausesAddUpToWhatTheySayIsExplained) {
  const Json causes = get("causes/3/1");  // receives from rank 2
  std::int64_t sum = 0;
  for (const Json& step : causes["steps"]) sum += step["explains_ps"].get<std::int64_t>();
  EXPECT_EQ(sum, causes["explained_ps"]);
  EXPECT_FALSE(causes["sentence"].get<std::string>().empty());
  EXPECT_EQ(status("causes/9/0"), 404U);
  EXPECT_EQ(status("causes/0/x"), 400U);
}

TEST_F(AnalysesEndpoints, PathGoesFromTheBeginToTheEndOfTheRun) {
  for (const char* source : {"obs", "free"}) {
    const Json path = get(std::string("path?s=") + source);
    std::int64_t at = 0;
    for (const Json& piece : path["pieces"]) {
      EXPECT_EQ(piece["begin_ps"], at);
      at = piece["end_ps"];
    }
    std::int64_t sum = 0;
    for (const Json& call : path["by_call"]) sum += call["ps"].get<std::int64_t>();
    EXPECT_EQ(sum, at);
  }
  EXPECT_EQ(status("path?s=whatif-1"), 400U);
}

TEST_F(AnalysesEndpoints, MessagesPhasesAndMatrixTellOfThePairsThatExchange) {
  const Json messages = get("messages");
  EXPECT_EQ(messages["total"], 50);
  EXPECT_EQ(messages["aggregated"], false);
  EXPECT_EQ(messages["messages"][0]["from"], Json({{"rank", 0}, {"operation", 1}}));
  EXPECT_EQ(messages["messages"][0]["to"]["rank"], 1);
  EXPECT_EQ(get("messages?lanes=2-3")["total"], 25);
  const Json phases = get("phases?by=all")["phases"][0];
  EXPECT_EQ(phases["observed_ps"].size(), phases["free_ps"].size());
  EXPECT_GE(phases["observed_ps"].size(), 50U);
  EXPECT_EQ(get("phases/1")["phases"][0]["observed_ps"][0], 0);
  EXPECT_EQ(status("phases/4"), 400U);
  const Json matrix = get("aggregate/matrix?what=count");
  EXPECT_EQ(matrix["cells"], Json({{0, 1, 25}, {2, 3, 25}}));
  EXPECT_EQ(get("aggregate/matrix?by=node&what=bytes")["names"], Json({"alpha", "beta"}));
  EXPECT_EQ(status("aggregate/matrix?by=socket"), 400U);
}

TEST_F(AnalysesEndpoints, WaterfallAddsUpToRanksTimesInterval) {
  for (const char* target : {"aggregate/waterfall", "aggregate/waterfall?t0=50000000000&t1=777777777777&lanes=1-3"}) {
    const Json waterfall = get(target);
    std::int64_t sum = 0;
    for (const Json& part : waterfall["parts"]) sum += part["ps"].get<std::int64_t>();
    EXPECT_EQ(sum, waterfall["total_ps"]);
    EXPECT_EQ(waterfall["parts"].size(), 12U);
  }
  EXPECT_EQ(get("aggregate/waterfall?t0=10&t1=110&lanes=1-3")["total_ps"], 300);
  EXPECT_EQ(status("aggregate/waterfall?t0=5&t1=4"), 400U);
  EXPECT_EQ(status("aggregate/waterfall?s=free"), 400U);
  EXPECT_EQ(status("aggregate/waterfall?s=whatif-1"), 404U);
  EXPECT_EQ(status("aggregate/waterfall?lanes=4"), 404U);
}

TEST_F(AnalysesEndpoints, ProfileHistogramAndInstancesTellOfOneCall) {
  const Json rows = get("aggregate/profile")["rows"];
  EXPECT_EQ(rows[0]["call"], "pwrite");
  EXPECT_EQ(rows[0]["count"], 100);
  EXPECT_EQ(rows[0]["own_ps"], 25 * (350 + 3 * 50) * kMs);
  const Json histogram = get("aggregate/histogram?call=pwrite");
  EXPECT_EQ(histogram["bounds_ps"].size(), histogram["observed"].size() + 1);
  EXPECT_EQ(histogram["observed"].back(), 25);
  EXPECT_EQ(histogram["expected"].front(), 100);
  EXPECT_EQ(get("aggregate/histogram?row=0")["observed"].back(), 25);
  const Json instances = get("aggregate/instances?call=pwrite&first=20");
  EXPECT_EQ(instances["instances"], 25);
  EXPECT_EQ(instances["rows"], 5);
  EXPECT_EQ(instances["ranks"], Json({0, 1, 2, 3}));
  EXPECT_EQ(instances["own_log"].get<std::string>().size(), 28U);
  EXPECT_EQ(status("aggregate/histogram"), 400U);
  EXPECT_EQ(status("aggregate/histogram?call=MPI_Bcast"), 404U);
  EXPECT_EQ(status("aggregate/instances?row=999"), 404U);
}

TEST_F(AnalysesEndpoints, EfficiencyIsToldForEachBin) {
  const Json efficiency = get("aggregate/efficiency?bins=8");
  EXPECT_EQ(efficiency["bins"].size(), 9U);
  EXPECT_EQ(efficiency["load_balance"].size(), 8U);
  EXPECT_EQ(get("aggregate/efficiency?t0=5&t1=5")["bins"].size(), 257U);
  EXPECT_EQ(status("aggregate/efficiency?bins=0"), 400U);
}

TEST(AnalysesEndpointsAlone, WorkWithoutAnExpectationWhereTheyNeedNone) {
  const std::unique_ptr<Opened> opened = opened_alone();
  const auto status = [&](const std::string& target) { return handle(*opened, {"GET", "/api/v1/" + target}).status; };
  for (const char* target : {"operations", "search?q=send", "causes/1/1", "path", "messages", "aggregate/waterfall",
                             "aggregate/profile", "aggregate/matrix", "aggregate/histogram?call=pwrite",
                             "aggregate/instances?call=pwrite", "aggregate/efficiency"})
    EXPECT_EQ(status(target), 200U) << target;
  for (const char* target : {"phases", "phases/0", "path?s=free"}) EXPECT_EQ(status(target), 409U) << target;
  EXPECT_EQ(status("aggregate/histogram?row=0"), 404U);
}

TEST_F(AnalysesEndpoints, AnyValuesGetAnAnswer) {
  const std::vector<std::string> targets{"operations",
                                         "search",
                                         "causes/0/0",
                                         "causes/1/74",
                                         "path",
                                         "messages",
                                         "phases",
                                         "phases/3",
                                         "aggregate/waterfall",
                                         "aggregate/profile",
                                         "aggregate/matrix",
                                         "aggregate/histogram",
                                         "aggregate/instances",
                                         "aggregate/efficiency"};
  std::vector<std::string> names{"t0",   "t1",    "lanes", "filter", "q",    "sort",  "page",      "row",
                                 "call", "site",  "by",    "what",   "bins", "first", "from_rank", "from_operation",
                                 "dir",  "limit", "s"};
  const std::vector<std::string> values{"0",
                                        "1",
                                        "-1",
                                        "3",
                                        "2-3",
                                        "536870912",
                                        "1073741824",
                                        "99999999999999999999",
                                        "pwrite",
                                        "own",
                                        "bytes",
                                        "rank",
                                        "node",
                                        "next",
                                        "free",
                                        "",
                                        "0,0,0-3",
                                        "9-0",
                                        "%22",
                                        "own+%3E+1ms",
                                        "(",
                                        "4096",
                                        "9223372036854775807",
                                        "MPI_Send",
                                        "all"};
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  for (int turn = 0; turn < 3000; ++turn) {
    std::string target = targets[random() % targets.size()];
    std::ranges::shuffle(names, random);
    for (std::uint64_t i = 0, n = random() % 5; i < n; ++i)
      target += (i == 0 ? "?" : "&") + names[i] + "=" + values[random() % values.size()];
    const unsigned answered = status(target);
    ASSERT_TRUE(answered == 200 || (answered >= 400 && answered < 500)) << target << ": " << error(target);
  }
}

TEST(Base64, IsAsInTheStandard) {
  const auto of = [](std::string_view text) { return base64(std::vector<std::int8_t>(text.begin(), text.end())); };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace plumbline::viewer
