#pragma once
// Which implementations of which collective there are.

#include <span>
#include <string_view>

#include "bench/algorithms/algorithms.hpp"

namespace plumbline::bench::algorithms {

enum class Operation {
  kBcast,
  kScatter,
  kGather,
  kAllgather,
  kAlltoall,
  kReduce,
  kAllreduce,
  kReduceScatterBlock,
  kScan,
  kBarrier,
};

// "reduce_scatter_block", as MPI's functions are called.
std::string_view name_of(Operation operation);

// Numbers of ranks that an algorithm is made for.
enum class Needs { kAny, kPowerOfTwo, kEven };

struct Implementation {
  Operation operation = {};
  std::string_view name;  // "binomial"; unique in its operation
  Needs needs = Needs::kAny;
  Function* function = nullptr;

  bool works_with(int ranks) const;
};

// Of all operations, those of one beside each other, in the order of Operation.
std::span<const Implementation> implementations();
std::span<const Implementation> implementations_of(Operation operation);

// Null where there is none of that name.
const Implementation* find_implementation(Operation operation, std::string_view name);

}  // namespace plumbline::bench::algorithms
