#include "replay/program/compile/location_compiler.hpp"

// Probes of a location. A matched one is a probe like the others: its message is received by the record of MPI_Mrecv.

namespace plumbline::replay {

using archive::AttributeValue;
using archive::Event;

// Unmodelled until it is known what it found. Without its communicator it is not described.
void LocationCompiler::begin_probe(const Event& enter) {
  const AttributeValue* const recorded = find(enter, context_.attributes.comm);
  if (recorded == nullptr) return;
  Event with_comm;
  with_comm.comm =
      recorded->u64 < archive::kUndefined ? static_cast<std::uint32_t>(recorded->u64) : archive::kUndefined;
  Operation operation;
  operation.kind = OpKind::kUnmodelled;
  operation.comm = comm_of(with_comm).index;
  operation.flags = posted_flags(enter);
  call_.probe = operation;
}

void LocationCompiler::end_probe(const Event& leave) {
  const AttributeValue *const source = find(leave, context_.attributes.found_source),
                              *const tag = find(leave, context_.attributes.found_tag);
  if (source == nullptr || tag == nullptr) return;
  Operation& operation = *call_.probe;
  operation.kind = OpKind::kProbe;
  if (source->i64 < 0) {  // MPI_PROC_NULL
    operation.flags = 0;
    return;
  }
  operation.peer = static_cast<std::int32_t>(source->i64);
  operation.tag = static_cast<std::int32_t>(tag->i64);
}

}  // namespace plumbline::replay
