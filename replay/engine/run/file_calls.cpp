#include "replay/engine/run/file_calls.hpp"

#include <algorithm>
#include <utility>

#include "replay/engine/run/loop.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_requests.hpp"

namespace plumbline::replay::engine {
namespace {

// Asynchronous operations on one descriptor are done one after the other (glibc, rt/aio_misc.c).
void submit_next(Run& run, std::uint32_t rank) {
  FileCalls& calls = run.files.calls[rank];
  if (on_servers(run, calls.file))
    return run.distributed->access({FileCall::For::kSubmitted, rank}, calls.file, calls.submitted[calls.begun]);
  const Time end = end_of_access(run, calls.file, calls.submitted[calls.begun], run.queue.now());
  run.queue.push({end, run.first_rank + rank, kSubmittedDone, rank, calls.sequence++, 0, 0});
}

}  // namespace

void access(Run& run, std::uint32_t rank, std::uint32_t file, const io::FileOperation& operation) {
  FileCalls& calls = run.files.calls[rank];
  const Time now = run.engine.rank(rank).clock;
  const io::ByteRange range{operation.offset, operation.offset + operation.bytes};
  const auto over = [&](std::uint32_t whose, Time at) {
    run.queue.push({at, run.first_rank + whose, kFileDone, whose, run.files.calls[whose].sequence++, 0, 0});
  };
  calls.in_call = true;
  if (run.options.keep_file_operations) run.result.file_operations[rank].push_back({run.cursors[rank].next, operation});
  switch (operation.action) {
    case io::FileAction::kLockRead:
    case io::FileAction::kLockWrite:
      if (run.files.locks[file].lock(rank, range, operation.action == io::FileAction::kLockWrite)) over(rank, now);
      return;
    case io::FileAction::kUnlock:
      for (const std::uint32_t other : run.files.locks[file].unlock(rank, range)) over(other, now);
      return over(rank, now);
    case io::FileAction::kSubmitRead:
    case io::FileAction::kSubmitWrite:
      calls.file = file;
      calls.submitted.push_back(operation);
      if (calls.submitted.size() == 1) submit_next(run, rank);
      return over(rank, now);
    default:
      if (on_servers(run, file)) return run.distributed->access({FileCall::For::kRank, rank}, file, operation);
      return over(rank, end_of_access(run, file, operation, now));
  }
}

void access_list(Run& run, std::uint32_t rank, const Operation& op) {
  if (run.options.keep_file_operations) {
    const bool reads = access_of(op) == hw::Access::kRead;
    for (const hw::storage::Extent& extent : run.distributed->list(rank))
      run.result.file_operations[rank].push_back(
          {run.cursors[rank].next,
           {reads ? io::FileAction::kRead : io::FileAction::kWrite, extent.offset, extent.length}});
  }
  run.files.calls[rank].accesses = {};
  run.files.calls[rank].in_call = true;
  run.distributed->access_list({FileCall::For::kRank, rank}, op.comm, access_of(op));
}

Time end_of_access(Run& run, std::uint32_t file, const io::FileOperation& operation, Time now) {
  return run.files.storage.access(*run.coverage.file_system(file), file, access_of(operation.action),
                                  Bytes{operation.bytes}, now);
}

void ask_servers(Run& run, std::uint32_t rank, std::uint32_t file, DistributedFiles::Metadata what) {
  run.files.calls[rank].in_call = true;
  run.distributed->ask({FileCall::For::kRank, rank}, file, what);
}

void file_done(Run& run, std::uint32_t rank) {
  mpi::RankState& state = run.engine.rank(rank);
  state.clock = std::max(state.clock, run.queue.now());
  run.files.calls[rank].in_call = false;
  if (run.program.rank(rank).operations[run.cursors[rank].next].flags & kIoIsMpi) mpi::enter(run.engine, rank);
  go_on(run, rank);
}

void submitted_done(Run& run, std::uint32_t rank) {
  FileCalls& calls = run.files.calls[rank];
  if (++calls.begun < calls.submitted.size()) return submit_next(run, rank);
  calls.submitted.clear();
  calls.begun = 0;
  if (!std::exchange(calls.waits_for_submitted, false)) return;
  mpi::RankState& state = run.engine.rank(rank);
  state.clock = std::max(state.clock, run.queue.now());
  go_on(run, rank);
}

void serve_files(Run& run) {
  while (run.distributed->take_done(run.files.served)) {
    for (const FileCall& call : run.files.served) {
      switch (call.waits) {
        case FileCall::For::kRank:
          file_done(run, call.rank);
          break;
        case FileCall::For::kSubmitted:
          submitted_done(run, call.rank);
          break;
        case FileCall::For::kRequest:
          mpi::end_other(run.engine, call.request, run.queue.now());
          break;
      }
    }
    go_on_with_ready(run);
  }
}

}  // namespace plumbline::replay::engine
