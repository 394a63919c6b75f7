// Messages, waits and collectives of a thread.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tracer/archive/otf2_values.hpp"
#include "tracer/record/thread_events.hpp"

namespace plumbline::record {
namespace {

using archive::CollectiveOp;
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

// By the name without "MPI_", the I of the non-blocking form, and the endings of the persistent and the large one.
CollectiveOp collective_op(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, CollectiveOp>, 17> kOps = {{
      {"arrier", CollectiveOp::kBarrier},
      {"cast", CollectiveOp::kBcast},
      {"ather", CollectiveOp::kGather},
      {"atherv", CollectiveOp::kGatherv},
      {"catter", CollectiveOp::kScatter},
      {"catterv", CollectiveOp::kScatterv},
      {"llgather", CollectiveOp::kAllgather},
      {"llgatherv", CollectiveOp::kAllgatherv},
      {"lltoall", CollectiveOp::kAlltoall},
      {"lltoallv", CollectiveOp::kAlltoallv},
      {"lltoallw", CollectiveOp::kAlltoallw},
      {"llreduce", CollectiveOp::kAllreduce},
      {"educe", CollectiveOp::kReduce},
      {"educe_scatter", CollectiveOp::kReduceScatter},
      {"educe_scatter_block", CollectiveOp::kReduceScatterBlock},
      {"can", CollectiveOp::kScan},
      {"xscan", CollectiveOp::kExscan},
  }};
  if (!name.starts_with("MPI_")) return CollectiveOp::kOther;
  name.remove_prefix(4);
  for (const std::string_view ending : {"_c", "_init"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  if (name.starts_with("I")) name.remove_prefix(1);
  if (name.starts_with("Bcast") || name.starts_with("bcast")) return CollectiveOp::kBcast;
  if (name.empty()) return CollectiveOp::kOther;
  name.remove_prefix(1);  // upper case, or lower after the I
  for (const auto& [text, op] : kOps)
    if (name == text) return op;
  return CollectiveOp::kOther;
}

std::uint32_t root_of(std::int32_t recorded) {
  if (recorded == -2) return archive::kRootThisGroup;
  if (recorded == -3) return archive::kRootSelf;
  return recorded < 0 ? archive::kRootNone : static_cast<std::uint32_t>(recorded);
}

// "8,16,8"; nothing for no numbers.
std::string list(const Words& words, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = first; i < first + count && i < words.size(); ++i)
    text += fmt::format("{}{}", text.empty() ? "" : ",", words[i]);
  return text;
}

// "3:16,5:16": rank and bytes of the neighbours, whose blocks lie from word `first` on.
std::string exchanges(const std::vector<std::uint32_t>& neighbours, const Words& words, std::size_t first,
                      std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count && i < neighbours.size(); ++i)
    if (static_cast<std::int32_t>(neighbours[i]) != PL_PROC_NULL)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", neighbours[i], words[first + i]);
  return text;
}

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

// Who takes part in making a communicator: all of the parent, or others.
bool made_by_the_parent(std::string_view name) {
  return name != "MPI_Comm_create_group" && !name.starts_with("MPI_Intercomm_create") &&
         !name.starts_with("MPI_Comm_spawn") && name != "MPI_Comm_accept" && name != "MPI_Comm_connect";
}

bool ends_a_communicator(std::string_view name) { return name == "MPI_Comm_free" || name == "MPI_Comm_disconnect"; }

}  // namespace

void ThreadEvents::begin_send(const OpenCall& frame, const Words& words) {
  if (!words.has(3)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::int32_t dest = words.low_signed(0);
  const bool blocking = frame.function->layout == PL_LAYOUT_SENDRECV || words.high(2) == 0;
  if (dest < 0) {
    if (!blocking) state_.process.requests.put(words.high(2));
    return;
  }
  Event event;
  event.comm = state_.process.comm(words.low(2));
  if (event.comm == kUndefined) return;
  event.kind = blocking ? EventKind::kMpiSend : EventKind::kMpiIsend;
  event.peer = static_cast<std::uint32_t>(dest);
  event.tag = words.high(0);
  event.bytes = words[1];
  if (!blocking) {
    event.request = words.high(2);
    state_.process.requests.put(event.request).kind = OpenRequest::Kind::kSend;
  }
  state_.process.tally.message_bytes += event.bytes;
  state_.out.attach_text(state_.ids.send_mode, send_mode(frame.function->name));
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::begin_receive(const OpenCall& frame, const Words& words) {
  if (!words.has(3)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::uint32_t request = words.high(2);
  if (request == 0) return;
  OpenRequest& open = state_.process.requests.put(request);
  open.comm = state_.process.comm(words.low(2));
  if (words.low_signed(0) == PL_PROC_NULL || open.comm == kUndefined) return;
  open.kind = OpenRequest::Kind::kReceive;
  open.posted_source = words.low_signed(0);
  open.posted_tag = words.high_signed(0);
  open.asked = words[1];
  Event event;
  event.kind = EventKind::kMpiIrecvRequest;
  event.request = request;
  state_.out.attach_signed(state_.ids.posted_source, words.low_signed(0));
  state_.out.attach_signed(state_.ids.posted_tag, words.high_signed(0));
  state_.out.attach(state_.ids.buffer_bytes, words[1]);
  state_.out.attach(state_.ids.comm, open.comm);
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::end_receive(std::int32_t source, std::int32_t tag, std::uint64_t bytes, std::uint32_t comm,
                               std::int32_t posted_source, std::int32_t posted_tag, Time time) {
  if (source < 0) return;  // MPI_PROC_NULL, or the call failed
  Event event;
  event.comm = state_.process.comm(comm);
  if (event.comm == kUndefined) return;
  event.kind = EventKind::kMpiRecv;
  event.peer = static_cast<std::uint32_t>(source);
  event.tag = static_cast<std::uint32_t>(tag);
  event.bytes = bytes;
  if (posted_source != source) state_.out.attach_signed(state_.ids.posted_source, posted_source);
  if (posted_tag != tag) state_.out.attach_signed(state_.ids.posted_tag, posted_tag);
  state_.out.emit(event, time);
}

void ThreadEvents::begin_isendrecv(const OpenCall& frame, const Words& words) {
  if (!words.has(6)) {
    ++state_.process.tally.short_records;
    return;
  }
  begin_send(frame, words);
  begin_receive(frame, Words(frame.payload().subspan(3)));
  if (OpenRequest* both = state_.process.requests.find(words.high(5))) both->send = words.high(2);
}

void ThreadEvents::begin_start(const OpenCall& frame, const Words& words) {
  const std::size_t n = words.low(0);
  for (std::size_t i = 1; i <= n && i < words.size(); ++i)
    if (words.high(i) != 0) start(frame, words.low(i), words.high(i));
}

// As if the operation had been started by its non-blocking call.
void ThreadEvents::start(const OpenCall& frame, std::uint32_t persistent, std::uint32_t request) {
  state_.process.requests.put(request);
  const auto fact = state_.process.facts().persistents.find(persistent);
  if (fact == state_.process.facts().persistents.end()) return;
  const FunctionFact& function = fact->second.function;
  std::vector<std::uint64_t> payload = fact->second.payload;
  if (!set_request(payload, function.layout, request)) {
    ++state_.process.tally.short_records;
    return;
  }
  OpenCall started(frame.record);
  started.begin = frame.begin;
  started.function = &function;
  state_.out.attach(state_.ids.persistent, persistent);
  const Words words(payload);
  if (function.layout == PL_LAYOUT_SEND) begin_send(started, words);
  if (function.layout == PL_LAYOUT_RECV) begin_receive(started, words);
  if (function.layout == PL_LAYOUT_COLLECTIVE) begin_collective(started, words);
  if (function.layout == PL_LAYOUT_NEIGHBOUR) begin_neighbour(words);
  state_.out.drop_attached();  // there was nothing to tell: a message to nobody, or what OTF2 has no record for
}

void ThreadEvents::begin_neighbour(const Words& words) {
  if (words.high(0) != 0) state_.process.requests.put(words.high(0)).kind = OpenRequest::Kind::kUndescribed;
}

void ThreadEvents::neighbour_attributes(const Words& words) {
  const std::size_t to = words.low(1), from = words.high(1);
  if (const std::uint32_t comm = state_.process.comm(words.low(0)); comm != kUndefined)
    state_.out.attach(state_.ids.comm, comm);
  if (words.high(0) != 0) state_.out.attach(state_.ids.request, words.high(0));
  const auto fact = state_.process.facts().comms.find(words.low(0));
  if (fact == state_.process.facts().comms.end()) return;
  state_.out.attach_text(state_.ids.neighbours_sent, exchanges(fact->second.neighbours_to, words, 2, to));
  state_.out.attach_text(state_.ids.neighbours_received, exchanges(fact->second.neighbours_from, words, 2 + to, from));
}

void ThreadEvents::wait_attributes(const OpenCall& frame, const Words& words) {
  const std::size_t n = words.low(0), ids = 2, completions = ids + (n + 1) / 2;
  poll_attributes(frame, words.high(1));
  const std::string_view name = frame.function->name;
  if (!name.starts_with("MPI_Wait") && !name.starts_with("MPI_Test")) return;  // MPI_Request_free waits for nothing
  const auto is_completed = [&](std::size_t i) { return (words[completions + 2 * i] & PL_COMPLETED) != 0; };
  const auto is_for_nothing = [&](std::uint32_t request) {
    if (request == 0) return true;
    const OpenRequest* open = state_.process.posted(request);
    return open != nullptr && open->kind == OpenRequest::Kind::kNothing;
  };
  const std::size_t listed = std::min(n, words.size() > ids ? 2 * (words.size() - ids) : 0);
  bool all = frame.record.done;
  for (std::size_t i = 0; i < listed && all; ++i) all = is_completed(i) || is_for_nothing(words.half(ids, i));
  if (all) return;
  std::string list;
  for (std::size_t i = 0; i < listed; ++i) {
    const std::uint32_t request = words.half(ids, i);
    if (!is_for_nothing(request)) list += fmt::format("{}{}", list.empty() ? "" : ",", request);
  }
  state_.out.attach_text(state_.ids.waits, list);
}

void ThreadEvents::end_wait(const OpenCall& frame, const Words& words, Time time) {
  const std::size_t n = words.low(0), ids = 2, completions = ids + (n + 1) / 2;
  if (!words.has(completions + 2 * n)) {
    ++state_.process.tally.short_records;
    return;
  }
  const bool is_test = frame.function->name.starts_with("MPI_Test");
  const bool leaves_it = frame.function->name == "MPI_Request_get_status";
  std::string undescribed;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t request = words.half(ids, i);
    if (request == 0) continue;
    pl_completion completion;
    const std::uint64_t raw[2] = {words[completions + 2 * i], words[completions + 2 * i + 1]};
    std::memcpy(&completion, raw, sizeof completion);
    const OpenRequest* open = state_.process.posted(request);
    if ((completion.bytes_flags & PL_COMPLETED) != 0) {
      if (open != nullptr && open->kind == OpenRequest::Kind::kUndescribed)
        undescribed += fmt::format("{}{}", undescribed.empty() ? "" : ",", request);
      complete(request, completion, time);
      if (leaves_it)
        state_.process.requests.put(request);  // the program has it still; there is nothing more to tell of it
    } else if (is_test && open != nullptr) {
      const bool one_sided = open->kind == OpenRequest::Kind::kOneSided;
      Event event;
      event.kind = one_sided ? EventKind::kRmaOpTest : EventKind::kMpiRequestTest;
      if (one_sided) event.window = open->handle;
      event.request = request;
      state_.out.emit(event, time);
    }
  }
  state_.out.attach_text(state_.ids.completed, undescribed);  // of the Leave
}

void ThreadEvents::complete_send_of(const OpenRequest& both, Time time) {
  if (both.send == 0) return;
  const OpenRequest* send = state_.process.posted(both.send);
  if (send == nullptr) return;
  const bool is_message = send->kind == OpenRequest::Kind::kSend;  // not to MPI_PROC_NULL
  state_.process.requests.erase(both.send);
  if (!is_message) return;
  Event event;
  event.kind = EventKind::kMpiIsendComplete;
  event.request = both.send;
  state_.out.emit(event, time);
}

void ThreadEvents::complete(std::uint64_t request, const pl_completion& completion, Time time) {
  const OpenRequest* found = state_.process.posted(request);
  if (found == nullptr) {
    if (!state_.process.facts().has_gaps()) ++state_.process.tally.unknown_requests;  // else posted in one of them
    return;
  }
  const OpenRequest open = *found;
  state_.process.requests.erase(request);
  complete_send_of(open, time);
  Event event;
  event.request = request;
  const bool all_bytes = (completion.bytes_flags & PL_BYTES_AS_POSTED) != 0;
  event.bytes = all_bytes ? open.asked : completion.bytes_flags & PL_COMPLETION_BYTES;
  const bool as_posted = (completion.bytes_flags & PL_PEER_AS_POSTED) != 0;
  const std::int32_t source = as_posted ? open.posted_source : completion.source;
  if ((completion.bytes_flags & PL_CANCELLED) != 0) {
    event.kind = EventKind::kMpiRequestCancelled;
    if (open.kind != OpenRequest::Kind::kNothing) state_.out.emit(event, time);
    return;
  }
  switch (open.kind) {
    case OpenRequest::Kind::kNothing:
    case OpenRequest::Kind::kUndescribed:
      return;
    case OpenRequest::Kind::kSend:
      event.kind = EventKind::kMpiIsendComplete;
      event.bytes = 0;
      break;
    case OpenRequest::Kind::kReceive:
      if (source < 0) return;  // failed
      event.kind = EventKind::kMpiIrecv;
      event.comm = open.comm;
      event.peer = static_cast<std::uint32_t>(source);
      event.tag = static_cast<std::uint32_t>(as_posted ? open.posted_tag : completion.tag);
      break;
    case OpenRequest::Kind::kCollective:
      event.kind = EventKind::kNonBlockingCollectiveComplete;
      event.collective = open.op;
      event.comm = open.comm;
      event.peer = open.root;
      event.bytes = open.sent;
      event.received = open.received;
      if (open.counts_sent) state_.out.attach_string(state_.ids.counts_sent, *open.counts_sent);
      if (open.counts_received) state_.out.attach_string(state_.ids.counts_received, *open.counts_received);
      break;
    case OpenRequest::Kind::kIo:
      event.kind = EventKind::kIoOperationComplete;
      event.io_handle = open.handle;
      state_.process.tally.io_bytes += event.bytes;
      break;
    case OpenRequest::Kind::kOneSided:
      event.kind = EventKind::kRmaOpCompleteNonBlocking;
      event.window = open.handle;
      event.bytes = 0;
      state_.epochs[event.window].waited(request);
      break;
  }
  state_.out.emit(event, time);
}

// What its completion tells again: the program may never ask for that.
void ThreadEvents::describe_collective(const OpenRequest& open) {
  state_.out.attach(state_.ids.comm, open.comm);
  state_.out.attach(state_.ids.collective, archive::to_otf2(open.op));
  if (open.root != archive::kRootNone) state_.out.attach(state_.ids.root, open.root);
  state_.out.attach(state_.ids.bytes_sent, open.sent);
  state_.out.attach(state_.ids.bytes_received, open.received);
  if (open.counts_sent) state_.out.attach_string(state_.ids.counts_sent, *open.counts_sent);
  if (open.counts_received) state_.out.attach_string(state_.ids.counts_received, *open.counts_received);
}

void ThreadEvents::begin_collective(const OpenCall& frame, const Words& words) {
  if (!words.has(3)) {
    ++state_.process.tally.short_records;
    return;
  }
  const CollectiveOp op = collective_op(frame.function->name);
  const std::uint32_t comm = state_.process.comm(words.low(0));
  const std::uint32_t request = words.low(3);
  if (op == CollectiveOp::kOther || comm == kUndefined) {
    if (request != 0) state_.process.requests.put(request);
    return;
  }
  Event event;
  event.kind = EventKind::kMpiCollectiveBegin;
  if (request != 0) {
    OpenRequest& open = state_.process.requests.put(request);
    open.kind = OpenRequest::Kind::kCollective;
    open.comm = comm;
    open.op = op;
    open.root = root_of(words.high_signed(0));
    open.sent = words[1];
    open.received = words[2];
    const std::string sent = list(words, 5, words.low(4)), received = list(words, 5 + words.low(4), words.high(4));
    if (!sent.empty()) open.counts_sent = state_.world.definitions.strings.intern(sent);
    if (!received.empty()) open.counts_received = state_.world.definitions.strings.intern(received);
    event.kind = EventKind::kNonBlockingCollectiveRequest;
    event.request = request;
    describe_collective(open);
  }
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::end_collective(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(3) || words.low(3) != 0) return;  // damaged, or non-blocking
  Event event;
  event.kind = EventKind::kMpiCollectiveEnd;
  event.collective = collective_op(frame.function->name);
  event.comm = state_.process.known_comm(words.low(0));
  if (event.collective == CollectiveOp::kOther || event.comm == kUndefined) return;
  event.peer = root_of(words.high_signed(0));
  event.bytes = words[1];
  event.received = words[2];
  state_.out.attach_text(state_.ids.counts_sent, list(words, 5, words.low(4)));
  state_.out.attach_text(state_.ids.counts_received, list(words, 5 + words.low(4), words.high(4)));
  state_.out.emit(event, time);
}

// Making and freeing a communicator synchronises like a collective of those who take part.
void ThreadEvents::begin_comm(const OpenCall& frame, const Words& words) {
  if (!words.has(2)) return;
  if (words.high(0) != 0) {
    state_.process.requests.put(words.high(0)).kind = OpenRequest::Kind::kUndescribed;
    return;
  }
  if (words.low(0) == PL_COMM_NULL || state_.process.comm(words.low(0)) == kUndefined) return;
  const std::string_view name = frame.function->name;
  if (!made_by_the_parent(name)) return;
  Event event;
  event.kind = EventKind::kMpiCollectiveBegin;
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::end_comm(const OpenCall& frame, const Words& words, Time time) {
  if (!words.has(2) || words.high(0) != 0) return;  // MPI_Comm_idup: nobody has met anybody yet
  const std::string_view name = frame.function->name;
  const std::uint32_t comm = state_.process.known_comm(words.low(0));
  Event event;
  if (made_by_the_parent(name) && comm != kUndefined) {
    event.kind = EventKind::kMpiCollectiveEnd;
    event.collective = ends_a_communicator(name) ? CollectiveOp::kDestroyHandle : CollectiveOp::kCreateHandle;
    event.comm = comm;
    event.peer = archive::kRootNone;
    state_.out.emit(event, time);
  }
  event = {};
  if (ends_a_communicator(name)) {
    event.kind = EventKind::kCommDestroy;
    event.comm = comm;
  } else if (words.low(1) != PL_COMM_NULL && words.low(1) != 0) {
    event.kind = EventKind::kCommCreate;
    event.comm = state_.process.comm(words.low(1));
  }
  if (event.comm != kUndefined) state_.out.emit(event, time);
}

}  // namespace plumbline::record
