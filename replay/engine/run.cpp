// The run loop: it takes events in order and runs each rank as far as it gets.

#include "replay/engine/run.hpp"

#include <algorithm>
#include <utility>

#include "hwmodels/storage/record_use.hpp"
#include "replay/mpi/stuck.hpp"

namespace plumbline::replay {
namespace {

MessageKinds message_kinds(const Program& program, const InnerStreams* streams) {
  MessageKinds kinds;
  kinds.synchronous_sends = streams != nullptr && streams->has_synchronous();
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const Operation& op : program.rank(rank).operations) {
      const bool sends = op.kind == OpKind::kSend || op.kind == OpKind::kIsend;
      kinds.synchronous_sends |= sends && (op.flags & kSynchronous);
      kinds.blocking_receives |= op.kind == OpKind::kRecv || op.kind == OpKind::kSendrecv;
      kinds.open_wildcards |= is_open_wildcard(op);
    }
  return kinds;
}

constexpr std::uint64_t kTellMask = (1U << 16) - 1;  // events between two words of progress

// An anchored replay has no noise: it would only shift what is compared at random.
mpi::Noise noise_of(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const ReplayOptions& options,
                    Time origin) {
  return options.mode == Mode::kFree ? mpi::Noise(platform, nodes, options.seed, origin) : mpi::Noise();
}

hw::SamplingOptions sampling_of(const ReplayOptions& options) {
  constexpr double kMedian = 0.5;
  if (options.share || options.mode == Mode::kFree) return {options.share, options.seed};
  return {kMedian, options.seed};
}

std::unique_ptr<DistributedFiles> distributed_files(const Program& program, const hw::Platform& platform,
                                                    const ReplayOptions& options, const ModelCoverage& coverage,
                                                    std::span<const std::uint32_t> nodes, mpi::Engine& engine,
                                                    sim::EventQueue& queue) {
  if (!DistributedFiles::any(program, coverage)) return nullptr;
  return std::make_unique<DistributedFiles>(program, platform, coverage, nodes, engine.packet_network(),
                                            engine.components(), options.cache, options.choices.hints, queue);
}

// File servers hold their nodes.
hw::NetworkOptions network_options(const Program& program, const ReplayOptions& options,
                                   const ModelCoverage& coverage) {
  return {.express = options.express, .holds = DistributedFiles::any(program, coverage), .watched = options.record_use};
}

// What is waited for in it, if anything, are messages.
bool waits_for_messages(OpKind kind) {
  return kind == OpKind::kRecv || kind == OpKind::kSendrecv || kind == OpKind::kWait;
}

// Ends the same whatever else has come to the rank meanwhile: its messages are taken one by one, and in order.
bool is_alone_with_its_messages(OpKind kind) {
  return kind == OpKind::kSend || kind == OpKind::kRecv || kind == OpKind::kSendrecv || kind == OpKind::kIsend ||
         kind == OpKind::kIrecv;
}

}  // namespace

Run::Run(const Program& program, const hw::Platform& platform, const ReplayOptions& options,
         const InnerStreams* streams)
    : program_(program),
      options_(options),
      coverage_(program, platform, options.choices.library),
      open_receives_(program),
      platform_(platform),
      streams_(streams),
      first_begin_(replay::begin_of(program)),
      nodes_(place_ranks(program, platform)),
      compute_scale_(platform.nodes, [&](const hw::Node& node) { return options.compute / node.speed; }),
      noise_(noise_of(platform, nodes_, options, first_begin_)),
      comms_(program),
      kinds_(message_kinds(program, streams)),
      engine_(program, platform, nodes_, kinds_.synchronous_sends, noise_, queue_,
              network_options(program, options, coverage_), sampling_of(options)),
      distributed_(distributed_files(program, platform, options, coverage_, nodes_, engine_, queue_)),
      first_rank_(engine_.components() + (distributed_ ? distributed_->components() : 0)),
      cores_(platform, nodes_, first_rank_ + program.ranks(), queue_),
      choice_(program, platform, nodes_, options_),
      storage_(platform.file_systems, options.cache),
      views_(program),
      cursors_(program.ranks()),
      shared_work_(cores_.any_shared() ? program.ranks() : 0),
      calls_(program,
             [this](const RankProgram& own, const Operation& op) {
               return coverage_.file_system(op.comm).has_value() && coverage_.gathers(own, op);
             }),
      patterns_(program),
      locks_(program.files()),
      works_(options.form == Form::kIdeal || program.files() == 0 ? 0 : program.ranks()),
      file_calls_(program.files() == 0 ? 0 : program.ranks()),
      unfinished_(program.ranks()) {
  if (options.keep_times) result_.times.reserve(program.ranks());
  if (!program.windows().empty()) {
    windows_ = std::make_unique<mpi::Windows>(program, platform, comms_, engine_);
    engine_.deliver_to(windows_.get());
  }
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    has_inner_posix_ = has_inner_posix_ || !own.inner_accesses.empty();
    if (options.keep_times) result_.times.emplace_back(options.scratch).reserve(own.operations.size());
    if (options.keep_file_operations) result_.file_operations.emplace_back();
    if (streams == nullptr) continue;
    insides_.emplace_back().requests.assign(own.inner_slots, kNone);
    result_.by_inner.emplace_back();
  }
}

std::optional<ReplayResult> Run::finish() {
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    engine_.rank(rank).clock = first_begin_;
    if (program_.rank(rank).operations.empty())
      finish_rank(rank);
    else if (begin_of(rank) > first_begin_)
      wake(rank, cursors_[rank].begin);
  }
  queue_.push({first_begin_, first_rank_, kAllBegin, 0, 0, 0, 0});
  // Others gain nothing: they wait for the clock before they wait for messages.
  if (kinds_.open_wildcards)
    engine_.let_ranks_receive_from_any();
  else if (kinds_.blocking_receives && options_.run_ahead && options_.go_ahead && streams_ == nullptr)
    engine_.let_ranks_go_ahead();
  if (options_.record_use) record_use();
  while (unfinished_ > 0) {
    if (queue_.empty()) {
      if (streams_ != nullptr && streams_->any()) return std::nullopt;
      stuck();
    }
    sim::Event event = queue_.pop();
    if ((++result_.events & kTellMask) == 0 && options_.progress) tell_progress();
    if (result_.use.history && event.at >= result_.use.history->next()) sample_use(event.at);
    check_context.clock_ps = event.at.ps;
    if (event.component < engine_.components()) {
      engine_.handle(event);
      if (distributed_) distributed_->handle_notifications();
    } else if (event.component < first_rank_) {
      distributed_->handle(event);
    } else if (const std::uint32_t rank = event.component - first_rank_; rank < cursors_.size()) {
      of_rank(rank, event.kind);
    } else {
      share_cores(event);
    }
    go_on_with_ready();
    if (distributed_) serve_files();
  }
  check_context = {};
  result_.messages = engine_.messages();
  result_.unreceived = engine_.unreceived();
  result_.beyond_measured = engine_.port().beyond_measured();
  result_.collectives = choice_.uses();
  if (mpi::Wildcards* const wildcards = engine_.wildcards())
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
      result_.wildcards.push_back(wildcards->take_matches(rank));
  if (distributed_) hw::storage::end_record(distributed_->servers(), queue_.now(), result_.use.storage);
  if (result_.use.history) end_use();
  return std::move(result_);
}

void Run::tell_progress() const {
  std::uint64_t over = 0, all = 0;
  for (std::uint32_t rank = 0; rank < cursors_.size(); ++rank) {
    over += cursors_[rank].next;
    all += program_.rank(rank).operations.size();
  }
  if (all > 0) options_.progress(static_cast<double>(over) / static_cast<double>(all));
}

void Run::of_rank(std::uint32_t rank, std::uint32_t event) {
  switch (static_cast<RankEvent>(event)) {
    case kGoesOn:
      cursors_[rank].timed = false;
      return go_on(rank);
    case kFileDone:
      return file_done(rank);
    case kSubmittedDone:
      return submitted_done(rank);
    case kAllBegin:
      return begin_all();
  }
}

void Run::begin_all() {
  for (std::uint32_t rank = 0; rank < cursors_.size(); ++rank)
    if (!cursors_[rank].timed && !program_.rank(rank).operations.empty()) go_on(rank);
}

// One that goes on may make others ready, where its messages need no event.
void Run::go_on_with_ready() {
  std::vector<std::uint32_t>& ready = engine_.ready();
  for (std::size_t i = 0; i < ready.size(); ++i) go_on(ready[i]);
  ready.clear();
}

// A call posts all that it has to post before it looks for what has come, and then waits.
void Run::start(std::uint32_t rank, const Operation& op) {
  engine_.rank(rank).only_messages = waits_for_messages(op.kind);
  if (is_outside_mpi(op)) return begin_to_wait(rank, op);
  post(rank, op);
  engine_.progress(rank);
  begin_to_wait(rank, op);
}

// False: not yet, an event will bring the rank back.
[[gnu::always_inline]] inline bool Run::begin_next(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const Operation& op = program_.rank(rank).operations[cursor.next];
  if (const Duration stolen = engine_.stolen(rank); stolen > Duration{} && options_.mode == Mode::kFree)
    compute(rank, stolen);
  const bool shares = !shared_work_.empty() && shared_work_[rank] > Duration{};
  if (engine_.is_ahead(rank) && (shares || !is_alone_with_its_messages(op.kind))) {
    engine_.catch_up(rank);
    return false;
  }
  if (cursor.begin > queue_.now() && (shares || begins_at_clock(rank, op))) {
    wake(rank, cursor.begin);
    return false;
  }
  if (shares) {
    cores_.begin(nodes_[rank], rank, std::exchange(shared_work_[rank], Duration{}));
    return false;
  }
  cursor.in_hand = true;
  mpi::RankState& state = engine_.rank(rank);
  state.clock = cursor.begin;
  if (!is_outside_mpi(op)) engine_.enter(rank);
  if (streams_ == nullptr || unanswered(rank) != 0 || !begin_inside(rank, op)) start(rank, op);
  return true;
}

// Whether the rank must wait before its operation can end. Phases that need not wait are run here.
[[gnu::always_inline]] inline bool Run::waits(std::uint32_t rank, const Operation& op) {
  const Cursor& cursor = cursors_[rank];
  mpi::RankState& state = engine_.rank(rank);
  if (cursor.inside && state.pending == 0) {
    if (run_inside(rank)) {
      state.where = state.pending > 0 ? mpi::Where::kBlocked : mpi::Where::kOutside;  // outside: it computes
      return true;
    }
    end_inside(rank, op);
  }
  bool waiting = state.pending > 0;
  if (!waiting && cursor.phases[0] != Phase::kOver) {
    if (!is_outside_mpi(op)) state.where = mpi::Where::kInCall;
    waiting = advance_phases(rank, op);
  }
  const bool outside = is_outside_mpi(op) || is_in_file_call(rank);  // a POSIX call: it answers nobody
  if (waiting) state.where = outside ? mpi::Where::kOutside : mpi::Where::kBlocked;
  return waiting;
}

// As mpi::for_each_collective() counts them.
[[gnu::always_inline]] inline bool Run::counts_as_collective(const Operation& op) const {
  return is_data_collective(op.kind) && !comms_.is_inter(op.comm) && comms_.size(op.comm) > 1;
}

[[gnu::always_inline]] inline void Run::end_operation(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  mpi::RankState& state = engine_.rank(rank);
  if (coverage_.models_in_part(rank, cursor.next, op) || unanswered(rank) != 0) {
    const OperationTimes& observed = program_.rank(rank).times[cursor.next];
    state.clock = std::max(state.clock, cursor.begin + (observed.end - observed.begin));
  }
  if (is_io(op.kind) && (op.flags & kNonBlocking) && coverage_.blocks(program_.rank(rank), op))
    engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request), rank,
                        state.clock);
  if (counts_as_collective(op) && unanswered(rank) == 0) ++comms_.membership(rank, op.comm).data_collectives;
  if (options_.keep_times) result_.times[rank].push_back({cursor.begin, state.clock});
  result_.end = std::max(result_.end, state.clock);
  engine_.stolen(rank);  // in a POSIX call a thread has the CPU to itself; time inside of a call is not stretched
  if (!is_outside_mpi(op)) {
    engine_.leave(rank, streams_ == nullptr || !insides_[rank].runs);
    if (options_.mode == Mode::kAnchored) engine_.stay(rank, cursor.begin, program_.rank(rank).times[cursor.next].end);
  }
  cursor.in_hand = false;
  cursor.phases = {};
  ++cursor.next;
}

// Runs a rank as far as it gets now. Its parts are inline: each operation takes all of them.
void Run::go_on(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const std::span<const Operation> operations = program_.rank(rank).operations;
  check_context.rank = rank;
  while (true) {
    check_context.operation = cursor.next;
    if (!cursor.in_hand && !begin_next(rank)) return;
    const Operation& op = operations[cursor.next];
    if (waits(rank, op)) return;
    end_operation(rank, op);
    if (cursor.next == operations.size()) return finish_rank(rank);
    cursor.begin = begin_of(rank);
  }
}

void Run::finish_rank(std::uint32_t rank) {
  engine_.enter(rank);
  engine_.progress(rank);
  engine_.rank(rank).where = mpi::Where::kFinished;
  --unfinished_;
}

// An event at which the rank goes on.
void Run::wake(std::uint32_t rank, Time at) {
  Cursor& cursor = cursors_[rank];
  PLUMBLINE_CHECK(!cursor.timed, "a rank waits for one point in time");
  cursor.timed = true;
  queue_.push({at, first_rank_ + rank, kGoesOn, rank, cursor.next, 0, 0});
}

void Run::keep_duration(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const OperationTimes& observed = program_.rank(rank).times[cursor.next];
  cursor.until = cursor.begin + (observed.end - observed.begin);
  use_phases(cursor, {Phase::kTimer});
}

void Run::stuck() const {
  std::vector<StuckRank> ranks;
  std::vector<std::uint32_t> next;
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    const Cursor& cursor = cursors_[rank];
    next.push_back(cursor.next);
    if (engine_.rank(rank).where == mpi::Where::kFinished) continue;
    StuckRank stuck{rank, cursor.next};
    if (cursor.phases[cursor.phase] == Phase::kMissing) {
      stuck.gathers = true;
      stuck.missing = missing_ranks(rank);
    }
    if (distributed_) stuck.waits_for = distributed_->waits_for(rank);
    ranks.push_back(std::move(stuck));
  }
  throw_stuck(program_, engine_, windows_.get(), ranks, next);
}

}  // namespace plumbline::replay
