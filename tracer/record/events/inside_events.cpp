#include "tracer/record/events/inside_events.hpp"

#include <algorithm>
#include <limits>

namespace plumbline::record {

using archive::Event;
using archive::EventKind;
using archive::kUndefined;

namespace {

constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};

constexpr auto kEndsLater = [](const auto& a, const auto& b) {
  return a.end != b.end ? a.end > b.end : a.number > b.number;
};

}  // namespace

// ---- Calls of the program.

void InsideEvents::begin_call(std::uint32_t region, Time begin) {
  Call& call = call_.emplace();  // filled there: a copy would wait for it
  call.region = region;
  call.index = calls_++;
  call.begin = begin;
}

void InsideEvents::enter() {
  if (!call_ || call_->entered) return;
  call_->entered = true;
  out_.attach(ids_.call, call_->index);
  Event event;
  event.kind = EventKind::kEnter;
  event.region = call_->region;
  out_.emit(event, call_->begin);
}

// An end at the time when a call begins is inside of it, one at the time when it ends too.
void InsideEvents::write_ends_until(Time time) {
  while (!ends_.empty() && ends_.front().end <= time) {
    if (call_ && ends_.front().end >= call_->begin) enter();
    std::ranges::pop_heap(ends_, kEndsLater);
    const Message message = ends_.back();
    ends_.pop_back();
    write_end(message);
  }
}

void InsideEvents::reach(Time time) {
  write_ends_until(time);
  enter();
}

void InsideEvents::end_call(Time end, bool unfinished, const std::vector<std::uint64_t>& started) {
  if (!call_) return;
  owners_.end_of_call(call_->index, started);
  write_ends_until(end);
  if (call_->entered) {
    if (unfinished) out_.attach(ids_.unfinished, 1);
    Event event;
    event.kind = EventKind::kLeave;
    event.region = call_->region;
    out_.emit(event, end);
  }
  call_.reset();
}

void InsideEvents::finish() { write_ends_until(kNever); }

void InsideEvents::add(const Event& event, Time time) {
  reach(time);
  Event at = event;
  out_.emit_complete(at, time);
}

// ---- Messages.

const InnerEndFact* InsideEvents::late_end(std::uint32_t number, std::uint64_t posted) const {
  const std::vector<InnerEndFact>& ends = process_.facts().inner_ends;
  const auto end = std::ranges::lower_bound(
      ends, std::pair(number, posted), {}, [](const InnerEndFact& fact) { return std::pair(fact.number, fact.ticks); });
  return end == ends.end() || end->number != number ? nullptr : &*end;
}

InsideEvents::Message InsideEvents::message_of(const spool::Record& record, bool is_send) {
  const auto posted = spool::decode<pl_inner_message_payload>(record.payload);
  const InnerEndFact* late = record.done ? nullptr : late_end(posted.number, record.begin);
  const std::uint64_t bytes_flags = late != nullptr ? late->bytes_flags : posted.bytes_flags;
  Message message;
  message.is_send = is_send;
  message.context = posted.context;
  message.number = posted.number;
  message.posted = process_.time(record.begin);
  message.peer = late != nullptr ? late->peer : posted.peer;
  message.tag = late != nullptr ? late->tag : posted.tag;
  message.bytes = bytes_flags & PL_INNER_BYTES;
  message.flags = static_cast<std::uint32_t>(bytes_flags >> 48);
  message.flags |= static_cast<std::uint32_t>(posted.bytes_flags >> 48) & (PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG);
  message.ended = record.done || late != nullptr;
  if (message.ended) message.end = std::max(message.posted, process_.time(late != nullptr ? late->ticks : record.end));
  return message;
}

std::optional<std::uint32_t> InsideEvents::peer_of(const Message& message, Time when) const {
  const auto peer = static_cast<std::uint32_t>(message.peer);
  if ((message.flags & PL_INNER_RANK_IN_CONTEXT) == 0)
    return peer < process_.world().ranks() ? std::optional(peer) : std::nullopt;
  if (message.is_send) return std::nullopt;  // only receivers are told
  return peers_.sender(message.context, peer, process_.rank(), when);
}

void InsideEvents::post(const spool::Record& record, bool is_send, const std::vector<std::uint64_t>& started) {
  if (record.payload.size() < PL_WORDS_OF(pl_inner_message_payload)) {
    ++process_.tally.short_records;
    return;
  }
  if (process_.rank() >= process_.world().ranks()) return;  // damaged: there is no MPI in this process
  const Message message = message_of(record, is_send);
  reach(message.posted);
  std::optional<std::uint64_t> belongs_to;
  if (call_) belongs_to = owners_.owner(message.context, message.tag, call_->index, started);
  write_post(message, belongs_to);
  if (!message.ended) return;
  ends_.push_back(message);
  std::ranges::push_heap(ends_, kEndsLater);
}

void InsideEvents::write_post(const Message& message, std::optional<std::uint64_t> belongs_to) {
  Event event;
  event.request = message.number;
  if (belongs_to) out_.attach(ids_.belongs_to, *belongs_to);
  if (message.is_send) {
    const std::optional<std::uint32_t> peer = peer_of(message, message.posted);
    if (!peer) ++process_.tally.unknown_inner_peers;
    event.kind = EventKind::kMpiIsend;
    event.comm = process_.world().context(message.context);
    event.peer = peer.value_or(kUndefined);
    event.tag = static_cast<std::uint32_t>(message.tag);
    event.bytes = message.bytes;
  } else {
    event.kind = EventKind::kMpiIrecvRequest;
  }
  post_attributes(message);
  out_.emit(event, message.posted);
}

void InsideEvents::post_attributes(const Message& message) {
  const auto has = [&](std::uint32_t flag) { return (message.flags & flag) != 0; };
  if (message.is_send) {
    if (has(PL_INNER_UNKNOWN_BYTES)) out_.attach(ids_.unknown_bytes, 1);
    if (!has(PL_INNER_SYNCHRONOUS)) return;
    out_.attach_string(ids_.send_mode, process_.world().string("synchronous"));
    return;
  }
  out_.attach(ids_.comm, process_.world().context(message.context));
  if (has(PL_INNER_ANY_SOURCE)) {
    out_.attach_signed(ids_.posted_source, -1);
  } else if (const auto peer = peer_of(message, message.ended ? message.end : message.posted)) {
    out_.attach_signed(ids_.posted_source, *peer);
  }
  out_.attach_signed(ids_.posted_tag,
                     has(PL_INNER_ANY_TAG) ? -1 : std::int64_t{static_cast<std::uint32_t>(message.tag)});
  if (!message.ended && !has(PL_INNER_UNKNOWN_BYTES)) out_.attach(ids_.buffer_bytes, message.bytes);
}

void InsideEvents::write_end(const Message& message) {
  Event event;
  event.request = message.number;
  if ((message.flags & PL_INNER_FAILED) != 0) {
    event.kind = EventKind::kMpiRequestCancelled;
  } else if (message.is_send) {
    event.kind = EventKind::kMpiIsendComplete;
  } else {
    const std::optional<std::uint32_t> peer = peer_of(message, message.end);
    if (!peer) ++process_.tally.unknown_inner_peers;
    if ((message.flags & PL_INNER_UNKNOWN_BYTES) != 0) out_.attach(ids_.unknown_bytes, 1);
    event.kind = EventKind::kMpiIrecv;
    event.comm = process_.world().context(message.context);
    event.peer = peer.value_or(kUndefined);
    event.tag = static_cast<std::uint32_t>(message.tag);
    event.bytes = message.bytes;
  }
  out_.emit(event, message.end);
}

}  // namespace plumbline::record
