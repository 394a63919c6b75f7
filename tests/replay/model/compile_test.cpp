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

TEST(ModelCompile, ADelayIsACallThatTakesItsTimeAndNeedsNobody) {
  EXPECT_EQ(operations_of("Delay time = 3ms\nSerial time = 1ms\nMessage type = MPI_Barrier\nDelay time = 0\n", 1),
            "rank 0\n"
            "  @0s local Delay +3ms\n"
            "  @4ms barrier +0s\n");
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

// Pieces of 128 B, 512 apart, 8 of them in each 4 KiB: the ninth begins the next.
TEST(ModelCompile, FilesAreSeenThroughViewsThatLieFurtherOn) {
  EXPECT_EQ(operations_of("Message type = MPI_File_open file = \"/data/x\"\n"
                          "Message type = MPI_File_write_at_all file = \"/data/x\" offset = 0 size = 1KiB\n"
                          "& view = \"disp=0 extent=4096 size=1024: 8x128@0/512\" displacement = procnum*128\n"
                          "Message type = MPI_File_read_at file = \"/data/x\" offset = 1KiB size = 128\n"
                          "& view = \"disp=0 extent=4096 size=1024: 8x128@0/512\" displacement = 64\n"
                          "Message type = MPI_File_read_at file = \"/data/x\" offset = 5 size = 1 displacement = 7\n"
                          "Message type = MPI_File_close file = \"/data/x\"\n",
                          2),
            "rank 0\n"
            "  @0s open /data/x collective +0s\n"
            "  @0s write_at_all layout \"disp=0 extent=4096 size=1024: 8x128@0/512\" 0..1024 +0s\n"
            "  @0s read_at layout \"disp=64 extent=4096 size=1024: 8x128@0/512\" position 1024 4160..4288 +0s\n"
            "  @0s read_at 12..13 +0s\n"
            "  @0s close collective +0s\n"
            "rank 1\n"
            "  @0s open /data/x collective +0s\n"
            "  @0s write_at_all layout \"disp=128 extent=4096 size=1024: 8x128@0/512\" 128..1152 +0s\n"
            "  @0s read_at layout \"disp=64 extent=4096 size=1024: 8x128@0/512\" position 1024 4160..4288 +0s\n"
            "  @0s read_at 12..13 +0s\n"
            "  @0s close collective +0s\n");
}

// The replay takes the later of what the model says and what it makes of the call.
TEST(ModelCompile, AMessageTakesAtLeastWhatTheModelSays) {
  EXPECT_EQ(operations_of("Message type = MPI_Barrier least = 2ms*(procnum+1)\nSerial time = 1ms\n"
                          "Message type = MPI_Barrier least = 0s\n",
                          2),
            "rank 0\n"
            "  @0s barrier +2ms not-judged \"the model says what it takes at least\"\n"
            "  @3ms barrier +0s\n"
            "rank 1\n"
            "  @0s barrier +4ms not-judged \"the model says what it takes at least\"\n"
            "  @5ms barrier +0s\n");
}

TEST(ModelCompile, PropertiesAreThoseOfTheProgramAndHintsThoseOfTheFile) {
  const Program program = test::compiled(
      "Property library = \"Open MPI v4.1.4\"\nProperty \"mca:io\" = romio321\n"
      "Property \"hints:/data/x\" = \"cb_nodes=2\"\nProperty \"hints:/data/x\" = \"romio_cb_write=enable\"\n"
      "Message type = MPI_File_open file = \"/data/x\"\n",
      1);
  EXPECT_EQ(program.property("library"), "Open MPI v4.1.4");
  EXPECT_EQ(program.property("mca:io"), "romio321");
  EXPECT_EQ(program.property("hints:/data/x"), "cb_nodes=2\nromio_cb_write=enable");
  EXPECT_EQ(program.hints(program.rank(0).accesses[0].hints), "cb_nodes=2\nromio_cb_write=enable");
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
