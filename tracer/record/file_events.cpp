// MPI-IO and POSIX calls of a thread.

#include <fcntl.h>

#include <limits>

#include "tracer/record/thread_events.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

// OTF2's access mode, creation flags (OTF2_IoCreationFlag) and status flags (OTF2_IoStatusFlag) in one number.
constexpr std::int64_t mode_bits(std::int64_t access, std::int64_t creation, std::int64_t status) {
  return access | creation << archive::kIoCreationShift | status << archive::kIoStatusShift;
}
constexpr std::int64_t kCreate = 1, kTruncate = 2, kDirectory = 4, kExclusive = 8, kUnique = 1 << 10;
constexpr std::int64_t kAppend = 2, kSync = 1 << 4, kDirect = 1 << 6, kDeleteOnClose = 1 << 8;

// MPI_MODE_*: the same numbers in Open MPI and MPICH.
std::int64_t mode_of_mpi(std::uint32_t amode) {
  const std::int64_t access = (amode & 8) != 0 ? 2 : (amode & 4) != 0 ? 1 : 0;
  const std::int64_t creation =
      ((amode & 1) != 0 ? kCreate : 0) | ((amode & 64) != 0 ? kExclusive : 0) | ((amode & 32) != 0 ? kUnique : 0);
  const std::int64_t status = ((amode & 128) != 0 ? kAppend : 0) | ((amode & 16) != 0 ? kDeleteOnClose : 0);
  return mode_bits(access, creation, status);
}

std::int64_t mode_of_posix(std::uint32_t flags) {
  const auto has = [&](int flag) {
    return (flags & static_cast<std::uint32_t>(flag)) == static_cast<std::uint32_t>(flag);
  };
  const std::int64_t access = has(O_RDWR) ? 2 : has(O_WRONLY) ? 1 : 0;
  const std::int64_t creation = (has(O_CREAT) ? kCreate : 0) | (has(O_TRUNC) ? kTruncate : 0) |
                                (has(O_DIRECTORY) ? kDirectory : 0) | (has(O_EXCL) ? kExclusive : 0);
  const std::int64_t status = (has(O_APPEND) ? kAppend : 0) | (has(O_SYNC) ? kSync : 0) | (has(O_DIRECT) ? kDirect : 0);
  return mode_bits(access, creation, status);
}

bool is_end_of_split(std::string_view name) { return name.starts_with("MPI_File_") && name.ends_with("_end"); }

bool is_start_of_split(std::string_view name) { return name.starts_with("MPI_File_") && name.ends_with("_begin"); }

bool is_flush(std::string_view name) {
  return name == "MPI_File_sync" || name == "fsync" || name == "fdatasync" || name == "syncfs";
}

// Of fcntl this name has only what copies a descriptor; locks have names of their own.
bool is_duplicate(std::string_view name) { return name.starts_with("dup") || name == "fcntl"; }

}  // namespace

void ThreadEvents::hint_attributes(const OpenCall& frame, std::uint32_t mpi_file) {
  const Hints hints = state_.process.next_hints(mpi_file, frame.record.begin);
  state_.out.attach_text(state_.ids.hints, hints.in_force);
  state_.out.attach_text(state_.ids.hints_asked, hints.asked);
}

Event ThreadEvents::io_begin(OpenCall& frame, std::uint64_t bytes, Time time) {
  Event event;
  event.kind = EventKind::kIoOperationBegin;
  event.io_handle = frame.handle;
  event.bytes = bytes;
  event.request = frame.matching;
  event.time = time;
  return event;
}

void ThreadEvents::end_file_open(const OpenCall& frame, const Words& words, Time time) {
  if (frame.handle == kUndefined) return;
  hint_attributes(frame, frame.mpi_file);
  Event event;
  event.kind = EventKind::kIoCreateHandle;
  event.io_handle = frame.handle;
  event.offset = mode_of_mpi(words.high(0));
  state_.out.emit(event, time);
}

void ThreadEvents::begin_file(OpenCall& frame, const Words& words) {
  frame.mpi_file = words.low(0);
  frame.handle = state_.process.mpi_handle(frame.mpi_file);
  if (frame.handle == kUndefined || frame.function->name != "MPI_File_sync") return;
  frame.matching = state_.next_matching++;
  Event event = io_begin(frame, 0, frame.begin);
  event.io_mode = archive::IoMode::kFlush;
  event.io_flags = archive::kIoCollective;
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_file(const OpenCall& frame, const Words& words, Time time) {
  const std::string_view name = frame.function->name;
  Event event;
  event.io_handle = frame.handle;
  if (name == "MPI_File_set_info") return hint_attributes(frame, words.low(0));
  if (frame.handle == kUndefined) return;
  if (name == "MPI_File_sync") {
    event.kind = EventKind::kIoOperationComplete;
    event.request = frame.matching;
    state_.out.emit(event, time);
  } else if (name == "MPI_File_close") {
    event.kind = EventKind::kIoDestroyHandle;
    state_.process.close_mpi_handle(frame.mpi_file);
    state_.out.emit(event, time);
  } else if (is_end_of_split(name)) {
    const auto pending = state_.process.split_accesses.find(frame.mpi_file);
    if (pending == state_.process.split_accesses.end()) return;
    event.kind = EventKind::kIoOperationComplete;
    event.request = pending->second.first;
    event.bytes = archive::kUnknownSize;  // the record of the second half does not tell
    state_.process.split_accesses.erase(pending);
    state_.out.emit(event, time);
  }
}

void ThreadEvents::begin_access(OpenCall& frame, const Words& words) {
  if (!words.has(5)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::uint32_t flags = words.high(0), request = words.low(4);
  frame.mpi_file = words.low(0);
  frame.handle = state_.process.mpi_handle(frame.mpi_file);
  if (frame.handle == kUndefined) {
    if (request != 0) state_.process.requests.put(request);
    return;
  }
  frame.matching = request != 0 ? request : state_.next_matching++;
  if (request != 0) {
    OpenRequest& open = state_.process.requests.put(request);
    open.kind = OpenRequest::Kind::kIo;
    open.handle = frame.handle;
    open.asked = words[2];
  }
  Event event = io_begin(frame, words[2], frame.begin);
  event.io_mode = (flags & PL_ACCESS_WRITE) != 0 ? archive::IoMode::kWrite : archive::IoMode::kRead;
  if ((flags & PL_ACCESS_COLLECTIVE) != 0) event.io_flags |= archive::kIoCollective;
  const bool split = is_start_of_split(frame.function->name);
  if (request != 0 || split) event.io_flags |= archive::kIoNonBlocking;
  if (split) state_.process.split_accesses[frame.mpi_file] = {frame.matching, frame.handle};

  const View& view = state_.process.view(frame.mpi_file, frame.record.begin);
  if (view.text != kUndefined) state_.out.attach_string(state_.ids.layout, view.text);
  std::uint64_t position = 0;
  const bool known = words[1] != std::numeric_limits<std::uint64_t>::max() && (flags & PL_ACCESS_SHARED) == 0 &&
                     !__builtin_mul_overflow(words[1], view.etype_bytes, &position);
  if (known) state_.out.attach(state_.ids.view_position, position);
  if (known && view.index) {
    const std::optional<std::int64_t> at = view.index->offset_of(position);
    std::int64_t offset = 0;
    if (at && !__builtin_add_overflow(*at, view.displacement, &offset) && offset >= 0) {
      state_.out.attach(state_.ids.absolute_offset, static_cast<std::uint64_t>(offset));
      state_.out.attach(state_.ids.offset, static_cast<std::uint64_t>(offset));
    }
  }
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_access(const OpenCall& frame, const Words& words, Time time) {
  if (frame.handle == kUndefined || frame.matching == 0) return;
  Event event;
  event.io_handle = frame.handle;
  event.request = frame.matching;
  if (words.low(4) != 0 || is_start_of_split(frame.function->name)) {
    event.kind = EventKind::kIoOperationIssued;
  } else {
    event.kind = EventKind::kIoOperationComplete;
    event.bytes = words[3];
    state_.process.tally.io_bytes += event.bytes;
  }
  state_.out.emit(event, time);
}

void ThreadEvents::end_file_seek(const OpenCall& frame, const Words& words, Time time) {
  if (frame.handle == kUndefined || !words.has(3)) return;
  const View& view = state_.process.view(frame.mpi_file, frame.record.begin);
  std::uint64_t position = 0;
  if (__builtin_mul_overflow(words[2], view.etype_bytes, &position) || position > INT64_MAX) return;
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = frame.handle;
  event.offset = static_cast<std::int64_t>(position);
  state_.out.emit(event, time);
}

void ThreadEvents::end_posix_open(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(2) || words.i64(1) < 0 || words.i64(1) > INT32_MAX) return;
  const std::int32_t fd = words.low_signed(1);
  const std::uint32_t flags = words.high(0);
  const bool known_position = (flags & O_APPEND) == 0;
  Event event;
  event.kind = EventKind::kIoCreateHandle;
  if (frame.function->layout == PL_LAYOUT_POSIX_OPEN)
    event.io_handle = state_.process.open(fd, words.low(0), enclosing_mpi_handle(), known_position)->handle;
  else if (frame.function->name == "fdopen")
    event.io_handle = state_.process.stream(fd, frame.record.begin).stream;
  else
    event.io_handle = state_.process.open_stream(fd, words.low(0), known_position)->stream;
  event.offset = mode_of_posix(flags);
  state_.out.emit(event, time);
}

void ThreadEvents::begin_posix_fd(OpenCall& frame, const Words& words) {
  if (!is_flush(frame.function->name) || !words.has(1)) return;
  frame.handle = state_.process.file(words.low_signed(0), frame.record.begin).handle;
  frame.matching = state_.next_matching++;
  Event event = io_begin(frame, 0, frame.begin);
  event.io_mode = archive::IoMode::kFlush;
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_posix_fd(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(2)) return;
  const std::string_view name = frame.function->name;
  const std::int32_t fd = words.low_signed(0);
  const std::int64_t result = words.i64(1);
  Event event;
  if (frame.matching != 0) {
    event.kind = EventKind::kIoOperationComplete;
    event.io_handle = frame.handle;
    event.request = frame.matching;
    state_.out.emit(event, time);
  } else if (is_duplicate(name) && result >= 0 && result <= INT32_MAX) {
    state_.process.duplicate(fd, static_cast<std::int32_t>(result), frame.record.begin);
  } else if (name == "close" && result >= 0) {
    state_.process.known_file(fd, frame.record.begin);
    close_descriptor(fd, time);
  }
}

void ThreadEvents::close_descriptor(std::int32_t fd, Time time) {
  const std::shared_ptr<const OpenFile> closed = state_.process.close(fd);
  if (!closed) return;
  Event event;
  event.kind = EventKind::kIoDestroyHandle;
  for (const std::uint32_t handle : {closed->handle, closed->stream}) {
    event.io_handle = handle;
    if (handle != kUndefined) state_.out.emit(event, time);
  }
}

void ThreadEvents::begin_posix_access(OpenCall& frame, const Words& words) {
  if (!words.has(4)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::uint32_t flags = words.high(0);
  const OpenFile& file = state_.process.file(words.low_signed(0), frame.record.begin);
  frame.handle = file.handle;
  frame.matching = state_.next_matching++;
  Event event = io_begin(frame, words[2], frame.begin);
  event.io_mode = (flags & PL_ACCESS_WRITE) != 0 ? archive::IoMode::kWrite : archive::IoMode::kRead;
  attach_offset(words.i64(1) == -1 ? file.position.value_or(-1) : words.i64(1));
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_posix_access(const OpenCall& frame, const Words& words, Time time) {
  if (frame.matching == 0) return;
  const std::int64_t done = words.i64(3);
  OpenFile& file = state_.process.file(words.low_signed(0), frame.record.begin);
  if (words.i64(1) == -1 && file.position && done > 0 && __builtin_add_overflow(*file.position, done, &*file.position))
    file.position.reset();
  Event event;
  event.kind = EventKind::kIoOperationComplete;
  event.io_handle = frame.handle;
  event.request = frame.matching;
  event.bytes = done > 0 ? static_cast<std::uint64_t>(done) : 0;
  if (enclosing_mpi_handle() == kUndefined)
    state_.process.tally.io_bytes += event.bytes;  // else part of the outer call
  state_.out.emit(event, time);
}

void ThreadEvents::end_posix_seek(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(3) || words.i64(2) < 0) return;
  OpenFile& file = state_.process.file(words.low_signed(0), frame.record.begin);
  file.position = words.i64(2);
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = file.handle;
  event.offset = *file.position;
  state_.out.emit(event, time);
}

}  // namespace plumbline::record
