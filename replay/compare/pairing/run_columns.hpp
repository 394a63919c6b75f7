#pragma once
// How the columns of a reference run are filled, operation by operation.

#include <cstdint>

#include "replay/expect/columns/columns.hpp"

namespace plumbline::replay {

// Of an operation that took that time in the reference run, which made no POSIX data operations in it.
inline void append_of_run(ExpectedRank& rank, const OperationTimes& times) {
  rank.free.push_back(times);
  const Duration duration = times.end - times.begin;
  for (auto* column : {&rank.lower, &rank.upper, &rank.as_run, &rank.as_run_upper}) column->push_back(duration);
  rank.band.emplace_back();
  rank.ideal_io.push_back(0);
  rank.not_judged.push_back(kNone);
}

// Reasons of Expected::reasons that such columns have.
inline constexpr std::uint32_t kNotJudgedThere = 0, kOnlyHere = 1;
inline constexpr const char* kReasonsOfRuns[] = {"not judged in the reference run", "not in the reference run"};

}  // namespace plumbline::replay
