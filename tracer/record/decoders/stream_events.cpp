#include "tracer/record/decoders/stream_events.hpp"

#include <fcntl.h>

#include "tracer/record/decoders/io_operations.hpp"
#include "tracer/record/decoders/posix_events.hpp"

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

void end_stream_open(DecodingState& t, const OpenCall& call, Time time) {
  const auto opened = call.as<pl_posix_open_payload>();
  if (opened.fd < 0 || opened.fd > INT32_MAX) return;
  const auto fd = static_cast<std::int32_t>(opened.fd);
  Event event;
  event.kind = EventKind::kIoCreateHandle;
  event.io_handle = call.function->name == "fdopen"
                        ? t.process.stream(fd, call.record.begin).stream
                        : t.process.open_stream(fd, opened.path, (opened.flags & O_APPEND) == 0)->stream;
  event.offset = mode_of_posix(opened.flags);
  t.out.emit(event, time);
}

void stream_attributes(DecodingState& t, const OpenCall& call) {
  const auto stream = call.as<pl_posix_stream_payload>();
  attach_path_behind(t, call, stream.fd);
  if (call.function->name == "setvbuf" || stream.length == 0) return;
  if (stream.offset >= 0) t.out.attach(t.ids.absolute_offset, static_cast<std::uint64_t>(stream.offset));
  t.out.attach(t.ids.length, stream.length);
}

void end_stream(DecodingState& t, const OpenCall& call, Time time) {
  if (call.function->name != "fclose") return;
  const std::int32_t fd = call.as<pl_posix_stream_payload>().fd;
  t.process.known_file(fd, call.record.begin);
  close_descriptor(t, fd, time);  // whatever fclose says, the stream and its descriptor are gone
}

void begin_stream_access(DecodingState& t, OpenCall& call) {
  const auto access = call.as<pl_posix_access_payload>();
  OpenFile& file = t.process.stream(access.fd, call.record.begin);
  file.position.reset();  // of the descriptor: the buffer is filled and written in blocks
  call.handle = file.stream;
  Event event = operation_of(t, call, access.asked);
  event.io_mode = (access.flags & PL_ACCESS_WRITE) != 0 ? IoMode::kWrite : IoMode::kRead;
  t.out.emit(event, call.begin);
}

void end_stream_access(DecodingState& t, const OpenCall& call, Time time) {
  const std::uint64_t bytes = bytes_done(call.as<pl_posix_access_payload>().done);
  t.process.tally.io_bytes += bytes;
  complete_operation(t, call.handle, call.matching, bytes, time);
}

void end_stream_seek(DecodingState& t, const OpenCall& call, Time time) {
  const auto seek = call.as<pl_posix_seek_payload>();
  if (seek.position < 0) return;
  OpenFile& file = t.process.stream(seek.fd, call.record.begin);
  file.position.reset();
  Event event;
  event.kind = EventKind::kIoSeek;
  event.io_handle = file.stream;
  event.offset = seek.position;
  t.out.emit(event, time);
}

}  // namespace plumbline::record
