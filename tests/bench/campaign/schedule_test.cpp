#include "bench/campaign/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/bench/campaign/families.hpp"

namespace plumbline::bench {
namespace {

Description described(std::uint64_t seed) {
  const std::string text =
      "[campaign]\nruns = 4\nseed = " + std::to_string(seed) +
      "\n[[layout]]\nper_node = 2\n[[layout]]\nper_node = 4\n"
      "[[measure]]\noperation = \"bcast\"\nsizes = \"0..63+1\"\n[[measure]]\noperation = \"barrier\"\n";
  return parse_description(text, "c.toml", parse_catalogue(test::kFamilies, "families"), {{"openmpi", "mpich"}, 2});
}

TEST(Schedule, HasEveryMpiAndLayoutOnceBeforeAnyComesAgain) {
  const std::vector<Start> starts = starts_of(described(1));
  ASSERT_EQ(starts.size(), 4U * 4U);
  std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> orders;
  for (std::size_t round = 0; round < 4; ++round) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(starts[4 * round + i].repetition, round);
      order.emplace_back(starts[4 * round + i].mpi, starts[4 * round + i].layout);
    }
    orders.insert(order);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 4U);
  }
  EXPECT_GT(orders.size(), 1U);  // 4! orders, four drawn: all alike by chance in 1 of 13,824
}

TEST(Schedule, DependsOnTheSeedAlone) {
  EXPECT_EQ(starts_of(described(1)), starts_of(described(1)));
  EXPECT_NE(starts_of(described(1)), starts_of(described(2)));
  const Description description = described(1);
  const std::vector<Start> starts = starts_of(description);
  EXPECT_EQ(plan_of(description, starts[3]), plan_of(description, starts[3]));
}

TEST(Schedule, APlanHasAllThatFitsTheLayoutInAnOrderOfItsOwn) {
  const Description description = described(1);
  std::set<std::vector<std::uint64_t>> orders;
  for (const Start& start : starts_of(description)) {
    const Plan plan = plan_of(description, start);
    EXPECT_EQ(plan.requests.size(), description.layouts[start.layout].per_node == 4 ? 65U : 64U);  // barrier: 4 ranks
    std::vector<std::uint64_t> sizes;
    for (const Request& request : plan.requests)
      if (request.operation == "bcast") sizes.push_back(request.sizes.at(0));
    orders.insert(sizes);
    std::ranges::sort(sizes);
    for (std::uint64_t i = 0; i < 64; ++i) ASSERT_EQ(sizes.at(i), i);
  }
  EXPECT_EQ(orders.size(), 16U);
}

TEST(Schedule, APlanHasOnlyWhatTheLayoutIsFor) {
  const std::string text =
      "[[layout]]\n[[layout]]\nonly = \"round_trip\"\n[[measure]]\noperation = [\"bcast\", \"round_trip\"]\nsizes = "
      "1\n";
  const Description description =
      parse_description(text, "c.toml", parse_catalogue(test::kFamilies, "families"), {{"openmpi"}, 2});
  for (const Start& start : starts_of(description)) {
    const Plan plan = plan_of(description, start);
    ASSERT_EQ(plan.requests.size(), start.layout == 0 ? 2U : 1U);
    EXPECT_TRUE(start.layout == 0 || plan.requests[0].operation == "round_trip");
  }
}

}  // namespace
}  // namespace plumbline::bench
