// What ranks of a recording have in common, as text, and the directives that it folds into.

#include "replay/model/fold/fold.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fold_world.hpp"

namespace plumbline::replay::model {
namespace {

using test::folded;
using test::model_text_of;

TEST(Fold, EndsOfAChainAreBranchesAndItsMiddleIsSteps) {
  const std::string text =
      "ranks 4\n"
      "rank 0\n send 1 tag 1 8B\n recv 1 tag 2 8B\n"
      "rank 1\n recv 0 tag 1 8B\n send 2 tag 1 8B\n recv 2 tag 2 8B\n send 0 tag 2 8B\n"
      "rank 2\n recv 1 tag 1 8B\n send 3 tag 1 8B\n recv 3 tag 2 8B\n send 1 tag 2 8B\n"
      "rank 3\n recv 2 tag 1 8B\n send 2 tag 2 8B\n";
  EXPECT_EQ(model_text_of(text),
            "Runon c1 = procnum > 0\n"
            "{\n"
            "  Message type = MPI_Recv size = 8 from = procnum-1 tag = 1\n"
            "}\n"
            "Runon c1 = procnum < numprocs-1\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum+1 tag = 1\n"
            "  Message type = MPI_Recv size = 8 from = procnum+1 tag = 2\n"
            "}\n"
            "Runon c1 = procnum > 0\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum-1 tag = 2\n"
            "}\n");
}

// A chain of 4 folds into a model that is one of any other length.
TEST(Fold, AChainHoldsForOtherNumbersOfRanks) {
  const std::string model = folded(
                                "ranks 4\n"
                                "rank 0\n send 1 tag 1 8B\n"
                                "rank 1\n recv 0 tag 1 8B\n send 2 tag 1 8B\n"
                                "rank 2\n recv 1 tag 1 8B\n send 3 tag 1 8B\n"
                                "rank 3\n recv 2 tag 1 8B\n")
                                .text;
  for (const std::uint32_t ranks : {1U, 2U, 3U, 17U}) EXPECT_EQ(test::faults_of(model, ranks), "") << ranks;
}

// Even ranks send first, odd ones receive first: the exchange of examples/jacobi1d.
std::string exchange_of_even_and_odd(std::uint32_t ranks) {
  std::string text = fmt::format("ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const bool has_left = rank > 0, has_right = rank + 1 < ranks, is_even = rank % 2 == 0;
    std::string sends, receives;
    if (has_left) sends += fmt::format(" send {} tag 0 8B\n", rank - 1);
    if (has_right) sends += fmt::format(" send {} tag 0 8B\n", rank + 1);
    if (has_right) receives += fmt::format(" recv {} tag 0 8B\n", rank + 1);
    if (has_left) receives += fmt::format(" recv {} tag 0 8B\n", rank - 1);
    text += fmt::format("rank {}\n{}", rank, is_even ? sends + receives : receives + sends);
  }
  return text;
}

// Of 8 ranks, 2, 4 and 6 have a rank before them: every second one but the first.
TEST(Fold, EverySecondRankButForOneAtAnEndIsOneCondition) {
  EXPECT_EQ(model_text_of(exchange_of_even_and_odd(8)),
            "Runon c1 = procnum%2 == 0 && procnum > 0\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum-1\n"
            "}\n"
            "Runon c1 = procnum%2 == 0\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum+1\n"
            "}\n"
            "Runon c1 = procnum < numprocs-1\n"
            "{\n"
            "  Message type = MPI_Recv size = 8 from = procnum+1\n"
            "}\n"
            "Runon c1 = procnum > 0\n"
            "{\n"
            "  Message type = MPI_Recv size = 8 from = procnum-1\n"
            "}\n"
            "Runon c1 = procnum%2 == 1\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum-1\n"
            "}\n"
            "Runon c1 = procnum%2 == 1 && procnum < numprocs-1\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum+1\n"
            "}\n");
}

// Of an even number no rank was seen that is even and the last one, of an odd number none that is odd and the last one:
// for the others they are refused, not guessed.
TEST(Fold, AnExchangeOfEvenAndOddRanksHoldsForOtherEvenOrOtherOddNumbers) {
  const std::string of_even = folded(exchange_of_even_and_odd(8)).text,
                    of_odd = folded(exchange_of_even_and_odd(7)).text;
  for (const std::uint32_t ranks : {2U, 4U, 6U, 16U}) EXPECT_EQ(test::faults_of(of_even, ranks), "") << ranks;
  for (const std::uint32_t ranks : {1U, 3U, 5U, 17U}) EXPECT_EQ(test::faults_of(of_odd, ranks), "") << ranks;
  EXPECT_NE(test::faults_of(of_even, 5).find("to of MPI_Send is 5, but ranks go from 0 to 4"), std::string::npos);
  EXPECT_NE(test::faults_of(of_odd, 4).find("to of MPI_Send is 4, but ranks go from 0 to 3"), std::string::npos);
}

TEST(Fold, PairsByABitAreExclusiveOrsAndARootIsItself) {
  EXPECT_EQ(model_text_of("ranks 4\n"
                          "rank 0\n sendrecv to 2 tag 0 8B from 2 tag 0 8B\n reduce root 1 8B\n"
                          "rank 1\n sendrecv to 3 tag 0 8B from 3 tag 0 8B\n reduce root 1 8B\n"
                          "rank 2\n sendrecv to 0 tag 0 8B from 0 tag 0 8B\n reduce root 1 8B\n"
                          "rank 3\n sendrecv to 1 tag 0 8B from 1 tag 0 8B\n reduce root 1 8B\n"),
            "Message type = MPI_Sendrecv size = 8 from = (procnum+2)%numprocs to = (procnum+2)%numprocs\n"
            "Message type = MPI_Reduce size = 8 root = 1\n");
  EXPECT_EQ(model_text_of("ranks 4\n"
                          "rank 0\n sendrecv to 1 tag 0 8B from 1 tag 0 8B\n"
                          "rank 1\n sendrecv to 0 tag 0 8B from 0 tag 0 8B\n"
                          "rank 2\n sendrecv to 3 tag 0 8B from 3 tag 0 8B\n"
                          "rank 3\n sendrecv to 2 tag 0 8B from 2 tag 0 8B\n"),
            "Message type = MPI_Sendrecv size = 8 from = procnum^1 to = procnum^1\n");
}

TEST(Fold, WorkersSendToTheirMasterByItsNumber) {
  EXPECT_EQ(model_text_of("ranks 4\n"
                          "rank 0\n recv 1 tag 0 8B\n recv 2 tag 0 8B\n recv 3 tag 0 8B\n"
                          "rank 1\n send 0 tag 0 8B\nrank 2\n send 0 tag 0 8B\nrank 3\n send 0 tag 0 8B\n"),
            "Runon c1 = procnum == 0\n"
            "{\n"
            "  Message type = MPI_Recv size = 8 from = procnum+1\n"
            "  Message type = MPI_Recv size = 8 from = procnum+2\n"
            "  Message type = MPI_Recv size = 8 from = numprocs-1\n"
            "}\n"
            "Runon c1 = procnum > 0\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = 0\n"
            "}\n");
}

}  // namespace
}  // namespace plumbline::replay::model
