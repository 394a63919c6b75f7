// Recordings as programs in text, and the models that they fold into, side by side.

#include "replay/model/fold/fold.hpp"

#include <gtest/gtest.h>

#include "fold_world.hpp"

namespace plumbline::replay::model {
namespace {

using test::folded;
using test::model_text_of;
using test::on_all_ranks;
using test::repeated;

TEST(Fold, IterationsAreALoopAndNeighboursRoundARingAreExpressions) {
  EXPECT_EQ(model_text_of(on_all_ranks(4, repeated(3, "compute 2us\nsendrecv to NEXT tag 0 8B from LAST tag 0 8B\n"))),
            "Loop iterations = 3\n"
            "{\n"
            "  Serial time = 2us*computation\n"
            "  Message type = MPI_Sendrecv size = 8 from = (procnum+numprocs-1)%numprocs to = (procnum+1)%numprocs\n"
            "}\n");
}

TEST(Fold, LoopsNest) {
  EXPECT_EQ(model_text_of(on_all_ranks(2, repeated(4, repeated(3, "barrier\n") + "allreduce 8B\n"))),
            "Loop iterations = 4\n"
            "{\n"
            "  Loop iterations = 3\n"
            "  {\n"
            "    Message type = MPI_Barrier\n"
            "  }\n"
            "  Message type = MPI_Allreduce size = 8\n"
            "}\n");
}

TEST(Fold, RequestsHaveTheNameOfTheirWait) {
  EXPECT_EQ(model_text_of(on_all_ranks(
                4, repeated(2,
                            "irecv LAST tag 0 8B -> a\nirecv LAST tag 1 8B -> b\nisend NEXT tag 0 8B -> c\n"
                            "isend NEXT tag 1 8B -> d\nwait a b call MPI_Waitall\nwait c\nwait d\n"))),
            "Loop iterations = 2\n"
            "{\n"
            "  Message type = MPI_Irecv size = 8 from = (procnum+numprocs-1)%numprocs request = r0\n"
            "  Message type = MPI_Irecv size = 8 from = (procnum+numprocs-1)%numprocs tag = 1 request = r0\n"
            "  Message type = MPI_Isend size = 8 to = (procnum+1)%numprocs request = r1\n"
            "  Message type = MPI_Isend size = 8 to = (procnum+1)%numprocs tag = 1 request = r2\n"
            "  Message type = MPI_Waitall request = r0\n"
            "  Message type = MPI_Wait request = r1\n"
            "  Message type = MPI_Wait request = r2\n"
            "}\n");
}

TEST(Fold, OffsetsGrowWithRanksAndIterations) {
  const auto writes = [](int rank) {
    std::string text = "rank " + std::to_string(rank) + "\nopen /data/x collective\n";
    for (int i = 0; i < 3; ++i) {
      const int at = i * 8192 + rank * 4096;
      text += "write_at_all " + std::to_string(at) + ".." + std::to_string(at + 4096) + "\n";
    }
    return text + "close collective\n";
  };
  EXPECT_EQ(model_text_of("ranks 2\n" + writes(0) + writes(1)),
            "Message type = MPI_File_open file = \"/data/x\"\n"
            "Loop iterations = 3 variable = i0\n"
            "{\n"
            "  Message type = MPI_File_write_at_all size = 4096 offset = procnum*4096+i0*8192 file = \"/data/x\"\n"
            "}\n"
            "Message type = MPI_File_close file = \"/data/x\"\n");
}

// Columns of a plate of 2 x 2 blocks: pieces of 128 B in rows of 256 B. The second checkpoint lies behind the first.
TEST(Fold, ViewsOfAGridAreOneThatLiesElsewhereOnEachRankAndIteration) {
  std::string text = "ranks 4\n";
  for (int rank = 0; rank < 4; ++rank) {
    text += "rank " + std::to_string(rank) + "\n open /data/x collective\n";
    for (int i = 0; i < 2; ++i) {
      const int at = rank % 2 * 128 + rank / 2 * 2048 + i * 4096;
      text += " write_at_all layout \"disp=" + std::to_string(i * 4096) + " extent=4096 size=1024: 8x128@" +
              std::to_string(at - i * 4096) + "/256\" " + std::to_string(at) + ".." + std::to_string(at + 1024) + "\n";
    }
    text += " close collective\n";
  }
  EXPECT_EQ(model_text_of(text),
            "Message type = MPI_File_open file = \"/data/x\"\n"
            "Loop iterations = 2 variable = i0\n"
            "{\n"
            "  Message type = MPI_File_write_at_all size = 1024 offset = 0 displacement = "
            "procnum%2*128+procnum/2*2048+i0*4096 file = \"/data/x\" "
            "view = \"disp=0 extent=4096 size=1024: 8x128@0/256\"\n"
            "}\n"
            "Message type = MPI_File_close file = \"/data/x\"\n");
}

TEST(Fold, LibraryAndHintsAreProperties) {
  const std::string text = folded(
                               "ranks 1\nproperty library = \"MPICH 4.0.2\"\nproperty remarks = \"none\"\nrank 0\n"
                               " open /data/x collective hints \"cb_nodes=1\\nromio_cb_write=enable\"\n"
                               " write_at_all 0..8 hints \"cb_nodes=1\\nromio_cb_write=enable\"\n close collective\n")
                               .text;
  EXPECT_EQ(text.substr(text.find('\n') + 1, text.find("Message") - text.find('\n') - 1),
            "Property \"library\" = \"MPICH 4.0.2\"\n"
            "Property \"hints:/data/x\" = \"cb_nodes=1\"\n"
            "Property \"hints:/data/x\" = \"romio_cb_write=enable\"\n"
            "Constant computation = 1\n");
}

TEST(Fold, AFileWhoseHintsChangeIsNotFolded) {
  const FoldedModel model = folded(
      "ranks 1\nrank 0\n open /data/x collective hints \"cb_nodes=1\"\n write_at_all 0..8 hints \"cb_nodes=2\"\n"
      " close collective\n barrier\n");
  ASSERT_EQ(model.not_folded.size(), 3U);
  EXPECT_EQ(model.not_folded[0].reason, "a file whose hints change");
}

TEST(Fold, MessagesOfOtherCommunicatorsAreThoseOfTheWorldWithTagsOfTheirOwn) {
  EXPECT_EQ(model_text_of("ranks 4\ncomm 1 = 1 0\ncomm 2 = 3 2\n"
                          "rank 0\n send 1 tag 5 8B\n recv 0 tag 5 8B comm 1\n"
                          "rank 1\n recv 0 tag 5 8B\n send 1 tag 5 8B comm 1\n"
                          "rank 2\n send 3 tag 5 8B\n recv 0 tag 5 8B comm 2\n"
                          "rank 3\n recv 2 tag 5 8B\n send 1 tag 5 8B comm 2\n"),
            "Runon c1 = procnum%2 == 0\n"
            "{\n"
            "  Message type = MPI_Send size = 8 to = procnum+1 tag = 5\n"
            "  Message type = MPI_Recv size = 8 from = procnum+1 tag = 6\n"
            "}\n"
            "Runon c1 = procnum%2 == 1\n"
            "{\n"
            "  Message type = MPI_Recv size = 8 from = procnum-1 tag = 5\n"
            "  Message type = MPI_Send size = 8 to = procnum-1 tag = 6\n"
            "}\n");
}

TEST(Fold, WhatItCannotSayKeepsItsTimeAndIsToldByCallAndSite) {
  const FoldedModel model = folded(
      "ranks 4\ncomm 1 = 0 1\n"
      "rank 0\n barrier comm 1 +3us site \"a.c:1\"\n barrier comm 1 +3us site \"a.c:1\"\n send 3 tag 0 8B +1us\n "
      "barrier\n"
      "rank 1\n barrier comm 1 +3us site \"a.c:1\"\n barrier comm 1 +3us site \"a.c:1\"\n barrier\n"
      "rank 2\n barrier\n"
      "rank 3\n barrier\n");
  ASSERT_EQ(model.not_folded.size(), 2U);
  EXPECT_EQ(model.not_folded[0].operations, 4U);
  EXPECT_EQ(model.not_folded[0].call, "MPI_Barrier");
  EXPECT_EQ(model.not_folded[0].site, "a.c:1");
  EXPECT_EQ(model.not_folded[0].reason, "a collective of some ranks");
  EXPECT_EQ(model.not_folded[1].call, "MPI_Send");
  EXPECT_EQ(model.not_folded[1].reason, "a message whose other end was not recorded");
  EXPECT_EQ(model.operations, 9U);
  EXPECT_EQ(model.calls, 4U);
  EXPECT_NE(model.text.find("Runon c1 = procnum < numprocs-2\n{\n  Loop iterations = 2\n  {\n"
                            "    # MPI_Barrier at a.c:1, not folded:\n    Delay time = 3us\n  }\n}\n"
                            "Runon c1 = procnum == 0\n{\n"
                            "  # MPI_Send, not folded:\n  Delay time = 1us\n}\n"),
            model.text.npos)
      << model.text;
}

TEST(Fold, ACollectiveWithASizeForEachRankHasTheirMeanAndIsToldAsApproximated) {
  const FoldedModel model =
      folded("ranks 2\nrank 0\n allgather 8B received 24B\nrank 1\n allgather 16B received 32B\n");
  ASSERT_EQ(model.not_folded.size(), 1U);
  EXPECT_TRUE(model.not_folded[0].approximated);
  EXPECT_EQ(model.not_folded[0].operations, 2U);
  EXPECT_NE(model.text.find("MPI_Allgather size = 14\n"), model.text.npos) << model.text;
}

TEST(Fold, SitesAreComments) {
  EXPECT_EQ(model_text_of(on_all_ranks(2, "barrier site \"main (a.c:7)\"\n")),
            "# main (a.c:7)\nMessage type = MPI_Barrier\n");
}

}  // namespace
}  // namespace plumbline::replay::model
