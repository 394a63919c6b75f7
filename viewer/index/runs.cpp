#include "viewer/index/runs.hpp"

#include <algorithm>
#include <limits>

#include "replay/compare/excess.hpp"
#include "viewer/index/columns.hpp"

namespace plumbline::viewer {

Parts parts_of(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  const replay::OperationTimes& times = runs.observed.rank(rank).times[operation];
  Parts parts;
  parts.begin = times.begin;
  parts.observed = times.end - times.begin;
  if (!is_judged(runs, rank, operation)) return parts;
  const replay::ExpectedRank& columns = runs.expected->ranks[rank];
  const replay::OperationTimes& free = columns.free[operation];
  parts.judged = true;
  parts.free = free.end - free.begin;
  parts.lower = columns.lower[operation];
  parts.upper = columns.upper[operation];
  parts.band = columns.band[operation];
  const replay::Excess excess =
      replay::excess_of(parts.observed, parts.lower, parts.upper, columns.as_run_upper[operation]);
  parts.own = excess.own;
  parts.gained = std::max(-excess.own, Duration{});
  parts.structure = excess.structure;
  parts.stack = parts.own + parts.gained - parts.structure;
  parts.inherited = parts.observed - parts.own - parts.free;
  return parts;
}

// No operation of a program begins before its predecessor has ended (replay/program/check.hpp).
Span span_of(const replay::Program& program) {
  Time begin{std::numeric_limits<std::int64_t>::max()}, end{std::numeric_limits<std::int64_t>::min()};
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const std::span<const replay::OperationTimes> times = program.rank(rank).times;
    if (times.empty()) continue;
    begin = std::min(begin, times.front().begin);
    end = std::max(end, times.back().end);
  }
  return end < begin ? Span{} : Span{begin, end - begin};
}

Time reference_zero(const Runs& runs) {
  const Time observed = span_of(runs.observed).begin;
  if (!runs.is_compared() || runs.reference == replay::ReferenceRun::kExpected) return observed;
  Time first{std::numeric_limits<std::int64_t>::max()};
  for (const replay::ExpectedRank& rank : runs.expected->ranks)
    if (!rank.free.empty()) first = std::min(first, rank.free.front().begin);
  return first.ps == std::numeric_limits<std::int64_t>::max() ? observed : first;
}

}  // namespace plumbline::viewer
