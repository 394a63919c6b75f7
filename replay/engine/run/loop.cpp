#include "replay/engine/run/loop.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "replay/engine/run/ahead.hpp"
#include "replay/engine/run/collective_access.hpp"
#include "replay/engine/run/compute.hpp"
#include "replay/engine/run/file_calls.hpp"
#include "replay/engine/run/inner.hpp"
#include "replay/engine/run/messages.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/engine/run/use.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/engine_wildcards.hpp"

namespace plumbline::replay::engine {
namespace {

constexpr std::uint64_t kTellMask = (1U << 16) - 1;  // events between two words of progress

// What is waited for in it, if anything, are messages.
bool waits_for_messages(OpKind kind) {
  return kind == OpKind::kRecv || kind == OpKind::kSendrecv || kind == OpKind::kWait;
}

// Ends the same whatever else has come to the rank meanwhile: its messages are taken one by one, and in order.
bool is_alone_with_its_messages(OpKind kind) {
  return kind == OpKind::kSend || kind == OpKind::kRecv || kind == OpKind::kSendrecv || kind == OpKind::kIsend ||
         kind == OpKind::kIrecv;
}

void tell_progress(const Run& run) {
  std::uint64_t over = 0, all = 0;
  for (std::uint32_t rank = 0; rank < run.cursors.size(); ++rank) {
    over += run.cursors[rank].next;
    all += run.program.rank(rank).operations.size();
  }
  if (all > 0) run.options.progress(static_cast<double>(over) / static_cast<double>(all));
}

// False: not yet, an event will bring the rank back.
[[gnu::always_inline]] inline bool begin_next(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  const Operation& op = run.program.rank(rank).operations[cursor.next];
  if (const Duration stolen = mpi::stolen(run.engine, rank); stolen > Duration{} && run.options.mode == Mode::kFree)
    compute(run, rank, stolen);
  const bool shares = !run.computing.shared_work.empty() && run.computing.shared_work[rank] > Duration{};
  if (run.engine.is_ahead(rank) && (shares || !is_alone_with_its_messages(op.kind))) {
    mpi::catch_up(run.engine, rank);
    return false;
  }
  if (cursor.begin > run.queue.now() && (shares || begins_at_clock(run, rank, op))) {
    wake(run, rank, cursor.begin);
    return false;
  }
  if (shares) {
    run.computing.cores.begin(run.nodes[rank], rank, std::exchange(run.computing.shared_work[rank], Duration{}));
    return false;
  }
  cursor.in_hand = true;
  mpi::RankState& state = run.engine.rank(rank);
  state.clock = cursor.begin;
  if (!is_outside_mpi(op)) mpi::enter(run.engine, rank);
  if (run.inner.streams == nullptr || unanswered(run, rank) != 0 || !begin_inside(run, rank, op))
    begin_call(run, rank, op);
  return true;
}

// Whether the rank must wait before its operation can end. Phases that need not wait are run here.
[[gnu::always_inline]] inline bool must_wait(Run& run, std::uint32_t rank, const Operation& op) {
  const Cursor& cursor = run.cursors[rank];
  mpi::RankState& state = run.engine.rank(rank);
  if (cursor.inside && state.pending == 0) {
    if (run_inside(run, rank)) {
      state.where = state.pending > 0 ? mpi::Where::kBlocked : mpi::Where::kOutside;  // outside: it computes
      return true;
    }
    end_inside(run, rank, op);
  }
  bool waiting = state.pending > 0;
  if (!waiting && cursor.phases[0] != Phase::kOver) {
    if (!is_outside_mpi(op)) state.where = mpi::Where::kInCall;
    waiting = advance_phases(run, rank, op);
  }
  const bool outside = is_outside_mpi(op) || is_in_file_call(run, rank);  // a POSIX call: it answers nobody
  if (waiting) state.where = outside ? mpi::Where::kOutside : mpi::Where::kBlocked;
  return waiting;
}

// As collectives::for_each_collective() counts them.
[[gnu::always_inline]] inline bool counts_as_collective(const Run& run, const Operation& op) {
  return is_data_collective(op.kind) && !run.comms.is_inter(op.comm) && run.comms.size(op.comm) > 1;
}

[[gnu::always_inline]] inline void end_operation(Run& run, std::uint32_t rank, const Operation& op) {
  Cursor& cursor = run.cursors[rank];
  mpi::RankState& state = run.engine.rank(rank);
  if (run.coverage.models_in_part(rank, cursor.next, op) || unanswered(run, rank) != 0) {
    const OperationTimes& observed = run.program.rank(rank).times[cursor.next];
    state.clock = std::max(state.clock, cursor.begin + (observed.end - observed.begin));
  }
  if (is_io(op.kind) && (op.flags & kNonBlocking) && run.coverage.blocks(run.program.rank(rank), op))
    mpi::complete_at(run.engine, run.engine.request_of_slot(rank, run.program.rank(rank).accesses[op.extra].request),
                     rank, state.clock);
  if (counts_as_collective(run, op) && unanswered(run, rank) == 0)
    ++run.comms.membership(rank, op.comm).data_collectives;
  if (run.options.keep_times) run.result.times[rank].push_back({cursor.begin, state.clock});
  run.result.end = std::max(run.result.end, state.clock);
  mpi::stolen(run.engine,
              rank);  // in a POSIX call a thread has the CPU to itself; time inside of a call is not stretched
  if (!is_outside_mpi(op)) {
    mpi::leave(run.engine, rank, run.inner.streams == nullptr || !run.inner.ranks[rank].runs);
    if (run.options.mode == Mode::kAnchored)
      mpi::stay(run.engine, rank, cursor.begin, run.program.rank(rank).times[cursor.next].end);
  }
  cursor.in_hand = false;
  cursor.phases = {};
  ++cursor.next;
}

void finish_rank(Run& run, std::uint32_t rank) {
  mpi::enter(run.engine, rank);
  mpi::progress(run.engine, rank);
  run.engine.rank(rank).where = mpi::Where::kFinished;
  --run.unfinished;
}

void begin_all(Run& run) {
  for (std::uint32_t rank = 0; rank < run.cursors.size(); ++rank)
    if (!run.cursors[rank].timed && !run.program.rank(rank).operations.empty()) go_on(run, rank);
}

void of_rank(Run& run, std::uint32_t rank, std::uint32_t event) {
  switch (static_cast<RankEvent>(event)) {
    case kGoesOn:
      run.cursors[rank].timed = false;
      return go_on(run, rank);
    case kFileDone:
      return file_done(run, rank);
    case kSubmittedDone:
      return submitted_done(run, rank);
    case kAllBegin:
      return begin_all(run);
  }
}

[[noreturn]] void stop_stuck(const Run& run) {
  std::vector<StuckRank> ranks;
  std::vector<std::uint32_t> next;
  for (std::uint32_t rank = 0; rank < run.program.ranks(); ++rank) {
    const Cursor& cursor = run.cursors[rank];
    next.push_back(cursor.next);
    if (run.engine.rank(rank).where == mpi::Where::kFinished) continue;
    StuckRank stuck{rank, cursor.next};
    if (cursor.phases[cursor.phase] == Phase::kMissing) {
      stuck.gathers = true;
      stuck.missing = missing_ranks(run, rank);
    }
    if (run.distributed) stuck.waits_for = run.distributed->waits_for(rank);
    ranks.push_back(std::move(stuck));
  }
  throw_stuck(run.program, run.engine, run.windows.get(), ranks, next);
}

}  // namespace

std::optional<ReplayResult> run_to_end(Run& run) {
  for (std::uint32_t rank = 0; rank < run.program.ranks(); ++rank) {
    run.engine.rank(rank).clock = run.first_begin;
    if (run.program.rank(rank).operations.empty())
      finish_rank(run, rank);
    else if (next_begin(run, rank) > run.first_begin)
      wake(run, rank, run.cursors[rank].begin);
  }
  run.queue.push({run.first_begin, run.first_rank, kAllBegin, 0, 0, 0, 0});
  // Others gain nothing: they wait for the clock before they wait for messages.
  if (run.kinds.open_wildcards)
    mpi::let_ranks_receive_from_any(run.engine);
  else if (run.kinds.blocking_receives && run.options.run_ahead && run.options.go_ahead && run.inner.streams == nullptr)
    mpi::let_ranks_go_ahead(run.engine);
  if (run.options.record_use) record_use(run);
  while (run.unfinished > 0) {
    if (run.queue.empty()) {
      if (run.inner.streams != nullptr && run.inner.streams->any()) return std::nullopt;
      stop_stuck(run);
    }
    sim::Event event = run.queue.pop();
    if ((++run.result.events & kTellMask) == 0 && run.options.progress) tell_progress(run);
    if (run.result.use.history && event.at >= run.result.use.history->next()) sample_use(run, event.at);
    check_context.clock_ps = event.at.ps;
    if (event.component < run.engine.components()) {
      mpi::handle(run.engine, event);
      if (run.distributed) run.distributed->handle_notifications();
    } else if (event.component < run.first_rank) {
      run.distributed->handle(event);
    } else if (const std::uint32_t rank = event.component - run.first_rank; rank < run.cursors.size()) {
      of_rank(run, rank, event.kind);
    } else {
      share_cores(run, event);
    }
    go_on_with_ready(run);
    if (run.distributed) serve_files(run);
  }
  check_context = {};
  run.result.messages = run.engine.messages_sent;
  run.result.unreceived = mpi::unreceived(run.engine);
  run.result.beyond_measured = run.engine.port.beyond_measured();
  run.result.collectives = run.choice.uses();
  if (mpi::Wildcards* const wildcards = run.engine.wildcards.get())
    for (std::uint32_t rank = 0; rank < run.program.ranks(); ++rank)
      run.result.wildcards.push_back(wildcards->take_matches(rank));
  end_use(run);
  return std::move(run.result);
}

void go_on_with_ready(Run& run) {
  std::vector<std::uint32_t>& ready = run.engine.ready;
  for (std::size_t i = 0; i < ready.size(); ++i) go_on(run, ready[i]);
  ready.clear();
}

void begin_call(Run& run, std::uint32_t rank, const Operation& op) {
  run.engine.rank(rank).only_messages = waits_for_messages(op.kind);
  if (is_outside_mpi(op)) return begin_to_wait(run, rank, op);
  post(run, rank, op);
  mpi::progress(run.engine, rank);
  begin_to_wait(run, rank, op);
}

void go_on(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  const std::span<const Operation> operations = run.program.rank(rank).operations;
  check_context.rank = rank;
  while (true) {
    check_context.operation = cursor.next;
    if (!cursor.in_hand && !begin_next(run, rank)) return;
    const Operation& op = operations[cursor.next];
    if (must_wait(run, rank, op)) return;
    end_operation(run, rank, op);
    if (cursor.next == operations.size()) return finish_rank(run, rank);
    cursor.begin = next_begin(run, rank);
  }
}

}  // namespace plumbline::replay::engine
