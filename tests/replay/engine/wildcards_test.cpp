// Receives from any rank that the replay matches itself (replay/mpi/wildcards.hpp).

#include "replay/mpi/wildcards.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using Matches = std::vector<mpi::WildcardMatch>;

// Rank 0 receives from two others, of which one sends later than the other.
std::string two_senders(const std::string& of_receiver, const std::string& of_first, const std::string& of_second) {
  return one_rank_per_node(3, "rank 0\n" + of_receiver + "\nrank 1\n" + of_first + "\nrank 2\n" + of_second + "\n");
}

TEST(Wildcards, TakeTheMessageThatIsThereFirst) {
  const std::string receiver = "recv none tag 7 8B any-source ; recv none tag 7 8B any-source";
  const ReplayResult first =
      run(program_of(two_senders(receiver, "send 0 tag 7 8B", "compute 1ms ; send 0 tag 7 8B")), star(3));
  EXPECT_EQ(first.wildcards[0], (Matches{{0, 1}, {1, 2}}));
  const ReplayResult second =
      run(program_of(two_senders(receiver, "compute 1ms ; send 0 tag 7 8B", "send 0 tag 7 8B")), star(3));
  EXPECT_EQ(second.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

// 1 us to send, 3 us on the way and some nanoseconds on the wires, 2 us to receive: as from a named rank.
TEST(Wildcards, TakeAsLongAsReceivesFromTheRankThatSends) {
  for (const std::string size : {"8B", "100KiB"}) {
    const std::string sends = "send 0 tag 7 " + size;
    const ReplayResult any =
        run(program_of(two_senders("recv none tag 7 " + size + " any-source", sends, "")), star(3));
    const ReplayResult named = run(program_of(two_senders("recv 1 tag 7 " + size, sends, "")), star(3));
    EXPECT_EQ(any.times[0][0].end, named.times[0][0].end) << size;
    EXPECT_EQ(any.times[1][0].end, named.times[1][0].end) << size;
  }
}

TEST(Wildcards, ThatComeLateTakeWhatHasWaitedLongest) {
  for (const std::string size : {"8B", "100KiB"}) {
    const std::string any = "recv none tag 7 " + size + " any-source";
    const ReplayResult result =
        run(program_of(two_senders("compute 5ms ; " + any + " ; " + any, "compute 1ms ; send 0 tag 7 " + size,
                                   "send 0 tag 7 " + size)),
            star(3));
    EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}})) << size;
  }
}

TEST(Wildcards, LookAtTheirTagAlone) {
  const ReplayResult result =
      run(program_of(two_senders("recv none tag 8 8B any-source ; recv none tag 7 8B any-source", "send 0 tag 7 8B",
                                 "compute 1ms ; send 0 tag 8 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

TEST(Wildcards, BegunOnesTakeMessagesInTheOrderTheyWerePosted) {
  const ReplayResult result =
      run(program_of(two_senders(
              "irecv none tag 7 8B any-source -> a ; irecv none tag 7 8B any-source -> b ; compute 9ms ; wait a b",
              "compute 2ms ; send 0 tag 7 8B", "compute 1ms ; send 0 tag 7 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 2}, {1, 1}}));
}

TEST(Wildcards, LeaveToANamedReceiveWhatWasSentForIt) {
  const ReplayResult result =
      run(program_of(two_senders("irecv 1 tag 7 8B -> a ; recv none tag 7 8B any-source ; wait a", "send 0 tag 7 8B",
                                 "compute 1ms ; send 0 tag 7 8B")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{1, 2}}));
}

TEST(Wildcards, OfOneSenderDoNotOvertakeEachOther) {
  // The large one is sent first; its request to send is small, and so is the second message.
  const ReplayResult result =
      run(program_of(two_senders("recv none tag 7 100KiB any-source ; recv none tag 7 100KiB any-source",
                                 "isend 0 tag 7 100KiB -> a ; send 0 tag 7 8B ; wait a", "")),
          star(3));
  EXPECT_EQ(result.wildcards[0], (Matches{{0, 1}, {1, 1}}));
  EXPECT_GT(duration(result.times[0][0]), duration(result.times[0][1]));
}

TEST(Wildcards, ThatNobodyAnswersAreToldAsStuck) {
  const std::string told = stuck_text(program_of(two_senders("recv none tag 7 8B any-source", "", "")), star(3));
  EXPECT_NE(told.find("rank 0: operation 0, MPI_Recv: waits for a message from any rank (tag 7, communicator 0)"),
            std::string::npos)
      << told;
}

TEST(Wildcards, GiveTheSameTimesWhetherRanksRunAheadOrNot) {
  std::string text = one_rank_per_node(4, "rank 0\n");
  for (int i = 0; i < 12; ++i) text += "recv none tag 7 2KiB any-source ; compute 3us\n";
  for (int rank = 1; rank < 4; ++rank) {
    text += "rank " + std::to_string(rank) + "\n";
    for (int i = 0; i < 4; ++i)
      text += "compute " + std::to_string(rank * 5 + i) + "us ; send 0 tag 7 " + (i % 2 == 0 ? "8B" : "2KiB") + "\n";
  }
  const Program program = program_of(text);
  const ReplayResult ahead = replay::replay(program, star(4), {.mode = Mode::kFree});
  const ReplayResult slow = replay::replay(program, star(4), {.mode = Mode::kFree, .run_ahead = false});
  EXPECT_EQ(ahead.wildcards, slow.wildcards);
  EXPECT_EQ(ahead.end, slow.end);
}

}  // namespace
}  // namespace plumbline::replay::test
