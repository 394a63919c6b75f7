// Accesses to files as their library carries them out, step by step (docs/models/mpi-io.md).

#include <algorithm>
#include <utility>

#include "replay/engine/run.hpp"

namespace plumbline::replay {
namespace {

using Stage = LibraryWork::Stage;

hw::Access data_kind(const Operation& op) {
  return op.kind == OpKind::kIoRead ? hw::Access::kRead : hw::Access::kWrite;
}

// MPI_File_write_shared, MPI_File_read_ordered, ..
bool uses_shared_pointer(std::string_view call) {
  return call.find("_shared") != std::string_view::npos || call.find("_ordered") != std::string_view::npos;
}

// Elements as the libraries have them: offsets and sums of 8 bytes, counts of 4, entries of lists of 16.
mpi::schedules::Call call_of(const io::CollectiveExchange& exchange, std::uint32_t ranks) {
  using mpi::schedules::Operation;
  mpi::schedules::Call call;
  call.ranks = ranks;
  if (!exchange.per_rank.empty()) {
    call.operation = Operation::allgatherv;
    call.type_bytes = io::kListEntryBytes;
    for (const std::uint64_t bytes : exchange.per_rank) call.counts.push_back(bytes / io::kListEntryBytes);
    return call;
  }
  const std::uint64_t bytes = exchange.collective == Collective::kAlltoall ? exchange.sent / ranks : exchange.sent;
  call.operation = exchange.collective == Collective::kAllgather   ? Operation::allgather
                   : exchange.collective == Collective::kAllreduce ? Operation::allreduce
                   : exchange.collective == Collective::kAlltoall  ? Operation::alltoall
                                                                   : Operation::bcast;
  call.type_bytes = bytes % 8 == 0 ? 8 : 4;
  call.count = bytes / call.type_bytes;
  return call;
}

}  // namespace

const io::FileSettings& Run::settings_of(std::uint32_t rank, const Operation& op) {
  const IoAccess access = op.extra == kNone ? IoAccess{} : program_.rank(rank).accesses[op.extra];
  const SettingsTable::key_type key{op.comm, access.hints, access.file_flags};
  const auto found = settings_.find(key);
  if (found != settings_.end()) return found->second;
  const io::FileSettings settings =
      io::file_settings(program_, op.comm, access, options_.choices.hints, options_.choices.library);
  return settings_.emplace(key, settings).first->second;
}

void Run::remark(std::string_view reason) {
  if (reason.empty()) return;
  for (IoRemark& known : result_.io_remarks)
    if (known.reason == reason) return void(++known.operations);
  result_.io_remarks.push_back({std::string(reason), 1});
}

// Whether the library's rules say what happens in this access; else the ideal form stands for it.
bool Run::is_covered(std::uint32_t rank, const Operation& op, const io::FileSettings& settings) {
  std::string_view why = settings.not_covered;
  if (!coverage_.blocks(program_.rank(rank), op)) why = "non-blocking accesses of MPI-IO are left to the ideal form";
  if (uses_shared_pointer(program_.call(op.call))) why = "accesses by a shared pointer are left to the ideal form";
  remark(why);
  if (why.empty()) remark(settings.assumed);
  return why.empty();
}

// False: the ideal form stands in.
bool Run::start_library(std::uint32_t rank, const Operation& op) {
  if (!(op.flags & kIoIsMpi)) return false;
  const io::FileSettings& settings = settings_of(rank, op);
  if (!is_covered(rank, op, settings)) return false;
  LibraryWork& work = works_[rank];
  work = {};
  work.settings = &settings;
  use_phases(cursors_[rank], {Phase::kLibrary});
  if (!synchronises(rank, op)) {
    work.alone = {settings, data_kind(op), io::Called::kIndependently, patterns_.of(program_.rank(rank), op, 0)};
    work.stage = Stage::kAlone;
    return true;
  }
  mpi::Membership& member = comms_.membership(rank, comm_of(rank, op));
  work.comm = member.comm;
  work.own = member.rank;
  work.number = file_calls_[rank].collective;
  if (io::is_always_alone(settings, data_kind(op), comms_.size(member.comm))) {
    work.alone = {settings, data_kind(op), io::Called::kOfCollective, patterns_.of(program_.rank(rank), op, 0)};
    work.stage = Stage::kAlone;
    return true;
  }
  work.sequence = member.file_collectives++;
  work.shared = &shared_by(rank, op);
  if (!std::exchange(work.shared->is_made, true)) make_library_call(rank, op);
  work.stage = Stage::kBefore;
  return true;
}

// Whether a collective access ends for all of its ranks together, as far as its library tells; for accesses of which
// only the POSIX calls were recorded.
bool Run::ends_with_all(std::uint32_t rank, const Operation& op) {
  if (!synchronises(rank, op)) return false;
  const io::FileSettings& settings = settings_of(rank, op);
  return settings.library == io::MpiIoLibrary::kUnknown ||
         !io::is_always_alone(settings, data_kind(op), comms_.size(comm_of(rank, op)));
}

// What all ranks want is known here from the beginning; in the model as in the world a rank uses it only after it has
// been told. Accesses whose place was not recorded lie one behind the other, in order of ranks.
void Run::make_library_call(std::uint32_t rank, const Operation& op) {
  const LibraryWork& work = works_[rank];
  SharedAccess& shared = *work.shared;
  std::vector<io::Participant> participants;
  std::uint64_t end = 0;
  for (const std::uint32_t world : program_.comm(work.comm).members) {
    const RankProgram& other = program_.rank(world);
    const auto member = static_cast<std::uint32_t>(participants.size());
    const Operation& its = other.operations[*calls_.operation(work.comm, member, work.number)];
    shared.patterns.push_back(patterns_.of(other, its, end));
    if (!shared.patterns.back().empty()) end = std::max(end, shared.patterns.back().end());
    participants.push_back({program_.node(other.processor), patterns_.view_of(other, its)});
  }
  shared.library = io::library_call(*work.settings, data_kind(op), shared.patterns, participants);
}

void Run::go_to(LibraryWork& work, LibraryWork::Stage stage) const {
  work.stage = stage;
  work.step = 0;
}

// True while the rank must wait.
bool Run::library_next(std::uint32_t rank, const Operation& op) {
  while (works_[rank].stage != Stage::kOver) {
    if (file_calls_[rank].in_call || engine_.rank(rank).pending > 0) return true;
    if (library_step(rank, op)) return true;
  }
  return false;
}

// One step; true: the rank must wait before it, and comes back to it.
bool Run::library_step(std::uint32_t rank, const Operation& op) {
  LibraryWork& work = works_[rank];
  if (work.stage == Stage::kAlone) return step_alone(rank, op);
  const io::LibraryCall& call = work.shared->library;
  const std::uint32_t aggregator = call.aggregator_of[work.own];
  const auto exchanges = [&](const std::vector<io::CollectiveExchange>& all, Stage next) {
    if (work.step == all.size()) return go_to(work, next);
    exchange(rank, all[work.step++]);
  };
  // Of the round, what the rank does to the file as an aggregator.
  const auto file_stage = [&](std::vector<io::FileOperations> io::Round::*operations, Stage next) {
    const io::FileOperations none;
    const io::FileOperations& own =
        aggregator == kNone ? none : (work.shared->round(work.round).*operations)[aggregator];
    if (work.step < own.size()) return file_step(rank, op, own);
    go_to(work, next);
    return false;
  };
  switch (work.stage) {
    case Stage::kBefore:
      return exchanges(call.before, call.alone ? Stage::kAlone : Stage::kOpening), begin_alone(rank, op), false;
    case Stage::kOpening:
      return exchanges(call.opening, Stage::kReadFirst), false;
    case Stage::kReadFirst:
      if (work.round == call.rounds.number()) return go_to(work, Stage::kClosing), false;
      if (call.reads_first) return file_stage(&io::Round::before, Stage::kExchanges);
      return go_to(work, Stage::kExchanges), false;
    case Stage::kExchanges:
      return exchanges(call.each_round, call.reads_first ? Stage::kExchange : Stage::kReadHole), false;
    case Stage::kReadHole:
      return file_stage(&io::Round::before, Stage::kExchange);
    case Stage::kExchange:
      exchange_round(rank, op);
      return go_to(work, Stage::kWaitSubmitted), false;
    case Stage::kWaitSubmitted:
      return await_submitted(rank) || (go_to(work, Stage::kWrite), false);
    case Stage::kWrite:
      if (file_stage(&io::Round::after, Stage::kReadFirst)) return true;
      if (work.stage == Stage::kReadFirst) work.shared->leave_round(work.round++, comms_.size(work.comm));
      return false;
    case Stage::kClosing:
      if (await_submitted(rank)) return true;
      exchanges(call.closing, Stage::kOver);
      if (work.stage == Stage::kOver) leave_shared(rank, op);
      return false;
    case Stage::kAlone:
    case Stage::kOver:
      return false;
  }
  return false;
}

// They have told each other what they want, and do not collect.
void Run::begin_alone(std::uint32_t rank, const Operation& op) {
  LibraryWork& work = works_[rank];
  if (work.stage != Stage::kAlone) return;
  work.alone = {*work.settings, data_kind(op), io::Called::kOfCollective, work.shared->patterns[work.own]};
  leave_shared(rank, op);
}

bool Run::step_alone(std::uint32_t rank, const Operation& op) {
  LibraryWork& work = works_[rank];
  if (before_clock(rank)) return true;
  if (const std::optional<io::FileOperation> next = work.alone.next())
    access(rank, op.comm, *next);
  else
    go_to(work, Stage::kOver);
  return false;
}

// The next of the operations; true: it must wait for its time.
bool Run::file_step(std::uint32_t rank, const Operation& op, const io::FileOperations& operations) {
  if (before_clock(rank)) return true;
  access(rank, op.comm, operations[works_[rank].step++]);
  return false;
}

bool Run::await_submitted(std::uint32_t rank) {
  FileCalls& calls = file_calls_[rank];
  calls.waits_for_submitted = !calls.submitted.empty();
  return calls.waits_for_submitted;
}

mpi::CollectivePlan* Run::plan_of(const LibraryWork& work, const io::CollectiveExchange& exchange) {
  const auto [entry, is_new] = work.shared->exchanges.try_emplace(&exchange, nullptr);
  if (!is_new) return entry->second;
  mpi::schedules::Call call = call_of(exchange, comms_.size(work.comm));
  for (const std::uint32_t member : program_.comm(work.comm).members) call.node_of.push_back(engine_.node(member));
  return entry->second = choice_.inside(work.comm, call);
}

void Run::exchange(std::uint32_t rank, const io::CollectiveExchange& exchange) {
  LibraryWork& work = works_[rank];
  using Kind = io::CollectiveExchange::Kind;
  if (exchange.kind == Kind::kLists) return tell_lists(rank);
  if (exchange.kind != Kind::kCollective) return tell_group(rank, exchange);
  mpi::Shape shape;
  shape.kind = exchange.collective;
  shape.irregular = !exchange.per_rank.empty();
  shape.size = comms_.size(work.comm);
  shape.rank = work.own;
  shape.sent = exchange.per_rank.empty() ? exchange.sent : exchange.per_rank[work.own];
  shape.received = exchange.received;
  shape.received_counts = exchange.per_rank;
  shape.plan = plan_of(work, exchange);
  engine_.start(rank, shape, program_.comm(work.comm), work.comm, mpi::kFileSpace,
                comms_.membership(rank, work.comm).file_collectives++, kNone);
  engine_.progress(rank);
}

// Each rank's list of pieces goes to the aggregators that own some of them.
void Run::tell_lists(std::uint32_t rank) {
  const LibraryWork& work = works_[rank];
  const io::LibraryCall& call = work.shared->library;
  const std::uint32_t aggregator = call.aggregator_of[work.own];
  const auto tell = [&](std::uint32_t index, std::uint32_t of, std::uint32_t peer, bool sends) {
    const std::uint64_t pieces = peer == work.own ? 0 : call.rounds.pieces_of(index, of);
    for (std::uint64_t i = 0; pieces > 0 && i < call.list_messages; ++i)
      post(rank, work.comm, work.sequence, peer, pieces * call.list_bytes, sends);
  };
  for (std::uint32_t other = 0; aggregator != kNone && other < work.shared->patterns.size(); ++other)
    tell(aggregator, other, other, false);
  for (std::uint32_t i = 0; i < call.rounds.aggregators().size(); ++i)
    tell(i, work.own, call.rounds.aggregators()[i].rank, true);
  wait_for_posted(rank);
}

void Run::tell_group(std::uint32_t rank, const io::CollectiveExchange& exchange) {
  const LibraryWork& work = works_[rank];
  const bool to_first = exchange.kind == io::CollectiveExchange::Kind::kToFirst;
  for (const io::Aggregator& group : work.shared->library.rounds.aggregators()) {
    if (work.own < group.first || work.own >= group.behind_last) continue;
    if (work.own != group.rank) {
      post(rank, work.comm, work.sequence, group.rank, exchange.per_rank[work.own], to_first);
      continue;
    }
    for (std::uint32_t other = group.first; other < group.behind_last; ++other)
      if (other != group.rank) post(rank, work.comm, work.sequence, other, exchange.per_rank[other], !to_first);
  }
  wait_for_posted(rank);
}

// What is received is posted first, in order of ranks (ADIOI_W_Exchange_data, ADIOI_R_Exchange_data).
void Run::exchange_round(std::uint32_t rank, const Operation& op) {
  const LibraryWork& work = works_[rank];
  const io::Round& round = work.shared->round(work.round);
  const bool write = op.kind == OpKind::kIoWrite;
  const std::uint32_t aggregator = work.shared->library.aggregator_of[work.own];
  const auto as_aggregator = [&] {
    if (aggregator == kNone) return;
    for (const io::Transfer& transfer : round.of_aggregator(aggregator))
      post(rank, work.comm, work.sequence, transfer.rank, transfer.bytes, !write);
  };
  if (write) as_aggregator();
  for (const std::uint32_t index : round.of_rank(work.own)) {
    const io::Transfer& transfer = round.transfers[index];
    post(rank, work.comm, work.sequence, transfer.aggregator, transfer.bytes, write);
  }
  if (!write) as_aggregator();
  wait_for_posted(rank);
}

}  // namespace plumbline::replay
