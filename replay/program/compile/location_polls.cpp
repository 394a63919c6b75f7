#include "replay/program/compile/location_compiler.hpp"

// A program that waits by polls asks again and again until it is told. The tracer has made most of that one record;
// what it could not join (the program computed in between), and what other tools have recorded poll by poll, is joined
// here: the poll that was told something is the wait, from the first one that was told nothing.

namespace plumbline::replay {

// The call that has just become an operation is a poll. What lies inside of one keeps it where it is.
void LocationCompiler::poll_ended(bool has_inner) {
  const OpKind kind = builder_.operation(call_.first_operation).kind;
  if (kind == OpKind::kLocal && !has_inner) {
    if (failed_polls_.count++ == 0) failed_polls_.first = call_.first_operation;
    return;
  }
  if (kind == OpKind::kWait || kind == OpKind::kProbe || kind == OpKind::kWinWait) join_polls(call_.first_operation);
  failed_polls_ = {};
}

// The polls before `success` take no time: theirs, and that of the gaps up to the poll gap between them, is part of the
// wait. Longer gaps are computation and stay as long as they were, so that the rank computes, then waits.
void LocationCompiler::join_polls(std::uint32_t success) {
  if (failed_polls_.count == 0) return;
  Duration waited;
  Time previous = builder_.times(failed_polls_.first).begin;
  for (std::uint32_t i = failed_polls_.first; i <= success; ++i) {
    OperationTimes& times = builder_.times(i);
    const Time begin = times.begin, end = times.end;
    if (begin - previous <= cost_.poll_gap) waited += begin - previous;
    times.begin = begin - waited;
    if (i != success) times.end = times.begin;
    waited += end - begin;
    previous = end;
  }
}

}  // namespace plumbline::replay
