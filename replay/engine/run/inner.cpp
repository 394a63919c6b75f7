#include "replay/engine/run/inner.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "replay/engine/run/file_calls.hpp"
#include "replay/engine/run/library_access.hpp"
#include "replay/engine/run/loop.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::engine {
namespace {

std::uint32_t context_space(const InnerMessage& message) { return mpi::kInnerSpace | message.context; }

// The data operations whose recorded POSIX calls stand for them; where the recording has none at all, the ideal does.
bool is_as_run_io(const Run& run, std::uint32_t rank, const Operation& op) {
  const bool moves = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
  return run.inner.has_posix && moves && (op.flags & kIoIsMpi) && run.coverage.blocks(run.program.rank(rank), op) &&
         run.coverage.file_system(op.comm).has_value();
}

// Null: no more of this operation.
const InnerItem* next_inside(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  const RankProgram& own = run.program.rank(rank);
  for (; cursor.inner < own.inner.size() && own.inner[cursor.inner].operation == cursor.next; ++cursor.inner) {
    const InnerItem& item = own.inner[cursor.inner];
    const bool is_run = is_posix(item.kind) ? run.inner.ranks[rank].posix
                                            : run.inner.streams->runs(rank, own.inner_messages[item.index].operation);
    if (is_run) return &item;
  }
  return nullptr;
}

// Whether what begins at `at` can begin; else an event brings the rank back. Until then it computes, and answers
// nobody.
bool is_due(Run& run, std::uint32_t rank, bool at_clock) {
  Inside& inside = run.inner.ranks[rank];
  mpi::RankState& state = run.engine.rank(rank);
  if (inside.at > run.queue.now() && (at_clock || !run.options.run_ahead || run.engine.must_synchronise(rank))) {
    wake(run, rank, inside.at);
    return false;
  }
  state.clock = std::max(state.clock, inside.at);
  return true;
}

// Both ends of a message, and one pass over its data in memory (to copy it, or to reduce it).
Duration cap_of(Run& run, std::uint32_t rank, const InnerItem& item) {
  if (is_posix(item.kind)) return {};
  const InnerMessage& message = run.program.rank(rank).inner_messages[item.index];
  const BytesPerSecond memory = run.platform.nodes[run.engine.node(rank)].memory_rate.value;
  Duration cap = mpi::cpu_time(run.engine, rank, message.peer, message.bytes);
  if (memory.count > 0) cap += transfer_time(Bytes{message.bytes}, memory);
  return cap;
}

// Of the recorded time before an item: less what the model has already charged for the item before, and no more than
// the library can have computed.
Duration library_time(const Run& run, const Inside& inside, Duration recorded, Duration cap) {
  if (!inside.gaps) return {};
  if (run.options.inner_gap_cap != 1.0) cap = {std::llround(static_cast<double>(cap.ps) * run.options.inner_gap_cap)};
  return std::clamp(recorded - inside.charged, Duration{}, cap);
}

void run_message(Run& run, std::uint32_t rank, const InnerItem& item) {
  const InnerMessage& message = run.program.rank(rank).inner_messages[item.index];
  std::uint32_t& request = run.inner.ranks[rank].requests[message.slot];
  if (item.kind == InnerKind::kDone) return mpi::wait(run.engine, std::exchange(request, kNone));
  request = mpi::pooled_request(run.engine, rank);
  if (item.kind == InnerKind::kSend)
    mpi::send(run.engine, request, {message.peer, rank, context_space(message), message.tag}, message.bytes,
              message.flags & kInnerSynchronous);
  else
    mpi::receive(run.engine, request, {rank, message.peer, context_space(message), message.tag}, message.bytes);
}

// What lies at an unknown place is taken to lie at the beginning of the file.
void ask_inner(Run& run, std::uint32_t rank, InnerKind kind, const InnerAccess& inner) {
  using Metadata = DistributedFiles::Metadata;
  if (kind == InnerKind::kOpen) return ask_servers(run, rank, inner.file, Metadata::kOpen);
  if (kind == InnerKind::kClose) return ask_servers(run, rank, inner.file, Metadata::kClose);
  if (kind == InnerKind::kSync) return ask_servers(run, rank, inner.file, Metadata::kSync);
  run.files.calls[rank].in_call = true;
  run.distributed->access({FileCall::For::kRank, rank}, inner.file,
                          {kind == InnerKind::kRead ? io::FileAction::kRead : io::FileAction::kWrite,
                           inner.offset == kUnknownOffset ? 0 : inner.offset, inner.bytes});
}

Time end_of_inner(Run& run, const InnerItem& item, const InnerAccess& access, Time now) {
  const std::optional<std::uint32_t> file_system =
      access.file == kNone ? std::nullopt : run.coverage.file_system(access.file);
  if (!file_system) return now + (item.times.end - item.times.begin);
  switch (item.kind) {
    case InnerKind::kOpen:
      return run.files.storage.open(*file_system, now);
    case InnerKind::kClose:
      return run.files.storage.close(*file_system, now);
    case InnerKind::kSync:
      return run.files.storage.sync(*file_system, now);
    case InnerKind::kRead:
      return run.files.storage.access(*file_system, access.file, hw::Access::kRead, Bytes{access.bytes}, now);
    case InnerKind::kWrite:
      return run.files.storage.access(*file_system, access.file, hw::Access::kWrite, Bytes{access.bytes}, now);
    default:
      return now;
  }
}

void run_item(Run& run, std::uint32_t rank, const InnerItem& item) {
  Inside& inside = run.inner.ranks[rank];
  mpi::RankState& state = run.engine.rank(rank);
  ++run.cursors[rank].inner;
  inside.begun = false;
  inside.any = true;
  inside.seen = item.times.end;
  inside.charged = {};
  if (is_posix(item.kind)) {
    const InnerAccess& access = run.program.rank(rank).access_of(item);
    if (item.kind != InnerKind::kOther && access.file != kNone && on_servers(run, access.file))
      return ask_inner(run, rank, item.kind, access);
    state.clock = end_of_inner(run, item, access, state.clock);
    return;
  }
  inside.cap = cap_of(run, rank, item);
  mpi::enter(run.engine, rank);
  if (item.kind == InnerKind::kDone) mpi::progress(run.engine, rank);
  run_message(run, rank, item);
  if (item.kind != InnerKind::kDone) mpi::progress(run.engine, rank);
  if (item.kind != InnerKind::kDone) inside.charged = state.clock - inside.at;
}

}  // namespace

bool begin_inside(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  const RankProgram& own = run.program.rank(rank);
  while (cursor.inner < own.inner.size() && own.inner[cursor.inner].operation < cursor.next) ++cursor.inner;
  Inside& inside = run.inner.ranks[rank];
  const bool io = is_as_run_io(run, rank, op);
  inside.runs = run.inner.streams->runs(rank, cursor.next);
  inside.posix = io || (inside.runs && is_io(op.kind));
  inside.gaps = inside.runs || !io;
  inside.begun = inside.any = false;
  inside.seen = own.times[cursor.next].begin;
  inside.charged = {};
  inside.cap = {};
  cursor.inside = inside.runs || io || next_inside(run, rank) != nullptr;
  return cursor.inside;
}

bool run_inside(Run& run, std::uint32_t rank) {
  Inside& inside = run.inner.ranks[rank];
  const Cursor& cursor = run.cursors[rank];
  const mpi::RankState& state = run.engine.rank(rank);
  // The first begins with the operation, even if it has found something to answer there.
  const auto last_end = [&] { return inside.any ? state.clock : cursor.begin; };
  while (const InnerItem* item = next_inside(run, rank)) {
    if (!inside.begun) {
      const bool waits = item->kind == InnerKind::kDone;
      inside.at = last_end();
      if (!waits)
        inside.at +=
            library_time(run, inside, item->times.begin - inside.seen, std::max(inside.cap, cap_of(run, rank, *item)));
      inside.begun = true;
    }
    const bool may_be_asked = item->kind == InnerKind::kReceive &&
                              run.engine.may_be_rendezvous(run.program.rank(rank).inner_messages[item->index].bytes);
    if (!is_due(run, rank, is_posix(item->kind) || may_be_asked)) return true;
    run_item(run, rank, *item);
    if (state.pending > 0 || is_in_file_call(run, rank)) return true;
  }
  if (!inside.begun) {
    inside.at = last_end();
    if (inside.runs)
      inside.at += library_time(run, inside, run.program.rank(rank).times[cursor.next].end - inside.seen, inside.cap);
    inside.begun = true;
  }
  return !is_due(run, rank, false);
}

void end_inside(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  const Inside& inside = run.inner.ranks[rank];
  cursor.inside = false;
  if (inside.any || inside.runs) run.result.by_inner[rank].push_back(cursor.next);
  if (inside.runs) {
    // All that its wait will wait for is among the items of this and of later calls.
    if (starts_collective(op.kind))
      mpi::complete_at(run.engine, run.engine.request_of_slot(rank, run.program.rank(rank).request_of(op)), rank,
                       run.engine.rank(rank).clock);
    return;
  }
  mpi::enter(run.engine, rank);
  if (is_as_run_io(run, rank, op)) {
    mpi::progress(run.engine, rank);
    return use_phases(cursor, {ends_with_all(run, rank, op) ? Phase::kBarrier : Phase::kOver});
  }
  begin_call(run, rank, op);
}

std::vector<StuckRank> stuck_inside(const Run& run) {
  std::vector<StuckRank> ranks;
  for (std::uint32_t rank = 0; rank < run.program.ranks(); ++rank) {
    const Cursor& cursor = run.cursors[rank];
    if (!cursor.in_hand || !cursor.inside) continue;
    ranks.push_back({rank, cursor.next, false, {}});
    const RankProgram& own = run.program.rank(rank);
    // It waits for the message before the next item, which may belong to an earlier operation.
    if (cursor.inner == 0 || is_posix(own.inner[cursor.inner - 1].kind)) continue;
    ranks.push_back({rank, own.inner_messages[own.inner[cursor.inner - 1].index].operation, false, {}});
  }
  return ranks;
}

}  // namespace plumbline::replay::engine
