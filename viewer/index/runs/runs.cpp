#include "viewer/index/runs/runs.hpp"

#include <algorithm>
#include <optional>

#include "replay/compare/pairing/run_columns.hpp"
#include "replay/program/poll_calls.hpp"

namespace plumbline::viewer {

ReferenceOperations::ReferenceOperations(const Runs& runs) : runs_(&runs) {
  if (!runs.is_compared() || runs.reference == replay::ReferenceRun::kExpected) return;
  for (std::uint32_t call = 0; call < runs.observed.calls(); ++call)
    is_poll_.push_back(replay::is_poll(runs.observed.call(static_cast<std::uint16_t>(call))) ? 1 : 0);
}

bool ReferenceOperations::contains(OperationId id) const {
  if (!runs_->is_compared()) return false;
  if (runs_->reference == replay::ReferenceRun::kExpected) return true;
  if (runs_->expected->ranks[id.rank].not_judged[id.operation] == replay::kOnlyHere) return false;
  const replay::Operation& operation = runs_->observed.rank(id.rank).operations[id.operation];
  return operation.kind != replay::OpKind::kLocal || is_poll_[operation.call] == 0;
}

// No operation of a program begins before its predecessor has ended (replay/program/check.hpp).
Span span_of(const replay::Program& program) {
  const Time begin = begin_of(program);
  return {begin, std::max(end_of(program) - begin, Duration{})};
}

Time reference_zero(const Runs& runs) {
  const Time observed = span_of(runs.observed).begin;
  if (!runs.is_compared() || runs.reference == replay::ReferenceRun::kExpected) return observed;
  const ReferenceOperations both(runs);
  std::optional<Time> first;
  for (OperationId id{0, 0}; id.rank < runs.observed.ranks(); ++id.rank) {
    const std::size_t operations = runs.observed.rank(id.rank).operations.size();
    for (id.operation = 0; id.operation < operations && !both.contains(id);) ++id.operation;
    if (id.operation == operations) continue;
    const Time begin = runs.expected->ranks[id.rank].free[id.operation].begin;
    first = std::min(first.value_or(begin), begin);
  }
  return first.value_or(observed);
}

}  // namespace plumbline::viewer
