#include <fmt/format.h>

#include "replay/program/compile/location_compiler.hpp"

// I/O of a location: MPI-IO and POSIX calls of the program, and POSIX calls that the library made inside MPI-IO calls.

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

bool LocationCompiler::is_mpi_io(const Event& event) const {
  const auto& handles = context_.definitions.io_handles;
  if (event.io_handle >= handles.size()) fail("an I/O handle that the archive does not define");
  return handles[event.io_handle].paradigm == archive::IoParadigm::kMpiIo;
}

// Of a stream of stdio, or of another library above the system: what the call does to the file, and when, nobody knows.
bool LocationCompiler::is_buffered(const Event& event) const {
  return context_.definitions.io_handles[event.io_handle].paradigm == archive::IoParadigm::kOther;
}

// The hints in force: with each access to the file; and for whoever explains how it was accessed, property
// "hints:PATH".
void LocationCompiler::keep_hints(const Event& event) {
  const archive::AttributeValue* hints = find(event, context_.attributes.hints);
  if (is_mpi_io(event))
    open_files_.emplace_back(event.io_handle, hints == nullptr ? kNoHints : context_.hints(hints->string));
  const auto& handle = context_.definitions.io_handles[event.io_handle];
  if (hints == nullptr || handle.file == archive::kUndefined) return;
  const auto& strings = context_.definitions.strings;
  context_.builder.property("hints:" + strings[context_.definitions.io_files[handle.file].path],
                            strings[hints->string]);
}

// MPI_File_set_view and MPI_File_set_info: the archive does not tell of which file. Where only one is open it is that.
void LocationCompiler::change_hints(const Event& leave) {
  const archive::AttributeValue* hints = find(leave, context_.attributes.hints);
  if (hints != nullptr && open_files_.size() == 1) open_files_.front().second = context_.hints(hints->string);
}

std::uint16_t LocationCompiler::hints_of(std::uint32_t handle) const {
  for (const auto& [open, hints] : open_files_)
    if (open == handle) return hints;
  return kNoHints;
}

// Directly in a call. In an MPI call, what is not MPI-IO was done by the library.
void LocationCompiler::io_event(const Event& event) {
  const bool of_mpi = is_mpi_io(event);
  if (call_.traits.is_mpi && !of_mpi) return inner_event(event);
  if (is_buffered(event)) return;
  switch (event.kind) {
    case EventKind::kIoCreateHandle:
      positions_.set(event.io_handle, 0);
      keep_hints(event);
      return io_begins(event, OpKind::kIoOpen);
    case EventKind::kIoDestroyHandle:
      io_begins(event, OpKind::kIoClose);
      std::erase_if(open_files_, [&](const auto& open) { return open.first == event.io_handle; });
      return;
    case EventKind::kIoSeek:
      positions_.set(event.io_handle, static_cast<std::uint64_t>(event.offset));
      return io_begins(event, OpKind::kIoSeek);
    case EventKind::kIoOperationBegin:
      io_begins(event, event.io_mode == IoMode::kRead    ? OpKind::kIoRead
                       : event.io_mode == IoMode::kWrite ? OpKind::kIoWrite
                                                         : OpKind::kIoSync);
      return;
    case EventKind::kIoOperationComplete:
      return io_completes(event);
    default:
      return;
  }
}

void LocationCompiler::io_begins(const Event& event, OpKind kind) {
  Io io;
  io.kind = kind;
  io.handle = event.io_handle;
  io.access.offset = kUnknownOffset;
  const bool moves = kind == OpKind::kIoRead || kind == OpKind::kIoWrite;
  const bool of_mpi = is_mpi_io(event);
  if (of_mpi) {
    const archive::IoHandle& handle = context_.definitions.io_handles[event.io_handle];
    Event with_comm;
    with_comm.comm = handle.comm;
    unsigned flags = kIoIsMpi;
    io.access.hints = hints_of(event.io_handle);
    if (handle.comm != archive::kUndefined) io.access.comm = comm_of(with_comm).index;
    const bool collective = moves ? (event.io_flags & archive::kIoCollective) != 0 || call_.traits.is_collective_file
                                  : kind != OpKind::kIoSeek;
    if (collective && io.access.comm != kNone) flags |= kIoIsCollective;
    io.flags = static_cast<std::uint8_t>(flags);
  }
  if (event.kind == EventKind::kIoOperationBegin) {
    io.id = event.request;
    io.bytes = moves && event.bytes != archive::kUnknownSize ? event.bytes : 0;
    io.may_start = of_mpi || (event.io_flags & archive::kIoNonBlocking) != 0;  // asynchronous POSIX
  }
  if (moves) locate(event, io);
  call_.io = io;
}

void LocationCompiler::locate(const Event& event, Io& io) {
  const AttributeIds& ids = context_.attributes;
  if (!(io.flags & kIoIsMpi)) {
    io.access.offset = positions_.offset_of(event, context_.attributes);
    return;
  }
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == ids.absolute_offset)
      io.access.offset = value.u64;
    else if (value.attribute == ids.layout)
      io.access.layout = context_.layout(value.string);
    else if (value.attribute == ids.view_position)
      io.access.view_position = value.u64;
  }
  ++context_.tally.mpi_accesses;
  if (io.access.offset == kUnknownOffset && io.access.layout == kNone) ++context_.tally.accesses_without_offset;
}

void LocationCompiler::io_completes(const Event& event) {
  if (call_.io && call_.io->id == event.request) {
    Io& io = *call_.io;
    io.is_complete = true;
    const bool moves = io.kind == OpKind::kIoRead || io.kind == OpKind::kIoWrite;
    if (moves && event.bytes != archive::kUnknownSize) io.bytes = event.bytes;
    if (moves && !call_.traits.is_mpi && !call_.traits.keeps_position) positions_.moved(io.handle, io.bytes);
    return;
  }
  const Request* found = io_requests_.find(event.request);
  if (found == nullptr) {
    ++context_.tally.unknown_io;
    return;
  }
  if (found->slot != kNone) {
    if (event.bytes != archive::kUnknownSize) builder_.operation(found->operation).bytes = event.bytes;
    completed_.push_back(found->slot);
  }
  io_requests_.erase(event.request);
}

Operation LocationCompiler::io_operation() {
  Io& io = *call_.io;
  const bool moves = io.kind == OpKind::kIoRead || io.kind == OpKind::kIoWrite;
  const bool is_pending = io.may_start && !io.is_complete && !call_.unfinished;
  if (is_pending && !moves && !(io.flags & kIoIsMpi)) {  // aio_fsync
    io_requests_.put(io.id, {call_.first_operation, kNone, io.kind});
    return unmodelled("flushes a file asynchronously: not modelled");
  }
  Operation operation;
  operation.kind = io.kind;
  operation.flags = io.flags;
  operation.comm = context_.file(io.handle);
  operation.bytes = io.bytes;
  // Begun here and completed by a later call: non-blocking, or the first half of a split collective.
  if (is_pending) {
    io.access.request = slots_.take();
    operation.flags |= kNonBlocking;
    io_requests_.put(io.id, {call_.first_operation, io.access.request, io.kind});
  }
  if (moves || (io.flags & kIoIsMpi)) operation.extra = builder_.add(io.access);
  return operation;
}

void LocationCompiler::nested(const Event& event) {
  const bool of_file = call_.traits.is_mpi && call_.traits.is_file;
  if (event.kind == EventKind::kEnter) {
    if (walker_.nesting() == 1) inner_.enter(now_);
    return;
  }
  if (!of_file) return;
  if (event.kind != EventKind::kLeave) return inner_event(event);
  if (walker_.nesting() == 0) inner_.leave(context_.calls[event.region], now_);
}

void LocationCompiler::inner_event(const Event& event) {
  inner_.event(event, walker_.nesting() > 0 ? &context_.calls[walker_.innermost()] : nullptr, now_);
}

}  // namespace plumbline::replay
