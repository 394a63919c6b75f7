#include "replay/program/text/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "random_program.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

class ProgramText : public testing::Test {
 protected:
  Program parse(const std::string& text) { return parse_program(text, "two_ranks.txt", directory_ / "p"); }

  std::string error_of(const std::string& text) {
    try {
      parse(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryDirectory directory_;
};

TEST_F(ProgramText, AnOperationWithoutATimeFollowsItsPredecessor) {
  const Program program = parse(
      "ranks 2\n"
      "rank 0\n"
      "  @2us send 1 tag 7 1024B +12us\n"
      "  compute 5us ; barrier +1us   # comment\n");
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 2U);
  EXPECT_EQ(rank.operations[0].kind, OpKind::kSend);
  EXPECT_EQ(rank.operations[0].peer, 1);
  EXPECT_EQ(rank.operations[0].tag, 7);
  EXPECT_EQ(rank.operations[0].bytes, 1024U);
  EXPECT_EQ(program.call(rank.operations[0].call), "MPI_Send");
  EXPECT_EQ(rank.times[0].begin, Time{} + microseconds(2));
  EXPECT_EQ(rank.times[1].begin, Time{} + microseconds(19));
  EXPECT_EQ(rank.times[1].end, Time{} + microseconds(20));
  EXPECT_TRUE(program.rank(1).operations.empty());
  EXPECT_THAT(program.comm(0).members, ElementsAre(0, 1));
}

TEST_F(ProgramText, RequestsAreNamesThatMayBeUsedAgainAfterTheWait) {
  const Program program = parse(
      "ranks 1\nrank 0\n"
      "isend 0 tag 1 8B -> a ; irecv 0 tag 1 8B any-source -> b ; wait a b\n"
      "irecv 0 tag 2 8B -> a ; wait a ; wait\n");
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.request_slots, 2U);
  EXPECT_THAT(rank.waits_for(rank.operations[2]), ElementsAre(rank.operations[0].extra, rank.operations[1].extra));
  EXPECT_THAT(rank.waits_for(rank.operations[4]), ElementsAre(rank.operations[3].extra));
  EXPECT_TRUE(rank.waits_for(rank.operations[5]).empty());
  EXPECT_EQ(rank.operations[1].flags & kAnySource, kAnySource);
}

TEST_F(ProgramText, FilesAreNamedByTheOpenThatPrecedes) {
  const Program program = parse(
      "ranks 2\nnode n0 ranks 0-1 cores 4\ncomm 1 = 1 0\nrank 0\n"
      "open /data/x collective comm 1 ; write_at_all 0..4096 comm 1\n"
      "  inner pwrite 0..4096 @0us +3us\n"
      "write_all layout \"vector(2,1,2)\" position 64 128B comm 1; posix_open /data/y; pwrite 10..20; close file "
      "/data/x\n");
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(rank.operations.size(), 6U);
  EXPECT_EQ(rank.cores, 4U);
  EXPECT_EQ(rank.operations[0].flags, kIoIsCollective | kIoIsMpi);
  EXPECT_EQ(rank.accesses[rank.operations[1].extra].comm, 1U);
  EXPECT_EQ(rank.operations[1].bytes, 4096U);
  ASSERT_EQ(rank.inner_of(1).size(), 1U);
  EXPECT_EQ(rank.inner_of(1)[0].kind, InnerKind::kWrite);
  const IoAccess& view = rank.accesses[rank.operations[2].extra];
  EXPECT_EQ(program.layout(view.layout), "vector(2,1,2)");
  EXPECT_EQ(view.view_position, 64U);
  EXPECT_EQ(view.offset, kUnknownOffset);
  EXPECT_EQ(program.file(rank.operations[4].comm), "/data/y");
  EXPECT_EQ(program.call(rank.operations[4].call), "pwrite");
  EXPECT_EQ(program.file(rank.operations[5].comm), "/data/x");
}

TEST_F(ProgramText, HintsAndAtomicModeHoldForTheFileUntilOthersAreTold) {
  const Program program = parse(
      "ranks 2\nnode n0 ranks 0 processor p0\nproperty \"hints:/data/a b\" = x\n"
      "rank 0\n open /x collective hints \"cb_nodes=2\" ; write_all 0..8 atomic ; open /y ; write_all 8..16 file /x\n"
      "  read 0..8 file /y ; write_all 16..24 file /x no-hints non-atomic\n");
  const RankProgram& rank = program.rank(0);
  const auto access = [&](std::uint32_t i) { return rank.accesses[rank.operations[i].extra]; };
  EXPECT_EQ(program.hints(access(0).hints), "cb_nodes=2");
  EXPECT_EQ(access(0).file_flags, 0);
  EXPECT_EQ(access(1).file_flags, kAtomicMode);
  EXPECT_EQ(program.hints(access(3).hints), "cb_nodes=2");
  EXPECT_EQ(access(3).file_flags, kAtomicMode);
  EXPECT_EQ(access(4).hints, kNoHints);
  EXPECT_EQ(access(5).hints, kNoHints);
  EXPECT_EQ(access(5).file_flags, 0);
  EXPECT_EQ(program.node(rank.processor), "p0");
  EXPECT_EQ(program.node(program.rank(1).processor), "node");
  EXPECT_EQ(program.property("hints:/data/a b"), "x");
}

TEST_F(ProgramText, CollectivesReceiveWhatTheirKindSaysUnlessTold) {
  const Program program = parse(
      "ranks 2\nrank 0\nallgather 8B ; gather root 0 8B ; gather root 1 8B ; alltoall 64B received 32B\n"
      "iallreduce 8B -> a ; wait a\n");
  const RankProgram& rank = program.rank(0);
  EXPECT_EQ(rank.collectives[0].received, 16U);
  EXPECT_EQ(rank.collectives[1].received, 16U);
  EXPECT_EQ(rank.collectives[2].received, 0U);
  EXPECT_EQ(rank.collectives[3].received, 32U);
  EXPECT_EQ(rank.operations[4].kind, OpKind::kNonBlockingCollective);
}

TEST_F(ProgramText, NeighboursAreListedWithTheirBytesAndEqualListsAreKeptOnce) {
  const Program program = parse(
      "ranks 2\nrank 0\nneighbor_allgather to 1:8,1:8 from 1:4,0:2 ; neighbor_allgather to 1:8,1:8 from 1:4,0:2\n"
      "ineighbor_alltoallw to none from 1:4 -> a ; wait a\n");
  const RankProgram& rank = program.rank(0);
  const Neighbour eight{1, 0, 8};
  EXPECT_EQ(rank.operations[0].kind, OpKind::kNeighbourhood);
  EXPECT_EQ(rank.operations[0].bytes, 16U);
  EXPECT_EQ(program.call(rank.operations[0].call), "MPI_Neighbor_allgather");
  EXPECT_THAT(rank.sends_to(rank.operations[1]), ElementsAre(eight, eight));
  EXPECT_THAT(rank.receives_from(rank.operations[1]), ElementsAre(Neighbour{1, 0, 4}, Neighbour{0, 0, 2}));
  EXPECT_EQ(rank.neighbours.size(), 5U);
  EXPECT_EQ(rank.operations[2].kind, OpKind::kNonBlockingNeighbourhood);
  EXPECT_EQ(static_cast<Neighbourhood>(rank.operations[2].tag), Neighbourhood::kAlltoallw);
  EXPECT_EQ(program.call(rank.operations[2].call), "MPI_Ineighbor_alltoallw");
  EXPECT_TRUE(rank.sends_to(rank.operations[2]).empty());
  EXPECT_THAT(rank.waits_for(rank.operations[3]), ElementsAre(rank.request_of(rank.operations[2])));
}

TEST_F(ProgramText, WindowsAreNumberedAndHaveRanksOfTheirCommunicator) {
  const Program program = parse(
      "ranks 3\ncomm 1 = 2 0\nwindow 0 = comm 1 shared\nrank 0\n"
      "win_post 0 group 0 1 nocheck ; win_lock 0 1 exclusive ; put 0 1 64B ; rget 0 0 32B -> a\n"
      "win_flush_local_all 0 ; fetch 0 1 8B received 8B ; wait a ; win_unlock 0 1\n");
  const RankProgram& rank = program.rank(0);
  ASSERT_EQ(program.windows().size(), 1U);
  EXPECT_EQ(program.windows()[0].comm, 1U);
  EXPECT_EQ(program.windows()[0].kind, WindowKind::kShared);
  EXPECT_THAT(rank.group_of(rank.operations[0]), ElementsAre(0, 1));
  EXPECT_EQ(rank.operations[0].flags, kWinNoCheck);
  EXPECT_EQ(rank.operations[1].flags, kWinExclusive);
  EXPECT_EQ(rank.operations[1].peer, 1);
  EXPECT_EQ(rank.operations[2].bytes, 64U);
  EXPECT_EQ(rank.rma[rank.operations[3].extra].received, 32U);
  EXPECT_EQ(program.call(rank.operations[3].call), "MPI_Rget");
  EXPECT_EQ(rank.operations[4].flags, kWinAll | kWinLocal);
  EXPECT_EQ(program.call(rank.operations[4].call), "MPI_Win_flush_local_all");
  EXPECT_EQ(program.call(rank.operations[5].call), "MPI_Get_accumulate");
}

TEST_F(ProgramText, FaultsOfWindowsAreTold) {
  const std::string head = "ranks 3\ncomm 1 = 2 0\ncomm 2 = 0 | 1\nwindow 0 = comm 1 create\n";
  EXPECT_THAT(error_of(head + "window 2 = comm 0\n"), HasSubstr("5: window 2 comes before window 1"));
  EXPECT_THAT(error_of(head + "window 1 = comm 3\n"), HasSubstr("no communicator 3"));
  EXPECT_THAT(error_of(head + "window 1 = comm 2\n"), HasSubstr("an intercommunicator has no windows"));
  EXPECT_THAT(error_of(head + "window 1 = comm 0 large\n"), HasSubstr("'large' is not understood here"));
  EXPECT_THAT(error_of(head + "rank 0\nput 1 0 8B\n"), HasSubstr("6: no window 1"));
  EXPECT_THAT(error_of(head + "rank 0\nput 0 2 8B\n"), HasSubstr("window 0 has no rank 2"));
  EXPECT_THAT(error_of(head + "rank 1\nput 0 0 8B\n"), HasSubstr("rank 1 does not belong to window 0"));
  EXPECT_THAT(error_of(head + "rank 0\nwin_start 0 group 0 5\n"), HasSubstr("window 0 has no rank 5"));
  EXPECT_THAT(error_of(head + "rank 0\nfetch 0 0 8B\n"), HasSubstr("'received' expected"));
  EXPECT_THAT(error_of(head + "rank 0\nwin_fence_all 0\n"), HasSubstr("no operation is called 'win_fence_all'"));
}

// Words taken away, doubled and changed for others: an error with its line, or a program.
TEST_F(ProgramText, DamagedTextIsAnErrorAndNeverACrash) {
  std::mt19937_64 random(20261122);
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string text = to_text(random_program(static_cast<std::uint64_t>(round % 50), directory_ / "good"));
    for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % text.size(), begin = text.find_last_of(" \n", at);
      const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
      const std::size_t to = std::min(text.find_first_of(" \n", at), text.size());
      const std::string word = text.substr(from, to > from ? to - from : 0);
      static const char* const kOther[] = {"",   "win_lock", "group", "4294967295",
                                           "-1", "all",      "->",    "99999999999999999999B"};
      text.replace(from, word.size(), random() % 3 == 0 ? word + " " + word : kOther[random() % std::size(kOther)]);
    }
    try {
      parse(text);
    } catch (const Error& error) {
      ++refused;
      EXPECT_THAT(error.what(), HasSubstr("two_ranks.txt:")) << text;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST_F(ProgramText, AFaultIsToldWithItsLine) {
  EXPECT_THAT(error_of("rank 0\n"), HasSubstr("two_ranks.txt:1: does not begin with the number of ranks"));
  EXPECT_THAT(error_of("ranks 2\nrank 0\nsned 1 tag 7 8B\n"),
              HasSubstr("two_ranks.txt:3: no operation is called 'sned'"));
  EXPECT_THAT(error_of("ranks 2\nrank 0\nsend 2 tag 7 8B\n"),
              HasSubstr("two_ranks.txt:3: communicator 0 has no rank 2"));
  EXPECT_THAT(error_of("ranks 2\nrank 0\nsend 1 tag 7\n"), HasSubstr("two_ranks.txt:3: number of bytes is missing"));
  EXPECT_THAT(error_of("ranks 2\nrank 0\nwait a\n"), HasSubstr("two_ranks.txt:3: waits for a request that was not"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nisend 0 tag 1 8B -> a; isend 0 tag 1 8B -> a\n"), HasSubstr("still in use"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nbarrier +1us\n@0us barrier\n"), HasSubstr("two_ranks.txt:4: begins before"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nsend 0 tag 1 8B \"oh\n"),
              HasSubstr("two_ranks.txt:3: a quotation has no end"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nallgather 8B comm 3\n"), HasSubstr("two_ranks.txt:3: no communicator 3"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nneighbor_alltoall to 1:8 from none\n"),
              HasSubstr("two_ranks.txt:3: communicator 0 has no rank 1"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nneighbor_alltoall to 0 from none\n"),
              HasSubstr("two_ranks.txt:3: '0' is no neighbour"));
  EXPECT_THAT(error_of("ranks 1\nrank 0\nread 8B\n"), HasSubstr("two_ranks.txt:3: no file is open"));
  EXPECT_THAT(error_of("ranks 1\nrank 1\n"), HasSubstr("two_ranks.txt:2: ranks are out of order"));
}

TEST_F(ProgramText, TextOfAProgramMakesTheSameProgram) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Program program = random_program(seed, directory_ / "random");
    const std::string text = to_text(program);
    const Program again = parse(text);
    ASSERT_EQ(to_text(again), text);
    for (std::uint32_t r = 0; r < program.ranks(); ++r) {
      const RankProgram &a = program.rank(r), &b = again.rank(r);
      ASSERT_EQ(a.operations.size(), b.operations.size());
      ASSERT_EQ(a.request_slots, b.request_slots);
      for (std::size_t i = 0; i < a.operations.size(); ++i) {
        ASSERT_EQ(a.operations[i].kind, b.operations[i].kind) << i;
        ASSERT_EQ(a.operations[i].flags, b.operations[i].flags) << i << '\n' << text;
        ASSERT_EQ(a.operations[i].bytes, b.operations[i].bytes) << i;
        ASSERT_EQ(a.times[i].begin, b.times[i].begin) << i;
        ASSERT_EQ(a.times[i].end, b.times[i].end) << i;
      }
      ASSERT_EQ(a.inner.size(), b.inner.size());
    }
  }
}

}  // namespace
}  // namespace plumbline::replay
