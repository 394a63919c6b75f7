// Records of one-sided communication: all but the beginning of a collective refer to a window.

#include <fmt/format.h>

#include "tracer/archive/read/event_callbacks.hpp"

namespace plumbline::archive {
namespace {

bool refer_window(EventReading& r, OTF2_RmaWinRef window, Event& event) {
  return refer(r, r.file.ids.windows, window, "window", event.window);
}

// Types of locks, operations and levels are a few small numbers; another one is damage.
bool small(EventReading& r, std::uint32_t value, std::uint32_t largest, const char* what, Event& event) {
  if (value > largest) r.fault = fmt::format("it has the unknown {} {}", what, value);
  event.rma = static_cast<std::uint8_t>(value);
  return value <= largest;
}

template <EventKind kind>
OTF2_CallbackCode on_window(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                            OTF2_RmaWinRef window) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_window(r, window, event)) return OTF2_CALLBACK_INTERRUPT;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_window_operation(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                      OTF2_RmaWinRef window, std::uint64_t id) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_window(r, window, event)) return OTF2_CALLBACK_INTERRUPT;
  event.request = id;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_transfer(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                              OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t bytes, std::uint64_t id) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_window(r, window, event)) return OTF2_CALLBACK_INTERRUPT;
  event.peer = target;
  event.bytes = bytes;
  event.request = id;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_atomic(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                            OTF2_RmaWinRef window, std::uint32_t target, OTF2_RmaAtomicType type, std::uint64_t sent,
                            std::uint64_t received, std::uint64_t id) {
  constexpr auto kLast = static_cast<std::uint32_t>(RmaAtomicType::kFetchAndAccumulate);
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kRmaAtomic);
  if (!refer_window(r, window, event) || !small(r, type, kLast, "atomic operation", event))
    return OTF2_CALLBACK_INTERRUPT;
  event.peer = target;
  event.bytes = sent;
  event.received = received;
  event.request = id;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_lock(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                          OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t lock, OTF2_LockType type) {
  constexpr auto kLast = static_cast<std::uint32_t>(RmaLock::kShared);
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_window(r, window, event) || !small(r, type, kLast, "type of lock", event)) return OTF2_CALLBACK_INTERRUPT;
  event.peer = target;
  event.request = lock;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_release(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                             OTF2_RmaWinRef window, std::uint32_t target, std::uint64_t lock) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kRmaReleaseLock);
  if (!refer_window(r, window, event)) return OTF2_CALLBACK_INTERRUPT;
  event.peer = target;
  event.request = lock;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_sync(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                          OTF2_RmaWinRef window, std::uint32_t target, OTF2_RmaSyncType type) {
  constexpr auto kLast = static_cast<std::uint32_t>(RmaSyncType::kNotifyOut);
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kRmaSync);
  if (!refer_window(r, window, event) || !small(r, type, kLast, "synchronisation", event))
    return OTF2_CALLBACK_INTERRUPT;
  event.peer = target;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_window_collective_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                             Attributes list) {
  Event event = of_kind(EventKind::kRmaCollectiveBegin);
  return deliver(reading(user), event, time, list);
}

constexpr std::uint32_t kLastLevel = kRmaSyncProcess | kRmaSyncMemory;

OTF2_CallbackCode on_window_collective_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                           Attributes list, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level,
                                           OTF2_RmaWinRef window, std::uint32_t root, std::uint64_t sent,
                                           std::uint64_t received) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kRmaCollectiveEnd);
  if (!refer_window(r, window, event) || !small(r, level, kLastLevel, "level of synchronisation", event))
    return OTF2_CALLBACK_INTERRUPT;
  event.collective = collective_from_otf2(op);
  event.peer = root;
  event.bytes = sent;
  event.received = received;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_group_sync(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kRmaGroupSync);
  if (!refer_window(r, window, event) || !small(r, level, kLastLevel, "level of synchronisation", event))
    return OTF2_CALLBACK_INTERRUPT;
  event.tag = r.file.ids.groups.find(group);
  if (event.tag == kUndefined) return skip(r, "RmaGroupSync on the group of a communicator");
  return deliver(r, event, time, list);
}

}  // namespace

void register_one_sided(OTF2_EvtReaderCallbacks* c) {
  OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(c, on_window<EventKind::kRmaWinCreate>);
  OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(c, on_window<EventKind::kRmaWinDestroy>);
  OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(c, on_window_collective_begin);
  OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_window_collective_end);
  OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(c, on_group_sync);
  OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(c, on_lock<EventKind::kRmaRequestLock>);
  OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(c, on_lock<EventKind::kRmaAcquireLock>);
  OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(c, on_lock<EventKind::kRmaTryLock>);
  OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(c, on_release);
  OTF2_EvtReaderCallbacks_SetRmaSyncCallback(c, on_sync);
  OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(c, on_window<EventKind::kRmaWaitChange>);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, on_transfer<EventKind::kRmaPut>);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, on_transfer<EventKind::kRmaGet>);
  OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, on_atomic);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(c, on_window_operation<EventKind::kRmaOpCompleteBlocking>);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(
      c, on_window_operation<EventKind::kRmaOpCompleteNonBlocking>);
  OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(c, on_window_operation<EventKind::kRmaOpTest>);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, on_window_operation<EventKind::kRmaOpCompleteRemote>);
}

}  // namespace plumbline::archive
