#include "viewer/export/facts.hpp"

#include "replay/program/program.hpp"
#include "viewer/index/runs/peers.hpp"

namespace plumbline::viewer {
namespace {

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
  if (replay::has_peer(operation.kind) && operation.peer != replay::kNoPeer) result.tag = operation.tag;
  if (replay::is_io(operation.kind) && operation.comm < program.files()) result.file = operation.comm;
  return result;
}

}  // namespace plumbline::viewer
