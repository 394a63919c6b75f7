#include <gtest/gtest.h>

#include "world.hpp"

namespace plumbline::replay::model {
namespace {

using test::compiled;
using test::operations_of;

TEST(ModelCompile, ARankRunsTheBlockOfTheFirstConditionThatHolds) {
  EXPECT_EQ(operations_of("Runon c1 = procnum == 0\n"
                          "&     c2 = procnum < 2\n"
                          "{\nMessage type = MPI_Send size = 8 to = 1\n}\n"
                          "{\nMessage type = MPI_Recv size = 8 from = 0\n}\n",
                          3),
            "rank 0\n"
            "  @0s send 1 tag 0 8B +0s\n"
            "rank 1\n"
            "  @0s recv 0 tag 0 8B +0s\n"
            "rank 2\n");
}

TEST(ModelCompile, AMessageIsAnOperationWithTheNumbersOfItsRank) {
  EXPECT_EQ(operations_of("Constant n = 4*procnum + 4\n"
                          "Runon c1 = procnum == 0\n"
                          "&     c2 = 1\n"
                          "{\n"
                          "  Message type = MPI_Send\n"
                          "  & size = n*sizeof(double)\n"
                          "  & from = procnum\n"
                          "  & to = procnum+1\n"
                          "  & tag = 7\n"
                          "}\n"
                          "{\n"
                          "  Message type = mpi_recv\n"
                          "  & size = 32\n"
                          "  & from = procnum-1\n"
                          "  & to = procnum\n"
                          "  & tag = 7\n"
                          "}\n",
                          2),
            "rank 0\n"
            "  @0s send 1 tag 7 32B +0s\n"
            "rank 1\n"
            "  @0s recv 0 tag 7 32B +0s\n");
}

TEST(ModelCompile, ComputationIsTheGapBeforeTheNextOperation) {
  EXPECT_EQ(operations_of("Serial time = 3.24ms/numprocs\n"
                          "Message type = MPI_Barrier\n"
                          "Serial on perseus\n"
                          "&      time = 1us\n"
                          "Serial time = 500ns\n"
                          "Message type = MPI_Barrier\n"
                          "Serial time = 2us\n",
                          2),
            "rank 0\n"
            "  @0s wait +0s call \"begin of the process\"\n"
            "  @1.62ms barrier +0s\n"
            "  @1.6215ms barrier +0s\n"
            "  @1.6235ms wait +0s call \"end of the process\"\n"
            "rank 1\n"
            "  @0s wait +0s call \"begin of the process\"\n"
            "  @1.62ms barrier +0s\n"
            "  @1.6215ms barrier +0s\n"
            "  @1.6235ms wait +0s call \"end of the process\"\n");
}

TEST(ModelCompile, ALoopCountsItsVariableFromZero) {
  EXPECT_EQ(operations_of("Loop iterations = floor(log2(numprocs))\n"
                          "&    variable = i\n"
                          "{\n"
                          "  Message type = MPI_Sendrecv\n"
                          "  & size = 8<<i\n"
                          "  & to = procnum^(1<<i)\n"
                          "  & from = procnum^(1<<i)\n"
                          "  & tag = i\n"
                          "}\n",
                          4),
            "rank 0\n"
            "  @0s sendrecv to 1 tag 0 8B from 1 tag 0 8B +0s\n"
            "  @0s sendrecv to 2 tag 1 16B from 2 tag 1 16B +0s\n"
            "rank 1\n"
            "  @0s sendrecv to 0 tag 0 8B from 0 tag 0 8B +0s\n"
            "  @0s sendrecv to 3 tag 1 16B from 3 tag 1 16B +0s\n"
            "rank 2\n"
            "  @0s sendrecv to 3 tag 0 8B from 3 tag 0 8B +0s\n"
            "  @0s sendrecv to 0 tag 1 16B from 0 tag 1 16B +0s\n"
            "rank 3\n"
            "  @0s sendrecv to 2 tag 0 8B from 2 tag 0 8B +0s\n"
            "  @0s sendrecv to 1 tag 1 16B from 1 tag 1 16B +0s\n");
}

TEST(ModelCompile, AWaitIsForTheOldestOfItsNameAndAWaitallForAll) {
  EXPECT_EQ(operations_of("Message type = MPI_Irecv size = 8 from = procnum request = a\n"
                          "Message type = MPI_Irecv size = 8 from = procnum request = b\n"
                          "Message type = MPI_Isend size = 8 to = procnum\n"
                          "Message type = MPI_Isend size = 8 to = procnum request = a\n"
                          "Message type = MPI_Wait request = a\n"
                          "Message type = MPI_Wait\n"
                          "Message type = MPI_Waitall\n",
                          1),
            "rank 0\n"
            "  @0s irecv 0 tag 0 8B -> r0 +0s\n"
            "  @0s irecv 0 tag 0 8B -> r1 +0s\n"
            "  @0s isend 0 tag 0 8B -> r2 +0s\n"
            "  @0s isend 0 tag 0 8B -> r3 +0s\n"
            "  @0s wait r0 +0s\n"
            "  @0s wait r2 +0s\n"
            "  @0s wait r3 r1 +0s call MPI_Waitall\n");
}

TEST(ModelCompile, ReceivesFromAnyAndFromNobodyAreTold) {
  EXPECT_EQ(operations_of("Runon c1 = procnum == 0\n&     c2 = 1\n"
                          "{\nMessage type = MPI_Recv size = 8 from = any\n}\n"
                          "{\nMessage type = MPI_Send size = 8 to = 0\n"
                          "Message type = MPI_Ssend size = 8 to = MPI_PROC_NULL\n}\n",
                          2),
            "rank 0\n"
            "  @0s recv none tag 0 8B any-source +0s\n"
            "rank 1\n"
            "  @0s send 0 tag 0 8B +0s\n"
            "  @0s send none tag 0 8B synchronous +0s call MPI_Ssend\n");
}

TEST(ModelCompile, SizesOfCollectivesAreThoseOfTheMpiCall) {
  EXPECT_EQ(operations_of("Message type = MPI_Bcast size = 8 root = 1\n"
                          "Message type = MPI_Gather size = 8\n"
                          "Message type = MPI_Scatter size = 8\n"
                          "Message type = MPI_Allgather size = 8\n"
                          "Message type = MPI_Alltoall size = 8\n"
                          "Message type = MPI_Allreduce size = 8\n"
                          "Message type = MPI_Reduce size = 8\n"
                          "Message type = MPI_Reduce_scatter_block size = 8\n"
                          "Message type = MPI_Iallreduce size = 8\n"
                          "Message type = MPI_Wait\n",
                          2),
            "rank 0\n"
            "  @0s bcast root 1 8B +0s\n"
            "  @0s gather root 0 8B +0s\n"
            "  @0s scatter root 0 16B +0s\n"
            "  @0s allgather 8B +0s\n"
            "  @0s alltoall 16B +0s\n"
            "  @0s allreduce 8B +0s\n"
            "  @0s reduce root 0 8B +0s\n"
            "  @0s reduce_scatter 16B +0s call MPI_Reduce_scatter_block\n"
            "  @0s iallreduce 8B -> r0 +0s\n"
            "  @0s wait r0 +0s\n"
            "rank 1\n"
            "  @0s bcast root 1 8B +0s\n"
            "  @0s gather root 0 8B +0s\n"
            "  @0s scatter root 0 0B received 8B +0s\n"
            "  @0s allgather 8B +0s\n"
            "  @0s alltoall 16B +0s\n"
            "  @0s allreduce 8B +0s\n"
            "  @0s reduce root 0 8B +0s\n"
            "  @0s reduce_scatter 16B +0s call MPI_Reduce_scatter_block\n"
            "  @0s iallreduce 8B -> r0 +0s\n"
            "  @0s wait r0 +0s\n");
}

TEST(ModelCompile, FilesAreAccessedWhereTheModelSays) {
  EXPECT_EQ(operations_of("Message type = MPI_File_open file = \"/data/x\"\n"
                          "Message type = MPI_File_write_at_all file = \"/data/x\" offset = procnum*4KiB size = 4KiB\n"
                          "Message type = MPI_File_iwrite_at file = \"/data/x\" offset = 1MiB size = 1 request = w\n"
                          "Message type = MPI_Wait request = w\n"
                          "Message type = MPI_File_read_at file = \"/data/x\" offset = 0 size = 1KiB\n"
                          "Message type = MPI_File_close file = \"/data/x\"\n",
                          2),
            "rank 0\n"
            "  @0s open /data/x collective +0s\n"
            "  @0s write_at_all 0..4096 +0s\n"
            "  @0s iwrite_at 1048576..1048577 -> r0 +0s\n"
            "  @0s wait r0 +0s\n"
            "  @0s read_at 0..1024 +0s\n"
            "  @0s close collective +0s\n"
            "rank 1\n"
            "  @0s open /data/x collective +0s\n"
            "  @0s write_at_all 4096..8192 +0s\n"
            "  @0s iwrite_at 1048576..1048577 -> r0 +0s\n"
            "  @0s wait r0 +0s\n"
            "  @0s read_at 0..1024 +0s\n"
            "  @0s close collective +0s\n");
}

TEST(ModelCompile, AGivenValueReplacesTheDeclaredOne) {
  const std::string model =
      "Constant n = 2\nConstant m = n*10\nLoop iterations = n\n{\nMessage type = MPI_Bcast size = m\n}\n";
  EXPECT_EQ(operations_of(model, 1), "rank 0\n  @0s bcast root 0 20B +0s\n  @0s bcast root 0 20B +0s\n");
  EXPECT_EQ(operations_of(model, 1, {{"n", "1"}}), "rank 0\n  @0s bcast root 0 10B +0s\n");
  EXPECT_EQ(operations_of(model, 4, {{"n", "numprocs/4"}}).substr(0, 38), "rank 0\n  @0s bcast root 0 10B +0s\nrank");
}

TEST(ModelCompile, OperationsHaveTheLineOfTheirDirectiveAsSite) {
  const Program program = compiled("int x;\n// PEVPM Message type = MPI_Barrier\n", 1);
  EXPECT_EQ(program.site(program.rank(0).operations[0].site), "m.c:2");
  EXPECT_TRUE(is_of_model(program));
}

TEST(ModelCompile, TheSameModelIsTheSameBytes) {
  const std::string model = "Serial time = 1ms*procnum\nMessage type = MPI_Allreduce size = 8\n";
  EXPECT_EQ(compiled(model, 7).content_key(), compiled(model, 7).content_key());
  EXPECT_NE(compiled(model, 7).content_key(), compiled(model, 8).content_key());
}

}  // namespace
}  // namespace plumbline::replay::model
