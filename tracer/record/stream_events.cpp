// stdio: what the program copied to and from the buffers of streams.

#include "tracer/record/thread_events.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

void ThreadEvents::end_stream(const OpenCall& frame, const Words& words, Time time) {
  if (frame.function->name != "fclose") return;
  state_.process.known_file(words.low_signed(0), frame.record.begin);
  close_descriptor(words.low_signed(0), time);  // whatever fclose says, the stream and its descriptor are gone
}

void ThreadEvents::begin_stream_access(OpenCall& frame, const Words& words) {
  if (!words.has(4)) {
    ++state_.process.tally.short_records;
    return;
  }
  OpenFile& file = state_.process.stream(words.low_signed(0), frame.record.begin);
  file.position.reset();  // of the descriptor: the buffer is filled and written in blocks
  frame.handle = file.stream;
  frame.matching = state_.next_matching++;
  Event event = io_begin(frame, words[2], frame.begin);
  event.io_mode = (words.high(0) & PL_ACCESS_WRITE) != 0 ? IoMode::kWrite : IoMode::kRead;
  state_.out.emit(event, event.time);
}

void ThreadEvents::end_stream_access(const OpenCall& frame, const Words& words, Time time) {
  if (frame.matching == 0) return;
  const std::int64_t done = words.i64(3);
  Event event;
  event.kind = EventKind::kIoOperationComplete;
  event.io_handle = frame.handle;
  event.request = frame.matching;
  event.bytes = done > 0 ? static_cast<std::uint64_t>(done) : 0;
  state_.process.tally.io_bytes += event.bytes;
  state_.out.emit(event, time);
}

void ThreadEvents::end_stream_seek(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(3) || words.i64(2) < 0) return;
  OpenFile& file = state_.process.stream(words.low_signed(0), frame.record.begin);
  file.position.reset();
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = file.stream;
  event.offset = words.i64(2);
  state_.out.emit(event, time);
}

}  // namespace plumbline::record
