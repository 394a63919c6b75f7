#include "tracer/record/decoders/posix_events.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <tuple>
#include <utility>

#include "tracer/record/decoders/call_attributes.hpp"
#include "tracer/record/decoders/io_operations.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;
using archive::IoMode;
using archive::kUndefined;

bool is_flush(std::string_view name) { return name == "fsync" || name == "fdatasync" || name == "syncfs"; }

// Of fcntl this name has only what copies a descriptor; locks have names of their own.
bool is_duplicate(std::string_view name) { return name.starts_with("dup") || name == "fcntl"; }

bool is_descriptor(std::int64_t result) { return result >= 0 && result <= INT32_MAX; }

void begin_flush(DecodingState& t, OpenCall& call, std::int32_t fd) {
  call.handle = t.process.file(fd, call.record.begin).handle;
  Event event = operation_of(t, call, 0);
  event.io_mode = IoMode::kFlush;
  t.out.emit(event, call.begin);
}

// The descriptor has moved on by what was done at its position.
void move_on(OpenFile& file, std::int64_t done) {
  if (file.position && done > 0 && __builtin_add_overflow(*file.position, done, &*file.position)) file.position.reset();
}

void complete_transfer(DecodingState& t, std::uint32_t handle, std::uint64_t matching, std::int64_t done, Time time) {
  const std::uint64_t bytes = bytes_done(done);
  if (enclosing_mpi_handle(t) == kUndefined) t.process.tally.io_bytes += bytes;  // else part of the outer call
  complete_operation(t, handle, matching, bytes, time);
}

// ---- Opening

void open_file(DecodingState& t, const pl_posix_open_payload& opened, Time time) {
  const bool known_position = (opened.flags & O_APPEND) == 0;
  Event event;
  event.kind = EventKind::kIoCreateHandle;
  event.io_handle =
      t.process.open(static_cast<std::int32_t>(opened.fd), opened.path, enclosing_mpi_handle(t), known_position)
          ->handle;
  event.offset = mode_of_posix(opened.flags);
  t.out.emit(event, time);
}

// A file that was open when recording began or went on: wherever its position is. It may be one that we know.
void announce_file(DecodingState& t, const OpenCall& call, const pl_posix_open_payload& opened, Time time) {
  const auto fd = static_cast<std::int32_t>(opened.fd);
  OpenFile* known = t.process.known(fd, opened.path);
  if (known == nullptr) {
    open_file(t, opened, time);
    known = &t.process.file(fd, call.record.begin);
  }
  known->position.reset();
}

// ---- What a call names

std::string protection_text(std::uint32_t protection) {
  const auto has = [&](int bit) { return (protection & static_cast<std::uint32_t>(bit)) != 0; };
  return {has(PROT_READ) ? 'r' : '-', has(PROT_WRITE) ? 'w' : '-', has(PROT_EXEC) ? 'x' : '-'};
}

// Empty: a lock that is given back, or no lock.
std::string file_lock_text(std::uint32_t mode) {
  std::string text = (mode & PL_FILE_LOCK_WRITE) != 0 ? "write" : (mode & PL_FILE_LOCK_READ) != 0 ? "read" : "";
  if (text.empty()) return text;
  if ((mode & PL_FILE_LOCK_WAITS) != 0) text += ",waits";
  if ((mode & PL_FILE_LOCK_OF_OPEN_FILE) != 0) text += ",open file";
  return text;
}

}  // namespace

void attach_path_behind(DecodingState& t, const OpenCall& call, std::int32_t fd) {
  const OpenFile& file = t.process.known_file(fd, call.record.begin);
  if (file.file != kUndefined) t.out.attach_text(t.ids.path, file.name);
}

void close_descriptor(DecodingState& t, std::int32_t fd, Time time) {
  const std::shared_ptr<const OpenFile> closed = t.process.close(fd);
  if (!closed) return;
  Event event;
  event.kind = EventKind::kIoDestroyHandle;
  for (const std::uint32_t handle : {closed->handle, closed->stream}) {
    event.io_handle = handle;
    if (handle != kUndefined) t.out.emit(event, time);
  }
}

void unfinished_open(DecodingState& t, const OpenCall& call) {
  t.out.attach_text(t.ids.path, t.process.path(call.as<pl_posix_open_payload>().path));
}

void end_open(DecodingState& t, const OpenCall& call, Time time) {
  const auto opened = call.as<pl_posix_open_payload>();
  if (!is_descriptor(opened.fd)) return;
  if (call.function->name == "(open at start)") return announce_file(t, call, opened, time);
  open_file(t, opened, time);
}

// ---- On a descriptor

void descriptor_attributes(DecodingState& t, const OpenCall& call) {
  if (call.function->name == "fstat") attach_path_behind(t, call, call.as<pl_posix_fd_payload>().fd);
}

void unfinished_fd(DecodingState& t, const OpenCall& call) {
  if (call.function->name == "fstat") return;  // which has it in any case
  t.out.attach_text(t.ids.path, t.process.known_file(call.as<pl_posix_fd_payload>().fd, call.record.begin).name);
}

void begin_fd(DecodingState& t, OpenCall& call) {
  if (is_flush(call.function->name)) begin_flush(t, call, call.as<pl_posix_fd_payload>().fd);
}

void end_fd(DecodingState& t, const OpenCall& call, Time time) {
  const auto on = call.as<pl_posix_fd_payload>();
  const std::string_view name = call.function->name;
  if (call.matching != 0) {
    complete_operation(t, call.handle, call.matching, 0, time);
  } else if (is_duplicate(name) && is_descriptor(on.result)) {
    t.process.duplicate(on.fd, static_cast<std::int32_t>(on.result), call.record.begin);
  } else if (name == "close" && on.result >= 0) {
    t.process.known_file(on.fd, call.record.begin);
    close_descriptor(t, on.fd, time);
  }
}

void begin_access(DecodingState& t, OpenCall& call) {
  const auto access = call.as<pl_posix_access_payload>();
  const OpenFile& file = t.process.file(access.fd, call.record.begin);
  call.handle = file.handle;
  Event event = operation_of(t, call, access.asked);
  event.io_mode = (access.flags & PL_ACCESS_WRITE) != 0 ? IoMode::kWrite : IoMode::kRead;
  attach_offset(t, access.offset == -1 ? file.position.value_or(-1) : access.offset);
  t.out.emit(event, call.begin);
}

void end_access(DecodingState& t, const OpenCall& call, Time time) {
  const auto access = call.as<pl_posix_access_payload>();
  OpenFile& file = t.process.file(access.fd, call.record.begin);
  if (access.offset == -1) move_on(file, access.done);
  complete_transfer(t, call.handle, call.matching, access.done, time);
}

void unfinished_seek(DecodingState& t, const OpenCall& call) {
  t.out.attach_text(t.ids.path, t.process.known_file(call.as<pl_posix_seek_payload>().fd, call.record.begin).name);
}

void end_seek(DecodingState& t, const OpenCall& call, Time time) {
  const auto seek = call.as<pl_posix_seek_payload>();
  if (seek.position < 0) return;
  OpenFile& file = t.process.file(seek.fd, call.record.begin);
  file.position = seek.position;
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = file.handle;
  event.offset = seek.position;
  t.out.emit(event, time);
}

void end_close_range(DecodingState& t, const OpenCall& call, Time time) {
  const auto range = call.as<pl_posix_close_range_payload>();
  if (range.result < 0) return;
  for (const std::int32_t fd : t.process.descriptors(range.first, range.last)) close_descriptor(t, fd, time);
}

// ---- Copies inside the kernel

void begin_copy(DecodingState& t, OpenCall& call) {
  const auto copy = call.as<pl_posix_copy_payload>();
  const auto begin = [&](std::int32_t fd, std::int64_t offset, IoMode mode) {
    const OpenFile& file = t.process.file(fd, call.record.begin);
    Event event;
    event.kind = EventKind::kIoOperationBegin;
    event.io_handle = file.handle;
    event.io_mode = mode;
    event.bytes = copy.asked;
    event.request = t.next_matching++;
    attach_offset(t, offset == -1 ? file.position.value_or(-1) : offset);
    t.out.emit(event, call.begin);
    return std::pair(event.io_handle, event.request);
  };
  if (copy.from >= 0) std::tie(call.handle, call.matching) = begin(copy.from, copy.from_offset, IoMode::kRead);
  if (copy.to >= 0) std::tie(call.target, call.target_matching) = begin(copy.to, copy.to_offset, IoMode::kWrite);
}

void end_copy(DecodingState& t, const OpenCall& call, Time time) {
  const auto copy = call.as<pl_posix_copy_payload>();
  const auto complete = [&](std::int32_t fd, std::int64_t offset, std::uint32_t handle, std::uint64_t matching) {
    if (matching == 0) return;
    OpenFile& file = t.process.file(fd, call.record.begin);
    if (offset == -1) move_on(file, copy.done);
    complete_transfer(t, handle, matching, copy.done, time);
  };
  complete(copy.from, copy.from_offset, call.handle, call.matching);
  complete(copy.to, copy.to_offset, call.target, call.target_matching);
}

// ---- Ranges, names, mappings

void range_attributes(DecodingState& t, const OpenCall& call) {
  const auto range = call.as<pl_posix_range_payload>();
  attach_path_behind(t, call, range.fd);
  t.out.attach(t.ids.absolute_offset, range.offset);
  t.out.attach(t.ids.length, range.length);
  if (call.function->name.starts_with("fcntl (")) t.out.attach_text(t.ids.file_lock, file_lock_text(range.mode));
}

void begin_range(DecodingState& t, OpenCall& call) {
  if (call.function->name == "sync_file_range") begin_flush(t, call, call.as<pl_posix_range_payload>().fd);
}

void end_range(DecodingState& t, const OpenCall& call, Time time) {
  if (call.matching != 0) complete_operation(t, call.handle, call.matching, 0, time);
}

void name_attributes(DecodingState& t, const OpenCall& call) {
  const auto named = call.as<pl_posix_name_payload>();
  if (named.path != 0) t.out.attach_text(t.ids.path, t.process.path(named.path));
  if (named.second_path != 0) t.out.attach_text(t.ids.second_path, t.process.path(named.second_path));
}

void map_attributes(DecodingState& t, const OpenCall& call) {
  const auto mapped = call.as<pl_posix_map_payload>();
  t.out.attach_text(t.ids.path, t.process.path(mapped.path));
  t.out.attach(t.ids.absolute_offset, mapped.offset);
  t.out.attach(t.ids.length, mapped.length);
  if (call.function->name == "mmap") t.out.attach_text(t.ids.protection, protection_text(mapped.flags));
}

}  // namespace plumbline::record
