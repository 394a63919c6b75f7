#include <algorithm>

#include "replay/program/compile/location_compiler.hpp"
#include "replay/program/text/window_words.hpp"

// One-sided communication of a location.

namespace plumbline::replay {

using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;

// Of the Enter of the call in progress.
void LocationCompiler::window_attribute(const archive::AttributeValue& value) {
  const AttributeIds& ids = context_.attributes;
  if (value.attribute == ids.window)
    call_.window = static_cast<std::uint32_t>(value.u64);
  else if (value.attribute == ids.target)
    call_.target = static_cast<std::uint32_t>(value.u64);
  else if (value.attribute == ids.assertion)
    call_.is_nocheck = context_.definitions.strings[value.string].find("nocheck") != std::string::npos;
}

// No index: one that this rank can do nothing on, as far as the archive tells.
LocationCompiler::WindowOfRank LocationCompiler::window_of(const Event& event) {
  if (const WindowOfRank* known = windows_.find(event.window)) return *known;
  const archive::Definitions& definitions = context_.definitions;
  if (event.window >= definitions.windows.size()) fail("a window that the archive does not define");
  WindowOfRank window;
  Event of_comm;
  of_comm.comm = definitions.windows[event.window].comm;
  if (of_comm.comm < definitions.comms.size()) {
    window.comm = comm_of(of_comm);
    if (!window.comm.is_inter && window.comm.own != kNone) window.index = context_.window(event.window, window.comm);
  }
  return windows_.put(event.window, window);
}

std::int32_t LocationCompiler::rank_of_window(const Event& event) {
  return event.peer == archive::kUndefined ? kNoPeer : peer_of(event, window_of(event).comm);
}

void LocationCompiler::window_event(const Event& event) {
  switch (event.kind) {
    case EventKind::kRmaWinCreate:
      return window_made(event);
    case EventKind::kRmaCollectiveEnd:
      return window_collective(event);
    case EventKind::kRmaGroupSync:
      return window_group(event);
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaReleaseLock:
      return window_lock(event);
    case EventKind::kRmaSync:
      return on_window(OpKind::kWinSync, event);
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
      return window_transfer(event);
    case EventKind::kRmaOpCompleteNonBlocking:
      return one_sided_completed(event);
    default:  // a completion: its call is a flush where nothing else says what it is
      if (call_.window == kNone) call_.window = event.window;
  }
}

void LocationCompiler::on_window(OpKind kind, const Event& event) {
  call_.one_sided.emplace();
  Operation& operation = call_.one_sided->operation;
  operation.kind = kind;
  operation.comm = window_of(event).index;
  if (call_.is_nocheck) operation.flags |= kWinNoCheck;
}

void LocationCompiler::window_made(const Event& event) {
  const archive::AttributeValue* text = find(event, context_.attributes.window_kind);
  const std::uint32_t window = window_of(event).index;
  if (text == nullptr || window == kNone) return;
  const auto kind = std::ranges::find(kWindowKindWords, context_.definitions.strings[text->string]);
  if (kind != kWindowKindWords.end())
    builder_.window(window).kind = static_cast<WindowKind>(kind - kWindowKindWords.begin());
}

void LocationCompiler::window_collective(const Event& event) {
  switch (event.collective) {
    case CollectiveOp::kCreateHandle:
    case CollectiveOp::kCreateHandleAndAllocate:
      return on_window(OpKind::kWinCreate, event);
    case CollectiveOp::kDestroyHandle:
    case CollectiveOp::kDestroyHandleAndDeallocate:
      return on_window(OpKind::kWinFree, event);
    case CollectiveOp::kBarrier:
      return on_window(OpKind::kWinFence, event);
    default:
      return;
  }
}

// The group of a post or start; who completes or waits means the one before.
void LocationCompiler::window_group(const Event& event) {
  switch (call_.traits.window) {
    case WindowCall::kComplete:
      return on_window(OpKind::kWinComplete, event);
    case WindowCall::kWait:
      return on_window(OpKind::kWinWait, event);
    case WindowCall::kPost:
      on_window(OpKind::kWinPost, event);
      break;
    case WindowCall::kStart:
      on_window(OpKind::kWinStart, event);
      break;
    default:
      return;
  }
  if (event.tag >= context_.definitions.groups.size()) fail("a group of ranks that the archive does not define");
  if (call_.one_sided->operation.comm == kNone) return;
  const bool alone = window_of(event).comm.size == 1;
  const std::uint32_t comm = context_.definitions.windows[event.window].comm;
  const std::vector<std::uint32_t>& of_window = context_.definitions.comms[comm].members;
  std::vector<std::uint32_t> ranks;
  for (const std::uint32_t world : context_.definitions.groups[event.tag].members) {
    const auto found = std::ranges::find(of_window, world);
    if (alone ? world == rank_ : found != of_window.end())
      ranks.push_back(alone ? 0 : static_cast<std::uint32_t>(found - of_window.begin()));
  }
  call_.one_sided->operation.extra = builder_.add_group(ranks);
}

void LocationCompiler::window_lock(const Event& event) {
  const bool requests = event.kind == EventKind::kRmaRequestLock;
  on_window(requests ? OpKind::kWinLock : OpKind::kWinUnlock, event);
  Operation& operation = call_.one_sided->operation;
  if (operation.comm != kNone) operation.peer = rank_of_window(event);
  if (operation.peer == kNoPeer) operation.flags |= kWinAll;
  if (requests && static_cast<archive::RmaLock>(event.rma) == archive::RmaLock::kExclusive)
    operation.flags |= kWinExclusive;
}

void LocationCompiler::window_transfer(const Event& event) {
  const bool gets = event.kind == EventKind::kRmaGet;
  const bool fetches = event.kind == EventKind::kRmaAtomic && event.received > 0;
  on_window(gets                               ? OpKind::kRmaGet
            : event.kind == EventKind::kRmaPut ? OpKind::kRmaPut
            : fetches                          ? OpKind::kRmaFetch
                                               : OpKind::kRmaAccumulate,
            event);
  OneSided& made = *call_.one_sided;
  if (event.peer == archive::kUndefined) fail("one-sided communication with no rank of its window");
  if (made.operation.comm != kNone) made.operation.peer = rank_of_window(event);
  if (!gets) made.operation.bytes = event.bytes;
  made.tail = RmaTail{.received = gets ? event.bytes : fetches ? event.received : 0};
  if (call_.traits.window == WindowCall::kWithRequest) made.request = event.request;
}

void LocationCompiler::one_sided_completed(const Event& event) {
  const Request* found = one_sided_requests_.find(event.request);
  if (found == nullptr) {
    call_.waits_for_one_sided = true;
    return;
  }
  complete(*found);
  one_sided_requests_.erase(event.request);
}

// Without records: a flush that found nothing to complete.
std::optional<Operation> LocationCompiler::flush() {
  const bool local = call_.traits.window == WindowCall::kFlushLocal;
  if ((!local && call_.traits.window != WindowCall::kFlush) || call_.window == kNone) return std::nullopt;
  Event event;
  event.window = call_.window;
  event.peer = call_.target == kNone ? archive::kUndefined : call_.target;
  if (refuses_rank(event, window_of(event).comm, "MPI_ERR_RANK")) return unmodelled("");
  on_window(OpKind::kWinFlush, event);
  Operation& operation = call_.one_sided->operation;
  operation.flags = local ? kWinLocal : 0;
  if (operation.comm != kNone) operation.peer = rank_of_window(event);
  if (operation.peer == kNoPeer) operation.flags |= kWinAll;
  return one_sided_operation();
}

Operation LocationCompiler::one_sided_operation() {
  OneSided& made = *call_.one_sided;
  Operation& operation = made.operation;
  if (operation.comm == kNone) return unmodelled("a window of ranks that the archive does not tell");
  if (operation.bytes == archive::kUnknownSize || (made.tail && made.tail->received == archive::kUnknownSize)) {
    reason_ = "one-sided communication of unknown size";
    operation.bytes = 0;
    made.tail->received = 0;
  }
  if (made.tail && made.request != archive::kNoRequest) {
    const Request request{call_.first_operation, slots_.take(), operation.kind};
    made.tail->request = request.slot;
    one_sided_requests_.put(made.request, request);
  }
  if (made.tail) operation.extra = builder_.add(*made.tail);
  return operation;
}

}  // namespace plumbline::replay
