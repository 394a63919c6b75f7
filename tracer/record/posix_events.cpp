// POSIX calls beyond open, read, write and close: copies inside the kernel, asynchronous I/O, and calls that only name
// a file.

#include <sys/mman.h>

#include "tracer/record/thread_events.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::IoMode;
using archive::kUndefined;

void ThreadEvents::attach_offset(std::int64_t offset) {
  if (offset < 0) return;
  state_.out.attach(state_.ids.absolute_offset, static_cast<std::uint64_t>(offset));
  state_.out.attach(state_.ids.offset, static_cast<std::uint64_t>(offset));
}

// ---- Calls without an I/O handle: what they name, on their Enter.

namespace {

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

void ThreadEvents::file_attributes(const OpenCall& frame, const Words& words) {
  const std::uint32_t layout = frame.function->layout;
  if (layout == PL_LAYOUT_POSIX_NAME) {
    if (words.low(0) != 0) state_.out.attach_text(state_.ids.path, state_.process.path(words.low(0)));
    if (words.high(0) != 0) state_.out.attach_text(state_.ids.second_path, state_.process.path(words.high(0)));
  } else if (layout == PL_LAYOUT_POSIX_MAP) {
    state_.out.attach_text(state_.ids.path, state_.process.path(words.low(0)));
    state_.out.attach(state_.ids.absolute_offset, words[1]);
    state_.out.attach(state_.ids.length, words[2]);
    if (frame.function->name == "mmap") state_.out.attach_text(state_.ids.protection, protection_text(words.high(0)));
  } else if (layout == PL_LAYOUT_POSIX_RANGE || layout == PL_LAYOUT_POSIX_STREAM ||
             (layout == PL_LAYOUT_POSIX_FD && frame.function->name == "fstat")) {
    const OpenFile& file = state_.process.known_file(words.low_signed(0), frame.record.begin);
    if (file.file != kUndefined) state_.out.attach_text(state_.ids.path, file.name);
    if (layout == PL_LAYOUT_POSIX_RANGE) {
      state_.out.attach(state_.ids.absolute_offset, words[1]);
      state_.out.attach(state_.ids.length, words[2]);
      if (frame.function->name.starts_with("fcntl (")) {
        const std::string lock = file_lock_text(words.high(0));
        if (!lock.empty()) state_.out.attach_text(state_.ids.file_lock, lock);
      }
    } else if (layout == PL_LAYOUT_POSIX_STREAM && frame.function->name != "setvbuf" && words[1] != 0) {
      if (words.i64(2) >= 0) state_.out.attach(state_.ids.absolute_offset, words[2]);
      state_.out.attach(state_.ids.length, words[1]);
    }
  }
}

void ThreadEvents::begin_range(OpenCall& frame, const Words& words) {
  if (frame.function->name != "sync_file_range") return;
  frame.handle = state_.process.file(words.low_signed(0), frame.record.begin).handle;
  frame.matching = state_.next_matching++;
  Event event = io_begin(frame, 0, frame.begin);
  event.io_mode = IoMode::kFlush;
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_range(const OpenCall& frame, Time time) {
  if (frame.matching == 0) return;
  Event event;
  event.kind = EventKind::kIoOperationComplete;
  event.io_handle = frame.handle;
  event.request = frame.matching;
  state_.out.emit(event, time);
}

// ---- Copies: a read of the one file and a write of the other, where they are followed.

void ThreadEvents::begin_copy(OpenCall& frame, const Words& words) {
  if (!words.has(5)) {
    ++state_.process.tally.short_records;
    return;
  }
  const Time time = frame.begin;
  const auto begin = [&](std::int32_t fd, std::int64_t offset, IoMode mode) {
    const OpenFile& file = state_.process.file(fd, frame.record.begin);
    Event event;
    event.kind = EventKind::kIoOperationBegin;
    event.io_handle = file.handle;
    event.io_mode = mode;
    event.bytes = words[3];
    event.request = state_.next_matching++;
    attach_offset(offset == -1 ? file.position.value_or(-1) : offset);
    state_.out.emit(event, time);
    return event;
  };
  if (words.low_signed(0) >= 0) {
    const Event read = begin(words.low_signed(0), words.i64(1), IoMode::kRead);
    frame.handle = read.io_handle;
    frame.matching = read.request;
  }
  if (words.high_signed(0) >= 0) {
    const Event write = begin(words.high_signed(0), words.i64(2), IoMode::kWrite);
    frame.target = write.io_handle;
    frame.target_matching = write.request;
  }
}

void ThreadEvents::end_copy(const OpenCall& frame, const Words& words, Time time) {
  const std::int64_t done = words.i64(4);
  const auto complete = [&](std::int32_t fd, std::uint64_t matching, std::uint32_t handle, bool moves) {
    if (matching == 0) return;
    std::optional<std::int64_t>& position = state_.process.file(fd, frame.record.begin).position;
    if (moves && position && done > 0 && __builtin_add_overflow(*position, done, &*position)) position.reset();
    Event event;
    event.kind = EventKind::kIoOperationComplete;
    event.io_handle = handle;
    event.request = matching;
    event.bytes = done > 0 ? static_cast<std::uint64_t>(done) : 0;
    if (enclosing_mpi_handle() == kUndefined) state_.process.tally.io_bytes += event.bytes;
    state_.out.emit(event, time);
  };
  complete(words.low_signed(0), frame.matching, frame.handle, words.i64(1) == -1);
  complete(words.high_signed(0), frame.target_matching, frame.target, words.i64(2) == -1);
}

// ---- Asynchronous I/O: an operation has the number that the tracer gave it, and ends in the call that told its end.

// `first`: word of its description.
void ThreadEvents::submit(const OpenCall& frame, const Words& words, std::size_t first) {
  if (!words.has(first + 4)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::uint32_t flags = words.high(first);
  Event event;
  event.kind = EventKind::kIoOperationBegin;
  event.io_handle = state_.process.file(words.low_signed(first), frame.record.begin).handle;
  event.io_mode = (flags & PL_ACCESS_SYNC) != 0    ? IoMode::kFlush
                  : (flags & PL_ACCESS_WRITE) != 0 ? IoMode::kWrite
                                                   : IoMode::kRead;
  event.io_flags = archive::kIoNonBlocking;
  event.bytes = words[first + 2];
  event.request = words.low(first + 3);
  OpenRequest& open = state_.process.requests.put(event.request);
  open.kind = OpenRequest::Kind::kIo;
  open.handle = event.io_handle;
  if (event.io_mode != IoMode::kFlush) attach_offset(words.i64(first + 1));
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::submitted(const Words& words, std::size_t first, bool failed, Time time) {
  const std::uint32_t request = words.low(first + 3);
  const OpenRequest* open = state_.process.requests.find(request);
  if (!words.has(first + 4) || open == nullptr) return;
  Event event;
  event.kind = failed ? EventKind::kIoOperationComplete : EventKind::kIoOperationIssued;
  event.io_handle = open->handle;
  event.request = request;
  if (failed) state_.process.requests.erase(request);
  state_.out.emit(event, time);
}

void ThreadEvents::begin_list(const OpenCall& frame, const Words& words) {
  for (std::size_t i = 0; i < words.low(0) && words.has(2 + 4 * (i + 1)); ++i) submit(frame, words, 2 + 4 * i);
}

// Where only some could be submitted, aio_error tells of the others.
void ThreadEvents::end_list(const Words& words, Time time) {
  for (std::size_t i = 0; i < words.low(0) && words.has(2 + 4 * (i + 1)); ++i) submitted(words, 2 + 4 * i, false, time);
}

void ThreadEvents::end_asynchronous(const Words& words, Time time) {
  const std::uint32_t request = words.low(0);
  const OpenRequest* open = state_.process.posted(request);
  if (open == nullptr) {
    if (!state_.process.facts().has_gaps()) ++state_.process.tally.unknown_requests;
    return;
  }
  const std::int64_t done = words.i64(1);
  Event event;
  event.kind = EventKind::kIoOperationComplete;
  event.io_handle = open->handle;
  event.request = request;
  event.bytes = done == PL_UNKNOWN_BYTES ? archive::kUnknownSize : done > 0 ? static_cast<std::uint64_t>(done) : 0;
  if (done > 0) state_.process.tally.io_bytes += event.bytes;
  state_.process.requests.erase(request);
  state_.out.emit(event, time);
}

}  // namespace plumbline::record
