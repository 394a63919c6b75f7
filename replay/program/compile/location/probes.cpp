#include "replay/program/compile/location/probes.hpp"

#include "replay/program/compile/location/messages.hpp"
#include "replay/program/compile/location/references.hpp"

namespace plumbline::replay::compiling {

using archive::AttributeValue;
using archive::Event;

void begin_probe(LocationState& location, const Event& enter) {
  const AttributeValue* const recorded = find(enter, location.context.attributes.comm);
  if (recorded == nullptr) return;
  Event with_comm;
  with_comm.comm = index_of(*recorded);
  Operation operation;
  operation.kind = OpKind::kUnmodelled;
  operation.comm = comm_of(location, with_comm).index;
  operation.flags = posted_flags(location, enter);
  location.call.probe = operation;
}

void end_probe(LocationState& location, const Event& leave) {
  const AttributeValue *const source = find(leave, location.context.attributes.found_source),
                              *const tag = find(leave, location.context.attributes.found_tag);
  if (source == nullptr || tag == nullptr) return;
  Operation& operation = *location.call.probe;
  operation.kind = OpKind::kProbe;
  if (source->i64 < 0) {  // MPI_PROC_NULL
    operation.flags = 0;
    return;
  }
  operation.peer = static_cast<std::int32_t>(source->i64);
  operation.tag = static_cast<std::int32_t>(tag->i64);
}

}  // namespace plumbline::replay::compiling
