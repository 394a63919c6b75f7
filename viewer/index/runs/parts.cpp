#include "viewer/index/runs/parts.hpp"

#include <algorithm>

#include "replay/compare/result/excess.hpp"
#include "viewer/index/runs/columns.hpp"

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

}  // namespace plumbline::viewer
