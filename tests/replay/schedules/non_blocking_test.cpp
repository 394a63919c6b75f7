// Non-blocking collectives: what the libraries choose on both sides of each threshold, messages and rounds written down
// by hand, and what runs instead.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Call on_own_nodes(Call call) {
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) call.node_of.push_back(rank);
  return call;
}

std::string words(const Transfer& transfer) {
  return (transfer.send ? "to " : "from ") + std::to_string(transfer.peer) + ':' + std::to_string(transfer.bytes);
}

// "to 1:8 from 2:8 | to 3:16": rounds of one rank, in the order of posts.
std::string rounds(const Schedule& schedule) {
  std::string text;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (i > 0) text += " |";
    for (const Transfer& transfer : schedule[i].posted) text += (text.empty() ? "" : " ") + words(transfer);
  }
  return text;
}

std::string rounds_of(std::string_view library, const Call& call, std::uint32_t rank) {
  return rounds(schedule_of(choice_of(library, call), call, rank));
}

std::string rounds_of(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return rounds(schedule_of(algorithm, call, rank));
}

TEST(NonBlockingForm, OfEachOperationIsNamedAfterIt) {
  for (int i = 0; i <= static_cast<int>(Operation::exscan); ++i) {
    const auto blocking = static_cast<Operation>(i);
    EXPECT_EQ(to_string(non_blocking_form(blocking)), "i" + std::string(to_string(blocking)));
    EXPECT_EQ(blocking_form(non_blocking_form(blocking)), blocking);
    EXPECT_FALSE(is_non_blocking(blocking));
    EXPECT_TRUE(is_non_blocking(non_blocking_form(blocking)));
  }
}

// -- What is chosen

struct Chosen {
  Operation operation;
  std::uint32_t ranks;
  std::uint64_t count, type_bytes;
  const char* how;  // "", "not commutative", "not built in", "in place", "on one node", "scattered"
  const char* name;
};

Call call_of(const Chosen& chosen) {
  Call call = call_of(chosen.operation, chosen.ranks, chosen.count, chosen.type_bytes);
  const std::string_view how = chosen.how;
  call.commutative = how != "not commutative";
  call.built_in = call.commutative && how != "not built in";
  call.in_place = how == "in place";
  if (how == "scattered")
    for (std::uint32_t rank = 0; rank < call.ranks; ++rank) call.node_of.push_back(rank % 2);
  else if (how != "on one node")
    call = on_own_nodes(std::move(call));
  const Operation kind = blocking_form(call.operation);
  if (kind == Operation::allgatherv || kind == Operation::reduce_scatter) call.counts.assign(call.ranks, call.count);
  return call;
}

const Chosen kLibnbc[] = {
    {Operation::ibarrier, 5, 0, 1, "", "dissemination"},
    {Operation::ibcast, 4, 1 << 20, 1, "", "linear"},
    {Operation::ibcast, 5, 1, 1, "", "binomial"},
    {Operation::ibcast, 5, 1 << 20, 1, "", "binomial"},
    {Operation::ireduce, 2, 65535, 1, "", "binomial"},
    {Operation::ireduce, 2, 65536, 1, "", "chain"},
    {Operation::ireduce, 2, 65536, 1, "not commutative", "binomial"},
    {Operation::ireduce, 3, 1, 8, "", "binomial"},
    {Operation::ireduce, 3, 2, 8, "", "rabenseifner"},
    {Operation::ireduce, 4, 3, 32768, "", "chain"},
    {Operation::ireduce, 5, 3, 32768, "", "binomial"},
    {Operation::ireduce, 8, 8, 8, "not commutative", "binomial"},
    {Operation::iallreduce, 3, 1 << 20, 8, "", "binomial"},
    {Operation::iallreduce, 4, 65535, 1, "", "binomial"},
    {Operation::iallreduce, 4, 65536, 1, "", "rabenseifner"},
    {Operation::iallreduce, 4, 65536, 1, "not commutative", "binomial"},
    {Operation::iallreduce, 4, 65536, 1, "in place", "binomial"},
    {Operation::iallreduce, 4, 3, 32768, "", "ring"},
    {Operation::iallgather, 8, 8, 8, "", "linear"},
    {Operation::ialltoall, 8, 8, 8, "", "linear"},
    {Operation::ialltoall, 8, 8, 8, "in place", "inplace"},
    {Operation::ireduce_scatter_block, 8, 8, 8, "", "binomial"},
    {Operation::iscan, 8, 8, 8, "", "linear"},
    {Operation::iexscan, 8, 8, 8, "", "linear"},
};

TEST(NonBlockingChoice, OfOpenMpiHoldsAtEachThreshold) {
  for (const Chosen& chosen : kLibnbc)
    EXPECT_EQ(openmpi_choice(call_of(chosen)).name, chosen.name)
        << to_string(chosen.operation) << " of " << chosen.ranks << " x " << chosen.count << ' ' << chosen.how;
}

const Chosen kSched[] = {
    {Operation::ibarrier, 8, 0, 1, "on one node", "sched_recursive_doubling"},
    {Operation::ibcast, 8, 8, 1, "on one node", "sched_smp"},
    {Operation::ibcast, 7, 1 << 20, 1, "", "sched_binomial"},
    {Operation::ibcast, 8, 12287, 1, "", "sched_binomial"},
    {Operation::ibcast, 8, 12288, 1, "", "sched_scatter_recursive_doubling_allgather"},
    {Operation::ibcast, 8, 524287, 1, "", "sched_scatter_recursive_doubling_allgather"},
    {Operation::ibcast, 8, 524288, 1, "", "sched_scatter_ring_allgather"},
    {Operation::ibcast, 9, 12288, 1, "", "sched_scatter_ring_allgather"},
    {Operation::ireduce, 8, 8, 8, "on one node", "sched_smp"},
    {Operation::ireduce, 8, 8000, 8, "not commutative", "sched_binomial"},
    {Operation::ireduce, 8, 256, 8, "", "sched_binomial"},
    {Operation::ireduce, 8, 257, 8, "", "sched_reduce_scatter_gather"},
    {Operation::ireduce, 8, 7, 8000, "", "sched_binomial"},
    {Operation::ireduce, 8, 8000, 8, "not built in", "sched_binomial"},
    {Operation::iallreduce, 8, 257, 8, "on one node", "sched_reduce_scatter_allgather"},
    {Operation::iallreduce, 8, 256, 8, "", "sched_recursive_doubling"},
    {Operation::iallreduce, 8, 7, 8000, "", "sched_recursive_doubling"},
    {Operation::iallreduce, 8, 8000, 8, "not built in", "sched_recursive_doubling"},
    {Operation::iallgather, 8, 65535, 1, "", "sched_recursive_doubling"},
    {Operation::iallgather, 8, 65536, 1, "", "sched_ring"},
    {Operation::iallgather, 5, 16383, 1, "", "sched_brucks"},
    {Operation::iallgatherv, 5, 16384, 1, "", "sched_ring"},
    {Operation::ialltoall, 8, 1, 8, "", "sched_permuted_sendrecv"},
    {Operation::ialltoall, 9, 2048, 1, "", "sched_brucks"},
    {Operation::ialltoall, 9, 2049, 1, "", "sched_permuted_sendrecv"},
    {Operation::ialltoall, 9, 32769, 1, "", "sched_pairwise"},
    {Operation::ialltoall, 9, 8, 8, "in place", "sched_inplace"},
    {Operation::ireduce_scatter, 8, 8191, 8, "", "sched_recursive_halving"},
    {Operation::ireduce_scatter, 8, 8192, 8, "", "sched_pairwise"},
    {Operation::ireduce_scatter_block, 8, 65535, 8, "", "sched_recursive_halving"},  // elements
    {Operation::ireduce_scatter_block, 8, 65536, 8, "", "sched_pairwise"},
    {Operation::ireduce_scatter_block, 8, 8, 8, "not commutative", "sched_noncommutative"},
    {Operation::ireduce_scatter, 6, 8, 8, "not commutative", "sched_recursive_doubling"},
    {Operation::iscan, 8, 8, 8, "on one node", "sched_smp"},
    {Operation::iscan, 8, 8, 8, "scattered", "sched_recursive_doubling"},
    {Operation::iexscan, 8, 8, 8, "on one node", "sched_recursive_doubling"},
};

TEST(NonBlockingChoice, OfMpichHoldsAtEachThreshold) {
  for (const Chosen& chosen : kSched)
    EXPECT_EQ(mpich_choice(call_of(chosen)).name, chosen.name)
        << to_string(chosen.operation) << " of " << chosen.ranks << " x " << chosen.count << ' ' << chosen.how;
}

// -- By hand

// Ranks 0 and 3 change places: 3 sends to 1, 2, 4; 1 to 0 (in the place of 3) and 5; 2 to 6; 0 to 7.
TEST(NonBlockingGolden, LibnbcTreesBeginAtRank0WhichChangesPlacesWithTheRoot) {
  const Call call = call_of(Operation::ibcast, 8, 8, 1, 3);
  EXPECT_EQ(rounds_of(kOpenMpi, call, 3), "to 1:8 to 2:8 to 4:8");
  EXPECT_EQ(rounds_of(kOpenMpi, call, 1), "from 3:8 | to 0:8 to 5:8");
  EXPECT_EQ(rounds_of(kOpenMpi, call, 0), "from 1:8 | to 7:8");
}

// 9,000 doubles in 9 fragments of 8 KiB at most: 1,000 doubles each.
TEST(NonBlockingGolden, LibnbcCutsChainsIntoEvenFragments) {
  const Call call = call_of(Operation::ireduce, 2, 9000, 8, 1);
  const Schedule schedule = schedule_of(openmpi_choice(call), call, 0);
  ASSERT_EQ(schedule.size(), 9U);
  for (const Round& round : schedule) EXPECT_EQ(round.posted, (std::vector<Transfer>{{true, 1, 8000}}));
  // 2,100 bytes in 3 fragments of 1,000 at most, of which the middle rank sends one while it receives the next one.
  const Algorithm chain{kOpenMpi, Operation::ibcast, "chain", 3, 1000};
  EXPECT_EQ(rounds_of(chain, call_of(Operation::ibcast, 3, 2101), 1),
            "from 0:700 | to 2:700 from 0:700 | to 2:700 from 0:701 | to 2:701");
}

// 3 elements for 4 ranks: blocks of 1, 1, 1, 0.
TEST(NonBlockingGolden, LibnbcsRingBeginsWithTheBlockAhead) {
  const Call call = call_of(Operation::iallreduce, 4, 3, 32768);
  EXPECT_EQ(rounds_of(kOpenMpi, call, 0),
            "to 1:32768 from 3:32768 | to 1:32768 from 3:0 | to 1:0 from 3:32768 | to 1:32768 from 3:32768 | "
            "to 1:32768 from 3:32768 | to 1:32768 from 3:0");
}

TEST(NonBlockingGolden, LibnbcsReduceScatterHandsOutEmptyBlocksToo) {
  Call call = call_of(Operation::ireduce_scatter, 4, 0, 8);
  call.counts = {1, 0, 2, 1};
  EXPECT_EQ(rounds_of(kOpenMpi, call, 0), "from 1:32 | from 2:32 | to 1:0 to 2:16 to 3:8");
  EXPECT_EQ(rounds_of(kOpenMpi, call, 1), "to 0:32 | from 0:0");
  EXPECT_EQ(rounds_of(kOpenMpi, call, 2), "from 3:32 | to 0:32 | from 0:16");
}

// Who has given its part waits for the result at once.
TEST(NonBlockingGolden, LibnbcsAllreduceOf3Ranks) {
  const Call call = call_of(Operation::iallreduce, 3, 1, 8);
  EXPECT_EQ(rounds_of(kOpenMpi, call, 0), "from 1:8 | from 2:8 | to 1:8 to 2:8");
  EXPECT_EQ(rounds_of(kOpenMpi, call, 1), "to 0:8 from 0:8");
}

TEST(NonBlockingGolden, LibnbcsRabenseifnerPostsNothingInTheCall) {
  const Schedule schedule =
      schedule_of(openmpi_choice(call_of(Operation::ireduce, 4, 4, 8)), call_of(Operation::ireduce, 4, 4, 8), 0);
  ASSERT_EQ(schedule.size(), 5U);  // two steps down, two up
  EXPECT_TRUE(schedule[0].posted.empty());
  EXPECT_EQ(schedule[1].posted, (std::vector<Transfer>{{true, 1, 16}, {false, 1, 16}}));
}

TEST(NonBlockingGolden, LibnbcInPlaceExchangesRightForLeft) {
  Call call = call_of(Operation::ialltoall, 4, 1, 8);
  call.in_place = true;
  const Schedule schedule = schedule_of(openmpi_choice(call), call, 0);
  ASSERT_EQ(schedule.size(), 4U);
  EXPECT_TRUE(schedule[0].posted.empty());
  EXPECT_EQ(schedule[1].posted, (std::vector<Transfer>{{true, 1, 8}, {false, 3, 8}}));
  EXPECT_EQ(schedule[2].posted, (std::vector<Transfer>{{true, 3, 8}, {false, 1, 8}}));
  EXPECT_EQ(schedule[3].posted, (std::vector<Transfer>{{true, 2, 8}, {false, 2, 8}}));
}

// 10 elements in blocks of 2, 2, 2 and 4.
TEST(NonBlockingGolden, MpichsLastBlockHasTheRest) {
  const Call call = on_own_nodes(call_of(Operation::iallreduce, 4, 10, 1024));
  EXPECT_EQ(rounds_of(kMpich, call, 0),
            "from 1:4096 to 1:6144 | from 2:2048 to 2:2048 | from 2:2048 to 2:2048 | from 1:6144 to 1:4096");
}

TEST(NonBlockingGolden, MpichGoesOnBeforeScatteredPiecesAreSent) {
  const Call call = on_own_nodes(call_of(Operation::ibcast, 8, 16384));
  const Schedule schedule = schedule_of(mpich_choice(call), call, 0);
  ASSERT_EQ(schedule.size(), 3U);
  EXPECT_EQ(
      schedule[0].posted,
      (std::vector<Transfer>{{true, 4, 8192}, {true, 2, 4096}, {true, 1, 2048}, {true, 1, 2048}, {false, 1, 2048}}));
}

// Rank 2 needs its own piece and that of rank 3; the root sends it both. It sends rank 3 all from there to the end.
TEST(NonBlockingGolden, MpichSendsTheFirstChildEverythingBehindIt) {
  const Call call = on_own_nodes(call_of(Operation::ibcast, 8, 8 * 65536));
  const Schedule two = schedule_of(mpich_choice(call), call, 2), three = schedule_of(mpich_choice(call), call, 3);
  EXPECT_EQ(two[0].posted, (std::vector<Transfer>{{false, 0, 2 * 65536}}));
  EXPECT_EQ(two[1].posted.front(), (Transfer{true, 3, 5 * 65536}));
  EXPECT_EQ(three[0].posted, (std::vector<Transfer>{{false, 2, 5 * 65536}}));
}

// Among the ranks of the node, then the last one's sum goes to the leader; no flag.
TEST(NonBlockingGolden, MpichsScanOnOneNode) {
  const Call call = call_of(Operation::iscan, 4, 1, 8);
  EXPECT_EQ(rounds_of(kMpich, call, 3), "to 2:8 from 2:8 | to 1:8 from 1:8 | to 0:8");
}

// The smallest block is below the pipeline's 32 KiB, so that pieces are of 32 KiB.
TEST(NonBlockingGolden, MpichsRingWithCountsSendsPieces) {
  Call call = on_own_nodes(call_of(Operation::iallgatherv, 3, 0));
  call.counts = {1000, 40000, 60000};
  EXPECT_EQ(rounds_of(kMpich, call, 0),
            "from 2:32768 to 1:1000 | from 2:27232 to 1:32768 | from 2:32768 to 1:27232 | from 2:7232");
}

// -- What runs instead

TEST(NonBlockingFallback, LibnbcTakesAnotherAlgorithmWhereOneCannotRun) {
  const auto runs = [](std::string_view name, Call call) {
    return effective(algorithm_named(kOpenMpi, call.operation, name), call).name;
  };
  EXPECT_EQ(runs("recursive_doubling", call_of(Operation::iallgather, 6, 1)), "linear");
  EXPECT_EQ(runs("recursive_doubling", call_of(Operation::iallgather, 8, 1)), "recursive_doubling");
  EXPECT_EQ(runs("rabenseifner", call_of(Operation::ireduce, 2, 8)), "chain");
  EXPECT_EQ(runs("rabenseifner", call_of(Operation::ireduce, 8, 7)), "chain");
  EXPECT_EQ(runs("rabenseifner", call_of(Operation::iallreduce, 8, 7)), "ring");
  EXPECT_EQ(runs("rabenseifner", call_of(Operation::iallreduce, 8, 8)), "rabenseifner");
}

TEST(NonBlockingFallback, MpichsNeedsAreThoseOfTheBlockingForms) {
  const auto fails = [](std::string_view name, Call call) {
    EXPECT_THROW(effective(algorithm_named(kMpich, call.operation, name), call), Error) << name;
  };
  fails("sched_smp", on_own_nodes(call_of(Operation::ibcast, 4, 1)));
  fails("sched_recursive_doubling", call_of(Operation::iallgather, 6, 1));
  fails("sched_scatter_recursive_doubling_allgather", call_of(Operation::ibcast, 6, 1));
  fails("sched_reduce_scatter_allgather", call_of(Operation::iallreduce, 8, 7));
  fails("sched_inplace", call_of(Operation::ialltoall, 8, 7));
}

TEST(NonBlockingFallback, AnAlgorithmOfTheBlockingFormCanRunTheCallAsThat) {
  const Call call = call_of(Operation::ibcast, 8, 64);
  const Algorithm pipeline = algorithm_named(kOpenMpi, Operation::bcast, "pipeline");
  EXPECT_EQ(call_for(pipeline, call).operation, Operation::bcast);
  EXPECT_EQ(effective(pipeline, call_for(pipeline, call)), pipeline);
  EXPECT_THROW(effective(pipeline, call), Error);
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
