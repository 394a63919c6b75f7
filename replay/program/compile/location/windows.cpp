#include "replay/program/compile/location/windows.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "replay/program/compile/location/failures.hpp"
#include "replay/program/compile/location/references.hpp"
#include "replay/program/compile/location/requests.hpp"
#include "replay/program/text/window_words.hpp"

namespace plumbline::replay::compiling {

using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;

namespace {

std::int32_t rank_of_window(LocationState& location, const Event& event) {
  return event.peer == archive::kUndefined ? kNoPeer : peer_of(location, event, window_of(location, event).comm);
}

void on_window(LocationState& location, OpKind kind, const Event& event) {
  location.call.one_sided.emplace();
  Operation& operation = location.call.one_sided->operation;
  operation.kind = kind;
  operation.comm = window_of(location, event).index;
  if (location.call.is_nocheck) operation.flags |= kWinNoCheck;
}

void window_made(LocationState& location, const Event& event) {
  const archive::AttributeValue* text = find(event, location.context.attributes.window_kind);
  const std::uint32_t window = window_of(location, event).index;
  if (text == nullptr || window == kNone) return;
  const auto kind = std::ranges::find(kWindowKindWords, location.context.definitions.strings[text->string]);
  if (kind != kWindowKindWords.end())
    location.builder.window_made(window, static_cast<WindowKind>(kind - kWindowKindWords.begin()));
}

void window_collective(LocationState& location, const Event& event) {
  switch (event.collective) {
    case CollectiveOp::kCreateHandle:
    case CollectiveOp::kCreateHandleAndAllocate:
      return on_window(location, OpKind::kWinCreate, event);
    case CollectiveOp::kDestroyHandle:
    case CollectiveOp::kDestroyHandleAndDeallocate:
      return on_window(location, OpKind::kWinFree, event);
    case CollectiveOp::kBarrier:
      return on_window(location, OpKind::kWinFence, event);
    default:
      return;
  }
}

// The group of a post or start; who completes or waits means the one before.
void window_group(LocationState& location, const Event& event) {
  switch (location.call.traits.window) {
    case WindowCall::kComplete:
      return on_window(location, OpKind::kWinComplete, event);
    case WindowCall::kWait:
      return on_window(location, OpKind::kWinWait, event);
    case WindowCall::kPost:
      on_window(location, OpKind::kWinPost, event);
      break;
    case WindowCall::kStart:
      on_window(location, OpKind::kWinStart, event);
      break;
    default:
      return;
  }
  if (event.tag >= location.context.definitions.groups.size())
    fail(location, "a group of ranks that the archive does not define");
  if (location.call.one_sided->operation.comm == kNone) return;
  const bool alone = window_of(location, event).comm.size == 1;
  const std::uint32_t comm = location.context.definitions.windows[event.window].comm;
  const std::vector<std::uint32_t>& of_window = location.context.definitions.comms[comm].members;
  std::vector<std::uint32_t> ranks;
  for (const std::uint32_t world : location.context.definitions.groups[event.tag].members) {
    const auto found = std::ranges::find(of_window, world);
    if (alone ? world == location.rank : found != of_window.end())
      ranks.push_back(alone ? 0 : static_cast<std::uint32_t>(found - of_window.begin()));
  }
  location.call.one_sided->operation.extra = location.builder.add_group(ranks);
}

void window_lock(LocationState& location, const Event& event) {
  const bool requests = event.kind == EventKind::kRmaRequestLock;
  on_window(location, requests ? OpKind::kWinLock : OpKind::kWinUnlock, event);
  Operation& operation = location.call.one_sided->operation;
  if (operation.comm != kNone) operation.peer = rank_of_window(location, event);
  if (operation.peer == kNoPeer) operation.flags |= kWinAll;
  if (requests && static_cast<archive::RmaLock>(event.rma) == archive::RmaLock::kExclusive)
    operation.flags |= kWinExclusive;
}

void window_transfer(LocationState& location, const Event& event) {
  const bool gets = event.kind == EventKind::kRmaGet;
  const bool fetches = event.kind == EventKind::kRmaAtomic && event.received > 0;
  on_window(location,
            gets                               ? OpKind::kRmaGet
            : event.kind == EventKind::kRmaPut ? OpKind::kRmaPut
            : fetches                          ? OpKind::kRmaFetch
                                               : OpKind::kRmaAccumulate,
            event);
  OneSided& made = *location.call.one_sided;
  if (event.peer == archive::kUndefined) fail(location, "one-sided communication with no rank of its window");
  if (made.operation.comm != kNone) made.operation.peer = rank_of_window(location, event);
  if (!gets) made.operation.bytes = event.bytes;
  made.tail = RmaTail{.received = gets ? event.bytes : fetches ? event.received : 0};
  if (location.call.traits.window == WindowCall::kWithRequest) made.request = event.request;
}

void one_sided_completed(LocationState& location, const Event& event) {
  const Request* found = location.one_sided_requests.find(event.request);
  if (found == nullptr) {
    location.call.waits_for_one_sided = true;
    return;
  }
  complete(location, *found);
  location.one_sided_requests.erase(event.request);
}

}  // namespace

void window_attribute(LocationState& location, const archive::AttributeValue& value) {
  const AttributeIds& ids = location.context.attributes;
  if (value.attribute == ids.window)
    location.call.window = index_of(value);
  else if (value.attribute == ids.target)
    location.call.target = index_of(value);
  else if (value.attribute == ids.assertion)
    location.call.is_nocheck = location.context.definitions.strings[value.string].find("nocheck") != std::string::npos;
}

void window_event(LocationState& location, const Event& event) {
  switch (event.kind) {
    case EventKind::kRmaWinCreate:
      return window_made(location, event);
    case EventKind::kRmaCollectiveEnd:
      return window_collective(location, event);
    case EventKind::kRmaGroupSync:
      return window_group(location, event);
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaReleaseLock:
      return window_lock(location, event);
    case EventKind::kRmaSync:
      return on_window(location, OpKind::kWinSync, event);
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
      return window_transfer(location, event);
    case EventKind::kRmaOpCompleteNonBlocking:
      return one_sided_completed(location, event);
    default:  // a completion: its call is a flush where nothing else says what it is
      if (location.call.window == kNone) location.call.window = event.window;
  }
}

std::optional<Operation> flush_operation(LocationState& location) {
  const bool local = location.call.traits.window == WindowCall::kFlushLocal;
  if ((!local && location.call.traits.window != WindowCall::kFlush) || location.call.window == kNone)
    return std::nullopt;
  Event event;
  event.window = location.call.window;
  event.peer = location.call.target == kNone ? archive::kUndefined : location.call.target;
  if (refuses_rank(location, event, window_of(location, event).comm, "MPI_ERR_RANK")) return unmodelled(location, "");
  on_window(location, OpKind::kWinFlush, event);
  Operation& operation = location.call.one_sided->operation;
  operation.flags = local ? kWinLocal : 0;
  if (operation.comm != kNone) operation.peer = rank_of_window(location, event);
  if (operation.peer == kNoPeer) operation.flags |= kWinAll;
  return one_sided_operation(location);
}

Operation one_sided_operation(LocationState& location) {
  OneSided& made = *location.call.one_sided;
  Operation& operation = made.operation;
  if (operation.comm == kNone) return unmodelled(location, "a window of ranks that the archive does not tell");
  if (operation.bytes == archive::kUnknownSize || (made.tail && made.tail->received == archive::kUnknownSize)) {
    location.reason = "one-sided communication of unknown size";
    operation.bytes = 0;
    made.tail->received = 0;
  }
  if (made.tail && made.request != archive::kNoRequest) {
    const Request request{location.call.first_operation, location.slots.take(), operation.kind};
    made.tail->request = request.slot;
    location.one_sided_requests.put(made.request, request);
  }
  if (made.tail) operation.extra = location.builder.add(*made.tail);
  return operation;
}

}  // namespace plumbline::replay::compiling
