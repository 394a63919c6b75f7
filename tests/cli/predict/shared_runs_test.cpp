// A prediction is the same by any number of processes.

#include "cli/workflows/predict/shared_runs.hpp"

#include <gtest/gtest.h>

#include "base/team/forked.hpp"
#include "cli/workflows/predict/files.hpp"
#include "cli/workflows/predict/text.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::World;

// Rank 0 takes what the others send, from any: how long it waits, and for whom, depends on the draws.
const char* const kFarm =
    "// PEVPM Runon c1 = procnum == 0\n"
    "// PEVPM &     c2 = 1\n"
    "// PEVPM {\n"
    "// PEVPM Loop iterations = rounds*(numprocs-1)\n"
    "// PEVPM {\n"
    "// PEVPM Message type = MPI_Recv size = 1KiB from = any\n"
    "// PEVPM Serial time = 2us\n"
    "// PEVPM }\n"
    "// PEVPM }\n"
    "// PEVPM {\n"
    "// PEVPM Loop iterations = rounds\n"
    "// PEVPM {\n"
    "// PEVPM Serial time = 1us*procnum\n"
    "// PEVPM Message type = MPI_Send size = 1KiB to = 0\n"
    "// PEVPM }\n"
    "// PEVPM }\n";

TEST(SharedRuns, GiveTheSamePredictionByAnyNumberOfProcesses) {
  World world(kFarm, test::sampled_platform("<times size=\"1KiB\" quantiles=\"0%:10us 100%:30us\"/>"));
  world.options.runs = 7;
  world.options.by_averages = true;
  world.options.settings = {"rounds=2,5"};
  const Prediction alone = world.predicted("2,3,4");
  ASSERT_EQ(alone.outcomes.size(), 6U);
  ASSERT_FALSE(alone.outcomes.back().races.found(alone.preparation.points.back().program).empty());
  for (const std::uint32_t processes : {1U, 2U, 3U, 5U, 8U}) {
    ForkedWorkers workers(processes);
    const Prediction shared = predict(world.options, &workers);
    EXPECT_EQ(json(shared), json(alone)) << processes;
    EXPECT_EQ(table(shared, true), table(alone, true)) << processes;
    EXPECT_EQ(csv(shared), csv(alone)) << processes;
  }
}

// More processes than runs.
TEST(SharedRuns, OfASinglePointWithoutChanceAreOne) {
  World world(kFarm, test::point_mass("10us"));
  world.options.settings = {"rounds=3"};
  const std::string alone = answer(world.predicted("3"), true);
  ForkedWorkers workers(4);
  EXPECT_EQ(answer(predict(world.options, &workers), true), alone);
}

// Rank 1 waits for a message that nobody sends, where there are three.
TEST(SharedRuns, TellTheErrorOfTheFirstRunThatHasOne) {
  const std::string hangs =
      "// PEVPM Runon c1 = procnum == 1 && numprocs > 2\n"
      "// PEVPM {\n"
      "// PEVPM Message type = MPI_Recv size = 1KiB from = 0\n"
      "// PEVPM }\n";
  World world(hangs, test::point_mass("10us"));
  const std::string alone = world.told("2,3,4,5");
  ASSERT_FALSE(alone.empty());
  for (const std::uint32_t processes : {2U, 4U}) {
    ForkedWorkers workers(processes);
    try {
      predict(world.options, &workers);
      ADD_FAILURE() << "it hangs";
    } catch (const Error& error) {
      std::string told;
      for (const Problem& problem : error.problems()) told += problem.where + ": " + problem.what + "\n";
      EXPECT_EQ(told, alone) << processes;
    }
  }
}

}  // namespace
}  // namespace plumbline::cli::predict
