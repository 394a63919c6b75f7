// Where the time of a run goes, by hand.

#include "cli/workflows/predict/lines.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "cli/workflows/predict/figures.hpp"
#include "cli/workflows/predict/files.hpp"
#include "cli/workflows/predict/text.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::World;

// In microseconds, of all processes together: "computing transfer waiting imbalance".
std::string of_line(const Prediction& prediction, std::uint32_t number) {
  for (const auto& [place, line] : prediction.outcomes.front().lines.by_place) {
    if (place.line != number) continue;
    const auto us = [](TimeSum sum) { return static_cast<std::int64_t>(sum.ps / 1'000'000); };
    return fmt::format("{} {} {} {}", us(line.computing), us(line.transfer), us(line.waiting), us(line.imbalance));
  }
  return "none";
}

// Rank 0 computes 300 us and sends, rank 1 computes 100 us and receives: the message is there at 350 us, of which rank
// 1 waits 200 us for rank 0 and 50 us for the message. Then rank 1 computes 10 us, when rank 0 is over.
TEST(PredictLines, AReceiveWaitsUntilItsSendBeginsAndTransfersFromThen) {
  World world(
      "// PEVPM Serial time = 300us - 200us*procnum\n"
      "// PEVPM Runon c1 = procnum == 0\n"
      "// PEVPM &     c2 = procnum == 1\n"
      "// PEVPM {\n"
      "// PEVPM Message type = MPI_Send size = 1KiB to = 1\n"
      "// PEVPM }\n"
      "// PEVPM {\n"
      "// PEVPM Message type = MPI_Recv size = 1KiB from = 0\n"
      "// PEVPM Serial time = 10us\n"
      "// PEVPM }\n",
      test::point_mass("50us"));
  const Prediction prediction = world.predicted("2");
  EXPECT_EQ(test::length_of(prediction), microseconds(360));
  EXPECT_EQ(of_line(prediction, 1), "400 0 0 200");  // 2 * 300 - 400
  EXPECT_EQ(of_line(prediction, 5), "0 0 0 0");
  EXPECT_EQ(of_line(prediction, 8), "0 50 200 0");
  EXPECT_EQ(of_line(prediction, 9), "10 0 0 10");
  EXPECT_EQ(prediction.outcomes.front().lines.idle, TimeSum(microseconds(60)));
}

// Each of two directives is uneven, and what a process computes is not.
TEST(PredictLines, ComputingThatIsTheSameForAllIsEvenWhateverItsLinesAre) {
  World world(
      "// PEVPM Runon c1 = procnum%2 == 0\n"
      "// PEVPM &     c2 = 1\n"
      "// PEVPM {\n"
      "// PEVPM Serial time = 1ms\n"
      "// PEVPM }\n"
      "// PEVPM {\n"
      "// PEVPM Serial time = 1ms\n"
      "// PEVPM }\n",
      test::point_mass("1us"));
  const Prediction prediction = world.predicted("4");
  EXPECT_EQ(of_line(prediction, 4), "2000 0 0 2000");  // 4 * 1000 - 2000
  EXPECT_EQ(of_line(prediction, 7), "2000 0 0 2000");
  EXPECT_EQ(figures_of(prediction, 0).imbalance, 0);
  const std::string told = answer(prediction, false);
  EXPECT_NE(told.find("computing is uneven by 0.0 %"), std::string::npos) << told;
}

// 300 us and 100 us: the longest is 100 us above the mean.
TEST(PredictLines, UnevenComputingIsTheLongestLessTheMean) {
  World world("// PEVPM Serial time = 200us - 200us*procnum\n// PEVPM Serial time = 100us + 0us*procnum\n",
              test::point_mass("1us"));
  EXPECT_DOUBLE_EQ(figures_of(world.predicted("2"), 0).imbalance, 100e-6);
}

// Computation between two calls is shared out by place, however often a directive runs there: 4 * 10 us and 30 us.
TEST(PredictLines, DirectivesThatComputeBetweenTwoCallsShareTheGap) {
  World world(
      "// PEVPM Loop iterations = 4\n"
      "// PEVPM {\n"
      "// PEVPM Serial time = 10us\n"
      "// PEVPM }\n"
      "// PEVPM Serial time = 30us\n"
      "// PEVPM Message type = MPI_Barrier\n"
      "// PEVPM Serial time = 5us\n",
      test::replaced(test::point_mass("1us"), "name=\"n0-n63\"", "name=\"n0-n63\" speed=\"2\""));
  const Prediction prediction = world.predicted("2");
  EXPECT_EQ(of_line(prediction, 3), "40 0 0 0");
  EXPECT_EQ(of_line(prediction, 5), "30 0 0 0");
  EXPECT_EQ(of_line(prediction, 7), "5 0 0 0");
  const auto& lines = prediction.outcomes.front().lines;
  for (const auto& [place, line] : lines.by_place)
    EXPECT_EQ(lines.mean_count(line), place.line == 3 ? 4 : 1) << place.line;
}

TEST(PredictLines, TimesAreOfAProcessOnAverage) {
  World world(
      "// PEVPM Loop iterations = 5\n"
      "// PEVPM {\n"
      "// PEVPM Runon c1 = procnum < 3\n"
      "// PEVPM {\n"
      "// PEVPM Serial time = 1us\n"
      "// PEVPM }\n"
      "// PEVPM Message type = MPI_Barrier\n"
      "// PEVPM }\n",
      test::point_mass("1us"));
  const std::string told = answer(world.predicted("4"), false);
  EXPECT_NE(told.find("MPI_Barrier                5 "), std::string::npos) << told;
  EXPECT_NE(told.find("Serial                   3.8 "), std::string::npos) << told;  // 15 of 4
}

// What a process does adds up to the length of the run.
TEST(PredictLines, AddUpToTheRun) {
  World world(test::text_of_file(PLUMBLINE_JACOBI1D), test::point_mass("77us"));
  world.options.settings = {"iterations=20"};
  const Lines lines = world.predicted("6").outcomes.front().lines;
  TimeSum all = lines.idle;
  for (const auto& [place, line] : lines.by_place) all += line.computing + line.transfer + line.waiting;
  EXPECT_EQ(all, lines.length * 6);
}

// Two begun receives of which the second sender begins 80 us after the wait; transfer is 50 us from then.
TEST(PredictLines, AWaitWaitsForTheLastOfItsRequests) {
  World world(
      "// PEVPM Runon c1 = procnum == 0\n"
      "// PEVPM &     c2 = 1\n"
      "// PEVPM {\n"
      "// PEVPM Message type = MPI_Irecv size = 1KiB from = 1\n"
      "// PEVPM Message type = MPI_Irecv size = 1KiB from = 2\n"
      "// PEVPM Serial time = 20us\n"
      "// PEVPM Message type = MPI_Waitall\n"
      "// PEVPM }\n"
      "// PEVPM {\n"
      "// PEVPM Serial time = 50us*procnum\n"
      "// PEVPM Message type = MPI_Send size = 1KiB to = 0\n"
      "// PEVPM }\n",
      test::point_mass("50us"));
  EXPECT_EQ(of_line(world.predicted("3"), 7), "0 50 80 0");
}

// All ranks are there when the last one comes: those before it waited.
TEST(PredictLines, ACollectiveWaitsForTheLastRank) {
  World world(
      "// PEVPM Serial time = 100us*procnum\n"
      "// PEVPM Message type = MPI_Barrier\n",
      test::point_mass("1ps"));
  EXPECT_EQ(of_line(world.predicted("4"), 2), "0 0 600 0");
}

TEST(PredictLines, ADeadlockNamesProcessesOperationsAndLines) {
  World world(
      "// PEVPM Message type = MPI_Recv size = 8 from = 1-procnum\n"
      "// PEVPM Message type = MPI_Send size = 8 to = 1-procnum\n",
      test::point_mass("1us"));
  const std::string told = world.told("2");
  EXPECT_NE(told.find("the model cannot finish: 2 of 2 ranks wait for ever"), std::string::npos) << told;
  EXPECT_NE(told.find("rank 0 waits for rank 1, rank 1 waits for rank 0"), std::string::npos) << told;
  EXPECT_NE(told.find("rank 0: operation 0, MPI_Recv at m.c:1: waits for a message from rank 1"), std::string::npos)
      << told;
  EXPECT_NE(told.find("rank 1: operation 0, MPI_Recv at m.c:1: waits for a message from rank 0"), std::string::npos)
      << told;
}

TEST(PredictLines, ADeadlockInASweepIsToldWithTheConstantsThatItIsFoundFor) {
  World world(
      "// PEVPM Runon c1 = n > 1\n"
      "// PEVPM {\n"
      "// PEVPM Message type = MPI_Recv size = 8 from = 1-procnum\n"
      "// PEVPM Message type = MPI_Send size = 8 to = 1-procnum\n"
      "// PEVPM }\n",
      test::point_mass("1us"));
  world.options.settings = {"k=7", "n=1,2,3"};
  std::ofstream(world.options.model, std::ios::app) << "// PEVPM Serial time = k*1us\n";
  EXPECT_TRUE(world.told("2").starts_with("m.c with 2 processes, n=2: the model cannot finish")) << world.told("2");
}

TEST(PredictLines, AFaultInASweepIsToldOnceWithTheFirstConstantsThatItIsFoundFor) {
  World world("// PEVPM Serial time = 1ms/(n-2)\n", test::point_mass("1us"));
  world.options.settings = {"n=3,2"};
  EXPECT_EQ(world.told("2"), "m.c:1: rank 0 and 1 more of 2 with n=2: the expression divides by zero\n");
}

// 60 days of computing and as many of a message: no deadlock, and nobody is told to answer somebody.
TEST(PredictLines, AReplayThatFailsOtherwiseSaysSo) {
  World world(
      "// PEVPM Serial time = 6000000s\n"
      "// PEVPM Message type = MPI_Sendrecv size = 8 to = 1-procnum from = 1-procnum\n",
      test::point_mass("6000000s"));
  try {
    world.predicted("2");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.problems().front().what.find("106 days"), std::string::npos) << error.what();
    EXPECT_EQ(error.problems().front().hint.find("hangs"), std::string::npos) << error.what();
  }
}

TEST(PredictLines, AFileThatNothingServesIsToldWithItsLine) {
  World world("// PEVPM Message type = MPI_File_write_at size = 8 offset = 0 file = \"/data/x\"\n",
              test::point_mass("1us"));
  EXPECT_EQ(world.told("2"), "m.c:1: no file system of the platform serves '/data/x'\n");
}

TEST(PredictLines, APictureIsDrawnOverSeveralNumbersOfRanks) {
  World world(test::text_of_file(PLUMBLINE_JACOBI1D), test::point_mass("77us"));
  world.options.settings = {"iterations=2", "xsize=128,256"};
  const Prediction prediction = world.predicted("1..8");
  const std::string svg = speed_up_svg(prediction);
  for (const char* part : {"<svg", "ideal", "xsize=128", "xsize=256", "speed-up", "</svg>"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  world.options.svg = world.path("a.svg");
  EXPECT_EQ(world.told("2"), "--svg: draws over several numbers of ranks\n");
}

// The second model hangs, which its replay would find.
TEST(PredictLines, TooManyCurvesAreToldBeforeAnythingIsReplayed) {
  World world(
      "// PEVPM Message type = MPI_Recv size = 8 from = (procnum^1) + 0*n\n"
      "// PEVPM Message type = MPI_Send size = 8 to = procnum^1\n",
      test::point_mass("1us"));
  world.options.svg = world.path("a.svg");
  world.options.settings = {"n=1,2,3,4"};
  EXPECT_NE(world.told("2,4").find("the model cannot finish"), std::string::npos);
  world.options.by_averages = true;
  EXPECT_EQ(world.told("2,4"), "--svg: these are 16 curves, and more than 14 cannot be told apart\n");
}

// An interval of 95 % takes six runs.
TEST(PredictLines, OfFewRunsNoIntervalIsClaimed) {
  World world(
      "// PEVPM Serial time = 50us\n"
      "// PEVPM Message type = MPI_Sendrecv size = 8 to = procnum^1 from = procnum^1\n",
      test::sampled_platform("<times size=\"1KiB\" quantiles=\"0%:10us 100%:30us\"/>"));
  // Thin lines of the curve's colour.
  const auto bars = [](const std::string& svg) {
    const std::string bar = " stroke=\"#0072B2\" stroke-width=\"1\"/>";
    std::size_t count = 0;
    std::istringstream lines(svg);
    for (std::string line; std::getline(lines, line);) count += line.starts_with("<line") && line.ends_with(bar);
    return count;
  };
  world.options.runs = 5;
  const Prediction few = world.predicted("2,4");
  world.options.runs = 6;
  const Prediction more = world.predicted("2,4");
  EXPECT_NE(table(few, false).find(" us          - "), std::string::npos) << table(few, false);
  EXPECT_EQ(table(more, false).find(" us          - "), std::string::npos) << table(more, false);
  EXPECT_EQ(bars(speed_up_svg(few)), 0U);
  EXPECT_EQ(bars(speed_up_svg(more)), 2U);
}

}  // namespace
}  // namespace plumbline::cli::predict
