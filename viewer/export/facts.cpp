#include "viewer/export/facts.hpp"

#include "replay/compare/tally.hpp"
#include "replay/program/poll_calls.hpp"
#include "viewer/index/columns.hpp"
#include "viewer/index/peers.hpp"

namespace plumbline::viewer {
namespace {

using replay::OpKind;

bool has_tag(const replay::Operation& operation) {
  const bool is_message = operation.kind <= OpKind::kSendrecv || operation.kind == OpKind::kProbe;
  return is_message && operation.peer != replay::kNoPeer;
}

std::optional<std::uint32_t> known(std::uint32_t value) {
  return value == replay::kNone ? std::nullopt : std::optional(value);
}

}  // namespace

ExportedOperation exported(const replay::Program& program, OperationId id) {
  const replay::RankProgram& rank = program.rank(id.rank);
  const replay::Operation& operation = rank.operations[id.operation];
  ExportedOperation result;
  result.operation = &operation;
  result.peer = known(peer_of(program, id.rank, operation));
  if (const std::uint32_t comm = comm_of(program, rank, operation); comm != replay::kNone)
    result.comm_size = size_of(program.comm(comm));
  if (has_tag(operation)) result.tag = operation.tag;
  if (replay::is_io(operation.kind) && operation.comm < program.files()) result.file = operation.comm;
  return result;
}

bool has_reference(const Runs& runs, OperationId id) {
  if (!runs.is_compared()) return false;
  if (runs.reference == replay::ReferenceRun::kExpected) return true;
  const replay::Operation& operation = runs.observed.rank(id.rank).operations[id.operation];
  return operation.kind != OpKind::kLocal || !replay::is_poll(runs.observed.call(operation.call));
}

std::string_view why_not_judged(const Runs& runs, OperationId id) {
  if (!runs.is_compared() || is_judged(runs, id.rank, id.operation)) return "";
  const std::string_view reason = replay::reason_not_judged(runs.observed, *runs.expected, id.rank, id.operation);
  return reason.empty() ? "how many polls find nothing is chance" : reason;
}

}  // namespace plumbline::viewer
