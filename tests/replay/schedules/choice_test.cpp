// What MPICH chooses on both sides of each threshold, and what Open MPI chooses where coll/tuned is empty.
#include <gtest/gtest.h>

#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

enum class Place { one_per_node, one_node, two_nodes, scattered };

struct Expected {
  Operation operation;
  Place place;
  std::uint32_t ranks;
  std::uint64_t count, type_bytes;
  const char* operator_;  // "", "not built in", "not commutative", "in place"
  const char* name;
};

std::vector<std::uint32_t> nodes_of(Place place, std::uint32_t ranks) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t rank = 0; rank < ranks && place != Place::one_node; ++rank)
    nodes.push_back(place == Place::one_per_node ? rank : place == Place::two_nodes ? rank * 2 / ranks : rank % 2);
  return nodes;
}

Call call_of(const Expected& e) {
  Call call = call_of(e.operation, e.ranks, e.count, e.type_bytes);
  const std::string_view op = e.operator_;
  call.commutative = op != "not commutative";
  call.built_in = op.empty();
  call.in_place = op == "in place";
  call.node_of = nodes_of(e.place, e.ranks);
  if (e.operation == Operation::allgatherv || e.operation == Operation::reduce_scatter ||
      e.operation == Operation::gatherv || e.operation == Operation::scatterv)
    call.counts.assign(e.ranks, e.count);
  if (e.operation == Operation::alltoallv || e.operation == Operation::alltoallw)
    call.counts.assign(std::size_t{e.ranks} * e.ranks, e.count);
  return call;
}

constexpr Place kFlat = Place::one_per_node;

const Expected kMpichChoices[] = {
    // Compositions.
    {Operation::barrier, kFlat, 8, 0, 1, "", "dissemination"},
    {Operation::barrier, Place::one_node, 8, 0, 1, "", "composition_alpha"},
    {Operation::bcast, Place::two_nodes, 7, 1000000, 1, "", "composition_alpha"},
    {Operation::bcast, Place::two_nodes, 8, 12287, 1, "", "composition_alpha"},
    {Operation::bcast, Place::two_nodes, 8, 12288, 1, "", "composition_beta"},
    {Operation::bcast, Place::two_nodes, 8, 524287, 1, "", "composition_beta"},
    {Operation::bcast, Place::two_nodes, 8, 524288, 1, "", "scatter_recursive_doubling_allgather"},
    {Operation::bcast, Place::two_nodes, 8, 524289, 1, "", "scatter_ring_allgather"},
    {Operation::bcast, Place::two_nodes, 9, 12287, 1, "", "composition_alpha"},
    {Operation::bcast, Place::two_nodes, 9, 12288, 1, "", "binomial"},
    {Operation::bcast, Place::two_nodes, 9, 12289, 1, "", "scatter_ring_allgather"},
    {Operation::allreduce, Place::one_node, 8, 1, 8, "", "recursive_doubling"},
    {Operation::allreduce, Place::two_nodes, 8, 1, 8, "", "composition_alpha"},
    {Operation::allreduce, Place::two_nodes, 8, 1, 8, "not commutative", "recursive_doubling"},
    {Operation::reduce, Place::two_nodes, 8, 256, 8, "", "composition_beta"},
    {Operation::reduce, Place::two_nodes, 8, 257, 8, "", "composition_alpha"},
    {Operation::reduce, Place::one_node, 8, 257, 8, "", "composition_alpha"},
    {Operation::reduce, Place::two_nodes, 8, 257, 8, "not commutative", "binomial"},
    {Operation::scan, Place::two_nodes, 8, 1, 8, "", "composition_alpha"},
    {Operation::scan, Place::scattered, 8, 1, 8, "", "recursive_doubling"},
    {Operation::scan, kFlat, 8, 1, 8, "", "recursive_doubling"},
    // The generic tree.
    {Operation::bcast, kFlat, 7, 1000000, 1, "", "binomial"},
    {Operation::bcast, kFlat, 8, 12288, 1, "", "binomial"},
    {Operation::bcast, kFlat, 8, 12289, 1, "", "scatter_recursive_doubling_allgather"},
    {Operation::bcast, kFlat, 8, 524288, 1, "", "scatter_recursive_doubling_allgather"},
    {Operation::bcast, kFlat, 8, 524289, 1, "", "scatter_ring_allgather"},
    {Operation::bcast, kFlat, 9, 12288, 1, "", "binomial"},
    {Operation::bcast, kFlat, 9, 12289, 1, "", "scatter_ring_allgather"},
    {Operation::allreduce, kFlat, 8, 8, 1, "", "recursive_doubling"},
    {Operation::allreduce, kFlat, 8, 9, 1, "", "reduce_scatter_allgather"},
    {Operation::allreduce, kFlat, 8, 7, 8, "", "recursive_doubling"},
    {Operation::allreduce, kFlat, 8, 8, 8, "", "reduce_scatter_allgather"},
    {Operation::allreduce, kFlat, 9, 8, 8, "", "reduce_scatter_allgather"},
    {Operation::allreduce, kFlat, 8, 800, 8, "not built in", "recursive_doubling"},
    {Operation::allreduce, kFlat, 8, 0, 8, "", "smp"},
    {Operation::allreduce, kFlat, 8, 0, 8, "not commutative", "recursive_doubling"},
    {Operation::reduce, kFlat, 8, 2048, 1, "", "binomial"},
    {Operation::reduce, kFlat, 8, 2049, 1, "", "reduce_scatter_gather"},
    {Operation::reduce, kFlat, 8, 7, 1000, "", "binomial"},
    {Operation::reduce, kFlat, 8, 8, 1000, "", "reduce_scatter_gather"},
    {Operation::reduce, kFlat, 8, 2049, 1, "not built in", "binomial"},
    {Operation::allgather, kFlat, 8, 65535, 1, "", "recursive_doubling"},
    {Operation::allgather, kFlat, 8, 65536, 1, "", "ring"},
    {Operation::allgather, kFlat, 10, 8191, 1, "", "brucks"},
    {Operation::allgather, kFlat, 10, 8192, 1, "", "ring"},
    {Operation::allgatherv, kFlat, 8, 65535, 1, "", "recursive_doubling"},
    {Operation::allgatherv, kFlat, 8, 65536, 1, "", "ring"},
    {Operation::allgatherv, kFlat, 10, 8191, 1, "", "brucks"},
    {Operation::allgatherv, kFlat, 10, 8192, 1, "", "ring"},
    {Operation::reduce_scatter, kFlat, 8, 65535, 1, "", "recursive_halving"},
    {Operation::reduce_scatter, kFlat, 8, 65536, 1, "", "pairwise"},
    {Operation::reduce_scatter, kFlat, 8, 1, 1, "not commutative", "noncommutative"},
    {Operation::reduce_scatter, kFlat, 9, 1, 1, "not commutative", "recursive_doubling"},
    {Operation::reduce_scatter_block, kFlat, 8, 65535, 1, "", "recursive_halving"},
    {Operation::reduce_scatter_block, kFlat, 8, 65536, 1, "", "pairwise"},
    {Operation::reduce_scatter_block, kFlat, 8, 1, 1, "not commutative", "noncommutative"},
    {Operation::reduce_scatter_block, kFlat, 9, 1, 1, "not commutative", "recursive_doubling"},
    {Operation::gather, Place::one_node, 8, 1, 1, "", "binomial"},
    {Operation::scatter, Place::one_node, 8, 1, 1, "", "binomial"},
    {Operation::gatherv, Place::one_node, 8, 1, 1, "", "linear"},
    {Operation::scatterv, Place::one_node, 8, 1, 1, "", "linear"},
    {Operation::exscan, Place::one_node, 8, 1, 1, "", "recursive_doubling"},
    // The off-by-one: 8 ranks count as fewer than 8.
    {Operation::alltoall, Place::one_node, 7, 256, 1, "", "scattered"},
    {Operation::alltoall, Place::one_node, 8, 256, 1, "", "scattered"},
    {Operation::alltoall, Place::one_node, 9, 256, 1, "", "brucks"},
    {Operation::alltoall, Place::one_node, 9, 257, 1, "", "scattered"},
    {Operation::alltoall, Place::one_node, 9, 32768, 1, "", "scattered"},
    {Operation::alltoall, Place::one_node, 9, 32769, 1, "", "pairwise"},
    {Operation::alltoall, Place::one_node, 8, 32768, 1, "", "scattered"},
    {Operation::alltoall, Place::one_node, 8, 32769, 1, "", "pairwise"},
    {Operation::alltoall, Place::one_node, 9, 256, 1, "in place", "pairwise_sendrecv_replace"},
    {Operation::alltoallv, Place::one_node, 9, 256, 1, "", "scattered"},
    {Operation::alltoallv, Place::one_node, 9, 256, 1, "in place", "pairwise_sendrecv_replace"},
    {Operation::alltoallw, Place::one_node, 9, 256, 1, "", "scattered"},
    {Operation::alltoallw, Place::one_node, 9, 256, 1, "in place", "pairwise_sendrecv_replace"},
};

TEST(ScheduleChoice, OfMpichOnBothSidesOfEachThreshold) {
  for (const Expected& e : kMpichChoices)
    EXPECT_EQ(mpich_choice(call_of(e)).name, e.name) << to_string(e.operation) << " of " << e.ranks << " ranks, "
                                                     << e.count << " x " << e.type_bytes << " " << e.operator_;
}

TEST(ScheduleChoice, OfMpichForUnequalBlocksOfAnOperatorThatDoesNotCommute) {
  Call call = call_of(Operation::reduce_scatter, 4, 0);
  call.commutative = false;
  call.counts = {1, 1, 1, 2};
  EXPECT_EQ(mpich_choice(call).name, "recursive_doubling");
}

TEST(ScheduleChoice, OfOpenMpiWhereTunedIsEmptyIsLinear) {
  for (const Operation operation : {Operation::scan, Operation::exscan, Operation::gatherv, Operation::scatterv}) {
    Call call = call_of(operation, 4, 1);
    call.counts = {1, 1, 1, 1};
    EXPECT_EQ(openmpi_choice(call).name, "linear") << to_string(operation);
  }
  Call call = call_of(Operation::alltoallw, 2, 0);
  call.counts = {1, 2, 3, 4};
  EXPECT_EQ(openmpi_choice(call).name, "linear");
  call.in_place = true;
  EXPECT_EQ(openmpi_choice(call).name, "basic_inplace");
}

TEST(ScheduleChoice, OpenMpiComparesTheMeanBlockOfAllgathervAndTheSumOfReduceScatter) {
  Call call = call_of(Operation::allgatherv, 8, 0, 8);
  call.counts = {8 * 127, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(openmpi_compared_bytes(call), 8U * 127);
  call.operation = Operation::reduce_scatter;
  EXPECT_EQ(openmpi_compared_bytes(call), 8U * 8 * 127);
}

TEST(ScheduleChoice, OfOpenMpiGoesThroughTheFallbacks) {
  EXPECT_EQ(openmpi_choice(call_of(Operation::allgather, 6, 8)).name, "bruck");   // recursive_doubling
  EXPECT_EQ(openmpi_choice(call_of(Operation::reduce, 2, 1, 4)).name, "linear");  // rabenseifner of 1 element
  EXPECT_EQ(openmpi_choice(call_of(Operation::allreduce, 16, 1, 8)).name, "recursive_doubling");  // segmented_ring
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
