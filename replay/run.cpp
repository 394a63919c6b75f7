#include "replay/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hwmodels/storage/record_use.hpp"
#include "replay/stuck.hpp"
#include "replay/unanswered.hpp"

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
    }
  return kinds;
}

Time first_begin_of(const Program& program) {
  Time first{std::numeric_limits<std::int64_t>::max()};
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (!program.rank(rank).times.empty()) first = std::min(first, program.rank(rank).times.front().begin);
  return first == Time{std::numeric_limits<std::int64_t>::max()} ? Time{} : first;
}

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
                                                    const ReplayOptions& options, const Judge& judge,
                                                    std::span<const std::uint32_t> nodes, mpi::Engine& engine,
                                                    sim::EventQueue& queue) {
  if (!DistributedFiles::any(program, judge)) return nullptr;
  return std::make_unique<DistributedFiles>(program, platform, judge, nodes, engine.packet_network(),
                                            engine.components(), options.cache, options.choices.hints, queue);
}

// Who watches a run looks at the network between any two rounds. File servers hold their nodes.
hw::NetworkOptions network_options(const Program& program, const ReplayOptions& options, const Judge& judge) {
  return {.express = !options.record_use, .holds = DistributedFiles::any(program, judge)};
}

bool is_outside_mpi(const Operation& op) { return is_io(op.kind) && !(op.flags & kIoIsMpi); }

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
      judge_(program, platform, options.choices.library),
      platform_(platform),
      streams_(streams),
      first_begin_(first_begin_of(program)),
      nodes_(place_ranks(program, platform)),
      compute_scale_(platform.nodes, [&](const hw::Node& node) { return options.compute / node.speed; }),
      noise_(noise_of(platform, nodes_, options, first_begin_)),
      comms_(program),
      kinds_(message_kinds(program, streams)),
      engine_(program, platform, nodes_, kinds_.synchronous_sends, noise_, queue_,
              network_options(program, options, judge_), sampling_of(options)),
      distributed_(distributed_files(program, platform, options, judge_, nodes_, engine_, queue_)),
      first_rank_(engine_.components() + (distributed_ ? distributed_->components() : 0)),
      cores_(platform, nodes_, first_rank_ + program.ranks(), queue_),
      choice_(program, platform, nodes_, options_),
      storage_(platform.file_systems, options.cache),
      views_(program),
      cursors_(program.ranks()),
      shared_work_(cores_.any_shared() ? program.ranks() : 0),
      calls_(program,
             [this](const RankProgram& own, const Operation& op) {
               return judge_.file_system(op.comm).has_value() && judge_.gathers(own, op);
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
    if (options.keep_times) result_.times.emplace_back().reserve(own.operations.size());
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
  if (kinds_.blocking_receives && options_.run_ahead && options_.go_ahead && streams_ == nullptr)
    engine_.let_ranks_go_ahead();
  if (options_.record_use) record_use();
  while (unfinished_ > 0) {
    if (queue_.empty()) {
      if (streams_ != nullptr && streams_->any()) return std::nullopt;
      stuck();
    }
    sim::Event event = queue_.pop();
    ++result_.events;
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
  result_.beyond_measured = engine_.wires().beyond_measured();
  result_.collectives = choice_.uses();
  if (distributed_) hw::storage::end_record(distributed_->servers(), queue_.now(), result_.use.storage);
  if (result_.use.history) sample_use(result_.use.history->next());
  return std::move(result_);
}

// The steps are short at first: a run may be much shorter than the one that was observed.
void Run::record_use() {
  constexpr std::int64_t kStepsOfObserved = 1 << 20;
  const std::span<const hw::Component> components = engine_.wires().busy_components();
  if (components.empty()) return;
  Time end = first_begin_;
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
    if (!program_.rank(rank).times.empty()) end = std::max(end, program_.rank(rank).times.back().end);
  const Duration step{std::max((end - first_begin_).ps / kStepsOfObserved, std::int64_t{1})};
  for (const hw::Component& component : components) {
    result_.use.names.push_back(component.name);
    result_.use.kinds.emplace_back(component.kind);
  }
  result_.use.history.emplace(components.size(), first_begin_, step);
  if (distributed_) record_servers(step);
}

void Run::record_servers(Duration step) {
  std::vector<std::string> files;
  for (std::uint32_t file = 0; file < program_.files(); ++file) files.emplace_back(program_.file(file));
  hw::storage::begin_record(platform_.servers, files, first_begin_, step, result_.use.storage);
  if (options_.device_operations > 0) distributed_->log_accesses(options_.device_operations);
}

// All that is due up to `now`, before anything that happens then.
void Run::sample_use(Time now) {
  if (distributed_) hw::storage::sample_use(distributed_->servers(), now, result_.use.storage);
  hw::UseHistory& history = *result_.use.history;
  while (history.next() <= now) {
    const Time at = history.next();
    history.sample(
        [&](std::size_t component) { return engine_.wires().use(static_cast<std::uint32_t>(component), at); });
  }
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

// Runs a rank as far as it gets now.
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

// False: not yet, an event will bring the rank back.
bool Run::begin_next(std::uint32_t rank) {
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

// What ranks do ahead of the clock nobody can see, unless it is to answer somebody (engine.hpp).
bool Run::begins_at_clock(std::uint32_t rank, const Operation& op) const {
  if (!options_.run_ahead) return true;
  if (engine_.must_synchronise(rank) && !is_outside_mpi(op)) return true;
  switch (op.kind) {
    case OpKind::kNonBlockingCollective:
      return true;
    case OpKind::kIrecv:
      return engine_.may_be_rendezvous(op.bytes);
    case OpKind::kSendrecv:
      return engine_.may_be_rendezvous(program_.rank(rank).sendrecvs[op.extra].bytes);
    case OpKind::kCollective:
      return engine_.may_be_rendezvous(largest_message(rank, op));
    case OpKind::kNonBlockingNeighbourhood:
      return true;
    case OpKind::kNeighbourhood:
      return engine_.may_be_rendezvous(largest_exchange(rank, op));
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return synchronises(rank, op);  // aggregators receive
    default:
      return false;
  }
}

// Of a collective, at most: no algorithm sends a rank more than all blocks.
std::uint64_t Run::largest_message(std::uint32_t rank, const Operation& op) const {
  return std::max(op.bytes, program_.rank(rank).collectives[op.extra].received) * comms_.size(op.comm);
}

std::uint64_t Run::largest_exchange(std::uint32_t rank, const Operation& op) const {
  std::uint64_t most = 0;
  const RankProgram& own = program_.rank(rank);
  for (const auto& list : {own.sends_to(op), own.receives_from(op)})
    for (const Neighbour& neighbour : list) most = std::max(most, neighbour.bytes);
  return most;
}

// Of the next operation; its predecessor has ended at the rank's clock.
Time Run::begin_of(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const RankProgram& own = program_.rank(rank);
  const Time observed = own.times[cursor.next].begin;
  const Time clock = engine_.rank(rank).clock;
  if (options_.mode == Mode::kAnchored) {
    if (clock > observed) {
      ++result_.late_starts;
      result_.lateness += clock - observed;
    }
    return cursor.begin = std::max(observed, clock);
  }
  const Time previous = cursor.next == 0 ? first_begin_ : own.times[cursor.next - 1].end;
  const Duration off = own.off_cpu.empty() ? Duration{} : off_cpu_before(own, cursor.next), tracer{own.gap_cost_ps};
  Duration gap = std::max(observed - previous - off - tracer, Duration{});
  const double scale = compute_scale_[nodes_[rank]];
  if (scale != 1.0) gap = {std::llround(static_cast<double>(gap.ps) * scale)};
  cursor.begin = clock;
  compute(rank, gap);
  return cursor.begin;
}

Duration Run::off_cpu_before(const RankProgram& own, std::uint32_t operation) const {
  Duration off;
  for (const OffCpu& one : std::ranges::equal_range(own.off_cpu, operation, {}, &OffCpu::operation)) off += one.delay;
  return off;
}

// Computes before the next operation. Where cores are shared `begin` stays, and work is left.
void Run::compute(std::uint32_t rank, Duration work) {
  Cursor& cursor = cursors_[rank];
  const Time alone = noise_.after(rank, cursor.begin, work);
  if (cores_.shared(nodes_[rank]))
    shared_work_[rank] = alone - cursor.begin;
  else
    cursor.begin = alone;
}

void Run::share_cores(const sim::Event& event) {
  computed_.clear();
  cores_.handle(event, computed_);
  for (const std::uint32_t rank : computed_) {
    cursors_[rank].begin = event.at;
    go_on(rank);
  }
}

// A call posts all that it has to post before it looks for what has come, and then waits.
void Run::start(std::uint32_t rank, const Operation& op) {
  engine_.rank(rank).only_messages = waits_for_messages(op.kind);
  if (is_outside_mpi(op)) return begin_to_wait(rank, op);
  post(rank, op);
  engine_.look(rank);
  begin_to_wait(rank, op);
}

// Of the operation in hand.
std::uint8_t Run::unanswered(std::uint32_t rank) const {
  if (options_.unanswered == nullptr) return Unanswered::kNothing;
  return options_.unanswered->of(rank, cursors_[rank].next);
}

// Posts what somebody answers; the rest is complete.
void Run::post_answered(std::uint32_t rank, const Operation& op, std::uint8_t unanswered) {
  const auto complete = [&](std::uint32_t request) { engine_.complete_at(request, rank, engine_.rank(rank).clock); };
  switch (op.kind) {
    case OpKind::kSend:
      return complete(engine_.blocking_send(rank));
    case OpKind::kRecv:
      return complete(engine_.blocking_receive(rank));
    case OpKind::kIsend:
    case OpKind::kIrecv:
      return complete(engine_.request_of_slot(rank, op.extra));
    case OpKind::kNonBlockingCollective:
      return complete(engine_.request_of_slot(rank, program_.rank(rank).collectives[op.extra].request));
    case OpKind::kSendrecv: {
      const SendrecvTail& tail = program_.rank(rank).sendrecvs[op.extra];
      if ((unanswered & Unanswered::kReceives) || tail.source == kNoPeer)
        complete(engine_.blocking_receive(rank));
      else
        engine_.receive(engine_.blocking_receive(rank), from(rank, op.comm, tail.source, tail.tag), tail.bytes);
      if (unanswered & Unanswered::kSends) return complete(engine_.blocking_send(rank));
      return start_send(rank, op, engine_.blocking_send(rank));
    }
    default:
      return;
  }
}

void Run::post(std::uint32_t rank, const Operation& op) {
  if (const std::uint8_t parts = unanswered(rank)) return post_answered(rank, op, parts);
  switch (op.kind) {
    case OpKind::kSend:
      return start_send(rank, op, engine_.blocking_send(rank));
    case OpKind::kRecv:
      return start_receive(rank, op, engine_.blocking_receive(rank));
    case OpKind::kIsend:
      return start_send(rank, op, engine_.request_of_slot(rank, op.extra));
    case OpKind::kIrecv:
      return start_receive(rank, op, engine_.request_of_slot(rank, op.extra));
    case OpKind::kSendrecv:
      return start_sendrecv(rank, op);
    case OpKind::kCollective:
    case OpKind::kNonBlockingCollective:
      return start_collective(rank, op);
    case OpKind::kNeighbourhood:
    case OpKind::kNonBlockingNeighbourhood:
      return start_neighbourhood(rank, op);
    case OpKind::kCommCreate:
      if (!comms_.is_inter(op.comm)) start_barrier(rank, op.comm, mpi::kCollectiveSpace);
      return;
    default:
      if (is_one_sided(op.kind)) windows_->call(rank, op);
      return;
  }
}

void Run::begin_to_wait(std::uint32_t rank, const Operation& op) {
  switch (op.kind) {
    case OpKind::kSend:
      return engine_.wait(engine_.blocking_send(rank));
    case OpKind::kRecv:
      return engine_.wait(engine_.blocking_receive(rank));
    case OpKind::kSendrecv:
      engine_.wait(engine_.blocking_send(rank));
      return engine_.wait(engine_.blocking_receive(rank));
    case OpKind::kWait:
      return start_wait(rank, op);
    case OpKind::kProbe:
      if (unanswered(rank) == Unanswered::kNothing) start_probe(rank, op);
      return;
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
    case OpKind::kIoSeek:
      return keep_duration(rank);
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return start_io(rank, op);
    default:
      return;
  }
}

// Whether the rank must wait before its operation can end. Phases that need not wait are run here.
bool Run::waits(std::uint32_t rank, const Operation& op) {
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
bool Run::counts_as_collective(const Operation& op) const {
  return is_data_collective(op.kind) && !comms_.is_inter(op.comm) && comms_.size(op.comm) > 1;
}

void Run::end_operation(std::uint32_t rank, const Operation& op) {
  Cursor& cursor = cursors_[rank];
  mpi::RankState& state = engine_.rank(rank);
  if (judge_.models_in_part(rank, cursor.next, op) || unanswered(rank) != 0) {
    const OperationTimes& observed = program_.rank(rank).times[cursor.next];
    state.clock = std::max(state.clock, cursor.begin + (observed.end - observed.begin));
  }
  if (is_io(op.kind) && (op.flags & kNonBlocking) && judge_.blocks(program_.rank(rank), op))
    engine_.complete_at(engine_.request_of_slot(rank, program_.rank(rank).accesses[op.extra].request), rank,
                        state.clock);
  if (counts_as_collective(op) && unanswered(rank) == 0) ++comms_.membership(rank, op.comm).data_collectives;
  if (options_.keep_times) result_.times[rank].push_back({cursor.begin, state.clock});
  result_.end = std::max(result_.end, state.clock);
  engine_.stolen(rank);  // in a POSIX call a thread has the CPU to itself; time inside of a call is not stretched
  if (!is_outside_mpi(op)) engine_.leave(rank, streams_ == nullptr || !insides_[rank].runs);
  cursor.in_hand = false;
  cursor.phases = {};
  ++cursor.next;
}

void Run::finish_rank(std::uint32_t rank) {
  engine_.enter(rank);
  engine_.look(rank);
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

mpi::Channel Run::to(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const {
  return {comms_.peer(rank, comm, peer), rank, comm, tag};
}

mpi::Channel Run::from(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const {
  return {rank, comms_.peer(rank, comm, peer), comm, tag};
}

void Run::start_send(std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.peer == kNoPeer) return engine_.complete_at(request, rank, engine_.rank(rank).clock);
  if (op.flags & kBuffered) {  // it is the library's from now on
    engine_.complete_at(request, rank, engine_.rank(rank).clock);
    request = engine_.pooled_request(rank);
  }
  engine_.send(request, to(rank, op.comm, op.peer, op.tag), op.bytes, op.flags & kSynchronous);
}

void Run::start_receive(std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.peer == kNoPeer) return engine_.complete_at(request, rank, engine_.rank(rank).clock);
  engine_.receive(request, from(rank, op.comm, op.peer, op.tag), op.bytes);
}

// The receive first, as the libraries do.
void Run::start_sendrecv(std::uint32_t rank, const Operation& op) {
  const SendrecvTail& tail = program_.rank(rank).sendrecvs[op.extra];
  if (tail.source != kNoPeer)
    engine_.receive(engine_.blocking_receive(rank), from(rank, op.comm, tail.source, tail.tag), tail.bytes);
  start_send(rank, op, engine_.blocking_send(rank));
}

void Run::start_wait(std::uint32_t rank, const Operation& op) {
  if (op.flags & kNoRequestList) return engine_.wait(engine_.request_of_slot(rank, op.extra));
  for (const std::uint32_t slot : program_.rank(rank).waits_for(op)) engine_.wait(engine_.request_of_slot(rank, slot));
}

void Run::start_probe(std::uint32_t rank, const Operation& op) {
  if (op.peer != kNoPeer) engine_.probe(rank, from(rank, op.comm, op.peer, op.tag));
}

void Run::start_collective(std::uint32_t rank, const Operation& op) {
  const bool blocking = op.kind == OpKind::kCollective;
  const std::uint32_t request =
      blocking ? kNone : engine_.request_of_slot(rank, program_.rank(rank).collectives[op.extra].request);
  if (comms_.is_inter(op.comm)) {  // not judged
    if (!blocking) engine_.complete_at(request, rank, engine_.rank(rank).clock);
    return keep_duration(rank);
  }
  mpi::Membership& member = comms_.membership(rank, op.comm);
  mpi::Shape shape = shape_of(program_, rank, op, comms_.size(op.comm), member.rank);
  shape.plan = choice_.plan(op.comm, member.data_collectives);
  engine_.start(rank, shape, program_.comm(op.comm), op.comm, mpi::kCollectiveSpace, member.collectives++, request);
}

void Run::start_neighbourhood(std::uint32_t rank, const Operation& op) {
  const RankProgram& own = program_.rank(rank);
  mpi::Membership& member = comms_.membership(rank, op.comm);
  mpi::Shape shape;
  shape.size = comms_.size(op.comm);
  shape.rank = member.rank;
  shape.neighbours = {own.sends_to(op), own.receives_from(op),
                      mpi::post_order(choice_.library(), static_cast<Neighbourhood>(op.tag))};
  const std::uint32_t request =
      op.kind == OpKind::kNeighbourhood ? kNone : engine_.request_of_slot(rank, own.request_of(op));
  engine_.start(rank, shape, program_.comm(op.comm), op.comm, mpi::kNeighbourSpace, member.neighbourhoods++, request);
}

void Run::start_barrier(std::uint32_t rank, std::uint32_t comm, std::uint32_t space) {
  mpi::Membership& member = comms_.membership(rank, comm);
  std::uint32_t& sequence = space == mpi::kFileSpace ? member.file_collectives : member.collectives;
  mpi::Shape shape;
  shape.size = comms_.size(comm);
  shape.rank = member.rank;
  engine_.start(rank, shape, program_.comm(comm), comm, space, sequence++, kNone);
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
