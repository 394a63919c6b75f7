#pragma once
// What a broken rule costs the suite: each call of the operation that could have been done otherwise.

#include <span>
#include <string>
#include <vector>

#include "bench/rules/rules.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// A loss for each call of an operation, by its size.
struct LossOfCall {
  std::string operation;  // as campaigns name it: "allgather"
  std::uint64_t bytes = 0;
  double seconds = 0;  // of one call
};

// On the busiest rank, of all runs of the suite with this MPI: each call of the operation loses what the nearest size
// that was measured loses, at most what it took. Seconds.
double cost_in_suite(std::span<const SuiteResult> runs, const Mpi& mpi, std::span<const LossOfCall> losses);

}  // namespace plumbline::cli::validate
