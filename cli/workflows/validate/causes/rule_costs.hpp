#pragma once
// What a broken rule costs the suite: each call of the operation that could have been done otherwise.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rules/rules.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// What a call of an operation loses, by its size.
struct LossOfCall {
  std::string operation;  // as campaigns name it: "allgather"
  std::uint64_t bytes = 0;
  double seconds = 0;            // of one call; 0: at this size the rule holds
  double otherwise = 0;          // seconds that what the rule holds against the call takes
  bool thread_multiple = false;  // of ranks with MPI_THREAD_MULTIPLE
};

// Of every size that a rule was judged at under one MPI, also of those at which it holds.
std::vector<LossOfCall> losses_of(const bench::RulesVerdict& verdict, const bench::Rule& rule, std::string_view mpi);

// On the busiest rank, of all runs of the suite with this MPI: each call of the operation loses what the nearest size
// that was measured loses, and no more than what it takes longer than the other way takes. Where the ranks of a run
// have not MPI_THREAD_MULTIPLE, what was measured with it says nothing. Seconds.
double cost_in_suite(std::span<const SuiteResult> runs, const Mpi& mpi, std::span<const LossOfCall> losses);

}  // namespace plumbline::cli::validate
