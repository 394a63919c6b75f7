// The Jacobi iteration of Grove and Coddington (2005), figure 5, as it is printed there, and what can be checked of it
// without their measurements.

#include <gtest/gtest.h>

#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::length_of;
using test::World;

constexpr std::int64_t kSerialPs = 3'240'000'000, kIterations = 50;

// The printed source with fewer iterations; its constant and the unit of its time come from outside.
class Figure5 : public World {
 public:
  explicit Figure5(const std::string& platform)
      : World(test::replaced(test::text_of_file(PLUMBLINE_FIGURE5), "iterations = 100000", "iterations = 50"),
              platform) {
    options.settings = {"xsize=256"};
    options.time_unit = "ms";
  }
};

TEST(PredictJacobi, OfTwoRanksAnIterationTakesTwoMessagesAndHalfOfTheComputationExactly) {
  Figure5 world(test::point_mass("123456789ps"));
  EXPECT_EQ(length_of(world.predicted("2")).ps, kIterations * (2 * 123'456'789 + kSerialPs / 2));
}

// No message takes no time: one takes a picosecond. Exactly nothing is in tests/replay/engine/jacobi_test.cpp.
TEST(PredictJacobi, NearlyWithoutCommunicationItsSpeedUpIsTheNumberOfRanks) {
  Figure5 world(test::point_mass("1ps"));
  const Prediction prediction = world.predicted("2..64");
  ASSERT_EQ(prediction.outcomes.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::uint32_t ranks = 2U << i;
    EXPECT_EQ(prediction.preparation.points[i].point.ranks, ranks);
    const std::int64_t messages = length_of(prediction, i).ps - kIterations * kSerialPs / ranks;
    EXPECT_GE(messages, 2 * kIterations);
    EXPECT_LE(messages, 4 * kIterations + ranks);
    EXPECT_NEAR(speed_up(prediction, i), ranks, 1e-4);
  }
}

// The mean of 1 KiB is 200 us alone and 340 us with 32 in flight; single messages take ten times as long.
std::string with_contention() {
  const auto times = [](int in_flight, double mean_us) {
    return fmt::format("<times size=\"1KiB\" in-flight=\"{}\" quantiles=\"0%:{}us 90%:{}us 99%:{}us 100%:{}us\"/>",
                       in_flight, mean_us * 0.6, mean_us * 0.8, mean_us * 2.2, mean_us * 44.8);
  };
  return test::sampled_platform(times(1, 200) + times(32, 340));
}

TEST(PredictJacobi, TheLeastOfPingPongsIsBelowTheirMeanAndThatBelowMeansUnderContentionAndTheseBelowDistributions) {
  Figure5 world(with_contention());
  world.options.by_averages = true;
  world.options.runs = 50;
  const Prediction prediction = world.predicted("16");
  const std::vector<Evaluated>& by_data = prediction.outcomes.front().by_data;
  ASSERT_EQ(by_data.size(), 4U);
  const auto mean = [&](Data data) { return mean_seconds(by_data.at(static_cast<std::size_t>(data)).samples); };
  EXPECT_LT(mean(Data::kPingPongLeast), mean(Data::kPingPongMeans));
  EXPECT_LT(mean(Data::kPingPongMeans), mean(Data::kMeans));
  const replay::expect::SampleSummary summary = replay::expect::summary_of(by_data.front().samples);
  EXPECT_LT(mean(Data::kMeans), summary.mean.mean - summary.mean.half_width);
}

TEST(PredictJacobi, TheSameSeedIsTheSameAndAnotherOneIsNot) {
  Figure5 world(with_contention());
  world.options.runs = 3;
  const auto lengths = [&](std::uint64_t seed) {
    world.options.seed = seed;
    return world.predicted("8").outcomes.front().samples().lengths;
  };
  EXPECT_EQ(lengths(1), lengths(1));
  EXPECT_NE(lengths(1), lengths(10));
  EXPECT_EQ(lengths(1)[1], lengths(2)[0]);  // each run has the seed behind that of the one before
}

TEST(PredictJacobi, OfOddRanksTheOneThatIsMissingIsToldForEveryNumber) {
  Figure5 world(test::point_mass("1us"));
  EXPECT_EQ(world.told("2,3,5"),
            "m.c:26: rank 2 of 3: to of MPI_Send is 3, but ranks go from 0 to 2\n"
            "m.c:26: rank 4 of 5: to of MPI_Send is 5, but ranks go from 0 to 4\n"
            "m.c:30: rank 2 of 3: from of MPI_Recv is 3, but ranks go from 0 to 2\n"
            "m.c:30: rank 4 of 5: from of MPI_Recv is 5, but ranks go from 0 to 4\n");
}

TEST(PredictJacobi, WithoutItsLastReceiveSaysWhoseMessageNobodyTakes) {
  std::string text = test::text_of_file(PLUMBLINE_FIGURE5);
  const std::size_t receive = text.find("// PEVPM Message type = MPI_Recv", text.find("else{"));
  text.replace(receive, std::string("// PEVPM Message type = MPI_Recv\n// PEVPM &      size").size(),
               "// PEVPM Message type = MPI_Probe\n//             size");
  Figure5 world(test::point_mass("1us"));
  std::ofstream(world.options.model) << test::replaced(text, "iterations = 100000", "iterations = 50");
  EXPECT_EQ(world.told("4"), "m.c:16: rank 2 of 4: sends 50 messages to rank 1 (tag 0) that rank 1 never receives\n");
}

TEST(PredictJacobi, TheExampleTakesAsLongAsTheFigureWithTheSameNumbers) {
  World example(test::text_of_file(PLUMBLINE_JACOBI1D), test::point_mass("100us"));
  example.options.settings = {"iterations=50", "point=3.24ms/(254*256)"};
  Figure5 figure(test::point_mass("100us"));
  EXPECT_EQ(length_of(example.predicted("8")), length_of(figure.predicted("8")));
  EXPECT_EQ(length_of(example.predicted("1")).ps, kIterations * kSerialPs);
}

}  // namespace
}  // namespace plumbline::cli::predict
