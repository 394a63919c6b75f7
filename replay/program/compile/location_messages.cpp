#include <fmt/format.h>

#include <charconv>

#include "replay/program/compile/location_compiler.hpp"
#include "tracer/archive/otf2_values.hpp"

// Messages, requests and collectives of a location.

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;

void LocationCompiler::inside(const Event& event) {
  if (refuses(event)) return;
  switch (event.kind) {
    case EventKind::kMpiSend:
      call_.send = message_of(event);
      return;
    case EventKind::kMpiRecv:
      call_.receive = message_of(event);
      call_.receive->flags = posted_flags(event);
      return;
    case EventKind::kMpiIsend:
      return post(event, OpKind::kIsend);
    case EventKind::kMpiIrecvRequest:
      return post(event, OpKind::kIrecv);
    case EventKind::kNonBlockingCollectiveRequest:
      return post(event, OpKind::kNonBlockingCollective);
    case EventKind::kMpiIsendComplete:
      if (const std::optional<Request> request = take_request(event.request)) complete(*request);
      return;
    case EventKind::kMpiIrecv:
      return receive_completed(event);
    case EventKind::kMpiRequestCancelled:
      return request_cancelled(event);
    case EventKind::kMpiCollectiveEnd:
      return collective_ended(event);
    case EventKind::kNonBlockingCollectiveComplete:
      return collective_completed(event);
    case EventKind::kCommCreate:
      return comm_created(event);
    case EventKind::kRmaWinCreate:
    case EventKind::kRmaCollectiveEnd:
    case EventKind::kRmaGroupSync:
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaReleaseLock:
    case EventKind::kRmaSync:
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
    case EventKind::kRmaOpCompleteBlocking:
    case EventKind::kRmaOpCompleteNonBlocking:
    case EventKind::kRmaOpCompleteRemote:
      return window_event(event);
    case EventKind::kIoCreateHandle:
    case EventKind::kIoDestroyHandle:
    case EventKind::kIoSeek:
    case EventKind::kIoOperationBegin:
    case EventKind::kIoOperationComplete:
      return io_event(event);
    default:
      return;
  }
}

CommOfRank LocationCompiler::comm_of(const Event& event) {
  if (const CommOfRank* known = comms_.find(event.comm)) return *known;
  const std::optional<CommOfRank> comm = context_.comm(event.comm, rank_);
  if (!comm) fail("a communicator that the archive does not define");
  return comms_.put(event.comm, *comm);
}

std::int32_t LocationCompiler::peer_of(const Event& event, const CommOfRank& comm) const {
  if (event.peer == archive::kUndefined) return kNoPeer;
  if (event.peer >= comm.peers) fail(fmt::format("rank {} of a communicator of {}", event.peer, comm.peers));
  return static_cast<std::int32_t>(event.peer);
}

LocationCompiler::Message LocationCompiler::message_of(const Event& event) {
  Message message;
  const CommOfRank comm = comm_of(event);
  message.comm = comm.index;
  message.peer = peer_of(event, comm);
  message.tag = static_cast<std::int32_t>(event.tag);
  message.bytes = event.bytes;
  const archive::AttributeValue* mode = find(event, context_.attributes.send_mode);
  const std::string_view said = mode == nullptr ? std::string_view() : context_.definitions.strings[mode->string];
  if (call_.traits.is_synchronous || said == "synchronous") message.flags = kSynchronous;
  if (call_.traits.is_buffered || said == "buffered") message.flags = kBuffered;
  return message;
}

std::uint8_t LocationCompiler::posted_flags(const Event& event) const {
  unsigned flags = 0;
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == context_.attributes.posted_source && value.i64 < 0) flags |= kAnySource;
    if (value.attribute == context_.attributes.posted_tag && value.i64 < 0) flags |= kAnyTag;
  }
  return static_cast<std::uint8_t>(flags);
}

Operation LocationCompiler::operation_of(OpKind kind, const Message& message) {
  Operation operation;
  operation.kind = kind;
  operation.flags = message.flags;
  operation.comm = message.comm;
  operation.peer = message.peer;
  operation.tag = message.tag;
  operation.bytes = message.bytes;
  return operation;
}

Operation LocationCompiler::message_operation() {
  if (call_.receive) ++context_.tally.receives;
  if (call_.send) ++context_.tally.messages;
  if (!call_.traits.is_sendrecv && !call_.receive) return operation_of(OpKind::kSend, *call_.send);
  if (!call_.traits.is_sendrecv && !call_.send) return operation_of(OpKind::kRecv, *call_.receive);
  // One half may be missing: it went to or came from MPI_PROC_NULL.
  Operation operation = operation_of(OpKind::kSendrecv, call_.send.value_or(Message{}));
  const Message receive = call_.receive.value_or(Message{});
  if (!call_.send) operation.comm = receive.comm;
  operation.flags |= receive.flags;
  operation.extra = builder_.add(SendrecvTail{receive.peer, receive.tag, receive.bytes});
  return operation;
}

void LocationCompiler::post(const Event& event, OpKind kind) {
  const Request request{call_.first_operation + static_cast<std::uint32_t>(posts_.size()), slots_.take(), kind};
  Operation operation;
  operation.kind = kind;
  operation.extra = request.slot;
  if (kind == OpKind::kIsend) {
    operation = operation_of(kind, message_of(event));
    operation.extra = request.slot;
    ++context_.tally.messages;
  } else if (kind == OpKind::kIrecv) {
    operation = posted_receive(event);
    operation.extra = request.slot;
    ++context_.tally.receives;
  } else if (kind == OpKind::kNonBlockingCollective) {
    operation = posted_collective(event, request.slot);
  }
  posts_.push_back(operation);
  if (const Request* old = requests_.find(event.request)) abandon(*old);
  requests_.put(event.request, request);
}

// As the program asked for it; the record of its end, if there is one, tells what it became.
Operation LocationCompiler::posted_receive(const Event& event) {
  Operation operation;
  operation.kind = OpKind::kIrecv;
  operation.flags = posted_flags(event);
  const AttributeIds& ids = context_.attributes;
  const archive::AttributeValue *comm = find(event, ids.comm), *source = find(event, ids.posted_source),
                                *tag = find(event, ids.posted_tag), *bytes = find(event, ids.buffer_bytes);
  if (comm == nullptr || source == nullptr || tag == nullptr) return operation;
  Event posted = event;
  posted.comm = static_cast<std::uint32_t>(comm->u64);
  posted.peer = source->i64 < 0 ? archive::kUndefined : static_cast<std::uint32_t>(source->i64);
  const CommOfRank known = comm_of(posted);
  operation.comm = known.index;
  operation.peer = peer_of(posted, known);
  operation.tag = static_cast<std::int32_t>(std::max<std::int64_t>(tag->i64, 0));
  if (bytes != nullptr) operation.bytes = bytes->u64;
  return operation;
}

// Likewise. Without what it takes to be played (an archive of another tool) it has no tail yet.
Operation LocationCompiler::posted_collective(const Event& event, std::uint32_t slot) {
  const AttributeIds& ids = context_.attributes;
  const archive::AttributeValue *op = find(event, ids.collective), *comm = find(event, ids.comm),
                                *root = find(event, ids.root), *sent = find(event, ids.bytes_sent),
                                *received = find(event, ids.bytes_received);
  Operation operation;
  operation.kind = OpKind::kNonBlockingCollective;
  if (op == nullptr || comm == nullptr) return operation;
  Event posted = event;
  posted.collective = archive::collective_from_otf2(static_cast<OTF2_CollectiveOp>(op->u64));
  posted.comm = static_cast<std::uint32_t>(comm->u64);
  posted.peer = root == nullptr ? archive::kRootNone : static_cast<std::uint32_t>(root->u64);
  posted.bytes = sent == nullptr ? 0 : sent->u64;
  posted.received = received == nullptr ? 0 : received->u64;
  CollectiveTail tail{.request = slot};
  const std::optional<Operation> collective = collective_of_event(posted, tail);
  if (!collective) return operation;
  operation = *collective;
  operation.kind = OpKind::kNonBlockingCollective;
  operation.extra = builder_.add(tail);
  return operation;
}

// What was started and never seen to complete: the library goes on with it, so its messages come and go, but nobody
// waits for them.
Operation LocationCompiler::never_completed(Operation operation) {
  if (operation.kind == OpKind::kIrecv) {
    operation.flags |= kNotCompleted;
    if (operation.comm != kNone) return operation;
    operation.flags |= kAnySource | kAnyTag | kAnyComm;
    operation.comm = 0;
  }
  return operation;
}

// Its id is given to another request although it was never seen to complete.
void LocationCompiler::abandon(const Request& request) {
  ++context_.tally.replaced_requests;
  Operation& operation = started_by(request);
  if (request.kind == OpKind::kIrecv) operation = never_completed(operation);
  if (request.kind == OpKind::kNonBlockingCollective && operation.extra == kNone)
    operation = Operation{.kind = OpKind::kLocal, .call = operation.call, .site = operation.site};
}

// Nothing where another thread of the rank may have started it: only the calls of one are replayed.
std::optional<LocationCompiler::Request> LocationCompiler::take_request(std::uint64_t id) {
  const Request* found = requests_.find(id);
  if (found == nullptr && !context_.has_other_threads)
    fail(fmt::format("completion of request {}, which was not started", id));
  if (found == nullptr) {
    call_.waits_for_other_thread = true;
    return std::nullopt;
  }
  const Request request = *found;
  requests_.erase(id);
  return request;
}

Operation& LocationCompiler::started_by(const Request& request) {
  if (request.operation < call_.first_operation) return builder_.operation(request.operation);
  return posts_[request.operation - call_.first_operation];
}

void LocationCompiler::complete(const Request& request) {
  if (request.operation >= call_.first_operation)
    own_completions_.push_back({request.operation, request.slot});
  else
    completed_.push_back(request.slot);
}

void LocationCompiler::receive_completed(const Event& event) {
  Request request;
  if (requests_.find(event.request) != nullptr) {
    request = *take_request(event.request);
  } else if (context_.has_other_threads && next_unrecorded_ == unrecorded_posts_.size()) {
    call_.waits_for_other_thread = true;
    return;
  } else {
    // Without the record of the post: the oldest receive that has none. Its slot was never anybody else's.
    if (next_unrecorded_ == unrecorded_posts_.size())
      fail(fmt::format("completion of request {}, which was not started", event.request));
    request = {unrecorded_posts_[next_unrecorded_++], slots_.take_unused(), OpKind::kIrecv};
    started_by(request).kind = OpKind::kIrecv;
    started_by(request).extra = request.slot;
    ++context_.tally.receives_without_post;
    ++context_.tally.receives;
  }
  Operation& operation = started_by(request);
  const Message message = message_of(event);
  operation.comm = message.comm;
  operation.peer = message.peer;
  operation.tag = message.tag;
  operation.bytes = message.bytes;
  complete(request);
}

void LocationCompiler::request_cancelled(const Event& event) {
  const std::optional<Request> found = take_request(event.request);
  if (!found) return;
  const Request& request = *found;
  Operation& operation = started_by(request);
  operation = Operation{.kind = OpKind::kLocal, .call = operation.call, .site = operation.site};
  slots_.give_back(request.slot);
  ++context_.tally.cancelled;
}

// A request that the call which started it also completed: the blocking kind of the same operation.
void LocationCompiler::convert_own_completions() {
  for (const OwnCompletion& own : own_completions_) {
    Operation& operation = posts_[own.operation - call_.first_operation];
    slots_.give_back(own.slot);
    if (operation.kind == OpKind::kNonBlockingCollective) {
      operation.kind = OpKind::kCollective;
      continue;
    }
    operation.kind = operation.kind == OpKind::kIsend ? OpKind::kSend : OpKind::kRecv;
    operation.extra = kNone;
  }
  own_completions_.clear();
}

Operation LocationCompiler::wait() {
  Operation operation;
  operation.kind = OpKind::kWait;
  if (completed_.size() == 1) {
    operation.flags = kNoRequestList;
    operation.extra = completed_.front();
  } else {
    operation.extra = builder_.add_requests(completed_);
  }
  for (const std::uint32_t slot : completed_) slots_.give_back(slot);
  completed_.clear();
  return operation;
}

// "8,16,8"; behind the numbers stand the separators in turn.
const std::vector<std::uint64_t>& LocationCompiler::numbers(archive::StringId id, std::string_view separators) {
  const std::string& text = context_.definitions.strings[id];
  counts_.clear();
  const char* end = text.data() + text.size();
  for (const char* next = text.data(); next < end; ++next) {
    std::uint64_t count = 0;
    const auto [stop, error] = std::from_chars(next, end, count);
    if (error != std::errc() || (stop != end && *stop != separators[counts_.size() % separators.size()]))
      fail(fmt::format("'{}' is no list of numbers", text));
    counts_.push_back(count);
    next = stop;
  }
  return counts_;
}

std::uint32_t LocationCompiler::counts(const Event& event, std::uint32_t attribute, std::uint32_t ranks) {
  const archive::AttributeValue* value = find(event, attribute);
  if (value == nullptr) return kNone;
  if (numbers(value->string).size() != ranks)
    fail(fmt::format("{} numbers of bytes for {} ranks", counts_.size(), ranks));
  return builder_.add_counts(counts_);
}

std::optional<Operation> LocationCompiler::collective_of_event(const Event& event, CollectiveTail& tail) {
  const std::optional<Collective> collective = collective_of(event.collective);
  if (!collective) return std::nullopt;
  const CommOfRank comm = comm_of(event);
  Operation operation;
  operation.kind = OpKind::kCollective;
  operation.comm = comm.index;
  operation.tag = static_cast<std::int32_t>(*collective);
  // The root of an intercommunicator's other group has no number here.
  operation.peer = comm.is_inter && event.peer >= comm.peers ? kNoPeer : peer_of(event, comm);
  const CollectivePlace place{comm.size, comm.own == kNone ? 0 : comm.own,
                              operation.peer >= 0 && static_cast<std::uint32_t>(operation.peer) == comm.own};
  const CollectiveSizes sizes = collective_sizes(*collective, {event.bytes, event.received}, place, !context_.is_ours);
  operation.bytes = sizes.sent;
  tail.received = sizes.received;
  tail.sent_counts = counts(event, context_.attributes.counts_sent, comm.peers);
  tail.received_counts = counts(event, context_.attributes.counts_received, comm.peers);
  return operation;
}

void LocationCompiler::collective_ended(const Event& event) {
  call_.tail = {};
  if (const std::optional<Operation> collective = collective_of_event(event, call_.tail)) {
    call_.collective = *collective;
    call_.collective.extra = builder_.add(call_.tail);
    call_.has_collective = true;
  } else if (event.collective == archive::CollectiveOp::kCreateHandle) {
    const CommOfRank comm = comm_of(event);
    if (!comm.is_inter) call_.created_comm = comm.index;
  }
}

// Without a record of the parent, those who get the new communicator have certainly met.
void LocationCompiler::comm_created(const Event& event) {
  if (call_.created_comm != kNone) return;
  const CommOfRank comm = comm_of(event);
  if (!comm.is_inter && comm.own != kNone) call_.created_comm = comm.index;
}

void LocationCompiler::collective_completed(const Event& event) {
  const std::optional<Request> found = take_request(event.request);
  if (!found) return;
  const Request& request = *found;
  if (started_by(request).extra != kNone) return complete(request);  // described when it was started
  CollectiveTail tail{.request = request.slot};
  std::optional<Operation> collective = collective_of_event(event, tail);
  Operation& operation = started_by(request);
  if (!collective) {
    operation = Operation{.kind = OpKind::kUnmodelled, .call = operation.call, .site = operation.site};
    if (request.operation < call_.first_operation)
      builder_.not_judged(request.operation, "non-blocking collective of a kind that is not modelled");
    slots_.give_back(request.slot);
    return;
  }
  operation.comm = collective->comm;
  operation.tag = collective->tag;
  operation.peer = collective->peer;
  operation.bytes = collective->bytes;
  operation.extra = builder_.add(tail);
  complete(request);
}

}  // namespace plumbline::replay
