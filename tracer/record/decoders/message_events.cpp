#include "tracer/record/decoders/message_events.hpp"

#include "tracer/record/decoders/call_attributes.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

// MPI_Ssend, MPI_Issend, MPI_Ssend_init, ..
std::string_view send_mode(std::string_view name) {
  const std::size_t letter = name.starts_with("MPI_I") ? 5 : 4;
  if (name.size() < letter + 5 || name.substr(letter + 1, 4) != "send") return {};
  switch (name[letter] | 0x20) {
    case 's':
      return "synchronous";
    case 'b':
      return "buffered";
    case 'r':
      return "ready";
    default:
      return {};
  }
}

struct Sent {
  std::int32_t dest = 0, tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t comm = 0, request = 0;  // 0: blocking
};

struct Posted {
  std::int32_t source = 0, tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t comm = 0;
};

struct Matched {
  std::int32_t source = 0, tag = 0;
};

void send(DecodingState& t, const OpenCall& call, const Sent& sent) {
  const bool blocking = sent.request == 0;
  if (sent.dest < 0) {
    if (!blocking) t.process.requests.put(sent.request);
    return;
  }
  Event event;
  event.comm = t.process.comm(sent.comm);
  if (event.comm == kUndefined) return;
  event.kind = blocking ? EventKind::kMpiSend : EventKind::kMpiIsend;
  event.peer = static_cast<std::uint32_t>(sent.dest);
  event.tag = static_cast<std::uint32_t>(sent.tag);
  event.bytes = sent.bytes;
  if (!blocking) {
    event.request = sent.request;
    t.process.requests.put(event.request).kind = OpenRequest::Kind::kSend;
  }
  t.process.tally.message_bytes += event.bytes;
  t.out.attach_text(t.ids.send_mode, send_mode(call.function->name));
  t.out.emit(event, call.begin);
}

void attach_posted(DecodingState& t, const Posted& posted) {
  t.out.attach_signed(t.ids.posted_source, posted.source);
  t.out.attach_signed(t.ids.posted_tag, posted.tag);
  t.out.attach(t.ids.buffer_bytes, posted.bytes);
}

void post_receive(DecodingState& t, const OpenCall& call, const Posted& posted, std::uint32_t request) {
  OpenRequest& open = t.process.requests.put(request);
  open.comm = t.process.comm(posted.comm);
  if (posted.source == PL_PROC_NULL || open.comm == kUndefined) return;
  open.kind = OpenRequest::Kind::kReceive;
  open.posted_source = posted.source;
  open.posted_tag = posted.tag;
  open.asked = posted.bytes;
  Event event;
  event.kind = EventKind::kMpiIrecvRequest;
  event.request = request;
  attach_posted(t, posted);
  t.out.attach(t.ids.comm, open.comm);
  t.out.emit(event, call.begin);
}

void receive(DecodingState& t, const Posted& posted, const Matched& matched, Time time) {
  if (matched.source < 0) return;  // MPI_PROC_NULL, or the call failed
  Event event;
  event.comm = t.process.comm(posted.comm);
  if (event.comm == kUndefined) return;
  event.kind = EventKind::kMpiRecv;
  event.peer = static_cast<std::uint32_t>(matched.source);
  event.tag = static_cast<std::uint32_t>(matched.tag);
  event.bytes = posted.bytes;
  if (posted.source != matched.source) t.out.attach_signed(t.ids.posted_source, posted.source);
  if (posted.tag != matched.tag) t.out.attach_signed(t.ids.posted_tag, posted.tag);
  t.out.emit(event, time);
}

void await(DecodingState& t, const Posted& posted) {
  attach_posted(t, posted);
  attach_comm(t, posted.comm);
}

}  // namespace

void begin_send(DecodingState& t, OpenCall& call) {
  const auto send_of = call.as<pl_send_payload>();  // SENDRECV begins with the same words, and no request
  send(t, call, {send_of.dest, send_of.tag, send_of.bytes, send_of.comm, send_of.request});
}

void unfinished_receive(DecodingState& t, const OpenCall& call) {
  const auto recv = call.as<pl_recv_payload>();
  if (recv.request != 0) return;  // non-blocking: it has a record
  await(t, {recv.source, recv.tag, recv.bytes, recv.comm});
}

void begin_receive(DecodingState& t, OpenCall& call) {
  const auto recv = call.as<pl_recv_payload>();
  if (recv.request != 0) post_receive(t, call, {recv.source, recv.tag, recv.bytes, recv.comm}, recv.request);
}

void end_receive(DecodingState& t, const OpenCall& call, Time time) {
  const auto recv = call.as<pl_recv_payload>();
  if (recv.request != 0) return;  // non-blocking: received when it is waited for
  receive(t, {recv.source, recv.tag, recv.bytes, recv.comm}, {recv.matched_source, recv.matched_tag}, time);
}

void unfinished_sendrecv(DecodingState& t, const OpenCall& call) {
  const auto both = call.as<pl_sendrecv_payload>();
  await(t, {both.source, both.tag, both.bytes, both.comm});
}

void end_sendrecv(DecodingState& t, const OpenCall& call, Time time) {
  const auto both = call.as<pl_sendrecv_payload>();
  receive(t, {both.source, both.tag, both.bytes, both.comm}, {both.matched_source, both.matched_tag}, time);
}

void begin_isendrecv(DecodingState& t, OpenCall& call) {
  const auto both = call.as<pl_isendrecv_payload>();
  send(t, call, {both.dest, both.send_tag, both.sent, both.send_comm, both.send_request});
  if (both.request == 0) return;
  post_receive(t, call, {both.source, both.tag, both.bytes, both.comm}, both.request);
  if (OpenRequest* request = t.process.requests.find(both.request)) request->send = both.send_request;
}

}  // namespace plumbline::record
