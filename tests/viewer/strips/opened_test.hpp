#pragma once
// Endpoints as functions from a request to a response, of random runs of four ranks, three of which are drawn as one,
// and two components.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

using Json = nlohmann::json;

inline constexpr char kKey[] = "0123456789abcdef";

class OpenedTest : public testing::Test {
 protected:
  static Opened open(Runs runs) {
    runs.components = {{"quiet", "link", {}}, {"busy", "disk", {{span_of(runs.observed).begin, 0.5F}}}};
    Lanes lanes = make_lanes(runs);
    Pyramid pyramid = make_pyramid(runs, {}, {.most_strip_bytes = 60 * sizeof(Strip)});
    Opened opened{std::move(runs), std::move(lanes), std::move(pyramid), {}, {}, nullptr};
    opened.folds.folds = {{.ranks = {0, 1, 3}, .node = 0, .worst_rank = 1, .note = ""},
                          {.ranks = {2}, .node = 0, .worst_rank = 2, .note = "slow"}};
    opened.folds.fold_of = {0, 0, 1, 0};
    opened.key = kKey;
    return opened;
  }

  using Values = std::map<std::string, std::string, std::less<>>;

  std::string body(Endpoint endpoint, Values values) {
    const Response response = endpoint(opened_, {std::move(values)});
    EXPECT_EQ(response.status, 200U);
    return response.body;
  }
  Json json(Endpoint endpoint, Values values) { return Json::parse(body(endpoint, std::move(values))); }
  unsigned status(Endpoint endpoint, Values values) {
    try {
      return endpoint(opened_, {std::move(values)}).status;
    } catch (const BadRequest& bad) {
      EXPECT_FALSE(bad.text.empty());
      return bad.status;
    }
  }
  Values asked(unsigned level, std::string x, std::string lanes, std::string source = "obs") {
    return {{"k", kKey}, {"s", source}, {"l", std::to_string(level)}, {"x", x}, {"r", lanes}};
  }

  const test::TemporaryDirectory directory_;
  std::mt19937_64 random_ = printed_random();
  Opened opened_ = open(random_runs(directory_ / "program", {.ranks = 4, .operations = 900}, random_));
};

}  // namespace plumbline::viewer
