// Times of recordings as text, and of the models that they fold into.

#include "replay/model/fold/fold.hpp"

#include <gtest/gtest.h>

#include "fold_world.hpp"

namespace plumbline::replay::model {
namespace {

using test::folded;
using test::model_text_of;
using test::on_all_ranks;
using test::repeated;

TEST(Fold, ComputationIsAMeanOverIterationsOfRanksThatAreAlike) {
  EXPECT_EQ(model_text_of("ranks 4\n"
                          "rank 0\n local MPI_Init\n compute 40.01us\n barrier\n compute 39.99us\n barrier\n"
                          "rank 1\n local MPI_Init\n compute 11.00us\n barrier\n compute 11.02us\n barrier\n"
                          "rank 2\n local MPI_Init\n compute 11.02us\n barrier\n compute 11.00us\n barrier\n"
                          "rank 3\n local MPI_Init\n compute 11.03us\n barrier\n compute 11.05us\n barrier\n"),
            "Loop iterations = 2\n"
            "{\n"
            "  Serial time = (procnum == 0) ? 40us*computation : 11.02us*computation\n"
            "  Message type = MPI_Barrier\n"
            "}\n");
}

// Rank 1 computes 2 us as rank 0 does, but 9 us in the second iteration of the second loop, and starts late once.
TEST(Fold, IterationsThatTakeLongerAreTables) {
  const auto rank = [](const std::string& usual, const std::string& odd, const std::string& late) {
    const std::string one = "compute 2us\nallreduce 8B\n", other = "compute " + odd + "\nallreduce 8B\n";
    return "local MPI_Init\n" + usual + repeated(3, one) + "barrier\n" + late + one + other + one + "barrier\n" +
           usual + repeated(3, one) + "barrier\n";
  };
  EXPECT_EQ(model_text_of("ranks 2\nrank 0\n" + rank("", "2us", "") + "rank 1\n" + rank("", "9us", "compute 4us\n")),
            "Loop iterations = 3 variable = i0\n"
            "{\n"
            "  Loop iterations = 3 variable = i1\n"
            "  {\n"
            "    Serial time = 2us*computation\n"
            "    Serial time = (procnum == numprocs-1) ? table(i0*3+i1, 3, 4us, 4, 7us)*computation : 0s\n"
            "    Message type = MPI_Allreduce size = 8\n"
            "  }\n"
            "  Message type = MPI_Barrier\n"
            "}\n");
}

TEST(Fold, WhatTheReplayModelsInPartTakesAtLeastWhatWasObserved) {
  EXPECT_EQ(model_text_of("ranks 2\nrank 0\n comm_create MPI_Init +5ms\n open /data/x collective +1ms\n barrier +9ms\n"
                          " close collective\n"
                          "rank 1\n comm_create MPI_Init +7ms\n open /data/x collective +1ms\n barrier +9ms\n"
                          " close collective\n"),
            "Message type = MPI_Barrier least = (procnum == 0) ? 5ms : 7ms\n"
            "Message type = MPI_File_open least = 1ms file = \"/data/x\"\n"
            "Message type = MPI_Barrier\n"
            "Message type = MPI_File_close file = \"/data/x\"\n");
}

// 3000 iterations of 6000 take 3 us, the others 1. Of 1000 it is told. The mean of the others is 1.8 us, beyond which
// 2000 are by 1.2 us each: 2.4 ms of 12.
TEST(Fold, WhatIsLongerAndNotToldIsApproximated) {
  const FoldedModel uneven =
      folded("ranks 1\nrank 0\nlocal MPI_Init\n" + repeated(3000, "compute 1us\nbarrier\ncompute 3us\nbarrier\n"));
  EXPECT_NEAR(uneven.unevenness, 0.2, 0.001);
  EXPECT_NE(uneven.text.find("# approximated: "), uneven.text.npos) << uneven.text.substr(0, 300);
  const FoldedModel even = folded("ranks 1\nrank 0\nlocal MPI_Init\n" + repeated(2000, "compute 2us\nbarrier\n"));
  EXPECT_EQ(even.unevenness, 0);
}

TEST(Fold, WhatIsComputedBeforeALoopStaysBeforeIt) {
  EXPECT_EQ(model_text_of(on_all_ranks(2, "compute 1s\nbarrier\n" + repeated(4, "compute 1ms\nbarrier\n") +
                                              "compute 2s\nlocal MPI_Wtime +1ms\n")),
            "Serial time = 999ms*computation\n"
            "Loop iterations = 5\n"
            "{\n"
            "  Serial time = 1ms*computation\n"
            "  Message type = MPI_Barrier\n"
            "}\n"
            "Serial time = 2s*computation\n"
            "Delay time = 1ms\n");
}

}  // namespace
}  // namespace plumbline::replay::model
