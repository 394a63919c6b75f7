#include "replay/program/compile/location/io.hpp"

#include "replay/program/compile/location/references.hpp"

namespace plumbline::replay::compiling {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

namespace {

bool is_mpi_io(const LocationState& location, const Event& event) {
  const auto& handles = location.context.definitions.io_handles;
  if (event.io_handle >= handles.size()) fail(location, "an I/O handle that the archive does not define");
  return handles[event.io_handle].paradigm == archive::IoParadigm::kMpiIo;
}

// Of a stream of stdio, or of another library above the system: what the call does to the file, and when, nobody knows.
bool is_buffered(const LocationState& location, const Event& event) {
  return location.context.definitions.io_handles[event.io_handle].paradigm == archive::IoParadigm::kOther;
}

// The hints in force: with each access to the file; and for whoever explains how it was accessed, property
// "hints:PATH".
void keep_hints(LocationState& location, const Event& event) {
  const archive::AttributeValue* hints = find(event, location.context.attributes.hints);
  if (is_mpi_io(location, event))
    location.open_files.emplace_back(event.io_handle,
                                     hints == nullptr ? kNoHints : location.context.hints(hints->string));
  const auto& handle = location.context.definitions.io_handles[event.io_handle];
  if (hints == nullptr || handle.file == archive::kUndefined) return;
  const auto& strings = location.context.definitions.strings;
  location.context.builder.property("hints:" + strings[location.context.definitions.io_files[handle.file].path],
                                    strings[hints->string]);
}

std::uint16_t hints_of(const LocationState& location, std::uint32_t handle) {
  for (const auto& [open, hints] : location.open_files)
    if (open == handle) return hints;
  return kNoHints;
}

void locate(LocationState& location, const Event& event, Io& io) {
  const AttributeIds& ids = location.context.attributes;
  if (!(io.flags & kIoIsMpi)) {
    io.access.offset = location.positions.offset_of(event, location.context.attributes);
    return;
  }
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == ids.absolute_offset)
      io.access.offset = value.u64;
    else if (value.attribute == ids.layout)
      io.access.layout = location.context.layout(value.string);
    else if (value.attribute == ids.view_position)
      io.access.view_position = value.u64;
  }
  ++location.context.tally.mpi_accesses;
  if (io.access.offset == kUnknownOffset && io.access.layout == kNone) ++location.context.tally.accesses_without_offset;
}

void io_begins(LocationState& location, const Event& event, OpKind kind) {
  Io io;
  io.kind = kind;
  io.handle = event.io_handle;
  io.access.offset = kUnknownOffset;
  const bool moves = kind == OpKind::kIoRead || kind == OpKind::kIoWrite;
  const bool of_mpi = is_mpi_io(location, event);
  if (of_mpi) {
    const archive::IoHandle& handle = location.context.definitions.io_handles[event.io_handle];
    Event with_comm;
    with_comm.comm = handle.comm;
    unsigned flags = kIoIsMpi;
    io.access.hints = hints_of(location, event.io_handle);
    if (handle.comm != archive::kUndefined) io.access.comm = comm_of(location, with_comm).index;
    const bool collective =
        moves ? (event.io_flags & archive::kIoCollective) != 0 || location.call.traits.is_collective_file
              : kind != OpKind::kIoSeek;
    if (collective && io.access.comm != kNone) flags |= kIoIsCollective;
    io.flags = static_cast<std::uint8_t>(flags);
  }
  if (event.kind == EventKind::kIoOperationBegin) {
    io.id = event.request;
    io.bytes = moves && event.bytes != archive::kUnknownSize ? event.bytes : 0;
    io.may_start = of_mpi || (event.io_flags & archive::kIoNonBlocking) != 0;  // asynchronous POSIX
  }
  if (moves) locate(location, event, io);
  location.call.io = io;
}

void io_completes(LocationState& location, const Event& event) {
  if (location.call.io && location.call.io->id == event.request) {
    Io& io = *location.call.io;
    io.is_complete = true;
    const bool moves = io.kind == OpKind::kIoRead || io.kind == OpKind::kIoWrite;
    if (moves && event.bytes != archive::kUnknownSize) io.bytes = event.bytes;
    if (moves && !location.call.traits.is_mpi && !location.call.traits.keeps_position)
      location.positions.moved(io.handle, io.bytes);
    return;
  }
  const Request* found = location.io_requests.find(event.request);
  if (found == nullptr) {
    ++location.context.tally.unknown_io;
    return;
  }
  if (found->slot != kNone) {
    if (event.bytes != archive::kUnknownSize) location.builder.operation(found->operation).bytes = event.bytes;
    location.completed.push_back(found->slot);
  }
  location.io_requests.erase(event.request);
}

void inner_event(LocationState& location, const Event& event) {
  location.inner.event(event,
                       location.walker.nesting() > 0 ? &location.context.calls[location.walker.innermost()] : nullptr,
                       location.now);
}

}  // namespace

void change_hints(LocationState& location, const Event& leave) {
  const archive::AttributeValue* hints = find(leave, location.context.attributes.hints);
  if (hints != nullptr && location.open_files.size() == 1)
    location.open_files.front().second = location.context.hints(hints->string);
}

void io_event(LocationState& location, const Event& event) {
  const bool of_mpi = is_mpi_io(location, event);
  if (location.call.traits.is_mpi && !of_mpi) return inner_event(location, event);
  if (is_buffered(location, event)) return;
  switch (event.kind) {
    case EventKind::kIoCreateHandle:
      location.positions.set(event.io_handle, 0);
      keep_hints(location, event);
      return io_begins(location, event, OpKind::kIoOpen);
    case EventKind::kIoDestroyHandle:
      io_begins(location, event, OpKind::kIoClose);
      std::erase_if(location.open_files, [&](const auto& open) { return open.first == event.io_handle; });
      return;
    case EventKind::kIoSeek:
      location.positions.set(event.io_handle, static_cast<std::uint64_t>(event.offset));
      return io_begins(location, event, OpKind::kIoSeek);
    case EventKind::kIoOperationBegin:
      io_begins(location, event,
                event.io_mode == IoMode::kRead    ? OpKind::kIoRead
                : event.io_mode == IoMode::kWrite ? OpKind::kIoWrite
                                                  : OpKind::kIoSync);
      return;
    case EventKind::kIoOperationComplete:
      return io_completes(location, event);
    default:
      return;
  }
}

Operation io_operation(LocationState& location) {
  Io& io = *location.call.io;
  const bool moves = io.kind == OpKind::kIoRead || io.kind == OpKind::kIoWrite;
  const bool is_pending = io.may_start && !io.is_complete && !location.call.unfinished;
  if (is_pending && !moves && !(io.flags & kIoIsMpi)) {  // aio_fsync
    location.io_requests.put(io.id, {location.call.first_operation, kNone, io.kind});
    return unmodelled(location, "flushes a file asynchronously: not modelled");
  }
  Operation operation;
  operation.kind = io.kind;
  operation.flags = io.flags;
  operation.comm = location.context.file(io.handle);
  operation.bytes = io.bytes;
  // Begun here and completed by a later call: non-blocking, or the first half of a split collective.
  if (is_pending) {
    io.access.request = location.slots.take();
    operation.flags |= kNonBlocking;
    location.io_requests.put(io.id, {location.call.first_operation, io.access.request, io.kind});
  }
  if (moves || (io.flags & kIoIsMpi)) operation.extra = location.builder.add(io.access);
  return operation;
}

void nested(LocationState& location, const Event& event) {
  const bool of_file = location.call.traits.is_mpi && location.call.traits.is_file;
  if (event.kind == EventKind::kEnter) {
    if (location.walker.nesting() == 1) location.inner.enter(location.now);
    return;
  }
  if (!of_file) return;
  if (event.kind != EventKind::kLeave) return inner_event(location, event);
  if (location.walker.nesting() == 0) location.inner.leave(location.context.calls[event.region], location.now);
}

}  // namespace plumbline::replay::compiling
