#include "replay/program/compile/location/polls.hpp"

namespace plumbline::replay::compiling {

namespace {

// The polls before `success` take no time: theirs, and that of the gaps up to the poll gap between them, is part of the
// wait. Longer gaps are computation and stay as long as they were, so that the rank computes, then waits.
void join_polls(LocationState& location, std::uint32_t success) {
  if (location.failed_polls.count == 0) return;
  Duration waited;
  Time previous = location.builder.times(location.failed_polls.first).begin;
  for (std::uint32_t i = location.failed_polls.first; i <= success; ++i) {
    OperationTimes& times = location.builder.times(i);
    const Time begin = times.begin, end = times.end;
    if (begin - previous <= location.cost.poll_gap) waited += begin - previous;
    times.begin = begin - waited;
    if (i != success) times.end = times.begin;
    waited += end - begin;
    previous = end;
  }
}

}  // namespace

void poll_ended(LocationState& location, bool has_inner) {
  const OpKind kind = location.builder.operation(location.call.first_operation).kind;
  if (kind == OpKind::kLocal && !has_inner) {
    if (location.failed_polls.count++ == 0) location.failed_polls.first = location.call.first_operation;
    return;
  }
  if (kind == OpKind::kWait || kind == OpKind::kProbe || kind == OpKind::kWinWait)
    join_polls(location, location.call.first_operation);
  location.failed_polls = {};
}

}  // namespace plumbline::replay::compiling
