#include "tracer/record/decoders/aio_events.hpp"

#include "tracer/record/decoders/call_attributes.hpp"
#include "tracer/record/decoders/io_operations.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

IoMode mode_of(std::uint32_t flags) {
  if ((flags & PL_ACCESS_SYNC) != 0) return IoMode::kFlush;
  return (flags & PL_ACCESS_WRITE) != 0 ? IoMode::kWrite : IoMode::kRead;
}

void submit(DecodingState& t, const OpenCall& call, const pl_aio_operation_payload& operation) {
  Event event;
  event.kind = EventKind::kIoOperationBegin;
  event.io_handle = t.process.file(operation.fd, call.record.begin).handle;
  event.io_mode = mode_of(operation.flags);
  event.io_flags = archive::kIoNonBlocking;
  event.bytes = operation.asked;
  event.request = operation.request;
  OpenRequest& open = t.process.requests.put(event.request);
  open.kind = OpenRequest::Kind::kIo;
  open.handle = event.io_handle;
  if (event.io_mode != IoMode::kFlush) attach_offset(t, operation.offset);
  t.out.emit(event, call.begin);
}

void submitted(DecodingState& t, std::uint32_t request, bool failed, Time time) {
  const OpenRequest* open = t.process.requests.find(request);
  if (open == nullptr) return;
  Event event;
  event.kind = failed ? EventKind::kIoOperationComplete : EventKind::kIoOperationIssued;
  event.io_handle = open->handle;
  event.request = request;
  if (failed) t.process.requests.erase(request);
  t.out.emit(event, time);
}

// Those that the record has whole.
template <class Visit>
void for_each_listed(const OpenCall& call, const Visit& visit) {
  constexpr std::size_t kWordsEach = PL_WORDS_OF(pl_aio_operation_payload);
  spool::Words rest = call.behind<pl_posix_aio_list_payload>();
  for (std::uint32_t n = call.as<pl_posix_aio_list_payload>().n; n != 0 && rest.size() >= kWordsEach; --n) {
    visit(spool::decode<pl_aio_operation_payload>(rest));
    rest = rest.subspan(kWordsEach);
  }
}

}  // namespace

void begin_aio(DecodingState& t, OpenCall& call) { submit(t, call, call.as<pl_aio_operation_payload>()); }

void end_aio(DecodingState& t, const OpenCall& call, Time time) {
  const auto operation = call.as<pl_posix_aio_payload>();
  submitted(t, operation.request, operation.result < 0, time);
}

void begin_aio_list(DecodingState& t, OpenCall& call) {
  for_each_listed(call, [&](const pl_aio_operation_payload& operation) { submit(t, call, operation); });
}

// Where only some could be submitted, aio_error tells of the others.
void end_aio_list(DecodingState& t, const OpenCall& call, Time time) {
  for_each_listed(call,
                  [&](const pl_aio_operation_payload& operation) { submitted(t, operation.request, false, time); });
}

void end_aio_operation(DecodingState& t, const OpenCall& call, Time time) {
  const auto end = call.as<pl_posix_aio_end_payload>();
  const OpenRequest* open = t.process.posted(end.request);
  if (open == nullptr) {
    if (!t.process.facts().has_gaps()) ++t.process.tally.unknown_requests;
    return;
  }
  const std::uint32_t handle = open->handle;
  t.process.requests.erase(end.request);
  t.process.tally.io_bytes += bytes_done(end.done);
  complete_operation(t, handle, end.request,
                     end.done == PL_UNKNOWN_BYTES ? archive::kUnknownSize : bytes_done(end.done), time);
}

}  // namespace plumbline::record
