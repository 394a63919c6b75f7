// Files: open, close, sync, and accesses in the ideal or the as-run form (docs/replay.md, "I/O").

#include <algorithm>
#include <utility>

#include "replay/run.hpp"

namespace plumbline::replay {
namespace {

bool is_collective(const Operation& op) { return op.flags & kIoIsCollective; }

bool is_data(const Operation& op) { return op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite; }

hw::Access access_of(const Operation& op) {
  return op.kind == OpKind::kIoRead ? hw::Access::kRead : hw::Access::kWrite;
}

// Takes the next call from what is to be done: its kind and its bytes.
io::Batch take_one(io::Accesses& accesses) {
  io::Batch& batch = accesses.batches[accesses.batches[0].count > 0 ? 0 : 1];
  const std::uint64_t bytes = batch.bytes / batch.count + (batch.bytes % batch.count != 0);
  --batch.count;
  batch.bytes -= bytes;
  return {batch.kind, 1, bytes};
}

}  // namespace

std::uint32_t Run::comm_of(std::uint32_t rank, const Operation& op) const {
  return program_.rank(rank).accesses[op.extra].comm;
}

void Run::use_phases(Cursor& cursor, std::initializer_list<Phase> phases) const {
  cursor.phases = {};
  std::copy(phases.begin(), phases.end(), cursor.phases.begin());
  cursor.phase = 0;
  cursor.phase_begun = false;
}

bool Run::synchronises(std::uint32_t rank, const Operation& op) const {
  return is_collective(op) && !(op.flags & kNonBlocking) && !comms_.is_inter(comm_of(rank, op));
}

void Run::start_io(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  const bool with_others = synchronises(rank, op);
  const Phase last = with_others ? Phase::kBarrier : Phase::kOver;
  if (!judge_.file_system(op.comm)) {
    keep_duration(rank);
    cursor.phases[1] = last;
    if (op.flags & kNonBlocking)
      engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request), rank,
                          cursor.begin);
    return;
  }
  if (!is_data(op)) return use_phases(cursor, {Phase::kMetadata, last});
  if (!with_others) {
    const io::Footprint footprint = views_.footprint(program_.rank(rank), op, 0);
    cursor.accesses =
        io::best_accesses(platform_.file_systems[*judge_.file_system(op.comm)], access_of(op), footprint.runs);
    return use_phases(cursor, {Phase::kAccesses});
  }
  if (op.kind == OpKind::kIoWrite)
    use_phases(cursor, {Phase::kGather, Phase::kExchange, Phase::kAccesses, Phase::kBarrier});
  else
    use_phases(cursor, {Phase::kGather, Phase::kAccesses, Phase::kExchange});
}

// True while the rank must wait.
bool Run::advance_phases(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  while (cursor.phase < cursor.phases.size() && cursor.phases[cursor.phase] != Phase::kOver) {
    if (run_phase(rank, op, cursor.phases[cursor.phase])) return true;
    ++cursor.phase;
    cursor.phase_begun = false;
  }
  return false;
}

// Begins a phase or goes on with it; true while the rank must wait.
bool Run::run_phase(std::uint32_t rank, const Operation& op, Phase phase) {
  Cursor& cursor = cursors_[rank];
  const bool begun = std::exchange(cursor.phase_begun, true);
  switch (phase) {
    case Phase::kOver:
      return false;
    case Phase::kAccesses:
      return access_next(rank, op);
    case Phase::kMetadata:
      return begun ? until_over(rank) : metadata(rank, op);
    case Phase::kTimer:
      return until_over(rank);
    case Phase::kGather:
      return begun ? until_over(rank) : gather(rank, op);
    case Phase::kExchange:
      if (!begun) exchange(rank, op);
      return engine_.rank(rank).pending > 0;
    case Phase::kBarrier:
      if (!begun) start_barrier(rank, comm_of(rank, op), mpi::kFileSpace);
      return engine_.rank(rank).pending > 0;
  }
  return false;
}

// False when the time is over that the rank waits for. Nobody sees a rank run ahead of it, unless it is to answer
// somebody meanwhile.
bool Run::until_over(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  if (cursor.until > queue_.now() && engine_.must_synchronise(rank)) {
    wake(rank, cursor.until);
    return true;
  }
  mpi::RankState& state = engine_.rank(rank);
  state.clock = std::max(state.clock, cursor.until);
  return false;
}

// Storage serves in the order of its calls, so they are made at their time. True: the rank must wait for that.
bool Run::before_clock(std::uint32_t rank) {
  const Time clock = engine_.rank(rank).clock;
  if (clock <= queue_.now()) return false;
  wake(rank, clock);
  return true;
}

// The next call to the storage; what is answered is when it ends, and the rank has its CPU until then.
bool Run::access_next(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  mpi::RankState& state = engine_.rank(rank);
  state.clock = std::max(state.clock, cursor.until);
  if (op.flags & kNonBlocking) return start_non_blocking(rank, op);
  while (cursor.accesses.operations() > 0) {
    if (before_clock(rank)) return true;
    const io::Batch call = take_one(cursor.accesses);
    cursor.until = storage_.access(*judge_.file_system(op.comm), call.kind, Bytes{call.bytes}, state.clock);
    if (engine_.must_synchronise(rank)) {
      wake(rank, cursor.until);
      return true;
    }
    state.clock = cursor.until;
  }
  return false;
}

// All calls are handed over at once; the request is complete when the last of them is.
bool Run::start_non_blocking(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  if (before_clock(rank)) return true;
  const Time begin = engine_.rank(rank).clock;
  Time end = begin;
  while (cursor.accesses.operations() > 0) {
    const io::Batch call = take_one(cursor.accesses);
    const Time done = storage_.access(*judge_.file_system(op.comm), call.kind, Bytes{call.bytes}, begin);
    end = options_.cache == hw::CacheCase::kCached ? end + (done - begin) : done;
  }
  engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request), rank, end);
  return false;
}

bool Run::metadata(std::uint32_t rank, const Operation& op) {
  if (before_clock(rank)) {
    cursors_[rank].phase_begun = false;
    return true;
  }
  const std::uint32_t file_system = *judge_.file_system(op.comm);
  const Time now = engine_.rank(rank).clock;
  Cursor& cursor = cursors_[rank];
  if (op.kind == OpKind::kIoOpen)
    cursor.until = storage_.open(file_system, now);
  else if (op.kind == OpKind::kIoClose)
    cursor.until = storage_.close(file_system, now);
  else
    cursor.until = storage_.sync(file_system, now);
  return until_over(rank);
}

std::uint32_t Run::gathering_of(std::uint32_t comm) {
  std::uint32_t& current = gathering_on_[comm];
  if (current != kNone) return current;
  if (free_gatherings_.empty()) {
    free_gatherings_.push_back(static_cast<std::uint32_t>(gatherings_.size()));
    gatherings_.emplace_back();
  }
  current = free_gatherings_.back();
  free_gatherings_.pop_back();
  Gathering& gathering = gatherings_[current];
  gathering.comm = comm;
  gathering.arrived = 0;
  gathering.users = comms_.size(comm);
  gathering.latest = queue_.now();
  return current;
}

// The last rank to come makes the plan and wakes the others at the time at which all are there.
bool Run::gather(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  const std::uint32_t comm = comm_of(rank, op);
  mpi::Membership& member = comms_.membership(rank, comm);
  cursor.group = gathering_of(comm);
  Gathering& gathering = gatherings_[cursor.group];
  gathering.sequence = member.file_collectives++;
  gathering.latest = std::max(gathering.latest, engine_.rank(rank).clock);
  if (++gathering.arrived < gathering.users) {
    ++engine_.rank(rank).pending;
    return true;
  }
  gathering_on_[comm] = kNone;
  make_plan(gathering, op);
  for (const std::uint32_t other : program_.comm(comm).members) {
    cursors_[other].until = gathering.latest;
    engine_.rank(other).pending = 0;
    wake(other, gathering.latest);
  }
  return true;
}

void Run::make_plan(Gathering& gathering, const Operation& op) {
  std::vector<io::Member> members;
  for (const std::uint32_t other : program_.comm(gathering.comm).members) {
    members.push_back({engine_.rank(other).node, other, cursors_[other].next});
    cursors_[other].accesses = {};
  }
  gathering.plan = io::plan_collective(platform_.file_systems[*judge_.file_system(op.comm)], access_of(op),
                                       io::parts_of(program_, views_, members));
  for (const io::Domain& domain : gathering.plan.domains)
    cursors_[comms_.world(gathering.comm, domain.aggregator)].accesses = domain.accesses;
}

// All messages of the rank at once: an aggregator has one with every other rank that has data in its domain.
void Run::exchange(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  Gathering& gathering = gatherings_[cursor.group];
  const std::uint32_t own = comms_.membership(rank, gathering.comm).rank;
  const io::CollectivePlan& plan = gathering.plan;
  const bool write = op.kind == OpKind::kIoWrite;
  const auto post = [&](const io::Transfer& transfer, bool sending) {
    const std::uint32_t peer = comms_.world(gathering.comm, transfer.rank == own ? transfer.aggregator : transfer.rank);
    const std::uint32_t space = mpi::kFileSpace | gathering.comm;
    const std::int32_t tag = static_cast<std::int32_t>(gathering.sequence);
    const std::uint32_t request = engine_.pooled_request(rank);
    if (sending)
      engine_.send(request, {peer, rank, space, tag}, transfer.bytes, false);
    else
      engine_.receive(request, {rank, peer, space, tag}, transfer.bytes);
    posted_.push_back(request);
  };
  posted_.clear();
  for (const io::Transfer& transfer : plan.of_aggregator(own)) post(transfer, !write);
  for (const std::uint32_t index : plan.of_rank(own)) post(plan.transfers[index], write);
  for (const std::uint32_t request : posted_) engine_.wait(request);
  if (--gathering.users == 0) free_gatherings_.push_back(cursor.group);
}

}  // namespace plumbline::replay
