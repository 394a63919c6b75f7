// One-sided communication of a thread: windows, what is done on them and what completes it.
//
// Which call completes what is MPI's rule (MPI 4.0, 12.5 and 12.7): a flush and an unlock complete at both ends; a
// local flush, a fence and MPI_Win_complete at the origin, as far as its process can know; a wait of a request at the
// origin.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tracer/record/thread_events.hpp"

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
std::vector<std::uint32_t> members(const Words& words, std::size_t ranks) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < words.low(1) && words.has(2 + i / 2 + 1); ++i)
    if (const std::uint32_t rank = words.half(2, i); rank < ranks) found.push_back(rank);
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

bool is_flush(std::string_view name) { return name.starts_with("MPI_Win_flush"); }
bool is_unlock(std::string_view name) { return name.starts_with("MPI_Win_unlock"); }

// The rank that a lock, unlock or flush is about; nothing: all of the window.
std::optional<std::uint32_t> rank_of(std::string_view name, const Words& words) {
  if (name.ends_with("_all")) return std::nullopt;
  return words.high(0);
}

// A negative rank is nobody's (MPI_PROC_NULL).
bool is_of_nobody(std::string_view name, const Words& words) {
  return !name.ends_with("_all") && words.high_signed(0) < 0;
}

}  // namespace

void ThreadEvents::window_attributes(const OpenCall& frame, const Words& words) {
  const std::uint32_t layout = frame.function->layout;
  const std::string_view name = frame.function->name;
  const bool is_of_window = layout == PL_LAYOUT_WIN_SYNC || layout == PL_LAYOUT_WIN_GROUP ||
                            layout == PL_LAYOUT_WIN_TEST || layout == PL_LAYOUT_WIN_ATTACH;
  if (!is_of_window) return;
  if (const std::uint32_t window = state_.process.window(words.low(0)); window != kUndefined)
    state_.out.attach(state_.ids.window, window);
  if (layout == PL_LAYOUT_WIN_SYNC) {
    if (words.high_signed(0) >= 0) state_.out.attach(state_.ids.target, words.high(0));
    state_.out.attach_text(state_.ids.assertion, assertions(words.low(1)));
  } else if (layout == PL_LAYOUT_WIN_GROUP) {
    state_.out.attach_text(state_.ids.assertion, assertions(words.high(0)));
    state_.out.attach_text(state_.ids.group, fmt::format("{}", fmt::join(members(words, state_.world.ranks()), ",")));
  } else if (layout == PL_LAYOUT_WIN_TEST) {
    poll_attributes(frame, words.high(1));
  } else {
    state_.out.attach(state_.ids.address, words[1]);
    if (name == "MPI_Win_attach") state_.out.attach(state_.ids.length, words[2]);
  }
}

// ---- Windows

void ThreadEvents::begin_window(const OpenCall& frame, const Words& words) {
  if (!words.has(4) || (frame.record.done && state_.process.window(words.low(3)) == kUndefined)) return;
  Event event;
  event.kind = EventKind::kRmaCollectiveBegin;
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::end_window(const Words& words, Time time) {
  Event event;
  event.window = state_.process.window(words.low(3));
  if (!words.has(4) || event.window == kUndefined) return;
  event.kind = EventKind::kRmaWinCreate;
  state_.out.attach_text(state_.ids.window_kind, kind_of_window(words.high(0)));
  state_.out.attach(state_.ids.window_bytes, words[1]);
  state_.out.attach(state_.ids.displacement_unit, words[2]);
  state_.out.emit(event, time);
  end_window_collective(event.window,
                        allocates(words.high(0)) ? CollectiveOp::kCreateHandleAndAllocate : CollectiveOp::kCreateHandle,
                        archive::kRmaSyncProcess, time);
}

void ThreadEvents::end_window_collective(std::uint32_t window, CollectiveOp op, int level, Time time) {
  Event event;
  event.kind = EventKind::kRmaCollectiveEnd;
  event.window = window;
  event.collective = op;
  event.rma = static_cast<std::uint8_t>(level);
  event.peer = archive::kRootNone;
  state_.out.emit(event, time);
}

void ThreadEvents::end_window_free(std::uint32_t window, std::uint32_t id, Time time) {
  const auto fact = state_.process.facts().windows.find(id);
  const bool allocated = fact != state_.process.facts().windows.end() && allocates(fact->second.kind);
  state_.epochs.erase(window);
  Event event;
  event.kind = EventKind::kRmaWinDestroy;
  event.window = window;
  state_.out.emit(event, time);
  end_window_collective(window, allocated ? CollectiveOp::kDestroyHandleAndDeallocate : CollectiveOp::kDestroyHandle,
                        archive::kRmaSyncProcess, time);
}

// ---- Operations

void ThreadEvents::begin_one_sided(const OpenCall& frame, const Words& words) {
  if (!words.has(6)) {
    ++state_.process.tally.short_records;
    return;
  }
  const std::uint32_t request = words.high(4);
  const std::string_view name = frame.function->name;
  OpenRequest open;
  Event event;
  event.window = state_.process.window(words.low(4));
  if (event.window == kUndefined || words.low_signed(0) < 0) {
    if (request != 0) state_.process.requests.put(request, open);
    return;
  }
  event.kind = kind_of_operation(name);
  event.peer = words.low(0);
  event.bytes = words[3];
  event.request = request != 0 ? request : state_.next_matching++;
  if (event.kind == EventKind::kRmaAtomic) {
    const RmaAtomicType type = atomic_type(name, words.high(0));
    event.rma = static_cast<std::uint8_t>(type);
    event.bytes = type == RmaAtomicType::kCompareAndSwap ? 2 * words[2] : words[2];  // with what is compared
    event.received = words[6];
    if (words.high(0) < kOperations.size()) state_.out.attach_text(state_.ids.operation, kOperations[words.high(0)]);
  }
  state_.out.attach_signed(state_.ids.displacement, words.i64(1));
  attach_layout(state_.ids.origin_layout, words.low(5));
  attach_layout(state_.ids.target_layout, words.high(5));
  attach_layout(state_.ids.result_layout, words.low(7));
  if (request != 0) {
    open.kind = OpenRequest::Kind::kOneSided;
    open.handle = event.window;
    state_.process.requests.put(request, open);
  }
  state_.epochs[event.window].issue(event.peer, event.request, event.kind == EventKind::kRmaGet);
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::attach_layout(std::uint32_t attribute, std::uint32_t type) {
  if (type == 0) return;
  if (const auto text = state_.process.layout_text(type)) state_.out.attach_string(attribute, *text);
}

// ---- Synchronisation

void ThreadEvents::begin_window_sync(const OpenCall& frame, const Words& words) {
  const std::string_view name = frame.function->name;
  Event event;
  event.window = state_.process.window(words.low(0));
  if (!words.has(2) || event.window == kUndefined) return;
  if (name == "MPI_Win_fence" || name == "MPI_Win_free") {
    event.kind = EventKind::kRmaCollectiveBegin;
    event.window = kUndefined;
  } else if (words.high(1) != PL_LOCK_NONE && !is_of_nobody(name, words)) {
    event.kind = EventKind::kRmaRequestLock;
    event.peer = rank_of(name, words).value_or(kUndefined);
    event.request = 0;
    event.rma = static_cast<std::uint8_t>(words.high(1) == PL_LOCK_SHARED ? archive::RmaLock::kShared
                                                                          : archive::RmaLock::kExclusive);
  } else {
    return;
  }
  state_.out.emit(event, frame.begin);
}

void ThreadEvents::end_window_sync(const OpenCall& frame, const Words& words, Time time) {
  const std::string_view name = frame.function->name;
  const std::uint32_t window = state_.process.window(words.low(0));
  if (!words.has(2) || window == kUndefined) return;
  if (name == "MPI_Win_free") return end_window_free(window, words.low(0), time);
  if (name == "MPI_Win_wait") return end_exposure(window, time);
  if (name == "MPI_Win_complete") return end_access(window, time);
  if (name == "MPI_Win_sync") return end_memory_sync(window, time);
  if (name == "MPI_Win_fence") {
    complete_locally(window, std::nullopt, time);
    state_.epochs[window].end_access();
    end_window_collective(window, CollectiveOp::kBarrier, archive::kRmaSyncProcess | archive::kRmaSyncMemory, time);
  } else if ((is_flush(name) || is_unlock(name)) && !is_of_nobody(name, words)) {
    end_flush(name, window, rank_of(name, words), time);
  }
}

void ThreadEvents::end_flush(std::string_view name, std::uint32_t window, std::optional<std::uint32_t> rank,
                             Time time) {
  complete_locally(window, rank, time);
  if (name.starts_with("MPI_Win_flush_local")) return;
  complete_operations(EventKind::kRmaOpCompleteRemote, window, state_.epochs[window].complete_remotely(rank), time);
  if (!is_unlock(name)) return;
  Event event;
  event.kind = EventKind::kRmaReleaseLock;
  event.window = window;
  event.peer = rank.value_or(kUndefined);
  event.request = 0;
  state_.out.emit(event, time);
}

// Of the memory of a rank with its own copy of the window.
void ThreadEvents::end_memory_sync(std::uint32_t window, Time time) {
  const std::vector<std::uint32_t>& ranks =
      state_.world.definitions.comms[state_.world.definitions.windows[window].comm].members;
  const auto own = std::ranges::find(ranks, state_.process.rank());
  if (own == ranks.end()) return;
  Event event;
  event.kind = EventKind::kRmaSync;
  event.window = window;
  event.peer = static_cast<std::uint32_t>(own - ranks.begin());
  event.rma = static_cast<std::uint8_t>(archive::RmaSyncType::kMemory);
  state_.out.emit(event, time);
}

void ThreadEvents::complete_locally(std::uint32_t window, std::optional<std::uint32_t> rank, Time time) {
  complete_operations(EventKind::kRmaOpCompleteBlocking, window, state_.epochs[window].complete_locally(rank), time);
}

void ThreadEvents::complete_operations(EventKind kind, std::uint32_t window, const RmaEpochs::Operations& operations,
                                       Time time) {
  Event event;
  event.kind = kind;
  event.window = window;
  for (const std::uint64_t operation : operations) {
    event.request = operation;
    state_.out.emit(event, time);
  }
}

void ThreadEvents::end_window_group(const OpenCall& frame, const Words& words, Time time) {
  const std::uint32_t window = state_.process.window(words.low(0));
  if (!words.has(2) || window == kUndefined) return;
  RmaEpochs& epochs = state_.epochs[window];
  std::optional<std::uint32_t>& group = frame.function->name == "MPI_Win_post" ? epochs.posted : epochs.started;
  group = state_.world.group(members(words, state_.world.ranks()));
  group_sync(window, *group, archive::kRmaSyncNone, time);
}

void ThreadEvents::group_sync(std::uint32_t window, std::uint32_t group, int level, Time time) {
  Event event;
  event.kind = EventKind::kRmaGroupSync;
  event.window = window;
  event.tag = group;
  event.rma = static_cast<std::uint8_t>(level);
  state_.out.emit(event, time);
}

void ThreadEvents::end_access(std::uint32_t window, Time time) {
  complete_locally(window, std::nullopt, time);
  RmaEpochs& epochs = state_.epochs[window];
  epochs.end_access();
  if (epochs.started) group_sync(window, *epochs.started, archive::kRmaSyncMemory, time);
  epochs.started.reset();
}

void ThreadEvents::end_exposure(std::uint32_t window, Time time) {
  const auto epochs = state_.epochs.find(window);
  if (epochs == state_.epochs.end() || !epochs->second.posted) return;
  group_sync(window, *epochs->second.posted, archive::kRmaSyncMemory, time);
  epochs->second.posted.reset();
}

}  // namespace plumbline::record
