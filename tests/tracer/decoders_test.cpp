// What the records of each family become. Payloads in, events out: see payloads.h for the one, brief() for the other.

#include "tests/tracer/decoder_fixture.hpp"

namespace plumbline::record::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(Decoders, ASendIsAMessage) {
  EXPECT_THAT(decode("MPI_Send", PL_LAYOUT_SEND, {pair(1, 7), 64, pair(PL_COMM_WORLD, 0)}),
              ElementsAre("send 1:7 64B"));
  EXPECT_EQ(state().process.tally.message_bytes, 64u);
}

TEST_F(Decoders, ASendToNobodyIsNone) {
  EXPECT_THAT(decode("MPI_Send", PL_LAYOUT_SEND, {pair(PL_PROC_NULL, 7), 64, pair(PL_COMM_WORLD, 0)}), IsEmpty());
}

TEST_F(Decoders, AReceiveOfAnyTellsWhatItWasPostedFor) {
  EXPECT_THAT(decode("MPI_Recv", PL_LAYOUT_RECV, {pair(-1, -1), 64, pair(PL_COMM_WORLD, 0), pair(2, 9)}),
              ElementsAre("recv 2:9 64B POSTED_SOURCE=-1 POSTED_TAG=-1"));
}

TEST_F(Decoders, AReceiveThatNeverReturnedTellsWhomItWaitsFor) {
  EXPECT_THAT(decode("MPI_Recv", PL_LAYOUT_RECV, {pair(2, 9), 64, pair(PL_COMM_WORLD, 0), 0}, false),
              ElementsAre(testing::AllOf(testing::StartsWith("on enter"), testing::HasSubstr("=2 "),
                                         testing::HasSubstr("=9 "), testing::HasSubstr("=64"))));
}

TEST_F(Decoders, ARequestIsOpenUntilAWaitCompletesIt) {
  decode("MPI_Isend", PL_LAYOUT_SEND, {pair(1, 7), 64, pair(PL_COMM_WORLD, 5)});
  EXPECT_NE(state().process.requests.find(5), nullptr);
  EXPECT_THAT(decode("MPI_Wait", PL_LAYOUT_WAIT, {pair(1, 0), pair(1, 0), pair(5, 0), kSent, 0}),
              ElementsAre("sent r5"));
  EXPECT_EQ(state().process.requests.find(5), nullptr);
}

TEST_F(Decoders, BothRequestsOfAnExchangeEndWithTheOneThatIsWaitedFor) {
  EXPECT_THAT(decode("MPI_Isendrecv", PL_LAYOUT_ISENDRECV,
                     {pair(1, 7), 64, pair(PL_COMM_WORLD, 5), pair(3, 8), 32, pair(PL_COMM_WORLD, 6)}),
              ElementsAre("isend 1:7 64B r5", testing::StartsWith("post r6")));
  EXPECT_THAT(decode("MPI_Wait", PL_LAYOUT_WAIT, {pair(1, 0), pair(1, 0), pair(6, 0), PL_COMPLETED | 32, pair(3, 8)}),
              ElementsAre("sent r5", "irecv 3:8 32B r6"));
}

TEST_F(Decoders, AStartIsTheNonBlockingCall) {
  facts.persistents[4] = {{"MPI_Send_init", PL_LAYOUT_SEND}, {pair(1, 7), 64, pair(PL_COMM_WORLD, 0)}};
  EXPECT_THAT(decode("MPI_Start", PL_LAYOUT_START, {pair(1, 0), pair(4, 9)}),
              ElementsAre(testing::StartsWith("isend 1:7 64B r9")));
}

TEST_F(Decoders, ACollectiveBeginsAndEnds) {
  EXPECT_THAT(decode("MPI_Bcast", PL_LAYOUT_COLLECTIVE, {pair(PL_COMM_WORLD, 2), 0, 16}),
              ElementsAre("collective", "op " + std::to_string(static_cast<int>(archive::CollectiveOp::kBcast)) +
                                            " comm 0 root 2 0/16"));
}

TEST_F(Decoders, AProbeTellsWhatItFound) {
  const std::vector<std::string> lines =
      decode("MPI_Iprobe", PL_LAYOUT_PROBE, {pair(-1, 7), 8, pair(PL_COMM_WORLD, 0), pair(3, 7), pair(1, 2)});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], testing::StartsWith("on enter"));
  EXPECT_THAT(lines[1],
              testing::AllOf(testing::StartsWith("on leave"), testing::HasSubstr("=3 "), testing::HasSubstr("=7")));
}

TEST_F(Decoders, AOneSidedOperationIsOpenUntilAFlush) {
  facts.windows[1].comm = PL_COMM_WORLD;
  decode("MPI_Put", PL_LAYOUT_RMA, {pair(2, 0), 0, 8, 8, pair(1, 0), 0});
  const std::uint32_t window = state().process.window(1);
  EXPECT_THAT(state().epochs[window].complete_locally(2), ElementsAre(std::uint64_t{1} << 32));
}

TEST_F(Decoders, AFileThatIsOpenedHasAHandleUntilItIsClosed) {
  facts.paths[3] = "/data/out";
  EXPECT_THAT(decode("open", PL_LAYOUT_POSIX_OPEN, {pair(3, 2), 5}), ElementsAre(testing::StartsWith("open h0")));
  EXPECT_THAT(decode("pwrite", PL_LAYOUT_POSIX_ACCESS, {pair(5, PL_ACCESS_WRITE), 100, 8, 8}),
              ElementsAre(testing::StartsWith("write h0 8B"), "done h0 8B"));
  EXPECT_THAT(decode("close", PL_LAYOUT_POSIX_FD, {pair(5, 0), 0}), ElementsAre("close h0"));
}

TEST_F(Decoders, AWriteMovesThePositionOfTheDescriptor) {
  facts.paths[3] = "/data/out";
  decode("open", PL_LAYOUT_POSIX_OPEN, {pair(3, 2), 5});
  decode("write", PL_LAYOUT_POSIX_ACCESS, {pair(5, PL_ACCESS_WRITE), ~0ULL, 8, 8});
  EXPECT_EQ(state().process.file(5, 2'000).position, 8);
}

TEST_F(Decoders, AFailedWriteHasDoneNothing) {
  EXPECT_THAT(
      decode("pwrite", PL_LAYOUT_POSIX_ACCESS, {pair(5, PL_ACCESS_WRITE), 0, 8, static_cast<std::uint64_t>(-28)}),
      ElementsAre(testing::StartsWith("write h0 8B"), "done h0 0B"));
}

TEST_F(Decoders, AnAsynchronousWriteEndsWhereTheProgramLearnsOfIt) {
  EXPECT_THAT(decode("aio_write", PL_LAYOUT_POSIX_AIO, {pair(5, PL_ACCESS_WRITE), 0, 8, PL_FIRST_AIO, 0}),
              ElementsAre(testing::StartsWith("write h0 8B"), "issued h0"));
  EXPECT_THAT(decode("aio_return", PL_LAYOUT_POSIX_AIO_END, {PL_FIRST_AIO, 8}), ElementsAre("done h0 8B"));
}

TEST_F(Decoders, AStreamHasAHandleOfItsOwn) {
  facts.paths[3] = "/data/out";
  decode("fopen", PL_LAYOUT_POSIX_STREAM_OPEN, {pair(3, 0), 8});
  EXPECT_THAT(decode("fread", PL_LAYOUT_POSIX_STREAM_ACCESS, {pair(8, 0), ~0ULL, 16, 16}),
              ElementsAre("read h0 16B", "done h0 16B"));
  EXPECT_THAT(decode("fclose", PL_LAYOUT_POSIX_STREAM, {pair(8, 0), 0, 0, 0}), testing::Contains("close h0"));
}

TEST_F(Decoders, AnMpiFileIsReadThroughItsHandle) {
  facts.paths[3] = "/data/out";
  facts.mpi_files[1].comm = PL_COMM_WORLD;
  facts.mpi_files[1].path = 3;
  EXPECT_THAT(decode("MPI_File_read_at_all", PL_LAYOUT_FILE_ACCESS, {pair(1, PL_ACCESS_COLLECTIVE), 5, 24, 24, 0}),
              ElementsAre(testing::StartsWith("read h0 24B"), "done h0 24B"));
}

TEST_F(Decoders, ALayoutOfALaterVersionIsOnlyTimed) {
  EXPECT_THAT(decode("MPI_Later", static_cast<pl_layout>(PL_LAYOUT_COUNT), {1, 2, 3}), IsEmpty());
}

}  // namespace
}  // namespace plumbline::record::test
