// The endpoint lanes.

#include <gtest/gtest.h>

#include <vector>

#include "opened_test.hpp"

namespace plumbline::viewer {
namespace {

class LanesEndpoint : public OpenedTest {
 protected:
  std::vector<std::uint32_t> numbers(Values values) {
    std::vector<std::uint32_t> numbers;
    const Json told = json(lanes, std::move(values));
    for (const Json& lane : told["lanes"]) numbers.push_back(lane["lane"]);
    return numbers;
  }
};

TEST_F(LanesEndpoint, TellsRanksThenComponentsBusiestFirst) {
  EXPECT_EQ(numbers({}), (std::vector<std::uint32_t>{0, 1, 2, 3, 0x40000001, 0x40000000}));
  const Json told = json(lanes, {})["lanes"];
  EXPECT_EQ(told[2]["kind"], "rank");
  EXPECT_EQ(told[2]["ranks"], 1);
  EXPECT_EQ(told[2]["own_ps"], static_cast<std::int64_t>(opened_.lanes.ranks[2].own.ps));
  EXPECT_EQ(told[4]["kind"], "component");
  EXPECT_EQ(told[4]["class"], "disk");
  EXPECT_EQ(told[4]["busy_share"], 0.5);
}

TEST_F(LanesEndpoint, FoldsRanksThatAreAlike) {
  const Json told = json(lanes, {{"fold", "1"}})["lanes"];
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told[0]["lane"], 536870912);
  EXPECT_EQ(told[0]["kind"], "fold");
  EXPECT_EQ(told[0]["members"], "0-1,3");
  EXPECT_EQ(told[0]["ranks"], 3);
  EXPECT_EQ(told[0]["worst_rank"], 1);
  EXPECT_EQ(told[1]["lane"], 2);
  EXPECT_EQ(told[1]["note"], "slow");
}

TEST_F(LanesEndpoint, SortsByWhatWasLost) {
  const std::vector<std::uint32_t> by_own = numbers({{"order", "own"}});
  for (int i = 0; i < 3; ++i)
    EXPECT_GE(opened_.lanes.ranks[by_own[static_cast<std::size_t>(i)]].own,
              opened_.lanes.ranks[by_own[static_cast<std::size_t>(i + 1)]].own);
  EXPECT_EQ(status(lanes, {{"order", "size"}}), 400U);
  EXPECT_EQ(status(lanes, {{"fold", "2"}}), 400U);
}

TEST_F(LanesEndpoint, KeepsTheRanksWithAnOperationThatIsSelected) {
  EXPECT_EQ(numbers({{"filter", "rank in 1-2"}}), (std::vector<std::uint32_t>{1, 2, 0x40000001, 0x40000000}));
  EXPECT_EQ(numbers({{"filter", "rank == 1"}, {"fold", "1"}}),
            (std::vector<std::uint32_t>{536870912, 0x40000001, 0x40000000}));
  EXPECT_EQ(status(lanes, {{"filter", "sze > 3"}}), 400U);
}

}  // namespace
}  // namespace plumbline::viewer
