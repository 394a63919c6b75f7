#include "tracer/record/decoders/request_events.hpp"

#include <fmt/format.h>

#include "tracer/record/decoders/collective_events.hpp"
#include "tracer/record/decoders/message_events.hpp"
#include "tracer/record/decoders/poll_events.hpp"
#include "tracer/record/events/completions.hpp"

namespace plumbline::record {
namespace {

using archive::Event;
using archive::EventKind;

using Kind = OpenRequest::Kind;

// ---- Starts

// Makes the words of what was started those of a non-blocking call; false when a layout cannot be started.
bool set_request(std::vector<std::uint64_t>& payload, std::uint32_t layout, std::uint64_t request) {
  struct Place {
    std::size_t word;
    int shift;
  };
  std::optional<Place> place;
  if (layout == PL_LAYOUT_SEND || layout == PL_LAYOUT_RECV) place = {2, 32};
  if (layout == PL_LAYOUT_COLLECTIVE) place = {3, 0};
  if (layout == PL_LAYOUT_NEIGHBOUR) place = {0, 32};
  if (!place || payload.size() <= place->word) return false;
  payload[place->word] |= request << place->shift;
  return true;
}

// As if the operation had been started by its non-blocking call.
void start(DecodingState& t, const OpenCall& call, const pl_started_payload& what) {
  t.process.requests.put(what.request);
  const auto fact = t.process.facts().persistents.find(what.persistent);
  if (fact == t.process.facts().persistents.end()) return;
  const FunctionFact& function = fact->second.function;
  std::vector<std::uint64_t> payload = fact->second.payload;
  if (!set_request(payload, function.layout, what.request)) {
    ++t.process.tally.short_records;
    return;
  }
  spool::Record record = call.record;
  record.payload = payload;
  record.unpacked = false;
  OpenCall started(record);
  started.begin = call.begin;
  started.function = &function;
  t.out.attach(t.ids.persistent, what.persistent);
  if (function.layout == PL_LAYOUT_SEND) begin_send(t, started);
  if (function.layout == PL_LAYOUT_RECV) begin_receive(t, started);
  if (function.layout == PL_LAYOUT_COLLECTIVE) begin_collective(t, started);
  if (function.layout == PL_LAYOUT_NEIGHBOUR) begin_neighbour(t, started);
  t.out.drop_attached();  // there was nothing to tell: a message to nobody, or what OTF2 has no record for
}

// ---- Completions

void complete_send_of(DecodingState& t, const OpenRequest& both, Time time) {
  if (both.send == 0) return;
  const OpenRequest* send = t.process.posted(both.send);
  if (send == nullptr) return;
  const bool is_message = send->kind == Kind::kSend;  // not to MPI_PROC_NULL
  t.process.requests.erase(both.send);
  if (!is_message) return;
  Event event;
  event.kind = EventKind::kMpiIsendComplete;
  event.request = both.send;
  t.out.emit(event, time);
}

// What the end of a receive tells of its message; false: it has failed.
bool fill_in_message(const OpenRequest& open, const pl_completion& completion, Event& event) {
  const bool as_posted = (completion.bytes_flags & PL_PEER_AS_POSTED) != 0;
  const std::int32_t source = as_posted ? open.posted_source : completion.source;
  event.kind = EventKind::kMpiIrecv;
  event.comm = open.comm;
  event.peer = static_cast<std::uint32_t>(source);
  event.tag = static_cast<std::uint32_t>(as_posted ? open.posted_tag : completion.tag);
  return source >= 0;
}

void fill_in_collective(DecodingState& t, const OpenRequest& open, Event& event) {
  event.kind = EventKind::kNonBlockingCollectiveComplete;
  event.collective = open.op;
  event.comm = open.comm;
  event.peer = open.root;
  event.bytes = open.sent;
  event.received = open.received;
  if (open.counts_sent) t.out.attach_string(t.ids.counts_sent, *open.counts_sent);
  if (open.counts_received) t.out.attach_string(t.ids.counts_received, *open.counts_received);
}

// False: nothing is to be told of it.
bool fill_in_completion(DecodingState& t, const OpenRequest& open, const pl_completion& completion, Event& event) {
  switch (open.kind) {
    case Kind::kNothing:
    case Kind::kUndescribed:
      return false;
    case Kind::kSend:
      event.kind = EventKind::kMpiIsendComplete;
      event.bytes = 0;
      return true;
    case Kind::kReceive:
      return fill_in_message(open, completion, event);
    case Kind::kCollective:
      fill_in_collective(t, open, event);
      return true;
    case Kind::kIo:
      event.kind = EventKind::kIoOperationComplete;
      event.io_handle = open.handle;
      t.process.tally.io_bytes += event.bytes;
      return true;
    case Kind::kOneSided:
      event.kind = EventKind::kRmaOpCompleteNonBlocking;
      event.window = open.handle;
      event.bytes = 0;
      t.epochs[event.window].waited(event.request);
      return true;
  }
  return false;
}

void complete(DecodingState& t, std::uint64_t request, const pl_completion& completion, Time time) {
  const OpenRequest* found = t.process.posted(request);
  if (found == nullptr) {
    if (!t.process.facts().has_gaps()) ++t.process.tally.unknown_requests;  // else posted in one of them
    return;
  }
  const OpenRequest open = *found;
  t.process.requests.erase(request);
  complete_send_of(t, open, time);
  Event event;
  event.request = request;
  const bool all_bytes = (completion.bytes_flags & PL_BYTES_AS_POSTED) != 0;
  event.bytes = all_bytes ? open.asked : completion.bytes_flags & PL_COMPLETION_BYTES;
  if ((completion.bytes_flags & PL_CANCELLED) != 0) {
    event.kind = EventKind::kMpiRequestCancelled;
    if (open.kind != Kind::kNothing) t.out.emit(event, time);
    return;
  }
  if (fill_in_completion(t, open, completion, event)) t.out.emit(event, time);
}

void tell_test(DecodingState& t, std::uint32_t request, const OpenRequest& open, Time time) {
  const bool one_sided = open.kind == Kind::kOneSided;
  Event event;
  event.kind = one_sided ? EventKind::kRmaOpTest : EventKind::kMpiRequestTest;
  if (one_sided) event.window = open.handle;
  event.request = request;
  t.out.emit(event, time);
}

void add_to_list(std::string& list, std::uint32_t request) {
  list += fmt::format("{}{}", list.empty() ? "" : ",", request);
}

bool is_for_nothing(DecodingState& t, std::uint32_t request) {
  if (request == 0) return true;
  const OpenRequest* open = t.process.posted(request);
  return open != nullptr && open->kind == Kind::kNothing;
}

}  // namespace

void begin_start(DecodingState& t, OpenCall& call) {
  spool::for_each_started(call.payload(), [&](const pl_started_payload& what) {
    if (what.request != 0) start(t, call, what);
  });
}

void wait_attributes(DecodingState& t, const OpenCall& call) {
  poll_attributes(t, call, call.as<pl_wait_payload>().polls);
  const std::string_view name = call.function->name;
  if (!name.starts_with("MPI_Wait") && !name.starts_with("MPI_Test")) return;  // MPI_Request_free waits for nothing
  const Completions completions(call.payload());
  const std::size_t n = completions.listed();
  bool all = call.record.done;
  for (std::size_t i = 0; i < n && all; ++i)
    all = completions.is_completed(i) || is_for_nothing(t, completions.request(i));
  if (all) return;
  std::string list;
  for (std::size_t i = 0; i < n; ++i)
    if (!is_for_nothing(t, completions.request(i))) add_to_list(list, completions.request(i));
  t.out.attach_text(t.ids.waits, list);
}

void end_wait(DecodingState& t, const OpenCall& call, Time time) {
  const Completions completions(call.payload());
  if (!completions.are_whole()) {
    ++t.process.tally.short_records;
    return;
  }
  const bool is_test = call.function->name.starts_with("MPI_Test");
  const bool leaves_it = call.function->name == "MPI_Request_get_status";
  std::string undescribed;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    const std::uint32_t request = completions.request(i);
    if (request == 0) continue;
    const OpenRequest* open = t.process.posted(request);
    if (completions.is_completed(i)) {
      if (open != nullptr && open->kind == Kind::kUndescribed) add_to_list(undescribed, request);
      complete(t, request, completions[i], time);
      if (leaves_it) t.process.requests.put(request);  // the program has it still; there is nothing more to tell of it
    } else if (is_test && open != nullptr) {
      tell_test(t, request, *open, time);
    }
  }
  t.out.attach_text(t.ids.completed, undescribed);  // of the Leave
}

}  // namespace plumbline::record
