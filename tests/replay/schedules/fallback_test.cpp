// What Open MPI runs instead of what was asked for, and what libraries cannot run.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

std::string_view runs(Operation operation, std::string_view asked, Call call) {
  call.operation = operation;
  return effective(algorithm_named(kOpenMpi, operation, asked), call).name;
}

Call elements(std::uint32_t ranks, std::uint64_t count) { return call_of(Operation::barrier, ranks, count, 8); }

Call not_commutative(Call call) {
  call.commutative = false;
  return call;
}

TEST(ScheduleFallback, ASplitBinaryTreeNeedsTwoElements) {
  EXPECT_EQ(runs(Operation::bcast, "split_binary_tree", elements(4, 1)), "chain");
  EXPECT_EQ(runs(Operation::bcast, "split_binary_tree", elements(4, 2)), "split_binary_tree");
}

TEST(ScheduleFallback, ASplitBinaryTreeNeedsASegmentInEachHalf) {
  Algorithm asked = algorithm_named(kOpenMpi, Operation::bcast, "split_binary_tree");
  asked.segment_bytes = 41;
  const Algorithm chain = effective(asked, call_of(Operation::bcast, 4, 10, 8));
  EXPECT_EQ(to_string(chain), "openmpi bcast chain (segment bytes 41, fan-out 1)");
  asked.segment_bytes = 40;
  EXPECT_EQ(effective(asked, call_of(Operation::bcast, 4, 10, 8)), asked);
}

TEST(ScheduleFallback, ScatterAllgatherNeedsAnElementPerRank) {
  EXPECT_EQ(runs(Operation::bcast, "scatter_allgather", elements(9, 8)), "basic_linear");
  EXPECT_EQ(runs(Operation::bcast, "scatter_allgather_ring", elements(9, 8)), "basic_linear");
  EXPECT_EQ(runs(Operation::bcast, "scatter_allgather", elements(9, 9)), "scatter_allgather");
}

TEST(ScheduleFallback, RabenseifnerNeedsAnElementPerRankOfThePowerOfTwoAndACommutativeOperator) {
  EXPECT_EQ(runs(Operation::reduce, "rabenseifner", elements(9, 7)), "linear");
  EXPECT_EQ(runs(Operation::reduce, "rabenseifner", elements(9, 8)), "rabenseifner");
  EXPECT_EQ(runs(Operation::reduce, "rabenseifner", not_commutative(elements(9, 8))), "linear");
  EXPECT_EQ(runs(Operation::allreduce, "rabenseifner", elements(9, 7)), "basic_linear");
  EXPECT_EQ(runs(Operation::allreduce, "rabenseifner", elements(9, 8)), "rabenseifner");
  EXPECT_EQ(runs(Operation::allreduce, "rabenseifner", not_commutative(elements(9, 8))), "basic_linear");
}

TEST(ScheduleFallback, RingsOfAllreduceNeedAnElementPerRank) {
  EXPECT_EQ(runs(Operation::allreduce, "ring", elements(9, 8)), "recursive_doubling");
  EXPECT_EQ(runs(Operation::allreduce, "ring", elements(9, 9)), "ring");
}

TEST(ScheduleFallback, ASegmentedRingWithoutSegmentsIsARing) {
  EXPECT_EQ(runs(Operation::allreduce, "segmented_ring", elements(9, 8)), "recursive_doubling");
  EXPECT_EQ(runs(Operation::allreduce, "segmented_ring", elements(9, 100000)), "ring");
  Algorithm asked = algorithm_named(kOpenMpi, Operation::allreduce, "segmented_ring");
  asked.segment_bytes = 1024;
  EXPECT_EQ(effective(asked, call_of(Operation::allreduce, 9, 100000, 8)), asked);
}

TEST(ScheduleFallback, AllgatherByTheNumberOfRanks) {
  EXPECT_EQ(runs(Operation::allgather, "recursive_doubling", elements(6, 1)), "bruck");
  EXPECT_EQ(runs(Operation::allgather, "recursive_doubling", elements(8, 1)), "recursive_doubling");
  EXPECT_EQ(runs(Operation::allgather, "neighbor", elements(7, 1)), "ring");
  EXPECT_EQ(runs(Operation::allgather, "neighbor", elements(8, 1)), "neighbor");
}

TEST(ScheduleFallback, ReduceScatterBlock) {
  EXPECT_EQ(runs(Operation::reduce_scatter_block, "recursive_halving", not_commutative(elements(8, 1))),
            "basic_linear");
  EXPECT_EQ(runs(Operation::reduce_scatter_block, "recursive_doubling", elements(8, 0x10000000)), "basic_linear");
  EXPECT_EQ(runs(Operation::reduce_scatter_block, "recursive_doubling", elements(8, 0x0fffffff)), "recursive_doubling");
}

TEST(ScheduleFallback, AlltoallInPlaceIsOneAlgorithm) {
  Call call = elements(8, 1);
  call.in_place = true;
  for (const char* asked : {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"})
    EXPECT_EQ(runs(Operation::alltoall, asked, call), "basic_inplace");
}

TEST(ScheduleFallback, ALoneRankSendsNothing) {
  for (int i = 0; i <= static_cast<int>(kLastOperation); ++i) {
    Call call = call_of(static_cast<Operation>(i), 1, 100);
    call.counts = {100};
    EXPECT_TRUE(is_non_blocking(call.operation) || openmpi_choice(call).name == "self");
    for (const std::string_view library : {kOpenMpi, kMpich})
      EXPECT_TRUE(schedule_of(choice_of(library, call), call, 0).empty()) << to_string(call.operation);
  }
}

TEST(ScheduleFallback, WhatALibraryCannotRunIsAnError) {
  const auto fails = [](std::string_view library, Call call, std::string_view name) {
    EXPECT_THROW(schedule_of(algorithm_named(library, call.operation, name), call, 0), Error) << name;
  };
  fails(kOpenMpi, call_of(Operation::barrier, 3, 0), "two_proc");
  fails(kMpich, call_of(Operation::allgather, 6, 1), "recursive_doubling");
  fails(kMpich, not_commutative(call_of(Operation::reduce_scatter_block, 4, 1)), "pairwise");
  fails(kMpich, call_of(Operation::allreduce, 8, 7), "reduce_scatter_allgather");
  fails(kMpich, call_of(Operation::alltoall, 8, 7), "pairwise_sendrecv_replace");
  Call one_per_node = call_of(Operation::bcast, 3, 1);
  one_per_node.node_of = {0, 1, 2};
  fails(kMpich, one_per_node, "composition_alpha");
}

TEST(ScheduleFallback, ACallThatContradictsItselfIsAnError) {
  EXPECT_THROW(openmpi_choice(call_of(Operation::bcast, 4, 1, 1, 4)), Error);
  EXPECT_THROW(openmpi_choice(call_of(Operation::bcast, 0, 1)), Error);
  EXPECT_THROW(mpich_choice(call_of(Operation::gatherv, 4, 1)), Error);
  EXPECT_THROW(choice_of("lam", call_of(Operation::bcast, 4, 1)), Error);
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
