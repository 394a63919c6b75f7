// The endpoint at.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "opened_test.hpp"
#include "tests/viewer/index/brute_force.hpp"

namespace plumbline::viewer {
namespace {

class At : public OpenedTest {};

TEST_F(At, TellsTheOperationsOfARangeExactlyWorstFirst) {
  const PyramidSource& source = opened_.pyramid.sources[0];
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t rank = static_cast<std::uint32_t>(random_() % 4);
    const std::uint64_t a = random_() % opened_.pyramid.base_ps, b = random_() % opened_.pyramid.base_ps;
    const std::uint64_t from = std::min(a, b), to = std::max(a, b) + 1;
    const Json told =
        json(at, {{"lane", std::to_string(rank)}, {"t0", std::to_string(from)}, {"t1", std::to_string(to)}});
    const TimeRange range{source.zero + Duration{static_cast<std::int64_t>(from)},
                          source.zero + Duration{static_cast<std::int64_t>(to)}};
    const BruteForce truth(opened_.runs, source, rank);
    const RangeSummary summary = truth.summary(range);
    EXPECT_EQ(told["count"], truth.operations(range).size());
    EXPECT_EQ(told["busy_ps"], summary.busy().ps);
    EXPECT_EQ(told["worst_own_ps"], summary.own.ps);
    EXPECT_EQ(told["worst_inherited_ps"], summary.inherited.ps);
    EXPECT_EQ(told["worst_own_operation"].is_null(), summary.own == Duration{});
    if (summary.own != Duration{}) {
      EXPECT_EQ(told["worst_own_operation"]["operation"], summary.own_operation);
    }
    const std::vector<OperationId> worst = truth.worst(range, 20);
    ASSERT_EQ(told["operations"].size(), worst.size());
    for (std::size_t n = 0; n < worst.size(); ++n) EXPECT_EQ(told["operations"][n]["operation"], worst[n].operation);
  }
}

TEST_F(At, OfRanksThatAreAlikeNamesTheRank) {
  const std::string all = std::to_string(opened_.pyramid.base_ps);
  const Json fold = json(at, {{"lane", "536870912"}, {"t0", "0"}, {"t1", all}});
  std::uint64_t count = 0;
  Json worst;
  for (const char* rank : {"0", "1", "3"}) {
    const Json one = json(at, {{"lane", rank}, {"t0", "0"}, {"t1", all}});
    count += one["count"].get<std::uint64_t>();
    if (worst.is_null() || one["worst_own_ps"] > worst["worst_own_ps"]) worst = one;
  }
  EXPECT_EQ(fold["count"], count);
  if (worst["worst_own_ps"] > 0) {
    EXPECT_EQ(fold["worst_own_operation"], worst["worst_own_operation"]);
  }
}

TEST_F(At, RefusesWhatItCannotMean) {
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}, {"t1", "5"}}), 200U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}, {"t1", "4"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "5"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "9"}, {"t0", "5"}, {"t1", "6"}}), 404U);
  EXPECT_EQ(status(at, {{"lane", "0"}, {"t0", "0"}, {"t1", "18446744073709551615"}}), 400U);
  EXPECT_EQ(status(at, {{"lane", "1073741825"}, {"t0", "0"}, {"t1", "10"}}), 200U);
}

}  // namespace
}  // namespace plumbline::viewer
