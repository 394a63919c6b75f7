#include "tracer/record/decoders/rma_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tracer/record/decoders/poll_events.hpp"

namespace plumbline::record {
namespace {

using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;
using archive::kUndefined;
using archive::RmaAtomicType;

constexpr std::array<std::string_view, PL_OPS> kOperations = {"",     "user", "sum",    "replace", "no_op", "min",
                                                              "max",  "prod", "land",   "band",    "lor",   "bor",
                                                              "lxor", "bxor", "minloc", "maxloc"};

std::string_view kind_of_window(std::uint32_t kind) {
  switch (kind) {
    case PL_WIN_CREATE:
      return "create";
    case PL_WIN_ALLOCATE:
      return "allocate";
    case PL_WIN_ALLOCATE_SHARED:
      return "shared";
    case PL_WIN_DYNAMIC:
      return "dynamic";
    default:
      return {};
  }
}

bool allocates(std::uint32_t kind) { return kind == PL_WIN_ALLOCATE || kind == PL_WIN_ALLOCATE_SHARED; }

std::string assertions(std::uint32_t flags) {
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 5> kNames = {{
      {PL_ASSERT_NOCHECK, "nocheck"},
      {PL_ASSERT_NOSTORE, "nostore"},
      {PL_ASSERT_NOPUT, "noput"},
      {PL_ASSERT_NOPRECEDE, "noprecede"},
      {PL_ASSERT_NOSUCCEED, "nosucceed"},
  }};
  std::string text;
  for (const auto& [flag, name] : kNames)
    if ((flags & flag) != 0) text += fmt::format("{}{}", text.empty() ? "" : ",", name);
  return text;
}

// World ranks of a PL_LAYOUT_WIN_GROUP; those of another MPI_COMM_WORLD are left out.
std::vector<std::uint32_t> members(const OpenCall& call, std::size_t ranks) {
  const spool::Words listed = call.behind<pl_win_group_payload>();
  const std::size_t n = std::min<std::size_t>(call.as<pl_win_group_payload>().n, 2 * listed.size());
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < n; ++i)
    if (const std::uint32_t rank = spool::half(listed, i); rank < ranks) found.push_back(rank);
  return found;
}

RmaAtomicType atomic_type(std::string_view name, std::uint32_t op) {
  if (name == "MPI_Compare_and_swap") return RmaAtomicType::kCompareAndSwap;
  if (name.starts_with("MPI_Accumulate") || name.starts_with("MPI_Raccumulate")) return RmaAtomicType::kAccumulate;
  if (op == PL_OP_REPLACE) return RmaAtomicType::kSwap;
  return op == PL_OP_SUM ? RmaAtomicType::kFetchAndAdd : RmaAtomicType::kFetchAndAccumulate;
}

EventKind kind_of_operation(std::string_view name) {
  for (const std::string_view put : {"MPI_Put", "MPI_Rput", "MPI_Put_c", "MPI_Rput_c"})
    if (name == put) return EventKind::kRmaPut;
  for (const std::string_view get : {"MPI_Get", "MPI_Rget", "MPI_Get_c", "MPI_Rget_c"})
    if (name == get) return EventKind::kRmaGet;
  return EventKind::kRmaAtomic;
}

bool is_window_flush(std::string_view name) { return name.starts_with("MPI_Win_flush"); }
bool is_window_unlock(std::string_view name) { return name.starts_with("MPI_Win_unlock"); }

// The rank that a lock, unlock or flush is about; nothing: all of the window.
std::optional<std::uint32_t> rank_of(std::string_view name, const pl_win_sync_payload& sync) {
  if (name.ends_with("_all")) return std::nullopt;
  return static_cast<std::uint32_t>(sync.rank);
}

// A negative rank is nobody's (MPI_PROC_NULL).
bool is_of_nobody(std::string_view name, const pl_win_sync_payload& sync) {
  return !name.ends_with("_all") && sync.rank < 0;
}

void attach_window(DecodingState& t, std::uint32_t id) {
  if (const std::uint32_t window = t.process.window(id); window != kUndefined) t.out.attach(t.ids.window, window);
}

void attach_layout(DecodingState& t, std::uint32_t attribute, std::uint32_t type) {
  if (type == 0) return;
  if (const auto text = t.process.layout_text(type)) t.out.attach_string(attribute, *text);
}

// ---- Ends of epochs

void end_collective_on(DecodingState& t, std::uint32_t window, CollectiveOp op, int level, Time time) {
  Event event;
  event.kind = EventKind::kRmaCollectiveEnd;
  event.window = window;
  event.collective = op;
  event.rma = static_cast<std::uint8_t>(level);
  event.peer = archive::kRootNone;
  t.out.emit(event, time);
}

void complete_operations(DecodingState& t, EventKind kind, std::uint32_t window,
                         const RmaEpochs::Operations& operations, Time time) {
  Event event;
  event.kind = kind;
  event.window = window;
  for (const std::uint64_t operation : operations) {
    event.request = operation;
    t.out.emit(event, time);
  }
}

void complete_locally(DecodingState& t, std::uint32_t window, std::optional<std::uint32_t> rank, Time time) {
  complete_operations(t, EventKind::kRmaOpCompleteBlocking, window, t.epochs[window].complete_locally(rank), time);
}

void end_fence(DecodingState& t, std::uint32_t window, Time time) {
  complete_locally(t, window, std::nullopt, time);
  t.epochs[window].end_access();
  end_collective_on(t, window, CollectiveOp::kBarrier, archive::kRmaSyncProcess | archive::kRmaSyncMemory, time);
}

void end_flush(DecodingState& t, std::string_view name, std::uint32_t window, std::optional<std::uint32_t> rank,
               Time time) {
  complete_locally(t, window, rank, time);
  if (name.starts_with("MPI_Win_flush_local")) return;
  complete_operations(t, EventKind::kRmaOpCompleteRemote, window, t.epochs[window].complete_remotely(rank), time);
  if (!is_window_unlock(name)) return;
  Event event;
  event.kind = EventKind::kRmaReleaseLock;
  event.window = window;
  event.peer = rank.value_or(kUndefined);
  event.request = 0;
  t.out.emit(event, time);
}

// Of the memory of a rank with its own copy of the window.
void end_memory_sync(DecodingState& t, std::uint32_t window, Time time) {
  const archive::Definitions& d = t.world.definitions;
  const std::vector<std::uint32_t>& ranks = d.comms[d.windows[window].comm].members;
  const auto own = std::ranges::find(ranks, t.process.rank());
  if (own == ranks.end()) return;
  Event event;
  event.kind = EventKind::kRmaSync;
  event.window = window;
  event.peer = static_cast<std::uint32_t>(own - ranks.begin());
  event.rma = static_cast<std::uint8_t>(archive::RmaSyncType::kMemory);
  t.out.emit(event, time);
}

void group_sync(DecodingState& t, std::uint32_t window, std::uint32_t group, int level, Time time) {
  Event event;
  event.kind = EventKind::kRmaGroupSync;
  event.window = window;
  event.tag = group;
  event.rma = static_cast<std::uint8_t>(level);
  t.out.emit(event, time);
}

void end_access_epoch(DecodingState& t, std::uint32_t window, Time time) {
  complete_locally(t, window, std::nullopt, time);
  RmaEpochs& epochs = t.epochs[window];
  epochs.end_access();
  if (epochs.started) group_sync(t, window, *epochs.started, archive::kRmaSyncMemory, time);
  epochs.started.reset();
}

void end_exposure_epoch(DecodingState& t, std::uint32_t window, Time time) {
  const auto epochs = t.epochs.find(window);
  if (epochs == t.epochs.end() || !epochs->second.posted) return;
  group_sync(t, window, *epochs->second.posted, archive::kRmaSyncMemory, time);
  epochs->second.posted.reset();
}

void end_window_free(DecodingState& t, std::uint32_t window, std::uint32_t id, Time time) {
  const auto fact = t.process.facts().windows.find(id);
  const bool allocated = fact != t.process.facts().windows.end() && allocates(fact->second.kind);
  t.epochs.erase(window);
  Event event;
  event.kind = EventKind::kRmaWinDestroy;
  event.window = window;
  t.out.emit(event, time);
  end_collective_on(t, window, allocated ? CollectiveOp::kDestroyHandleAndDeallocate : CollectiveOp::kDestroyHandle,
                    archive::kRmaSyncProcess, time);
}

// What a call that works on the memory of its target tells beside what it moves from its origin.
void fill_in_atomic(DecodingState& t, std::string_view name, const pl_rma_payload& rma, Event& event) {
  const RmaAtomicType type = atomic_type(name, rma.op);
  event.rma = static_cast<std::uint8_t>(type);
  const bool compares = type == RmaAtomicType::kCompareAndSwap;  // what is compared is moved too
  event.bytes = compares ? 2 * rma.origin_bytes : rma.origin_bytes;
  event.received = rma.result_bytes;
  if (rma.op < kOperations.size()) t.out.attach_text(t.ids.operation, kOperations[rma.op]);
}

}  // namespace

// ---- Windows

void begin_window(DecodingState& t, OpenCall& call) {
  if (call.record.done && t.process.window(call.as<pl_win_payload>().window) == kUndefined) return;
  Event event;
  event.kind = EventKind::kRmaCollectiveBegin;
  t.out.emit(event, call.begin);
}

void end_window(DecodingState& t, const OpenCall& call, Time time) {
  const auto made = call.as<pl_win_payload>();
  Event event;
  event.window = t.process.window(made.window);
  if (event.window == kUndefined) return;
  event.kind = EventKind::kRmaWinCreate;
  t.out.attach_text(t.ids.window_kind, kind_of_window(made.kind));
  t.out.attach(t.ids.window_bytes, made.bytes);
  t.out.attach(t.ids.displacement_unit, made.unit);
  t.out.emit(event, time);
  end_collective_on(t, event.window,
                    allocates(made.kind) ? CollectiveOp::kCreateHandleAndAllocate : CollectiveOp::kCreateHandle,
                    archive::kRmaSyncProcess, time);
}

// ---- Operations

void begin_one_sided(DecodingState& t, OpenCall& call) {
  const auto rma = call.as<pl_rma_payload>();
  OpenRequest open;
  Event event;
  event.window = t.process.window(rma.window);
  if (event.window == kUndefined || rma.target < 0) {
    if (rma.request != 0) t.process.requests.put(rma.request, open);
    return;
  }
  event.kind = kind_of_operation(call.function->name);
  event.peer = static_cast<std::uint32_t>(rma.target);
  event.bytes = rma.target_bytes;
  event.request = rma.request != 0 ? rma.request : t.next_matching++;
  if (event.kind == EventKind::kRmaAtomic) fill_in_atomic(t, call.function->name, rma, event);
  t.out.attach_signed(t.ids.displacement, rma.displacement);
  attach_layout(t, t.ids.origin_layout, rma.origin_type);
  attach_layout(t, t.ids.target_layout, rma.target_type);
  attach_layout(t, t.ids.result_layout, rma.result_type);
  if (rma.request != 0) {
    open.kind = OpenRequest::Kind::kOneSided;
    open.handle = event.window;
    t.process.requests.put(rma.request, open);
  }
  t.epochs[event.window].issue(event.peer, event.request, event.kind == EventKind::kRmaGet);
  t.out.emit(event, call.begin);
}

// ---- Synchronisation

void window_sync_attributes(DecodingState& t, const OpenCall& call) {
  const auto sync = call.as<pl_win_sync_payload>();
  attach_window(t, sync.window);
  if (sync.rank >= 0) t.out.attach(t.ids.target, static_cast<std::uint32_t>(sync.rank));
  t.out.attach_text(t.ids.assertion, assertions(sync.assertion));
}

void begin_window_sync(DecodingState& t, OpenCall& call) {
  const auto sync = call.as<pl_win_sync_payload>();
  const std::string_view name = call.function->name;
  Event event;
  event.window = t.process.window(sync.window);
  if (event.window == kUndefined) return;
  if (name == "MPI_Win_fence" || name == "MPI_Win_free") {
    event.kind = EventKind::kRmaCollectiveBegin;
    event.window = kUndefined;
  } else if (sync.lock != PL_LOCK_NONE && !is_of_nobody(name, sync)) {
    event.kind = EventKind::kRmaRequestLock;
    event.peer = rank_of(name, sync).value_or(kUndefined);
    event.request = 0;
    event.rma = static_cast<std::uint8_t>(sync.lock == PL_LOCK_SHARED ? archive::RmaLock::kShared
                                                                      : archive::RmaLock::kExclusive);
  } else {
    return;
  }
  t.out.emit(event, call.begin);
}

void end_window_sync(DecodingState& t, const OpenCall& call, Time time) {
  const auto sync = call.as<pl_win_sync_payload>();
  const std::string_view name = call.function->name;
  const std::uint32_t window = t.process.window(sync.window);
  if (window == kUndefined) return;
  if (name == "MPI_Win_free") return end_window_free(t, window, sync.window, time);
  if (name == "MPI_Win_wait") return end_exposure_epoch(t, window, time);
  if (name == "MPI_Win_complete") return end_access_epoch(t, window, time);
  if (name == "MPI_Win_sync") return end_memory_sync(t, window, time);
  if (name == "MPI_Win_fence") return end_fence(t, window, time);
  if ((is_window_flush(name) || is_window_unlock(name)) && !is_of_nobody(name, sync))
    end_flush(t, name, window, rank_of(name, sync), time);
}

void window_group_attributes(DecodingState& t, const OpenCall& call) {
  const auto group = call.as<pl_win_group_payload>();
  attach_window(t, group.window);
  t.out.attach_text(t.ids.assertion, assertions(group.assertion));
  t.out.attach_text(t.ids.group, fmt::format("{}", fmt::join(members(call, t.world.ranks()), ",")));
}

void end_window_group(DecodingState& t, const OpenCall& call, Time time) {
  const std::uint32_t window = t.process.window(call.as<pl_win_group_payload>().window);
  if (window == kUndefined) return;
  RmaEpochs& epochs = t.epochs[window];
  std::optional<std::uint32_t>& group = call.function->name == "MPI_Win_post" ? epochs.posted : epochs.started;
  group = t.world.group(members(call, t.world.ranks()));
  group_sync(t, window, *group, archive::kRmaSyncNone, time);
}

void window_test_attributes(DecodingState& t, const OpenCall& call) {
  const auto test = call.as<pl_win_test_payload>();
  attach_window(t, test.window);
  poll_attributes(t, call, test.polls);
}

void end_window_test(DecodingState& t, const OpenCall& call, Time time) {
  const auto test = call.as<pl_win_test_payload>();
  if (test.over != 0) end_exposure_epoch(t, t.process.window(test.window), time);
}

void window_attach_attributes(DecodingState& t, const OpenCall& call) {
  const auto memory = call.as<pl_win_attach_payload>();
  attach_window(t, memory.window);
  t.out.attach(t.ids.address, memory.address);
  if (call.function->name == "MPI_Win_attach") t.out.attach(t.ids.length, memory.bytes);
}

}  // namespace plumbline::record
