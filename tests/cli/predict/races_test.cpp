#include "cli/workflows/predict/races.hpp"

#include <gtest/gtest.h>

#include "cli/workflows/predict/text.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::World;

// A task farm: rank 0 takes a result of each other rank, from any.
std::string farm(const std::string& time) {
  return "// PEVPM Runon c1 = procnum == 0\n"
         "// PEVPM &     c2 = 1\n"
         "// PEVPM {\n"
         "// PEVPM Loop iterations = numprocs-1\n"
         "// PEVPM {\n"
         "// PEVPM Message type = MPI_Recv size = 1KiB from = any\n"
         "// PEVPM }\n"
         "// PEVPM }\n"
         "// PEVPM {\n"
         "// PEVPM Serial time = " +
         time +
         "\n"
         "// PEVPM Message type = MPI_Send size = 1KiB to = 0\n"
         "// PEVPM }\n";
}

const char* const kSpread = "<times size=\"1KiB\" quantiles=\"0%:10us 100%:30us\"/>";

std::vector<Race> races_of(const std::string& time, const std::string& platform) {
  World world(farm(time), platform);
  world.options.runs = 40;
  const Prediction prediction = world.predicted("3");
  return prediction.outcomes.front().races.found(prediction.preparation.points.front().program);
}

TEST(PredictRaces, AReceiveFromAnyWhosePartnerDependsOnTheDrawIsOne) {
  const std::vector<Race> races = races_of("1us", test::sampled_platform(kSpread));
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].site, "m.c:6");
  EXPECT_EQ(races[0].call, "MPI_Recv");
  EXPECT_EQ(races[0].receives, 2U);
  EXPECT_EQ(races[0].rank, 0U);
  EXPECT_EQ(races[0].senders, (std::set<std::uint32_t>{1, 2}));
}

TEST(PredictRaces, OneWhosePartnersAreFarApartIsNone) {
  EXPECT_TRUE(races_of("100us*procnum", test::sampled_platform(kSpread)).empty());
}

TEST(PredictRaces, WithoutChanceThereIsNone) { EXPECT_TRUE(races_of("1us", test::point_mass("10us")).empty()); }

TEST(PredictRaces, AreToldInTheAnswer) {
  World world(farm("1us"), test::sampled_platform(kSpread));
  const std::string told = answer(world.predicted("3"), false);
  EXPECT_NE(told.find("race: m.c:6, MPI_Recv from any: 2 receives took the message of another sender in another run; "
                      "rank 0 that of 1 or 2\n"),
            std::string::npos)
      << told;
}

}  // namespace
}  // namespace plumbline::cli::predict
