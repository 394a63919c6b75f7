#pragma once
// The arguments of a collective, of any of them.

#include "bench/algorithms/table.hpp"
#include "bench/library/plumbline/choose.h"

namespace plumbline::bench::choose {

struct Arguments {
  plumbline_collective collective = PLUMBLINE_BCAST;
  const void* send = nullptr;  // of bcast: none, the data is what it receives
  int send_count = 0;
  MPI_Datatype send_type = MPI_BYTE;
  void* receive = nullptr;
  int receive_count = 0;
  MPI_Datatype receive_type = MPI_BYTE;  // of reductions the only one
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
};

inline bool is_in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }

inline bool is_reduction(plumbline_collective collective) {
  return collective == PLUMBLINE_REDUCE || collective == PLUMBLINE_ALLREDUCE ||
         collective == PLUMBLINE_REDUCE_SCATTER_BLOCK || collective == PLUMBLINE_SCAN;
}

// Of what one rank has, as choose.h says; the same on every rank. `rank`: of the caller.
std::size_t size_of_message(const Arguments& arguments, int rank);

// By the function that `functions` has for it, which is one.
int call(const plumbline_candidate& functions, const Arguments& arguments, MPI_Comm comm);

// The functions of the library.
const plumbline_candidate& library_functions();

bool has_function_for(const plumbline_candidate& functions, plumbline_collective collective);

inline algorithms::Operation operation_of(plumbline_collective collective) {
  return static_cast<algorithms::Operation>(collective);
}
static_assert(static_cast<int>(algorithms::Operation::kReduceScatterBlock) == PLUMBLINE_REDUCE_SCATTER_BLOCK &&
              static_cast<int>(algorithms::Operation::kScan) == PLUMBLINE_SCAN);

inline constexpr std::size_t kCollectives = PLUMBLINE_SCAN + 1;

}  // namespace plumbline::bench::choose
