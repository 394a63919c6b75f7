#include "viewer/server/api.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "opened_world.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::json;

Response get(Opened& opened, const std::string& target) { return handle(opened, {"GET", "/api/v1/" + target}); }

Json json_of(Opened& opened, const std::string& target) {
  const Response response = get(opened, target);
  EXPECT_EQ(response.status, 200U) << target << ": " << response.body;
  return Json::parse(response.body);
}

class Endpoints : public testing::Test {
 protected:
  const std::unique_ptr<Opened> pair_ = opened_pair();
};

TEST_F(Endpoints, MetaTellsWhatIsShown) {
  const Json meta = json_of(*pair_, "meta");
  EXPECT_EQ(meta["observed"], "obs");
  EXPECT_EQ(meta["reference"], "exp");
  EXPECT_EQ(meta["against"], "expected");
  EXPECT_EQ(meta["word"], "findings");
  EXPECT_EQ(meta["headline"], pair_->report["verdict"]["sentence"]);
  EXPECT_EQ(meta["ranks"], 4);
  EXPECT_EQ(meta["operations"], 4 * 25 * 3);
  EXPECT_EQ(meta["key"], "0123456789abcdef");
  EXPECT_EQ(meta["kinds"].size(), 9U);
  EXPECT_EQ(meta["nodes"], Json::parse(R"([{"name": "alpha", "ranks": [0, 1]}, {"name": "beta", "ranks": [2, 3]}])"));
  EXPECT_EQ(meta["sources"], Json::parse(R"(["obs", "free"])"));
  EXPECT_EQ(meta["whatif"], false);
  EXPECT_EQ(meta["is_validation"], false);
  const std::int64_t span = meta["span_ps"], base = meta["base_ps"];
  EXPECT_EQ(base & (base - 1), 0) << "a power of two";
  EXPECT_GE(base, span);
}

TEST_F(Endpoints, MetaOfARecordingAloneHasNoVerdict) {
  const std::unique_ptr<Opened> alone = opened_alone();
  const Json meta = json_of(*alone, "meta");
  for (const char* name : {"reference", "against", "platform", "word", "headline"})
    EXPECT_TRUE(meta[name].is_null()) << name;
  EXPECT_EQ(meta["sources"], Json::parse(R"(["obs"])"));
  EXPECT_EQ(get(*alone, "report").status, 404U);
}

TEST_F(Endpoints, TheReportIsTheOneThatCompareWrites) { EXPECT_EQ(json_of(*pair_, "report"), Json(pair_->report)); }

TEST_F(Endpoints, AValidationIsThereWhereOneWasOpened) {
  EXPECT_EQ(get(*pair_, "validation").status, 404U);
  pair_->validation = {{"format", "plumbline-validation"}};
  EXPECT_EQ(json_of(*pair_, "validation")["format"], "plumbline-validation");
  EXPECT_EQ(json_of(*pair_, "meta")["is_validation"], true);
}

// Rank 2's third write: 2 rounds of 400 + 1 + 2 + 10 ms after the begin, 400 ms observed where 50 were expected.
TEST_F(Endpoints, AnOperationHasItsPartsItsRowAndItsFindings) {
  const Json operation = json_of(*pair_, "operation/2/6");
  EXPECT_EQ(operation["call"], "pwrite");
  EXPECT_EQ(operation["kind"], 4);
  EXPECT_EQ(operation["node"], "beta");
  EXPECT_EQ(operation["file"], "/scratch/a");
  EXPECT_EQ(operation["bytes"], 52'000'000);
  EXPECT_EQ(operation["begin_ps"], 2 * 413'000'000'000);
  EXPECT_EQ(operation["observed_ps"], 400'000'000'000);
  EXPECT_EQ(operation["own_ps"], 350'000'000'000);
  EXPECT_EQ(operation["judged"], true);
  EXPECT_EQ(operation["reason"], "");
  const Json row = json_of(*pair_, "report")["rows"][operation["row"].get<std::size_t>()];
  EXPECT_EQ(row["call"], "pwrite");
  EXPECT_FALSE(operation["findings"].empty());
  EXPECT_EQ(operation["in_its_kind"]["percentile"], 100.0) << "none of the others is slower";
  std::uint64_t counted = 0;
  for (const Json& count : operation["in_its_kind"]["counts"]) counted += count.get<std::uint64_t>();
  EXPECT_EQ(counted, 4U * 25);
  EXPECT_EQ(operation["in_its_kind"]["bounds_ps"].size(), operation["in_its_kind"]["counts"].size() + 1);
}

TEST_F(Endpoints, AMessageHasItsPeerItsTagAndItsSite) {
  const Json operation = json_of(*pair_, "operation/2/1");
  EXPECT_EQ(operation["call"], "MPI_Send");
  EXPECT_EQ(operation["peer"], 3);
  EXPECT_EQ(operation["tag"], 7);
  EXPECT_EQ(operation["comm_size"], 4);
  EXPECT_EQ(operation["site"], "exchange (a.c:8)");
  EXPECT_TRUE(operation["file"].is_null());
}

TEST_F(Endpoints, WhatIsNotThereIsNotFound) {
  for (const char* target : {"", "nothing", "meta/more", "operation", "operation/1", "operation/1/2/3", "aggregate"})
    EXPECT_EQ(get(*pair_, target).status, 404U) << target;
  EXPECT_EQ(handle(*pair_, {"GET", "/"}).status, 404U);
  EXPECT_EQ(handle(*pair_, {"GET", "/api/v2/meta"}).status, 404U);
}

TEST_F(Endpoints, NumbersOutOfRangeAreBadRequests) {
  for (const char* target : {"operation/4/0", "operation/0/75", "operation/-1/0", "operation/x/0", "operation/0/",
                             "operation/0/99999999999999999999"})
    EXPECT_EQ(get(*pair_, target).status / 100, 4U) << target;
}

TEST_F(Endpoints, AnotherMethodIsToldWhichOneIsTaken) {
  const Response response = handle(*pair_, {"POST", "/api/v1/meta"});
  EXPECT_EQ(response.status, 405U);
  EXPECT_EQ(Json::parse(response.body)["error"], "this endpoint takes GET");
  EXPECT_EQ(handle(*pair_, {"HEAD", "/api/v1/meta"}).status, 200U);
}

TEST_F(Endpoints, EveryRouteAnswersWithoutAnyValue) {
  for (const Route& route : routes()) {
    std::string path(route.path);
    for (std::size_t star = path.find('*'); star != std::string::npos; star = path.find('*'))
      path.replace(star, 1, "0");
    const Response response = handle(*pair_, {std::string(route.method), "/api/v1/" + path});
    EXPECT_TRUE(response.status == 200 || (response.status >= 400 && response.status < 500))
        << path << ": " << response.status << " " << response.body;
    if (response.status != 200) {
      EXPECT_TRUE(Json::parse(response.body)["error"].is_string()) << path;
    }
  }
}

TEST_F(Endpoints, BytesThatAreNoUtf8AreReplaced) {
  const Response response = get(*pair_, "%ff%fe");
  EXPECT_EQ(response.status, 404U);
  EXPECT_NO_THROW(Json::parse(response.body));
  pair_->runs.observed_name = "\xff.otf2";
  EXPECT_EQ(json_of(*pair_, "meta")["observed"], "\xef\xbf\xbd.otf2");
}

TEST_F(Endpoints, WithoutAPlatformNothingCanBeTried) {
  for (const auto& [method, path] :
       {std::pair("GET", "whatif/choices"), {"POST", "whatif"}, {"GET", "whatif/1"}, {"DELETE", "whatif/1"}}) {
    const Response response = handle(*pair_, {method, std::string("/api/v1/") + path, R"({"options": []})"});
    EXPECT_EQ(response.status, 409U) << path;
    EXPECT_THAT(response.body, testing::HasSubstr("--platform")) << path;
  }
}

}  // namespace
}  // namespace plumbline::viewer
