// What of a platform a prediction keeps to: speeds, machines, layouts, and the sizes that were measured.

#include <gtest/gtest.h>

#include "cli/workflows/predict/figures.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::length_of;
using test::World;

std::string with_speed(const std::string& speed) {
  return test::replaced(test::point_mass("1us"), "name=\"n0-n63\"", "name=\"n0-n63\" speed=\"" + speed + "\"");
}

// 1 ms on each of two ranks takes 500 us there, and 1 ms on one: twice as fast, with an efficiency of 1.
TEST(PredictPlatform, SpeedUpKnowsTheSpeedOfNodesWhetherOneRankIsSweptOrNot) {
  World world("// PEVPM Serial time = 2ms/numprocs\n", with_speed("2"));
  const Prediction without = world.predicted("2"), with = world.predicted("1,2");
  EXPECT_EQ(length_of(without), microseconds(500));
  EXPECT_DOUBLE_EQ(figures_of(without, 0).speed_up, 2);
  EXPECT_DOUBLE_EQ(figures_of(without, 0).efficiency, 1);
  EXPECT_DOUBLE_EQ(figures_of(with, 1).speed_up, 2);
}

TEST(PredictPlatform, TimesOfAMachineHoldWhereItIsMeant) {
  World world(
      "// PEVPM Serial on perseus time = 3ms\n"
      "// PEVPM Serial on orion time = 5ms\n"
      "// PEVPM Serial time = 1ms\n",
      test::point_mass("1us"));
  world.options.machine = "perseus";
  EXPECT_EQ(length_of(world.predicted("1")), microseconds(4000));
  world.options.machine = "orion";
  EXPECT_EQ(length_of(world.predicted("1")), microseconds(6000));
  world.options.machine = "";
  EXPECT_EQ(world.told("1"), "m.c: has times of 2 machines: perseus, orion\n");
  world.options.machine = "vega";
  EXPECT_EQ(world.told("1"), "m.c: no Serial directive is on the machine 'vega'\n");
}

// Inside of a node a message takes 1 ps, between nodes 50 us.
TEST(PredictPlatform, SoManyProcessesAreOnANodeAsAreAskedFor) {
  World world("// PEVPM Message type = MPI_Sendrecv size = 8 to = procnum^1 from = procnum^1\n",
              test::point_mass("50us"));
  const auto predicted = [&](std::uint32_t per_node) {
    world.options.per_node = per_node;
    return world.predicted("4");
  };
  const Prediction one = predicted(1), two = predicted(2), as_few_as_go = predicted(0);
  EXPECT_EQ(length_of(one), microseconds(50));
  EXPECT_EQ(length_of(two), picoseconds(1));
  EXPECT_EQ(one.preparation.points[0].nodes, 4U);
  EXPECT_EQ(two.preparation.points[0].nodes, 2U);
  EXPECT_EQ(two.preparation.points[0].per_node, 2U);
  EXPECT_EQ(as_few_as_go.preparation.points[0].per_node, 1U);
  world.options.per_node = 1;
  EXPECT_EQ(world.told("65"), "--per-node: 65 processes, 1 on a node, need 65 nodes; the platform has 64\n");
}

std::string sendrecv(const std::string& size) {
  return "// PEVPM Message type = MPI_Sendrecv size = " + size + " to = procnum^1 from = procnum^1\n";
}

// Times are of 1 KiB: as from nothing, 2 KiB take twice as long.
TEST(PredictPlatform, AMessageThatIsLargerThanAnyMeasuredOneIsRefusedOrExtrapolated) {
  World world(sendrecv("2KiB"), test::point_mass("50us"));
  EXPECT_EQ(world.told("2"),
            "m.c:1: rank 0 and 1 more of 2: size is 2 KiB, but the platform has times of messages up to 1 KiB only\n");
  world.options.extrapolate = true;
  EXPECT_EQ(length_of(world.predicted("2")), microseconds(100));
}

TEST(PredictPlatform, ACollectiveOfMoreThanAnyMeasuredSizeIsRefusedOrExtrapolated) {
  World world("// PEVPM Message type = MPI_Bcast size = 1GiB\n", test::point_mass("50us"));
  EXPECT_EQ(world.told("4"),
            "m.c:1: rank 0 and 3 more of 4: size is 1 GiB, but the platform has times of messages up to 1 KiB only\n");
  EXPECT_EQ(world.told("1"), "");
  world.options.extrapolate = true;
  EXPECT_EQ(world.told("4"), "");
}

std::string times_of(const std::string& size) {
  return "<range protocol=\"eager\" send=\"0\" receive=\"0\"><times size=\"" + size +
         "\" quantiles=\"0%:9us 100%:9us\"/></range>";
}

// Four nodes. Inside of one, messages of 1 KiB were measured.
std::string with_pairs(const std::string& between, const std::string& pairs) {
  return "<platform version=\"1\" name=\"made up\" network=\"sampled\"><nodes name=\"n0-n3\"/><inside>" +
         times_of("1KiB") + "</inside><between>" + times_of(between) + "</between>" + pairs + "</platform>";
}

std::string pair(const std::string& from, const std::string& to, const std::string& size) {
  return "<between from=\"" + from + "\" to=\"" + to + "\">" + times_of(size) + "</between>";
}

std::string too_large(const std::string& ranks) {
  return "m.c:1: " + ranks + ": size is 4 KiB, but the platform has times of messages up to 1 KiB only\n";
}

TEST(PredictPlatform, APairOfNodesBoundsItsOwnMessagesAlone) {
  World world(sendrecv("4KiB"), with_pairs("4KiB", pair("n2", "n3", "1KiB")));
  EXPECT_EQ(world.told("2"), "");
  EXPECT_EQ(world.told("4"), too_large("rank 2 and 1 more of 4"));
  world.options.per_node = 2;
  EXPECT_EQ(world.told("2"), too_large("rank 0 and 1 more of 2"));
}

TEST(PredictPlatform, OfTwoThatHoldThePairThatStandsLastBoundsIt) {
  World world(sendrecv("4KiB"), with_pairs("1KiB", pair("n0-n3", "n0-n3", "1KiB") + pair("n0", "n1", "4KiB")));
  EXPECT_EQ(world.told("2"), "");
  EXPECT_EQ(world.told("4"), too_large("rank 2 and 1 more of 4"));
}

TEST(PredictPlatform, ACollectiveIsBoundedByThePairsOfTheNodesThatItUses) {
  World world("// PEVPM Message type = MPI_Bcast size = 4KiB\n", with_pairs("4KiB", pair("n2", "n3", "1KiB")));
  EXPECT_EQ(world.told("3"), "");
  EXPECT_EQ(world.told("4"), too_large("rank 0 and 3 more of 4"));
}

}  // namespace
}  // namespace plumbline::cli::predict
