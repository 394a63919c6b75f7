// What the libraries were seen to send, with the choice of algorithm left to them. "4:512" is 512 B to rank 4.
#include <gtest/gtest.h>

#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

std::string sends(std::string_view library, const Call& call, std::uint32_t rank) {
  std::string text;
  for (const Round& round : schedule_of(choice_of(library, call), call, rank))
    for (const Transfer& transfer : round.posted)
      if (transfer.send)
        text += (text.empty() ? "" : " ") + std::to_string(transfer.peer) + ":" + std::to_string(transfer.bytes);
  return text;
}

// All ranks that send, " | " between them.
std::string all_sends(std::string_view library, const Call& call) {
  std::string text;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank)
    if (const std::string mine = sends(library, call, rank); !mine.empty())
      text += (text.empty() ? "" : " | ") + std::to_string(rank) + " to " + mine;
  return text;
}

std::string openmpi_8(Operation operation, std::uint64_t bytes, std::uint32_t rank = 0) {
  return sends(kOpenMpi, call_of(operation, 8, bytes), rank);
}

TEST(ScheduleGolden, OpenMpiBroadcastsOf8Ranks) {
  EXPECT_EQ(all_sends(kOpenMpi, call_of(Operation::bcast, 8, 8)),  // binary tree
            "0 to 1:8 2:8 | 1 to 3:8 5:8 | 2 to 4:8 6:8 | 3 to 7:8");
  EXPECT_EQ(all_sends(kOpenMpi, call_of(Operation::bcast, 8, 1024)),  // k-nomial tree, radix 4
            "0 to 4:1024 1:1024 2:1024 3:1024 | 4 to 5:1024 6:1024 7:1024");
  EXPECT_EQ(openmpi_8(Operation::bcast, 4096), "1:4096 2:4096");       // binary tree
  EXPECT_EQ(all_sends(kOpenMpi, call_of(Operation::bcast, 8, 16384)),  // binomial tree
            "0 to 1:16384 2:16384 4:16384 | 1 to 3:16384 5:16384 | 2 to 6:16384 | 3 to 7:16384");
  EXPECT_EQ(openmpi_8(Operation::bcast, 32768), "1:32768 2:32768 3:32768 4:32768 5:32768 6:32768 7:32768");
}

TEST(ScheduleGolden, OpenMpiAllreduceOf8Ranks) {
  EXPECT_EQ(openmpi_8(Operation::allreduce, 4096), "1:4096 2:4096 4:4096");                        // recursive doubling
  EXPECT_EQ(openmpi_8(Operation::allreduce, 16384), "1:8192 2:4096 4:2048 4:2048 2:4096 1:8192");  // Rabenseifner
}

TEST(ScheduleGolden, OpenMpiAlltoallAndAllgatherOf8Ranks) {
  EXPECT_EQ(openmpi_8(Operation::alltoall, 64), "7:64 6:64 5:64 4:64 3:64 2:64 1:64");  // linear_sync
  EXPECT_EQ(openmpi_8(Operation::allgather, 64), "1:64 2:128 4:256");                   // recursive doubling
}

TEST(ScheduleGolden, OneRoundOfAnOpenMpiAllreduceReceivesSendsAndWaits) {
  const Call call = call_of(Operation::allreduce, 8, 4096);
  const Schedule schedule = schedule_of(openmpi_choice(call), call, 0);
  ASSERT_EQ(schedule.size(), 3U);
  EXPECT_EQ(schedule[1].posted, (std::vector<Transfer>{{false, 2, 4096}, {true, 2, 4096}}));
}

TEST(ScheduleGolden, OpenMpiLinearBarrierOf4RanksReceivesFromAny) {
  const Call call = call_of(Operation::barrier, 4, 0);
  EXPECT_EQ(all_sends(kOpenMpi, call), "0 to 1:0 2:0 3:0 | 1 to 0:0 | 2 to 0:0 | 3 to 0:0");
  const Schedule root = schedule_of(openmpi_choice(call), call, 0);
  for (const Transfer& transfer : root.front().posted) EXPECT_TRUE(transfer.any_source);
}

TEST(ScheduleGolden, OpenMpiScanIsAChain) {
  EXPECT_EQ(all_sends(kOpenMpi, call_of(Operation::scan, 4, 8)), "0 to 1:8 | 1 to 2:8 | 2 to 3:8");
}

std::string mpich_8(Operation operation, std::uint64_t bytes) { return sends(kMpich, call_of(operation, 8, bytes), 0); }

TEST(ScheduleGolden, MpichBroadcastsOf8RanksOnOneNode) {
  EXPECT_EQ(mpich_8(Operation::bcast, 8), "4:8 2:8 1:8");  // binomial
  EXPECT_EQ(mpich_8(Operation::bcast, 4096), "4:4096 2:4096 1:4096");
  // Scatter, then recursive doubling; a ring of 7 steps.
  EXPECT_EQ(mpich_8(Operation::bcast, 65536), "4:32768 2:16384 1:8192 1:8192 2:16384 4:32768");
  EXPECT_EQ(mpich_8(Operation::bcast, 1048576),
            "4:524288 2:262144 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072");
}

// The root is not the leader of the node: it hands the data to the leader, and gets them back.
TEST(ScheduleGolden, MpichBroadcastsOnOneNodeGoThroughItsLeader) {
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::bcast, 4, 1, 8, 3)), "0 to 2:8 1:8 | 2 to 3:8 | 3 to 0:8");
}

TEST(ScheduleGolden, MpichBarrierOnOneNodeEndsWithABroadcastOfOneByte) {
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::barrier, 4, 0)),
            "0 to 1:0 2:0 2:1 1:1 | 1 to 2:0 3:0 | 2 to 3:0 0:0 3:1 | 3 to 0:0 1:0");
}

TEST(ScheduleGolden, MpichScanOnOneNodeAsksItsLastRankForTheSumAndSendsAFlag) {
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::scan, 4, 1, 8)),
            "0 to 1:8 2:8 2:4 1:4 | 1 to 0:8 3:8 | 2 to 3:8 0:8 3:4 | 3 to 2:8 1:8 0:8");
}

TEST(ScheduleGolden, MpichReductionOfManyBytesOnOneNodeGoesThroughRank0) {
  EXPECT_EQ(sends(kMpich, call_of(Operation::reduce, 4, 1000, 8, 3), 0), "1:4000 2:2000 3:8000");
  EXPECT_EQ(sends(kMpich, call_of(Operation::reduce, 4, 1000, 8, 3), 3), "2:4000 1:2000 1:2000");
}

TEST(ScheduleGolden, MpichAllreduceOf8RanksOnOneNode) {
  EXPECT_EQ(mpich_8(Operation::allreduce, 8), "1:8 2:8 4:8");
  EXPECT_EQ(mpich_8(Operation::allreduce, 64), "1:32 2:16 4:8 4:8 2:16 1:32");
}

// Ranks of one "node" have even numbers, those of the other one odd numbers (MPIR_CVAR_NUM_CLIQUES=2).
std::string mpich_2_nodes(Operation operation, std::uint64_t count, std::uint64_t type_bytes = 1) {
  Call call = call_of(operation, 8, count, type_bytes);
  call.node_of = {0, 1, 0, 1, 0, 1, 0, 1};
  return sends(kMpich, call, 0);
}

TEST(ScheduleGolden, MpichOf8RanksOnTwoNodes) {
  EXPECT_EQ(mpich_2_nodes(Operation::allreduce, 1, 8), "1:8 4:8 2:8");
  EXPECT_EQ(mpich_2_nodes(Operation::allreduce, 4096), "2:2048 4:1024 1:2048 1:2048 4:4096 2:4096");
  EXPECT_EQ(mpich_2_nodes(Operation::bcast, 4096), "1:4096 4:4096 2:4096");
  EXPECT_EQ(mpich_2_nodes(Operation::bcast, 1048576),
            "4:524288 2:262144 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072 1:131072");
  EXPECT_EQ(mpich_2_nodes(Operation::barrier, 0), "2:0 4:0 1:0 4:1 2:1");
  EXPECT_EQ(mpich_2_nodes(Operation::alltoall, 8), "0:8 7:8 6:8 5:8 4:8 3:8 2:8 1:8");
}

// Not found in a page, but seen: an empty buffer of bcast still goes from the root to its leader, one of allreduce is
// still reduced in the node.
TEST(ScheduleGolden, MpichSendsSomeEmptyMessages) {
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::bcast, 4, 0, 8, 1)), "1 to 0:0");
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::allreduce, 4, 0, 8)), "1 to 0:0 | 2 to 0:0 | 3 to 2:0");
  EXPECT_EQ(all_sends(kMpich, call_of(Operation::reduce, 4, 0, 8)), "");
  EXPECT_EQ(all_sends(kOpenMpi, call_of(Operation::bcast, 4, 0, 8, 1)), "");
}

TEST(ScheduleGolden, EmptyPartsAreSentByOpenMpiGatherAndAlltoallvButNotByGatherv) {
  const Call gather = call_of(Operation::gather, 4, 262144);  // linear_sync: call, block, an empty second part
  EXPECT_EQ(sends(kOpenMpi, gather, 0), "1:0 2:0 3:0");
  EXPECT_EQ(sends(kOpenMpi, gather, 1), "0:262144 0:0");
  Call gatherv = call_of(Operation::gatherv, 3, 0);
  gatherv.counts = {5, 0, 7};
  EXPECT_EQ(all_sends(kOpenMpi, gatherv), "2 to 0:7");
  Call alltoallv = call_of(Operation::alltoallv, 4, 0);
  alltoallv.counts.assign(16, 0);
  EXPECT_EQ(sends(kOpenMpi, alltoallv, 0), "1:0 2:0 3:0");
  EXPECT_EQ(sends(kMpich, alltoallv, 0), "");
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
