#include "replay/engine/run/file_accesses.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "replay/engine/run/collective_access.hpp"
#include "replay/engine/run/file_calls.hpp"
#include "replay/engine/run/library_access.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::engine {
namespace {

bool is_data(const Operation& op) { return op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite; }

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

// Begins an access in the ideal form: nobody waits for anybody but for data (docs/models/replay-files.md).
void start_ideal(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  FileCalls& calls = run.files.calls[rank];
  if (!synchronises(run, rank, op)) {
    const io::Footprint footprint = run.files.views.footprint(run.program.rank(rank), op, 0);
    calls.accesses =
        io::best_accesses(run.platform.file_systems[*run.coverage.file_system(op.comm)], access_of(op), footprint.runs);
    if (on_servers(run, op.comm)) run.distributed->set_list(rank, footprint.runs);
    return use_phases(cursor, {Phase::kAccesses});
  }
  SharedAccess& shared = shared_by(run, rank, op);
  if (!std::exchange(shared.is_made, true)) make_plan(run, shared, rank, op);
  calls.accesses = {};
  const std::uint32_t own = run.comms.membership(rank, comm_of(run, rank, op)).rank;
  for (const io::Domain& domain : shared.plan.domains) {
    if (domain.aggregator != own) continue;
    calls.accesses = domain.accesses;
    if (on_servers(run, op.comm)) run.distributed->set_list(rank, domain.list);
  }
  if (op.kind == OpKind::kIoWrite)
    use_phases(cursor, {Phase::kExchange, Phase::kAccesses});
  else
    use_phases(cursor, {Phase::kAccesses, Phase::kExchange});
}

// All calls are handed over at once; the request is complete when the last of them is.
bool start_non_blocking(Run& run, std::uint32_t rank, const Operation& op) {
  FileCalls& calls = run.files.calls[rank];
  if (before_clock(run, rank)) return true;
  const std::uint32_t request = run.engine.request_of_slot(rank, run.program.rank(rank).accesses[op.extra].request);
  if (on_servers(run, op.comm) && calls.accesses.operations() > 0) {
    mpi::begin_other(run.engine, request, rank);
    run.distributed->access_list({FileCall::For::kRequest, rank, request}, op.comm, access_of(op));
    calls.accesses = {};
    return false;
  }
  const Time begin = run.engine.rank(rank).clock;
  Time end = begin;
  while (calls.accesses.operations() > 0) {
    // All are given to the storage at once. In the cache they are done one after another, and wait for other writers.
    const io::FileOperation operation = take_one(calls.accesses);
    const Duration alone = hw::access_time(run.platform.file_systems[*run.coverage.file_system(op.comm)],
                                           access_of(operation.action), run.options.cache, Bytes{operation.bytes});
    end = std::max(end_of_access(run, op.comm, operation, begin), end + alone);
  }
  mpi::complete_at(run.engine, request, rank, end);
  return false;
}

}  // namespace

std::uint32_t comm_of(const Run& run, std::uint32_t rank, const Operation& op) {
  return run.program.rank(rank).accesses[op.extra].comm;
}

bool synchronises(const Run& run, std::uint32_t rank, const Operation& op) {
  return run.coverage.gathers(run.program.rank(rank), op) && !run.comms.is_inter(comm_of(run, rank, op));
}

void start_io(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  const bool with_others = synchronises(run, rank, op);
  const Phase last = with_others ? Phase::kBarrier : Phase::kOver;
  if (!run.coverage.file_system(op.comm)) {
    keep_duration(run, rank);
    cursor.phases[1] = last;
    if (!run.coverage.blocks(run.program.rank(rank), op))
      mpi::complete_at(run.engine, run.engine.request_of_slot(rank, run.program.rank(rank).accesses[op.extra].request),
                       rank, cursor.begin);
    return;
  }
  if (!is_data(op)) return use_phases(cursor, {Phase::kMetadata, last});
  if (with_others && !take_part(run, rank, op))
    return run.options.unanswered == nullptr ? use_phases(cursor, {Phase::kMissing}) : keep_duration(run, rank);
  if (run.options.form != Form::kIdeal && start_library(run, rank, op)) return;
  start_ideal(run, rank, op);
}

bool access_next(Run& run, std::uint32_t rank, const Operation& op) {
  FileCalls& calls = run.files.calls[rank];
  if (!run.coverage.blocks(run.program.rank(rank), op)) return start_non_blocking(run, rank, op);
  if (calls.in_call) return true;
  if (calls.accesses.operations() == 0) return false;
  if (before_clock(run, rank)) return true;
  if (on_servers(run, op.comm))
    access_list(run, rank, op);
  else
    access(run, rank, op.comm, take_one(calls.accesses));
  return true;
}

bool metadata(Run& run, std::uint32_t rank, const Operation& op) {
  if (before_clock(run, rank)) {
    run.cursors[rank].phase_begun = false;
    return true;
  }
  const std::uint32_t file_system = *run.coverage.file_system(op.comm);
  const Time now = run.engine.rank(rank).clock;
  Cursor& cursor = run.cursors[rank];
  if (on_servers(run, op.comm)) {
    cursor.until = now;
    ask_servers(run, rank, op.comm, metadata_call(op, run.program.call(op.call)));
    return true;
  }
  if (op.kind == OpKind::kIoOpen)
    cursor.until = run.files.storage.open(file_system, now);
  else if (op.kind == OpKind::kIoClose)
    cursor.until = run.files.storage.close(file_system, now);
  else
    cursor.until = run.files.storage.sync(file_system, now);
  return until_over(run, rank);
}

}  // namespace plumbline::replay::engine
