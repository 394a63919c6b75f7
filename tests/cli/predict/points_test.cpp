#include "cli/workflows/predict/points.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace plumbline::cli::predict {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(PredictPoints, NumbersOfRanksAreOneARangeOrAList) {
  EXPECT_EQ(ranks_of("8"), (Numbers{8}));
  EXPECT_EQ(ranks_of("2..64"), (Numbers{2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(ranks_of("3..20"), (Numbers{3, 6, 12}));
  EXPECT_EQ(ranks_of("2..54*3"), (Numbers{2, 6, 18, 54}));
  EXPECT_EQ(ranks_of("6,2,4,2"), (Numbers{2, 4, 6}));
  EXPECT_EQ(ranks_of("1,4..16"), (Numbers{1, 4, 8, 16}));
  for (const char* wrong : {"", "0", "-1", "two", "4..2", "2..", "2..8*1", "2,,4", "1048577", "8.5"})
    EXPECT_THROW(ranks_of(wrong), Error) << wrong;
}

TEST(PredictPoints, EveryCombinationIsOneTheRanksRunningFastest) {
  const Sweeps sweeps = sweeps_of("2,4", {"x=1,2", "y=min(1,2)", "collective.allreduce=ring"});
  ASSERT_EQ(sweeps.points.size(), 4U);
  EXPECT_EQ(sweeps.points[1].ranks, 4U);
  EXPECT_EQ(sweeps.points[2].settings, (std::vector<replay::model::Setting>{{"x", "2"}, {"y", "min(1,2)"}}));
  EXPECT_EQ(sweeps.constants, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(sweeps.swept, (std::vector<std::string>{"x"}));
  EXPECT_EQ(sweeps.platform, (std::vector<hw::Setting>{{"collective.allreduce", "ring"}}));
  EXPECT_THROW(sweeps_of("2", {"x=1", "x=2"}), Error);
  EXPECT_THROW(sweeps_of("2", {"x=1,,2"}), Error);
}

}  // namespace
}  // namespace plumbline::cli::predict
