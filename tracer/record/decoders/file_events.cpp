#include "tracer/record/decoders/file_events.hpp"

#include <limits>

#include "tracer/record/decoders/call_attributes.hpp"
#include "tracer/record/decoders/io_operations.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

bool is_end_of_split(std::string_view name) { return name.starts_with("MPI_File_") && name.ends_with("_end"); }
bool is_start_of_split(std::string_view name) { return name.starts_with("MPI_File_") && name.ends_with("_begin"); }

void attach_hints(DecodingState& t, const OpenCall& call, std::uint32_t file) {
  const Hints hints = t.process.next_hints(file, call.record.begin);
  t.out.attach_text(t.ids.hints, hints.in_force);
  t.out.attach_text(t.ids.hints_asked, hints.asked);
}

void end_of_split(DecodingState& t, const OpenCall& call, Time time) {
  const auto pending = t.process.split_accesses.find(call.mpi_file);
  if (pending == t.process.split_accesses.end()) return;
  const std::uint64_t matching = pending->second.first;
  t.process.split_accesses.erase(pending);
  complete_operation(t, call.handle, matching, archive::kUnknownSize, time);  // this record does not tell how many
}

// Position in the view, and the offset in the file where the view tells.
void attach_position(DecodingState& t, const OpenCall& call, const pl_file_access_payload& access) {
  const View& view = t.process.view(call.mpi_file, call.record.begin);
  if (view.text != kUndefined) t.out.attach_string(t.ids.layout, view.text);
  std::uint64_t position = 0;
  const bool known = access.offset != std::numeric_limits<std::uint64_t>::max() &&
                     (access.flags & PL_ACCESS_SHARED) == 0 &&
                     !__builtin_mul_overflow(access.offset, view.etype_bytes, &position);
  if (!known) return;
  t.out.attach(t.ids.view_position, position);
  if (!view.index) return;
  const std::optional<std::int64_t> at = view.index->offset_of(position);
  std::int64_t offset = 0;
  if (at && !__builtin_add_overflow(*at, view.displacement, &offset)) attach_offset(t, offset);
}

void post_access(DecodingState& t, const OpenCall& call, const pl_file_access_payload& access) {
  OpenRequest& open = t.process.requests.put(access.request);
  open.kind = OpenRequest::Kind::kIo;
  open.handle = call.handle;
  open.asked = access.asked;
}

}  // namespace

void unfinished_file_open(DecodingState& t, const OpenCall& call) {
  const auto opening = call.as<pl_file_open_payload>();
  t.out.attach_text(t.ids.path, t.process.path(opening.path));
  attach_comm(t, opening.comm);
}

void begin_file_open(DecodingState& t, OpenCall& call) {
  const auto opening = call.as<pl_file_open_payload>();
  if (!call.record.done || opening.failed != 0) return;
  call.mpi_file = opening.file;
  call.handle = t.process.mpi_handle(call.mpi_file);  // POSIX calls inside refer to it
}

void end_file_open(DecodingState& t, const OpenCall& call, Time time) {
  if (call.handle == kUndefined) return;
  attach_hints(t, call, call.mpi_file);
  Event event;
  event.kind = EventKind::kIoCreateHandle;
  event.io_handle = call.handle;
  event.offset = mode_of_mpi(call.as<pl_file_open_payload>().amode);
  t.out.emit(event, time);
}

void unfinished_file(DecodingState& t, const OpenCall& call) { attach_mpi_file(t, call.as<pl_file_payload>().file); }

void begin_file(DecodingState& t, OpenCall& call) {
  call.mpi_file = call.as<pl_file_payload>().file;
  call.handle = t.process.mpi_handle(call.mpi_file);
  if (call.handle == kUndefined || call.function->name != "MPI_File_sync") return;
  Event event = operation_of(t, call, 0);
  event.io_mode = archive::IoMode::kFlush;
  event.io_flags = archive::kIoCollective;
  t.out.emit(event, call.begin);
}

void end_file(DecodingState& t, const OpenCall& call, Time time) {
  const std::string_view name = call.function->name;
  if (name == "MPI_File_set_info") return attach_hints(t, call, call.mpi_file);
  if (call.handle == kUndefined) return;
  if (name == "MPI_File_sync") return complete_operation(t, call.handle, call.matching, 0, time);
  if (is_end_of_split(name)) return end_of_split(t, call, time);
  if (name != "MPI_File_close") return;
  t.process.close_mpi_handle(call.mpi_file);
  Event event;
  event.kind = EventKind::kIoDestroyHandle;
  event.io_handle = call.handle;
  t.out.emit(event, time);
}

void end_file_view(DecodingState& t, const OpenCall& call, Time) { attach_hints(t, call, call.mpi_file); }

void end_file_seek(DecodingState& t, const OpenCall& call, Time time) {
  if (call.handle == kUndefined) return;
  const View& view = t.process.view(call.mpi_file, call.record.begin);
  std::uint64_t position = 0;
  const std::uint64_t etypes = call.as<pl_file_seek_payload>().position;
  if (__builtin_mul_overflow(etypes, view.etype_bytes, &position) || position > INT64_MAX) return;
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = call.handle;
  event.offset = static_cast<std::int64_t>(position);
  t.out.emit(event, time);
}

void begin_file_access(DecodingState& t, OpenCall& call) {
  const auto access = call.as<pl_file_access_payload>();
  call.mpi_file = access.file;
  call.handle = t.process.mpi_handle(call.mpi_file);
  if (call.handle == kUndefined) {
    if (access.request != 0) t.process.requests.put(access.request);
    return;
  }
  call.matching = access.request;  // 0: it gets a number of its own
  if (access.request != 0) post_access(t, call, access);
  Event event = operation_of(t, call, access.asked);
  event.io_mode = (access.flags & PL_ACCESS_WRITE) != 0 ? archive::IoMode::kWrite : archive::IoMode::kRead;
  if ((access.flags & PL_ACCESS_COLLECTIVE) != 0) event.io_flags |= archive::kIoCollective;
  const bool split = is_start_of_split(call.function->name);
  if (access.request != 0 || split) event.io_flags |= archive::kIoNonBlocking;
  if (split) t.process.split_accesses[call.mpi_file] = {call.matching, call.handle};
  attach_position(t, call, access);
  t.out.emit(event, call.begin);
}

void end_file_access(DecodingState& t, const OpenCall& call, Time time) {
  if (call.handle == kUndefined || call.matching == 0) return;
  const auto access = call.as<pl_file_access_payload>();
  if (access.request == 0 && !is_start_of_split(call.function->name)) {
    t.process.tally.io_bytes += access.done;
    return complete_operation(t, call.handle, call.matching, access.done, time);
  }
  Event event;
  event.kind = EventKind::kIoOperationIssued;
  event.io_handle = call.handle;
  event.request = call.matching;
  t.out.emit(event, time);
}

}  // namespace plumbline::record
