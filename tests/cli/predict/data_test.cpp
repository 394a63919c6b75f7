#include "cli/workflows/predict/data.hpp"

#include <gtest/gtest.h>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

hw::Platform measured() {
  return hw::parse_platform(
      test::sampled_platform("<times size=\"1KiB\" in-flight=\"1\" quantiles=\"0%:10us 50%:20us 100%:40us\"/>"
                             "<times size=\"1KiB\" in-flight=\"8\" quantiles=\"0%:12us 100%:32us\"/>"
                             "<times size=\"2KiB\" in-flight=\"2\" quantiles=\"0%:50us 100%:70us\"/>"),
      "p.xml");
}

const std::vector<hw::MessageTimes>& between(const hw::Platform& platform) {
  return platform.between.ranges.front().times;
}

TEST(PredictData, FewestInFlightAreThoseOfEachSize) {
  const hw::Platform platform = with_fewest_in_flight(measured());
  ASSERT_EQ(between(platform).size(), 2U);
  EXPECT_EQ(between(platform)[0].in_flight, 1U);
  EXPECT_EQ(between(platform)[1].in_flight, 2U);
}

// Half of the messages are spread evenly between 10 and 20 us, half between 20 and 40 us.
TEST(PredictData, MeansAreThoseOfTheDistributions) {
  const hw::Platform platform = with_means(measured());
  EXPECT_EQ(between(platform)[0].quantiles,
            (std::vector<hw::Quantile>{{0, nanoseconds(22'500)}, {1, nanoseconds(22'500)}}));
  EXPECT_EQ(between(platform)[1].quantiles.front().value, microseconds(22));
}

TEST(PredictData, TheLeastIsTheLeast) {
  EXPECT_EQ(between(with_least(measured()))[0].quantiles,
            (std::vector<hw::Quantile>{{0, microseconds(10)}, {1, microseconds(10)}}));
}

}  // namespace
}  // namespace plumbline::cli::predict
