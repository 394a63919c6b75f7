// Who waits for whom: situations made by hand, and the whole report beside each.
#include "tracer/record/end_state/hang.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/options.hpp"

namespace plumbline::record {
namespace {

using test::pair;
using test::Payload;
using test::SpoolBuilder;

constexpr std::uint64_t kNever = 0;

class WaitingText : public testing::Test {
 protected:
  explicit WaitingText(int size = 3) {
    for (int rank = 0; rank < size; ++rank) {
      ranks_.emplace_back(rank, size);
      ranks_.back().header.end = PL_END_RUNNING;
      ranks_.back().call("MPI_Init", PL_LAYOUT_NONE, 1'000'000, 2'000'000, {});
    }
  }

  // Times in microseconds.
  void send(int rank, int dest, int tag, std::uint64_t begin, std::uint64_t end, const char* name = "MPI_Send",
            std::uint64_t bytes = 8) {
    call(rank, name, PL_LAYOUT_SEND, begin, end, {pair(dest, tag), bytes, pair(PL_COMM_WORLD, 0)});
  }
  void isend(int rank, int dest, int tag, int request, std::uint64_t begin) {
    call(rank, "MPI_Isend", PL_LAYOUT_SEND, begin, begin + 10, {pair(dest, tag), 8, pair(PL_COMM_WORLD, request)});
  }
  void irecv(int rank, int source, int tag, int request, std::uint64_t begin) {
    call(rank, "MPI_Irecv", PL_LAYOUT_RECV, begin, begin + 10, {pair(source, tag), 8, pair(PL_COMM_WORLD, request)});
  }
  void receive(int rank, int source, int tag, std::uint64_t begin, std::uint64_t end) {
    call(rank, "MPI_Recv", PL_LAYOUT_RECV, begin, end,
         {pair(source, tag), 8, pair(PL_COMM_WORLD, 0), pair(source, tag)});
  }
  void wait(int rank, const char* name, int first, int second, std::uint64_t begin) {
    call(rank, name, PL_LAYOUT_WAIT, begin, kNever, {pair(2, 0), 0, pair(first, second), 0, 0, 0, 0});
  }
  void collective(int rank, const char* name, std::uint64_t begin, std::uint64_t end) {
    call(rank, name, PL_LAYOUT_COLLECTIVE, begin, end, {pair(PL_COMM_WORLD, -1), 8, 8});
  }
  void call(int rank, const char* name, pl_layout layout, std::uint64_t begin, std::uint64_t end,
            const Payload& payload) {
    ranks_[static_cast<std::size_t>(rank)].call(name, layout, 1000 * begin, 1000 * end, payload);
  }

  // The user stops it 10 s after MPI_Init began.
  std::string stopped() { return text(SpoolBuilder::kRealtime + 10'001'000'000); }
  std::string text(std::optional<std::uint64_t> stopped_realtime_ns = {}) {
    std::vector<std::filesystem::path> paths;
    for (const SpoolBuilder& rank : ranks_) paths.push_back(rank.write(directory_.path()));
    AssembleOptions options;
    options.stopped_realtime_ns = stopped_realtime_ns;
    assemble(paths, directory_ / "obs", Overwrite::kYes, options);
    return waiting_text(read_end_state(directory_ / "obs"));
  }

  std::vector<SpoolBuilder> ranks_;
  plumbline::test::TemporaryDirectory directory_;
};

struct TwoRanksWait : WaitingText {
  TwoRanksWait() : WaitingText(2) {}
};

TEST_F(TwoRanksWait, EachInAReceiveFromTheOtherIsADeadlock) {
  receive(0, 1, 5, 501'000, kNever);
  receive(1, 0, 5, 1'001'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"
            "  rank 0: in MPI_Recv(from 1, tag 5, MPI_COMM_WORLD) for 9.5 s\n"
            "  rank 1: in MPI_Recv(from 0, tag 5, MPI_COMM_WORLD) for 9 s\n");
}

TEST_F(TwoRanksWait, AMessageWithAnotherTagIsNamed) {
  send(1, 0, 6, 3'000, 3'010);
  receive(0, 1, 5, 4'000, kNever);
  receive(1, 0, 9, 4'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"
            "  rank 0: in MPI_Recv(from 1, tag 5, MPI_COMM_WORLD) for 9.997 s\n"
            "    rank 1 has sent it a message that was not received: tag 6, MPI_COMM_WORLD\n"
            "  rank 1: in MPI_Recv(from 0, tag 9, MPI_COMM_WORLD) for 9.997 s\n");
}

TEST_F(TwoRanksWait, AMessageUnderWayIsNoDeadlock) {
  send(0, 1, 5, 501'000, kNever, "MPI_Send", 1 << 20);
  receive(1, 0, 5, 1'001'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  rank 0: in MPI_Send(to 1, tag 5, 1 MiB, MPI_COMM_WORLD) for 9.5 s\n"
            "    the receive for it has been posted\n"
            "  rank 1: in MPI_Recv(from 0, tag 5, MPI_COMM_WORLD) for 9 s\n"
            "    the message for it has been sent\n");
}

TEST_F(TwoRanksWait, ACallInWhichMpiEndedTheProgramIsToldWithWhatWasWrong) {
  send(0, 7, 5, 501'000, kNever);
  EXPECT_NE(text().find("  rank 0: in MPI_Send, which failed (MPI_ERR_RANK), from 500 ms on\n"), std::string::npos)
      << text();
}

TEST_F(TwoRanksWait, WhoEndedIsWaitedForInVain) {
  ranks_[1].header.end = PL_END_EXITED;
  ranks_[1].header.ending = pair(PL_ENDING_EXIT, 3);
  receive(0, 1, 5, 501'000, kNever);
  send(1, 0, 6, 3'000, 3'010);
  EXPECT_EQ(text(),
            "who waited for whom at the end:\n"
            "  rank 0 waits for what nobody can do any more\n"
            "  rank 0: in MPI_Recv(from 1, tag 5, MPI_COMM_WORLD) from 500 ms on\n"
            "    rank 1 has sent it a message that was not received: tag 6, MPI_COMM_WORLD\n"
            "    rank 1 has ended, exited without MPI_Finalize with status 3\n"
            "  rank 1: has ended, exited without MPI_Finalize with status 3; the last was MPI_Send\n");
}

TEST_F(TwoRanksWait, OfWhoIsNoLongerRecordedNothingIsClaimed) {
  ranks_[1].header.end = PL_END_STOPPED;
  std::strcpy(ranks_[1].header.stop_reason, "no space left for the spool");
  receive(0, 1, 5, 501'000, kNever);
  EXPECT_EQ(text(),
            "who waited for whom at the end:\n"
            "  rank 0: in MPI_Recv(from 1, tag 5, MPI_COMM_WORLD) from 500 ms on\n"
            "  rank 1: recording stopped: no space left for the spool\n"
            "  (calls were not recorded: what is said of messages may be wrong)\n");
}

TEST_F(TwoRanksWait, DifferentCollectivesAreAMistake) {
  collective(0, "MPI_Barrier", 3'000, kNever);
  collective(1, "MPI_Allreduce", 4'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  rank 1 is in MPI_Allreduce on MPI_COMM_WORLD; rank 0 is in MPI_Barrier on MPI_COMM_WORLD: these are not "
            "the same call\n"
            "  rank 0: in MPI_Barrier(MPI_COMM_WORLD) for 9.998 s\n"
            "    all ranks are in it, or have been\n"
            "  rank 1: in MPI_Allreduce(MPI_COMM_WORLD) for 9.997 s\n"
            "    all ranks are in it, or have been\n");
}

TEST_F(TwoRanksWait, ASecondThreadMayStillHelp) {
  receive(0, 1, 5, 4'000, kNever);
  receive(1, 0, 5, 4'000, kNever);
  ranks_[1].thread(1);
  send(1, 1, 8, 3'000, 3'010);
  const std::string report = stopped();
  EXPECT_EQ(report.find("deadlock"), std::string::npos) << report;
  EXPECT_NE(report.find("  rank 1, thread 1: in no call for 9.998 s; the last was MPI_Send\n"), std::string::npos)
      << report;
}

TEST_F(WaitingText, ACollectiveNamesWhoHasNotCome) {
  for (const int rank : {0, 1, 2}) collective(rank, "MPI_Barrier", 3'000, 3'500);
  collective(0, "MPI_Barrier", 4'000, kNever);
  collective(2, "MPI_Barrier", 5'000, kNever);
  send(1, 0, 6, 4'000, 1'001'000);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  ranks 0, 2 are in MPI_Barrier on MPI_COMM_WORLD; rank 1 is not\n"
            "  rank 0: in MPI_Barrier(MPI_COMM_WORLD) for 9.997 s\n"
            "  rank 1: in no call for 9 s; the last was MPI_Send\n"
            "  rank 2: in MPI_Barrier(MPI_COMM_WORLD) for 9.996 s\n");
}

TEST_F(WaitingText, SynchronousSendsInACircleAreADeadlock) {
  for (const int rank : {0, 1, 2}) send(rank, (rank + 1) % 3, 7, 3'000, kNever, "MPI_Ssend");
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  deadlock: rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0\n"
            "  rank 0: in MPI_Ssend(to 1, tag 7, 8 B, MPI_COMM_WORLD) for 9.998 s\n"
            "  rank 1: in MPI_Ssend(to 2, tag 7, 8 B, MPI_COMM_WORLD) for 9.998 s\n"
            "  rank 2: in MPI_Ssend(to 0, tag 7, 8 B, MPI_COMM_WORLD) for 9.998 s\n");
}

TEST_F(WaitingText, AnySourceWaitsUntilNobodyIsLeft) {
  receive(0, -1, -1, 3'000, kNever);
  collective(1, "MPI_Barrier", 4'000, kNever);
  collective(2, "MPI_Barrier", 4'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"
            "  rank 2 waits for what nobody can do any more\n"
            "  ranks 1, 2 are in MPI_Barrier on MPI_COMM_WORLD; rank 0 is not\n"
            "  rank 0: in MPI_Recv(from any, tag any, MPI_COMM_WORLD) for 9.998 s\n"
            "  rank 1: in MPI_Barrier(MPI_COMM_WORLD) for 9.997 s\n"
            "  rank 2: in MPI_Barrier(MPI_COMM_WORLD) for 9.997 s\n");
}

TEST_F(WaitingText, AnySourceMayStillBeHelpedByWhoComputes) {
  receive(0, -1, -1, 3'000, kNever);
  receive(1, 0, 5, 3'000, kNever);
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  rank 0: in MPI_Recv(from any, tag any, MPI_COMM_WORLD) for 9.998 s\n"
            "  rank 1: in MPI_Recv(from 0, tag 5, MPI_COMM_WORLD) for 9.998 s\n"
            "  rank 2: in no call for 9.999 s; the last was MPI_Init\n");
}

TEST_F(WaitingText, AWaitIsResolvedToThePeersOfItsRequests) {
  irecv(0, 1, 8, 10, 3'000);
  irecv(0, 2, 8, 11, 3'100);
  send(2, 0, 8, 3'000, 3'010);
  wait(0, "MPI_Waitall", 10, 11, 4'000);
  receive(1, 0, 9, 4'000, kNever);
  EXPECT_EQ(
      stopped(),
      "who waited for whom when it was stopped, at 10 s:\n"
      "  deadlock: rank 0 waits for rank 1, which waits for rank 0\n"
      "  rank 0: in MPI_Waitall(a receive from 1, tag 8, MPI_COMM_WORLD, a receive from 2, tag 8, MPI_COMM_WORLD) "
      "for 9.997 s\n"
      "  rank 1: in MPI_Recv(from 0, tag 9, MPI_COMM_WORLD) for 9.997 s\n"
      "  rank 2: in no call for 9.998 s; the last was MPI_Send\n");
}

// The message to rank 1 may have been buffered, and rank 2 may send: then rank 0 goes on, and so does rank 1.
TEST_F(WaitingText, AStandardSendAmongOtherRequestsMakesNoDeadlock) {
  irecv(0, 2, 8, 10, 3'000);
  isend(0, 1, 8, 11, 3'100);
  wait(0, "MPI_Waitall", 10, 11, 4'000);
  receive(1, 0, 9, 4'000, kNever);
  EXPECT_EQ(stopped().find("deadlock"), std::string::npos);
}

TEST_F(WaitingText, OneOfManyIsEnoughForWaitany) {
  irecv(0, 1, 8, 10, 3'000);
  irecv(0, 2, 8, 11, 3'100);
  wait(0, "MPI_Waitany", 10, 11, 4'000);
  receive(1, 0, 9, 4'000, kNever);
  EXPECT_EQ(stopped().find("deadlock"), std::string::npos) << "rank 2 may still send";
  receive(2, 1, 9, 4'000, kNever);
  EXPECT_NE(stopped().find("deadlock: rank 0 waits for rank 1, which waits for rank 0"), std::string::npos);
}

TEST_F(WaitingText, WhoPollsIsToldWithWhatItPollsFor) {
  irecv(0, 1, 8, 10, 3'000);
  call(0, "MPI_Test", PL_LAYOUT_WAIT, 4'000, 5'000, {pair(1, 0), pair(0, 4321), pair(10, 0), 0, 0});
  EXPECT_NE(stopped().find("  rank 0: polls MPI_Test(a receive from 1, tag 8, MPI_COMM_WORLD) for 9.997 s\n"),
            std::string::npos);
}

TEST_F(WaitingText, WhoProbesInALoopIsToldWithWhatItProbesFor) {
  call(0, "MPI_Iprobe", PL_LAYOUT_PROBE, 4'000, 5'000,
       {pair(1, 8), 0, pair(PL_COMM_WORLD, 0), pair(-1, -1), pair(0, 4321)});
  EXPECT_NE(stopped().find("  rank 0: polls MPI_Iprobe(from 1, tag 8, MPI_COMM_WORLD) for 9.997 s\n"),
            std::string::npos);
}

TEST_F(TwoRanksWait, ATestInFlightIsAPollAndNoDeadlock) {
  for (const int rank : {0, 1}) {
    irecv(rank, 1 - rank, 8, 10, 3'000);
    call(rank, "MPI_Test", PL_LAYOUT_WAIT, 4'000, kNever, {pair(1, 0), 0, pair(10, 0), 0, 0});
  }
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  rank 0: polls MPI_Test(a receive from 1, tag 8, MPI_COMM_WORLD) for 9.997 s\n"
            "  rank 1: polls MPI_Test(a receive from 0, tag 8, MPI_COMM_WORLD) for 9.997 s\n");
}

TEST_F(WaitingText, WhoWritesAFileIsNotWaitingForTheOthers) {
  SpoolBuilder& writer = ranks_[0];
  writer.define_text(PL_DEF_FILE, pair(1, 0), "/data/x");
  for (SpoolBuilder* rank : {&ranks_[0], &ranks_[1], &ranks_[2]}) {
    if (rank != &writer) rank->define_text(PL_DEF_FILE, pair(1, 0), "/data/x");
    rank->call("MPI_File_open", PL_LAYOUT_FILE_OPEN, 3'000'000, 3'100'000,
               {pair(PL_COMM_WORLD, 4), pair(1, 0), pair(1, 0)});
    rank->call("MPI_File_write_all", PL_LAYOUT_FILE_ACCESS, 4'000'000, kNever,
               {pair(1, PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE), 0, 64, 0, 0});
  }
  writer.call("open", PL_LAYOUT_POSIX_OPEN, 4'010'000, 4'020'000, {pair(1, 1), 7});
  writer.call("pwrite", PL_LAYOUT_POSIX_ACCESS, 4'100'000, kNever, {pair(7, PL_ACCESS_WRITE), 0, 64, 0});
  EXPECT_EQ(stopped(),
            "who waited for whom when it was stopped, at 10 s:\n"
            "  rank 0: in MPI_File_write_all(/data/x), there in pwrite for 9.997 s\n"
            "    all ranks are in it, or have been\n"
            "  rank 1: in MPI_File_write_all(/data/x) for 9.997 s\n"
            "    all ranks are in it, or have been\n"
            "  rank 2: in MPI_File_write_all(/data/x) for 9.997 s\n"
            "    all ranks are in it, or have been\n");
}

TEST_F(WaitingText, AFileIsOpenedByAllRanksTogether) {
  ranks_[0].define_text(PL_DEF_FILE, pair(1, 0), "/data/x");
  call(0, "MPI_File_open", PL_LAYOUT_FILE_OPEN, 3'000, kNever, {pair(PL_COMM_WORLD, 4), pair(1, 0), 0});
  collective(1, "MPI_Barrier", 4'000, kNever);
  collective(2, "MPI_Barrier", 4'000, kNever);
  const std::string report = stopped();
  EXPECT_NE(report.find("  rank 0 is in MPI_File_open; ranks 1, 2 are not\n"), std::string::npos) << report;
  EXPECT_NE(report.find("  rank 0: in MPI_File_open(/data/x) for 9.998 s\n"), std::string::npos) << report;
}

TEST_F(WaitingText, CallsAfterTheMomentDoNotCount) {
  ranks_[0].header.last = {20'000'000'000, 20'000'000'000, SpoolBuilder::kRealtime + 20'000'000'000};
  receive(0, 1, 5, 4'000, 12'000'000);  // returned while it was stopped
  receive(1, 0, 5, 4'000, kNever);
  collective(0, "MPI_Barrier", 12'001'000, 12'002'000);
  const std::string report = stopped();
  EXPECT_NE(report.find("  rank 0: in MPI_Recv for 9.997 s\n"), std::string::npos) << report;
}

TEST(RanksText, RunsAreShortened) {
  EXPECT_EQ(ranks_text({3}), "rank 3");
  EXPECT_EQ(ranks_text({0, 2, 3, 4, 7, 8}), "ranks 0, 2-4, 7, 8");
}

}  // namespace
}  // namespace plumbline::record
