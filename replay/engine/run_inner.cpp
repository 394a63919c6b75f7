// Operations run by what was recorded inside of them: messages, completions and POSIX calls in the order of the
// recording (docs/models/replay-inner-streams.md).

#include <algorithm>
#include <cmath>
#include <limits>

#include "replay/engine/run.hpp"

namespace plumbline::replay {
namespace {

std::uint32_t context_space(const InnerMessage& message) { return mpi::kInnerSpace | message.context; }

}  // namespace

// The data operations whose recorded POSIX calls stand for them; where the recording has none at all, the ideal does.
bool Run::is_as_run_io(std::uint32_t rank, const Operation& op) const {
  const bool moves = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
  return has_inner_posix_ && moves && (op.flags & kIoIsMpi) && coverage_.blocks(program_.rank(rank), op) &&
         coverage_.file_system(op.comm).has_value();
}

// Whether there is something inside of the operation to be run, before anything of its own.
bool Run::begin_inside(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  const RankProgram& own = program_.rank(rank);
  while (cursor.inner < own.inner.size() && own.inner[cursor.inner].operation < cursor.next) ++cursor.inner;
  Inside& inside = insides_[rank];
  const bool io = is_as_run_io(rank, op);
  inside.runs = streams_->runs(rank, cursor.next);
  inside.posix = io || (inside.runs && is_io(op.kind));
  inside.gaps = inside.runs || !io;
  inside.begun = inside.any = false;
  inside.seen = own.times[cursor.next].begin;
  inside.charged = {};
  inside.cap = {};
  cursor.inside = inside.runs || io || next_inside(rank) != nullptr;
  return cursor.inside;
}

// Null: no more of this operation.
const InnerItem* Run::next_inside(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const RankProgram& own = program_.rank(rank);
  for (; cursor.inner < own.inner.size() && own.inner[cursor.inner].operation == cursor.next; ++cursor.inner) {
    const InnerItem& item = own.inner[cursor.inner];
    const bool is_run =
        is_posix(item.kind) ? insides_[rank].posix : streams_->runs(rank, own.inner_messages[item.index].operation);
    if (is_run) return &item;
  }
  return nullptr;
}

// True while the rank must wait: for a message, or for the clock.
bool Run::run_inside(std::uint32_t rank) {
  Inside& inside = insides_[rank];
  const Cursor& cursor = cursors_[rank];
  const mpi::RankState& state = engine_.rank(rank);
  // The first begins with the operation, even if it has found something to answer there.
  const auto last_end = [&] { return inside.any ? state.clock : cursor.begin; };
  while (const InnerItem* item = next_inside(rank)) {
    if (!inside.begun) {
      const bool waits = item->kind == InnerKind::kDone;
      inside.at = last_end();
      if (!waits)
        inside.at += library_time(inside, item->times.begin - inside.seen, std::max(inside.cap, cap_of(rank, *item)));
      inside.begun = true;
    }
    const bool may_be_asked = item->kind == InnerKind::kReceive &&
                              engine_.may_be_rendezvous(program_.rank(rank).inner_messages[item->index].bytes);
    if (!is_due(rank, is_posix(item->kind) || may_be_asked)) return true;
    run_item(rank, *item);
    if (state.pending > 0 || is_in_file_call(rank)) return true;
  }
  if (!inside.begun) {
    inside.at = last_end();
    if (inside.runs)
      inside.at += library_time(inside, program_.rank(rank).times[cursor.next].end - inside.seen, inside.cap);
    inside.begun = true;
  }
  return !is_due(rank, false);
}

// Whether what begins at `at` can begin; else an event brings the rank back. Until then it computes, and answers
// nobody.
bool Run::is_due(std::uint32_t rank, bool at_clock) {
  Inside& inside = insides_[rank];
  mpi::RankState& state = engine_.rank(rank);
  if (inside.at > queue_.now() && (at_clock || !options_.run_ahead || engine_.must_synchronise(rank))) {
    wake(rank, inside.at);
    return false;
  }
  state.clock = std::max(state.clock, inside.at);
  return true;
}

// Both ends of a message, and one pass over its data in memory (to copy it, or to reduce it).
Duration Run::cap_of(std::uint32_t rank, const InnerItem& item) {
  if (is_posix(item.kind)) return {};
  const InnerMessage& message = program_.rank(rank).inner_messages[item.index];
  const BytesPerSecond memory = platform_.nodes[engine_.node(rank)].memory_rate.value;
  Duration cap = engine_.cpu_time(rank, message.peer, message.bytes);
  if (memory.count > 0) cap += transfer_time(Bytes{message.bytes}, memory);
  return cap;
}

// Of the recorded time before an item: less what the model has already charged for the item before, and no more than
// the library can have computed.
Duration Run::library_time(const Inside& inside, Duration recorded, Duration cap) const {
  if (!inside.gaps) return {};
  if (options_.inner_gap_cap != 1.0) cap = {std::llround(static_cast<double>(cap.ps) * options_.inner_gap_cap)};
  return std::clamp(recorded - inside.charged, Duration{}, cap);
}

void Run::run_item(std::uint32_t rank, const InnerItem& item) {
  Inside& inside = insides_[rank];
  mpi::RankState& state = engine_.rank(rank);
  ++cursors_[rank].inner;
  inside.begun = false;
  inside.any = true;
  inside.seen = item.times.end;
  inside.charged = {};
  if (is_posix(item.kind)) {
    const InnerAccess& access = program_.rank(rank).access_of(item);
    if (item.kind != InnerKind::kOther && access.file != kNone && on_servers(access.file))
      return ask_inner(rank, item.kind, access);
    state.clock = end_of_inner(item, access, state.clock);
    return;
  }
  inside.cap = cap_of(rank, item);
  engine_.enter(rank);
  if (item.kind == InnerKind::kDone) engine_.progress(rank);
  run_message(rank, item);
  if (item.kind != InnerKind::kDone) engine_.progress(rank);
  if (item.kind != InnerKind::kDone) inside.charged = state.clock - inside.at;
}

void Run::run_message(std::uint32_t rank, const InnerItem& item) {
  const InnerMessage& message = program_.rank(rank).inner_messages[item.index];
  std::uint32_t& request = insides_[rank].requests[message.slot];
  if (item.kind == InnerKind::kDone) return engine_.wait(std::exchange(request, kNone));
  request = engine_.pooled_request(rank);
  if (item.kind == InnerKind::kSend)
    engine_.send(request, {message.peer, rank, context_space(message), message.tag}, message.bytes,
                 message.flags & kInnerSynchronous);
  else
    engine_.receive(request, {rank, message.peer, context_space(message), message.tag}, message.bytes);
}

// What lies at an unknown place is taken to lie at the beginning of the file.
void Run::ask_inner(std::uint32_t rank, InnerKind kind, const InnerAccess& inner) {
  using Metadata = DistributedFiles::Metadata;
  if (kind == InnerKind::kOpen) return ask_servers(rank, inner.file, Metadata::kOpen);
  if (kind == InnerKind::kClose) return ask_servers(rank, inner.file, Metadata::kClose);
  if (kind == InnerKind::kSync) return ask_servers(rank, inner.file, Metadata::kSync);
  file_calls_[rank].in_call = true;
  distributed_->access({FileCall::For::kRank, rank}, inner.file,
                       {kind == InnerKind::kRead ? io::FileAction::kRead : io::FileAction::kWrite,
                        inner.offset == kUnknownOffset ? 0 : inner.offset, inner.bytes});
}

Time Run::end_of_inner(const InnerItem& item, const InnerAccess& access, Time now) {
  const std::optional<std::uint32_t> file_system =
      access.file == kNone ? std::nullopt : coverage_.file_system(access.file);
  if (!file_system) return now + (item.times.end - item.times.begin);
  switch (item.kind) {
    case InnerKind::kOpen:
      return storage_.open(*file_system, now);
    case InnerKind::kClose:
      return storage_.close(*file_system, now);
    case InnerKind::kSync:
      return storage_.sync(*file_system, now);
    case InnerKind::kRead:
      return storage_.access(*file_system, access.file, hw::Access::kRead, Bytes{access.bytes}, now);
    case InnerKind::kWrite:
      return storage_.access(*file_system, access.file, hw::Access::kWrite, Bytes{access.bytes}, now);
    default:
      return now;
  }
}

// The items are done. What is not run by messages of its own goes on as ever.
void Run::end_inside(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  const Inside& inside = insides_[rank];
  cursor.inside = false;
  if (inside.any || inside.runs) result_.by_inner[rank].push_back(cursor.next);
  if (inside.runs) {
    // All that its wait will wait for is among the items of this and of later calls.
    if (starts_collective(op.kind))
      engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).request_of(op)), rank,
                          engine_.rank(rank).clock);
    return;
  }
  engine_.enter(rank);
  if (is_as_run_io(rank, op)) {
    engine_.progress(rank);
    return use_phases(cursor, {ends_with_all(rank, op) ? Phase::kBarrier : Phase::kOver});
  }
  start(rank, op);
}

std::vector<StuckRank> Run::stuck_inside() const {
  std::vector<StuckRank> ranks;
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    const Cursor& cursor = cursors_[rank];
    if (!cursor.in_hand || !cursor.inside) continue;
    ranks.push_back({rank, cursor.next, false, {}});
    const RankProgram& own = program_.rank(rank);
    // It waits for the message before the next item, which may belong to an earlier operation.
    if (cursor.inner == 0 || is_posix(own.inner[cursor.inner - 1].kind)) continue;
    ranks.push_back({rank, own.inner_messages[own.inner[cursor.inner - 1].index].operation, false, {}});
  }
  return ranks;
}

}  // namespace plumbline::replay
