// Recordings folded into models, and predicted: at the number of ranks that was recorded as the free replay has it.

#include "cli/workflows/predict/recording.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "replay/engine/replay.hpp"
#include "replay/mpi/best_schedule.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/seed.hpp"
#include "world.hpp"

namespace plumbline::cli::predict {
namespace {

using test::length_of;

// Of a chain of ranks that exchange their edges and agree on a residual, one rank to a node. The third computes longer,
// and no computation is quite like another one.
std::string jacobi(std::uint32_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text = fmt::format("ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) text += fmt::format("node n{0} ranks {0}-{0}\n", rank);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    text += fmt::format("rank {}\n local MPI_Init +20ms\n", rank);
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t usual = rank == 2 ? 1'500'000 : 1'000'000;
      text += fmt::format(" compute {}ns\n", usual + random() % 4'000);
      std::string wait = " wait";
      const auto exchange = [&](std::uint32_t peer, const char* names) {
        text += fmt::format(" irecv {} tag 1 1KiB -> {}\n isend {} tag 1 1KiB -> {}\n", peer, names[0], peer, names[1]);
        wait += fmt::format(" {} {}", names[0], names[1]);
      };
      if (rank > 0) exchange(rank - 1, "ab");
      if (rank + 1 < ranks) exchange(rank + 1, "cd");
      text += wait + " call MPI_Waitall\n";
      if (i % 10 == 9) text += " allreduce 8B\n";
    }
  }
  return text;
}

class PredictRecording : public testing::Test {
 protected:
  PredictRecording() : world_("Serial time = 1ms\n", test::point_mass("30us")) {}

  Recording record(const std::string& text) {
    const std::filesystem::path file = world_.path("recorded.program");
    replay::parse_program(text, "recorded.txt", file);
    Recording recording = fold_recording(file);
    world_.options.folded = recording.model.text;
    world_.options.folded_source = recording.source;
    world_.options.recorded_per_node = recording.per_node;
    return recording;
  }

  Duration free_replay(const hw::Platform& platform, double compute = 1) {
    const replay::Program program = replay::Program::open(world_.path("recorded.program"));
    replay::ReplayOptions how{.mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured, .compute = compute};
    how.best = std::make_shared<replay::BestSchedules>(platform, replay::place_ranks(program, platform));
    return replay::replay(program, platform, how).end - Time{};
  }

  test::World world_;
};

TEST_F(PredictRecording, AtTheRecordedNumberOfRanksIsWithinOneInAHundredOfTheFreeReplay) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("PLUMBLINE_SEED={}", seed));
  for (const std::uint32_t ranks : {2U, 4U, 9U}) {
    const Recording recording = record(jacobi(ranks, seed));
    EXPECT_TRUE(recording.model.not_folded.empty());
    EXPECT_LT(recording.model.directives, 40U) << recording.model.text;
    const Prediction prediction = world_.predicted(std::to_string(ranks));
    const double expected = free_replay(prediction.preparation.platform).seconds();
    EXPECT_NEAR(length_of(prediction).seconds(), expected, 0.01 * expected) << recording.model.text;
  }
}

TEST_F(PredictRecording, WithoutComputationItIsTheReplayWithoutComputation) {
  record(jacobi(4, 1));
  world_.options.settings = {"computation=0"};
  const Prediction prediction = world_.predicted("4");
  const double expected = free_replay(prediction.preparation.platform, 0).seconds();
  EXPECT_NEAR(length_of(prediction).seconds(), expected, 0.001 * expected);
}

TEST_F(PredictRecording, CanBeAskedForOtherNumbersOfRanks) {
  record(jacobi(4, 1));
  EXPECT_EQ(world_.told("1,2,3,5,16,64"), "");
}

TEST_F(PredictRecording, SaysHowRanksWerePlaced) {
  const std::string ranks = "rank 0\n barrier\nrank 1\n barrier\nrank 2\n barrier\nrank 3\n barrier\n";
  const Recording filled = record("ranks 4\nnode n0 ranks 0-1\nnode n1 ranks 2-3\n" + ranks);
  EXPECT_EQ(filled.per_node, 2U);
  EXPECT_TRUE(filled.fills_nodes_in_order);
  const Recording uneven = record("ranks 4\nnode n0 ranks 0-0\nnode n1 ranks 1-3\n" + ranks);
  EXPECT_EQ(uneven.per_node, 3U);
  EXPECT_FALSE(uneven.fills_nodes_in_order);
}

// The platform has 64 nodes.
TEST_F(PredictRecording, HasAsManyOnANodeAsWereRecordedOrMoreWhereNodesAreTooFew) {
  record("ranks 4\nnode n0 ranks 0-3\nrank 0\n barrier\nrank 1\n barrier\nrank 2\n barrier\nrank 3\n barrier\n");
  const Prediction prediction = world_.predicted("2,4,8,512");
  std::string placed;
  for (const Prepared& point : prediction.preparation.points)
    placed += fmt::format("{}: {} on {}\n", point.point.ranks, point.per_node, point.nodes);
  EXPECT_EQ(placed, "2: 2 on 1\n4: 4 on 1\n8: 4 on 2\n512: 8 on 64\n");
}

TEST_F(PredictRecording, TellsWhatItCouldNotFold) {
  const Recording recording = record(
      "ranks 3\ncomm 1 = 0 1\nrank 0\n barrier comm 1 site \"a.c:1\"\n barrier\n"
      "rank 1\n barrier comm 1 site \"a.c:1\"\n barrier\nrank 2\n barrier\n");
  EXPECT_EQ(fold_text(recording, false),
            "folded 5 operations of 3 ranks into 2 directives\n"
            "  not folded: 2 operations of MPI_Barrier at a.c:1: a collective of some ranks\n");
}

}  // namespace
}  // namespace plumbline::cli::predict
