#include "replay/program/compile/location/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "replay/program/compile/location/collectives.hpp"
#include "replay/program/compile/location/references.hpp"
#include "replay/program/compile/location/requests.hpp"

namespace plumbline::replay::compiling {

using archive::Event;

namespace {

Operation operation_of(OpKind kind, const Message& message) {
  Operation operation;
  operation.kind = kind;
  operation.flags = message.flags;
  operation.comm = message.comm;
  operation.peer = message.peer;
  operation.tag = message.tag;
  operation.bytes = message.bytes;
  return operation;
}

// As the program asked for it; the record of its end, if there is one, tells what it became.
Operation posted_receive(LocationState& location, const Event& event) {
  Operation operation;
  operation.kind = OpKind::kIrecv;
  operation.flags = posted_flags(location, event);
  const std::optional<Event> asked = asked_receive(location, event);
  if (!asked) return operation;
  const CommOfRank comm = comm_of(location, *asked);
  operation.comm = comm.index;
  operation.peer = peer_of(location, *asked, comm);
  operation.tag = static_cast<std::int32_t>(asked->tag);
  operation.bytes = asked->bytes;
  return operation;
}

}  // namespace

Message message_of(LocationState& location, const Event& event) {
  Message message;
  const CommOfRank comm = comm_of(location, event);
  message.comm = comm.index;
  message.peer = peer_of(location, event, comm);
  message.tag = static_cast<std::int32_t>(event.tag);
  message.bytes = event.bytes;
  const archive::AttributeValue* mode = find(event, location.context.attributes.send_mode);
  const std::string_view said =
      mode == nullptr ? std::string_view() : location.context.definitions.strings[mode->string];
  if (location.call.traits.is_synchronous || said == "synchronous") message.flags = kSynchronous;
  if (location.call.traits.is_buffered || said == "buffered") message.flags = kBuffered;
  return message;
}

std::optional<Event> asked_receive(const LocationState& location, const Event& post) {
  const AttributeIds& ids = location.context.attributes;
  const archive::AttributeValue *comm = find(post, ids.comm), *source = find(post, ids.posted_source),
                                *tag = find(post, ids.posted_tag), *bytes = find(post, ids.buffer_bytes);
  if (comm == nullptr || source == nullptr || tag == nullptr) return std::nullopt;
  Event asked;
  asked.comm = index_of(*comm);
  asked.peer = source->i64 < 0 ? archive::kUndefined : index_of(*source);
  asked.tag = static_cast<std::uint32_t>(std::max<std::int64_t>(tag->i64, 0));
  if (bytes != nullptr) asked.bytes = bytes->u64;
  return asked;
}

std::uint8_t posted_flags(const LocationState& location, const Event& event) {
  unsigned flags = 0;
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == location.context.attributes.posted_source && value.i64 < 0) flags |= kAnySource;
    if (value.attribute == location.context.attributes.posted_tag && value.i64 < 0) flags |= kAnyTag;
  }
  return static_cast<std::uint8_t>(flags);
}

Operation message_operation(LocationState& location) {
  if (location.call.receive) ++location.context.tally.receives;
  if (location.call.send) ++location.context.tally.messages;
  if (!location.call.traits.is_sendrecv && !location.call.receive)
    return operation_of(OpKind::kSend, *location.call.send);
  if (!location.call.traits.is_sendrecv && !location.call.send)
    return operation_of(OpKind::kRecv, *location.call.receive);
  // One half may be missing: it went to or came from MPI_PROC_NULL.
  Operation operation = operation_of(OpKind::kSendrecv, location.call.send.value_or(Message{}));
  const Message receive = location.call.receive.value_or(Message{});
  if (!location.call.send) operation.comm = receive.comm;
  operation.flags |= receive.flags;
  operation.extra = location.builder.add(SendrecvTail{receive.peer, receive.tag, receive.bytes});
  return operation;
}

void post(LocationState& location, const Event& event, OpKind kind) {
  const Request request{location.call.first_operation + static_cast<std::uint32_t>(location.posts.size()),
                        location.slots.take(), kind};
  Operation operation;
  operation.kind = kind;
  operation.extra = request.slot;
  if (kind == OpKind::kIsend) {
    operation = operation_of(kind, message_of(location, event));
    operation.extra = request.slot;
    ++location.context.tally.messages;
  } else if (kind == OpKind::kIrecv) {
    operation = posted_receive(location, event);
    operation.extra = request.slot;
    ++location.context.tally.receives;
  } else if (kind == OpKind::kNonBlockingCollective) {
    operation = posted_collective(location, event, request.slot);
  }
  location.posts.push_back(operation);
  if (const Request* old = location.requests.find(event.request)) abandon(location, *old);
  location.requests.put(event.request, request);
}

void receive_completed(LocationState& location, const Event& event) {
  Request request;
  if (location.requests.find(event.request) != nullptr) {
    request = *take_request(location, event.request);
  } else if (location.context.has_other_threads && location.next_unrecorded == location.unrecorded_posts.size()) {
    location.call.waits_for_other_thread = true;
    return;
  } else {
    // Without the record of the post: the oldest receive that has none. Its slot was never anybody else's.
    if (location.next_unrecorded == location.unrecorded_posts.size())
      fail(location, fmt::format("completion of request {}, which was not started", event.request));
    request = {location.unrecorded_posts[location.next_unrecorded++], location.slots.take_unused(), OpKind::kIrecv};
    started_by(location, request).kind = OpKind::kIrecv;
    started_by(location, request).extra = request.slot;
    ++location.context.tally.receives_without_post;
    ++location.context.tally.receives;
  }
  Operation& operation = started_by(location, request);
  const Message message = message_of(location, event);
  operation.comm = message.comm;
  operation.peer = message.peer;
  operation.tag = message.tag;
  operation.bytes = message.bytes;
  complete(location, request);
}

}  // namespace plumbline::replay::compiling
