#include "bench/algorithms/table.hpp"

#include <algorithm>
#include <array>

namespace plumbline::bench::algorithms {
namespace {

using enum Operation;
using enum Needs;

constexpr Implementation kTable[] = {
    {kBcast, "linear", kAny, bcast_linear},
    {kBcast, "binomial", kAny, bcast_binomial},
    {kBcast, "chain", kAny, bcast_chain},
    {kBcast, "pipeline", kAny, bcast_pipeline},
    {kBcast, "binary", kAny, bcast_binary},
    {kBcast, "binary_pipeline", kAny, bcast_binary_pipeline},
    {kBcast, "scatter_recursive_doubling_allgather", kPowerOfTwo, bcast_scatter_recursive_doubling_allgather},
    {kBcast, "scatter_ring_allgather", kAny, bcast_scatter_ring_allgather},
    {kScatter, "linear", kAny, scatter_linear},
    {kScatter, "binomial", kAny, scatter_binomial},
    {kGather, "linear", kAny, gather_linear},
    {kGather, "binomial", kAny, gather_binomial},
    {kAllgather, "gather_bcast", kAny, allgather_gather_bcast},
    {kAllgather, "linear", kAny, allgather_linear},
    {kAllgather, "ring", kAny, allgather_ring},
    {kAllgather, "bruck", kAny, allgather_bruck},
    {kAllgather, "recursive_doubling", kPowerOfTwo, allgather_recursive_doubling},
    {kAllgather, "neighbor_exchange", kEven, allgather_neighbor_exchange},
    {kAlltoall, "linear", kAny, alltoall_linear},
    {kAlltoall, "pairwise", kAny, alltoall_pairwise},
    {kAlltoall, "bruck", kAny, alltoall_bruck},
    {kReduce, "linear", kAny, reduce_linear},
    {kReduce, "binomial", kAny, reduce_binomial},
    {kReduce, "chain", kAny, reduce_chain},
    {kReduce, "pipeline", kAny, reduce_pipeline},
    {kReduce, "rabenseifner", kAny, reduce_rabenseifner},
    {kAllreduce, "reduce_bcast", kAny, allreduce_reduce_bcast},
    {kAllreduce, "recursive_doubling", kAny, allreduce_recursive_doubling},
    {kAllreduce, "ring", kAny, allreduce_ring},
    {kAllreduce, "rabenseifner", kAny, allreduce_rabenseifner},
    {kReduceScatterBlock, "reduce_scatter", kAny, reduce_scatter_block_reduce_scatter},
    {kReduceScatterBlock, "pairwise", kAny, reduce_scatter_block_pairwise},
    {kReduceScatterBlock, "ring", kAny, reduce_scatter_block_ring},
    {kReduceScatterBlock, "recursive_halving", kPowerOfTwo, reduce_scatter_block_recursive_halving},
    {kScan, "linear", kAny, scan_linear},
    {kScan, "recursive_doubling", kAny, scan_recursive_doubling},
    {kBarrier, "linear", kAny, barrier_linear},
    {kBarrier, "tree", kAny, barrier_tree},
    {kBarrier, "dissemination", kAny, barrier_dissemination},
    {kBarrier, "recursive_doubling", kPowerOfTwo, barrier_recursive_doubling},
};

}  // namespace

std::string_view name_of(Operation operation) {
  constexpr std::array<std::string_view, 10> kNames = {"bcast",    "scatter", "gather",    "allgather",
                                                       "alltoall", "reduce",  "allreduce", "reduce_scatter_block",
                                                       "scan",     "barrier"};
  return kNames[static_cast<std::size_t>(operation)];
}

bool Implementation::works_with(int ranks) const {
  switch (needs) {
    case kAny:
      return true;
    case kPowerOfTwo:
      return (ranks & (ranks - 1)) == 0;
    case kEven:
      return ranks % 2 == 0;
  }
  return false;
}

std::span<const Implementation> implementations() { return kTable; }

std::span<const Implementation> implementations_of(Operation operation) {
  const auto is_of_it = [&](const Implementation& each) { return each.operation == operation; };
  const auto first = std::find_if(std::begin(kTable), std::end(kTable), is_of_it);
  return {first, std::find_if_not(first, std::end(kTable), is_of_it)};
}

const Implementation* find_implementation(Operation operation, std::string_view name) {
  for (const Implementation& each : implementations_of(operation))
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace plumbline::bench::algorithms
