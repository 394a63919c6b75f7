#include "viewer/index/runs.hpp"

#include <algorithm>
#include <optional>

#include "replay/compare/excess.hpp"
#include "replay/compare/pairing.hpp"
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
  const Time begin = begin_of(program);
  return {begin, std::max(end_of(program) - begin, Duration{})};
}

Time reference_zero(const Runs& runs) {
  const Time observed = span_of(runs.observed).begin;
  if (!runs.is_compared() || runs.reference == replay::ReferenceRun::kExpected) return observed;
  replay::FailedPolls polls(runs.observed);  // they have no counterpart there: their columns are our own times
  std::optional<Time> first;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const auto operations = runs.observed.rank(rank).operations;
    const auto paired = std::ranges::find_if_not(operations, [&](const auto& each) { return polls.contains(each); });
    if (paired == operations.end()) continue;
    const Time begin = runs.expected->ranks[rank].free[static_cast<std::size_t>(paired - operations.begin())].begin;
    first = std::min(first.value_or(begin), begin);
  }
  return first.value_or(observed);
}

}  // namespace plumbline::viewer
