// Files: open, close, sync, and accesses in the ideal or the as-run form (docs/models/replay-files.md).

#include <algorithm>
#include <utility>

#include "replay/engine/run.hpp"

namespace plumbline::replay {
namespace {

bool is_data(const Operation& op) { return op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite; }

hw::Access access_of(const Operation& op) {
  return op.kind == OpKind::kIoRead ? hw::Access::kRead : hw::Access::kWrite;
}

// Takes the next call from what is to be done.
io::FileOperation take_one(io::Accesses& accesses) {
  io::Batch& batch = accesses.batches[accesses.batches[0].count > 0 ? 0 : 1];
  const std::uint64_t bytes = batch.bytes / batch.count + (batch.bytes % batch.count != 0);
  const io::FileAction action = batch.kind == hw::Access::kRead ? io::FileAction::kRead : io::FileAction::kWrite;
  const io::FileOperation operation{action, batch.offset, bytes};
  --batch.count;
  batch.bytes -= bytes;
  batch.offset += batch.stride;
  return operation;
}

// Of opens only creat() is sure to make a file.
DistributedFiles::Metadata metadata_call(const Operation& op, std::string_view call) {
  using Metadata = DistributedFiles::Metadata;
  if (op.kind == OpKind::kIoOpen) return call.starts_with("creat") ? Metadata::kCreate : Metadata::kOpen;
  return op.kind == OpKind::kIoClose ? Metadata::kClose : Metadata::kSync;
}

hw::Access kind_of(io::FileAction action) {
  const bool reads =
      action == io::FileAction::kRead || action == io::FileAction::kVectorRead || action == io::FileAction::kSubmitRead;
  return reads ? hw::Access::kRead : hw::Access::kWrite;
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
  return coverage_.gathers(program_.rank(rank), op) && !comms_.is_inter(comm_of(rank, op));
}

void Run::start_io(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  const bool with_others = synchronises(rank, op);
  const Phase last = with_others ? Phase::kBarrier : Phase::kOver;
  if (!coverage_.file_system(op.comm)) {
    keep_duration(rank);
    cursor.phases[1] = last;
    if (!coverage_.blocks(program_.rank(rank), op))
      engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request), rank,
                          cursor.begin);
    return;
  }
  if (!is_data(op)) return use_phases(cursor, {Phase::kMetadata, last});
  if (with_others && !take_part(rank, op))
    return options_.unanswered == nullptr ? use_phases(cursor, {Phase::kMissing}) : keep_duration(rank);
  if (options_.form != Form::kIdeal && start_library(rank, op)) return;
  start_ideal(rank, op);
}

// Nobody waits for anybody but for data.
void Run::start_ideal(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  FileCalls& calls = file_calls_[rank];
  if (!synchronises(rank, op)) {
    const io::Footprint footprint = views_.footprint(program_.rank(rank), op, 0);
    calls.accesses =
        io::best_accesses(platform_.file_systems[*coverage_.file_system(op.comm)], access_of(op), footprint.runs);
    if (on_servers(op.comm)) distributed_->set_list(rank, footprint.runs);
    return use_phases(cursor, {Phase::kAccesses});
  }
  SharedAccess& shared = shared_by(rank, op);
  if (!std::exchange(shared.is_made, true)) make_plan(shared, rank, op);
  calls.accesses = {};
  const std::uint32_t own = comms_.membership(rank, comm_of(rank, op)).rank;
  for (const io::Domain& domain : shared.plan.domains) {
    if (domain.aggregator != own) continue;
    calls.accesses = domain.accesses;
    if (on_servers(op.comm)) distributed_->set_list(rank, domain.list);
  }
  if (op.kind == OpKind::kIoWrite)
    use_phases(cursor, {Phase::kExchange, Phase::kAccesses});
  else
    use_phases(cursor, {Phase::kAccesses, Phase::kExchange});
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
      if (file_calls_[rank].in_call) return true;
      return begun ? until_over(rank) : metadata(rank, op);
    case Phase::kTimer:
      return until_over(rank);
    case Phase::kMissing:
      return true;
    case Phase::kExchange:
      if (!begun) exchange(rank, op);
      return engine_.rank(rank).pending > 0;
    case Phase::kBarrier:
      if (!begun) {
        start_barrier(rank, comm_of(rank, op), mpi::kFileSpace);
        engine_.progress(rank);  // what has come while servers were asked
      }
      return engine_.rank(rank).pending > 0;
    case Phase::kLibrary:
      return library_next(rank, op);
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

// ---- Calls to files

// Only what moves data takes time: the platform has no figure for a lock. On a local file system it is a system call
// that reaches no device; so what is expected stays a lower bound.
void Run::access(std::uint32_t rank, std::uint32_t file, const io::FileOperation& operation) {
  FileCalls& calls = file_calls_[rank];
  const Time now = engine_.rank(rank).clock;
  const io::ByteRange range{operation.offset, operation.offset + operation.bytes};
  const auto over = [&](std::uint32_t whose, Time at) {
    queue_.push({at, first_rank_ + whose, kFileDone, whose, file_calls_[whose].sequence++, 0, 0});
  };
  calls.in_call = true;
  if (options_.keep_file_operations) result_.file_operations[rank].push_back({cursors_[rank].next, operation});
  switch (operation.action) {
    case io::FileAction::kLockRead:
    case io::FileAction::kLockWrite:
      if (locks_[file].lock(rank, range, operation.action == io::FileAction::kLockWrite)) over(rank, now);
      return;
    case io::FileAction::kUnlock:
      for (const std::uint32_t other : locks_[file].unlock(rank, range)) over(other, now);
      return over(rank, now);
    case io::FileAction::kSubmitRead:
    case io::FileAction::kSubmitWrite:
      calls.file = file;
      calls.submitted.push_back(operation);
      if (calls.submitted.size() == 1) submit_next(rank);
      return over(rank, now);
    default:
      if (on_servers(file)) return distributed_->access({FileCall::For::kRank, rank}, file, operation);
      return over(rank, end_of(file, operation, now));
  }
}

Time Run::end_of(std::uint32_t file, const io::FileOperation& operation, Time now) {
  return storage_.access(*coverage_.file_system(file), file, kind_of(operation.action), Bytes{operation.bytes}, now);
}

void Run::file_done(std::uint32_t rank) {
  mpi::RankState& state = engine_.rank(rank);
  state.clock = std::max(state.clock, queue_.now());
  file_calls_[rank].in_call = false;
  if (program_.rank(rank).operations[cursors_[rank].next].flags & kIoIsMpi) engine_.enter(rank);
  go_on(rank);
}

// Asynchronous operations on one descriptor are done one after the other (glibc, rt/aio_misc.c).
void Run::submit_next(std::uint32_t rank) {
  FileCalls& calls = file_calls_[rank];
  if (on_servers(calls.file))
    return distributed_->access({FileCall::For::kSubmitted, rank}, calls.file, calls.submitted[calls.begun]);
  const Time end = end_of(calls.file, calls.submitted[calls.begun], queue_.now());
  queue_.push({end, first_rank_ + rank, kSubmittedDone, rank, calls.sequence++, 0, 0});
}

void Run::submitted_done(std::uint32_t rank) {
  FileCalls& calls = file_calls_[rank];
  if (++calls.begun < calls.submitted.size()) return submit_next(rank);
  calls.submitted.clear();
  calls.begun = 0;
  if (!std::exchange(calls.waits_for_submitted, false)) return;
  mpi::RankState& state = engine_.rank(rank);
  state.clock = std::max(state.clock, queue_.now());
  go_on(rank);
}

// The next call, at its time; the rank has its CPU until it is over.
bool Run::access_next(std::uint32_t rank, const Operation& op) {
  FileCalls& calls = file_calls_[rank];
  if (!coverage_.blocks(program_.rank(rank), op)) return start_non_blocking(rank, op);
  if (calls.in_call) return true;
  if (calls.accesses.operations() == 0) return false;
  if (before_clock(rank)) return true;
  if (on_servers(op.comm))
    access_list(rank, op);
  else
    access(rank, op.comm, take_one(calls.accesses));
  return true;
}

// All calls are handed over at once; the request is complete when the last of them is.
bool Run::start_non_blocking(std::uint32_t rank, const Operation& op) {
  FileCalls& calls = file_calls_[rank];
  if (before_clock(rank)) return true;
  const std::uint32_t request = engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request);
  if (on_servers(op.comm) && calls.accesses.operations() > 0) {
    engine_.begin_other(request, rank);
    distributed_->access_list({FileCall::For::kRequest, rank, request}, op.comm, access_of(op));
    calls.accesses = {};
    return false;
  }
  const Time begin = engine_.rank(rank).clock;
  Time end = begin;
  while (calls.accesses.operations() > 0) {
    // All are given to the storage at once. In the cache they are done one after another, and wait for other writers.
    const io::FileOperation operation = take_one(calls.accesses);
    const Duration alone = hw::access_time(platform_.file_systems[*coverage_.file_system(op.comm)],
                                           kind_of(operation.action), options_.cache, Bytes{operation.bytes});
    end = std::max(end_of(op.comm, operation, begin), end + alone);
  }
  engine_.complete_at(request, rank, end);
  return false;
}

// All that the rank accesses, as one call with a list.
void Run::access_list(std::uint32_t rank, const Operation& op) {
  if (options_.keep_file_operations) {
    const bool reads = access_of(op) == hw::Access::kRead;
    for (const hw::storage::Extent& extent : distributed_->list(rank))
      result_.file_operations[rank].push_back(
          {cursors_[rank].next,
           {reads ? io::FileAction::kRead : io::FileAction::kWrite, extent.offset, extent.length}});
  }
  file_calls_[rank].accesses = {};
  file_calls_[rank].in_call = true;
  distributed_->access_list({FileCall::For::kRank, rank}, op.comm, access_of(op));
}

// The rank waits for the answer.
void Run::ask_servers(std::uint32_t rank, std::uint32_t file, DistributedFiles::Metadata what) {
  file_calls_[rank].in_call = true;
  distributed_->ask({FileCall::For::kRank, rank}, file, what);
}

// What the servers have done. Ranks that go on may ask for something that is done at once.
void Run::serve_files() {
  while (distributed_->take_done(served_)) {
    for (const FileCall& call : served_) {
      switch (call.waits) {
        case FileCall::For::kRank:
          file_done(call.rank);
          break;
        case FileCall::For::kSubmitted:
          submitted_done(call.rank);
          break;
        case FileCall::For::kRequest:
          engine_.end_other(call.request, queue_.now());
          break;
      }
    }
    go_on_with_ready();
  }
}

bool Run::metadata(std::uint32_t rank, const Operation& op) {
  if (before_clock(rank)) {
    cursors_[rank].phase_begun = false;
    return true;
  }
  const std::uint32_t file_system = *coverage_.file_system(op.comm);
  const Time now = engine_.rank(rank).clock;
  Cursor& cursor = cursors_[rank];
  if (on_servers(op.comm)) {
    cursor.until = now;
    ask_servers(rank, op.comm, metadata_call(op, program_.call(op.call)));
    return true;
  }
  if (op.kind == OpKind::kIoOpen)
    cursor.until = storage_.open(file_system, now);
  else if (op.kind == OpKind::kIoClose)
    cursor.until = storage_.close(file_system, now);
  else
    cursor.until = storage_.sync(file_system, now);
  return until_over(rank);
}

// ---- Collective accesses

// False: the call never comes to be, because a rank of the communicator makes fewer.
bool Run::take_part(std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(rank, op);
  const mpi::Membership& member = comms_.membership(rank, comm);
  std::uint32_t& number = file_calls_[rank].collective;
  number = calls_.number_of(comm, member.rank, cursors_[rank].next);
  return number < calls_.calls(comm);
}

std::vector<std::uint32_t> Run::missing_ranks(std::uint32_t rank) const {
  const std::uint32_t comm = comm_of(rank, program_.rank(rank).operations[cursors_[rank].next]);
  const auto members = program_.comm(comm).members;
  std::vector<std::uint32_t> missing;
  for (std::uint32_t member = 0; member < members.size(); ++member)
    if (!calls_.operation(comm, member, file_calls_[rank].collective)) missing.push_back(members[member]);
  return missing;
}

SharedAccess& Run::shared_by(std::uint32_t rank, const Operation& op) {
  return shared_.of(comm_of(rank, op), file_calls_[rank].collective);
}

void Run::leave_shared(std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(rank, op);
  shared_.leave(comm, file_calls_[rank].collective, comms_.size(comm));
}

void Run::make_plan(SharedAccess& shared, std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(rank, op);
  const std::uint32_t number = file_calls_[rank].collective;
  std::vector<io::Member> members;
  for (const std::uint32_t other : program_.comm(comm).members)
    members.push_back(
        {engine_.node(other), other, *calls_.operation(comm, static_cast<std::uint32_t>(members.size()), number)});
  shared.plan = io::plan_collective(platform_.file_systems[*coverage_.file_system(op.comm)], access_of(op),
                                    io::parts_of(program_, views_, members));
}

// A message of an exchange, between the rank and a rank of the communicator.
void Run::post(std::uint32_t rank, std::uint32_t comm, std::uint32_t sequence, std::uint32_t peer, std::uint64_t bytes,
               bool sends) {
  const std::uint32_t other = comms_.world(comm, peer), space = mpi::kFileSpace | comm;
  const auto tag = static_cast<std::int32_t>(sequence);
  const std::uint32_t request = engine_.pooled_request(rank);
  if (sends)
    engine_.send(request, {other, rank, space, tag}, bytes, false);
  else
    engine_.receive(request, {rank, other, space, tag}, bytes);
  posted_.push_back(request);
}

// As in any call: what came while nobody looked, such as in a POSIX call, is answered when all is posted.
void Run::wait_for_posted(std::uint32_t rank) {
  engine_.progress(rank);
  engine_.wait(posted_);
  posted_.clear();
}

// All messages of the rank at once: an aggregator has one with every other rank that has data in its domain.
void Run::exchange(std::uint32_t rank, const Operation& op) {
  const std::uint32_t comm = comm_of(rank, op);
  mpi::Membership& member = comms_.membership(rank, comm);
  const io::CollectivePlan& plan = shared_by(rank, op).plan;
  const bool write = op.kind == OpKind::kIoWrite;
  const std::uint32_t sequence = member.file_collectives++;
  for (const io::Transfer& transfer : plan.of_aggregator(member.rank))
    post(rank, comm, sequence, transfer.rank, transfer.bytes, !write);
  for (const std::uint32_t index : plan.of_rank(member.rank))
    post(rank, comm, sequence, plan.transfers[index].aggregator, plan.transfers[index].bytes, write);
  leave_shared(rank, op);
  wait_for_posted(rank);
}

}  // namespace plumbline::replay
