#include "replay/engine/run/library_access.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/engine/run/collective_access.hpp"
#include "replay/engine/run/file_accesses.hpp"
#include "replay/engine/run/file_calls.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/mpi/engine_calls.hpp"
#include "replay/mpi/engine_collectives.hpp"

namespace plumbline::replay::engine {
namespace {

using Stage = LibraryWork::Stage;

// MPI_File_write_shared, MPI_File_read_ordered, ..
bool uses_shared_pointer(std::string_view call) {
  return call.find("_shared") != std::string_view::npos || call.find("_ordered") != std::string_view::npos;
}

// Elements as the libraries have them: offsets and sums of 8 bytes, counts of 4, entries of lists of 16.
collectives::schedules::Call call_of(const io::CollectiveExchange& exchange, std::uint32_t ranks) {
  using collectives::schedules::Operation;
  collectives::schedules::Call call;
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

const io::FileSettings& settings_of(Run& run, std::uint32_t rank, const Operation& op) {
  const IoAccess access = op.extra == kNone ? IoAccess{} : run.program.rank(rank).accesses[op.extra];
  const SettingsTable::key_type key{op.comm, access.hints, access.file_flags};
  const auto found = run.files.settings.find(key);
  if (found != run.files.settings.end()) return found->second;
  const io::FileSettings settings =
      io::file_settings(run.program, op.comm, access, run.options.choices.hints, run.options.choices.library);
  return run.files.settings.emplace(key, settings).first->second;
}

void remark(Run& run, std::string_view reason) {
  if (reason.empty()) return;
  for (IoRemark& known : run.result.io_remarks)
    if (known.reason == reason) return void(++known.operations);
  run.result.io_remarks.push_back({std::string(reason), 1});
}

// Whether the library's rules say what happens in this access; else the ideal form stands for it.
bool is_covered(Run& run, std::uint32_t rank, const Operation& op, const io::FileSettings& settings) {
  std::string_view why = settings.not_covered;
  if (!run.coverage.blocks(run.program.rank(rank), op))
    why = "non-blocking accesses of MPI-IO are left to the ideal form";
  if (uses_shared_pointer(run.program.call(op.call))) why = "accesses by a shared pointer are left to the ideal form";
  remark(run, why);
  if (why.empty()) remark(run, settings.assumed);
  return why.empty();
}

// What all ranks want is known here from the beginning; in the model as in the world a rank uses it only after it has
// been told. Accesses whose place was not recorded lie one behind the other, in order of ranks.
void make_library_call(Run& run, std::uint32_t rank, const Operation& op) {
  const LibraryWork& work = run.files.works[rank];
  SharedAccess& shared = *work.shared;
  std::vector<io::Participant> participants;
  std::uint64_t end = 0;
  for (const std::uint32_t world : run.program.comm(work.comm).members) {
    const RankProgram& other = run.program.rank(world);
    const auto member = static_cast<std::uint32_t>(participants.size());
    const Operation& its = other.operations[*run.files.collective.operation(work.comm, member, work.number)];
    shared.patterns.push_back(run.files.patterns.of(other, its, end));
    if (!shared.patterns.back().empty()) end = std::max(end, shared.patterns.back().end());
    participants.push_back({run.program.node(other.processor), run.files.patterns.view_of(other, its)});
  }
  shared.library = io::library_call(*work.settings, access_of(op), shared.patterns, participants);
}

void go_to(LibraryWork& work, LibraryWork::Stage stage) {
  work.stage = stage;
  work.step = 0;
}

// They have told each other what they want, and do not collect.
void begin_alone(Run& run, std::uint32_t rank, const Operation& op) {
  LibraryWork& work = run.files.works[rank];
  if (work.stage != Stage::kAlone) return;
  work.alone = {*work.settings, access_of(op), io::Called::kOfCollective, work.shared->patterns[work.own]};
  leave_shared(run, rank, op);
}

bool step_alone(Run& run, std::uint32_t rank, const Operation& op) {
  LibraryWork& work = run.files.works[rank];
  if (before_clock(run, rank)) return true;
  if (const std::optional<io::FileOperation> next = work.alone.next())
    access(run, rank, op.comm, *next);
  else
    go_to(work, Stage::kOver);
  return false;
}

// The next of the operations; true: it must wait for its time.
bool file_step(Run& run, std::uint32_t rank, const Operation& op, const io::FileOperations& operations) {
  if (before_clock(run, rank)) return true;
  access(run, rank, op.comm, operations[run.files.works[rank].step++]);
  return false;
}

bool await_submitted(Run& run, std::uint32_t rank) {
  FileCalls& calls = run.files.calls[rank];
  calls.waits_for_submitted = !calls.submitted.empty();
  return calls.waits_for_submitted;
}

collectives::CollectivePlan* plan_of(Run& run, const LibraryWork& work, const io::CollectiveExchange& exchange) {
  const auto [entry, is_new] = work.shared->exchanges.try_emplace(&exchange, nullptr);
  if (!is_new) return entry->second;
  collectives::schedules::Call call = call_of(exchange, run.comms.size(work.comm));
  for (const std::uint32_t member : run.program.comm(work.comm).members)
    call.node_of.push_back(run.engine.node(member));
  return entry->second = run.choice.inside(work.comm, call);
}

// Each rank's list of pieces goes to the aggregators that own some of them.
void tell_lists(Run& run, std::uint32_t rank) {
  const LibraryWork& work = run.files.works[rank];
  const io::LibraryCall& call = work.shared->library;
  const std::uint32_t aggregator = call.aggregator_of[work.own];
  const auto tell = [&](std::uint32_t index, std::uint32_t of, std::uint32_t peer, bool sends) {
    const std::uint64_t pieces = peer == work.own ? 0 : call.rounds.pieces_of(index, of);
    for (std::uint64_t i = 0; pieces > 0 && i < call.list_messages; ++i)
      post_message(run, rank, work.comm, work.sequence, peer, pieces * call.list_bytes, sends);
  };
  for (std::uint32_t other = 0; aggregator != kNone && other < work.shared->patterns.size(); ++other)
    tell(aggregator, other, other, false);
  for (std::uint32_t i = 0; i < call.rounds.aggregators().size(); ++i)
    tell(i, work.own, call.rounds.aggregators()[i].rank, true);
  wait_for_posted(run, rank);
}

void tell_group(Run& run, std::uint32_t rank, const io::CollectiveExchange& exchange) {
  const LibraryWork& work = run.files.works[rank];
  const bool to_first = exchange.kind == io::CollectiveExchange::Kind::kToFirst;
  for (const io::Aggregator& group : work.shared->library.rounds.aggregators()) {
    if (work.own < group.first || work.own >= group.behind_last) continue;
    if (work.own != group.rank) {
      post_message(run, rank, work.comm, work.sequence, group.rank, exchange.per_rank[work.own], to_first);
      continue;
    }
    for (std::uint32_t other = group.first; other < group.behind_last; ++other)
      if (other != group.rank)
        post_message(run, rank, work.comm, work.sequence, other, exchange.per_rank[other], !to_first);
  }
  wait_for_posted(run, rank);
}

void begin_exchange(Run& run, std::uint32_t rank, const io::CollectiveExchange& exchange) {
  LibraryWork& work = run.files.works[rank];
  using Kind = io::CollectiveExchange::Kind;
  if (exchange.kind == Kind::kLists) return tell_lists(run, rank);
  if (exchange.kind != Kind::kCollective) return tell_group(run, rank, exchange);
  collectives::Shape shape;
  shape.kind = exchange.collective;
  shape.irregular = !exchange.per_rank.empty();
  shape.size = run.comms.size(work.comm);
  shape.rank = work.own;
  shape.sent = exchange.per_rank.empty() ? exchange.sent : exchange.per_rank[work.own];
  shape.received = exchange.received;
  shape.received_counts = exchange.per_rank;
  shape.plan = plan_of(run, work, exchange);
  mpi::start(run.engine, rank, shape, run.program.comm(work.comm), work.comm, mpi::kFileSpace,
             run.comms.membership(rank, work.comm).file_collectives++, kNone);
  mpi::progress(run.engine, rank);
}

// What is received is posted first, in order of ranks (ADIOI_W_Exchange_data, ADIOI_R_Exchange_data).
void exchange_round(Run& run, std::uint32_t rank, const Operation& op) {
  const LibraryWork& work = run.files.works[rank];
  const io::Round& round = work.shared->round(work.round);
  const bool write = op.kind == OpKind::kIoWrite;
  const std::uint32_t aggregator = work.shared->library.aggregator_of[work.own];
  const auto as_aggregator = [&] {
    if (aggregator == kNone) return;
    for (const io::Transfer& transfer : round.of_aggregator(aggregator))
      post_message(run, rank, work.comm, work.sequence, transfer.rank, transfer.bytes, !write);
  };
  if (write) as_aggregator();
  for (const std::uint32_t index : round.of_rank(work.own)) {
    const io::Transfer& transfer = round.transfers[index];
    post_message(run, rank, work.comm, work.sequence, transfer.aggregator, transfer.bytes, write);
  }
  if (!write) as_aggregator();
  wait_for_posted(run, rank);
}

// One step; true: the rank must wait before it, and comes back to it.
bool library_step(Run& run, std::uint32_t rank, const Operation& op) {
  LibraryWork& work = run.files.works[rank];
  if (work.stage == Stage::kAlone) return step_alone(run, rank, op);
  const io::LibraryCall& call = work.shared->library;
  const std::uint32_t aggregator = call.aggregator_of[work.own];
  const auto exchanges = [&](const std::vector<io::CollectiveExchange>& all, Stage next) {
    if (work.step == all.size()) return go_to(work, next);
    begin_exchange(run, rank, all[work.step++]);
  };
  // Of the round, what the rank does to the file as an aggregator.
  const auto file_stage = [&](std::vector<io::FileOperations> io::Round::*operations, Stage next) {
    const io::FileOperations none;
    const io::FileOperations& own =
        aggregator == kNone ? none : (work.shared->round(work.round).*operations)[aggregator];
    if (work.step < own.size()) return file_step(run, rank, op, own);
    go_to(work, next);
    return false;
  };
  switch (work.stage) {
    case Stage::kBefore:
      return exchanges(call.before, call.alone ? Stage::kAlone : Stage::kOpening), begin_alone(run, rank, op), false;
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
      exchange_round(run, rank, op);
      return go_to(work, Stage::kWaitSubmitted), false;
    case Stage::kWaitSubmitted:
      return await_submitted(run, rank) || (go_to(work, Stage::kWrite), false);
    case Stage::kWrite:
      if (file_stage(&io::Round::after, Stage::kReadFirst)) return true;
      if (work.stage == Stage::kReadFirst) work.shared->leave_round(work.round++, run.comms.size(work.comm));
      return false;
    case Stage::kClosing:
      if (await_submitted(run, rank)) return true;
      exchanges(call.closing, Stage::kOver);
      if (work.stage == Stage::kOver) leave_shared(run, rank, op);
      return false;
    case Stage::kAlone:
    case Stage::kOver:
      return false;
  }
  return false;
}

}  // namespace

bool start_library(Run& run, std::uint32_t rank, const Operation& op) {
  if (!(op.flags & kIoIsMpi)) return false;
  const io::FileSettings& settings = settings_of(run, rank, op);
  if (!is_covered(run, rank, op, settings)) return false;
  LibraryWork& work = run.files.works[rank];
  work = {};
  work.settings = &settings;
  use_phases(run.cursors[rank], {Phase::kLibrary});
  if (!synchronises(run, rank, op)) {
    work.alone = {settings, access_of(op), io::Called::kIndependently,
                  run.files.patterns.of(run.program.rank(rank), op, 0)};
    work.stage = Stage::kAlone;
    return true;
  }
  mpi::Membership& member = run.comms.membership(rank, comm_of(run, rank, op));
  work.comm = member.comm;
  work.own = member.rank;
  work.number = run.files.calls[rank].collective;
  if (io::is_always_alone(settings, access_of(op), run.comms.size(member.comm))) {
    work.alone = {settings, access_of(op), io::Called::kOfCollective,
                  run.files.patterns.of(run.program.rank(rank), op, 0)};
    work.stage = Stage::kAlone;
    return true;
  }
  work.sequence = member.file_collectives++;
  work.shared = &shared_by(run, rank, op);
  if (!std::exchange(work.shared->is_made, true)) make_library_call(run, rank, op);
  work.stage = Stage::kBefore;
  return true;
}

bool library_next(Run& run, std::uint32_t rank, const Operation& op) {
  while (run.files.works[rank].stage != Stage::kOver) {
    if (run.files.calls[rank].in_call || run.engine.rank(rank).pending > 0) return true;
    if (library_step(run, rank, op)) return true;
  }
  return false;
}

bool ends_with_all(Run& run, std::uint32_t rank, const Operation& op) {
  if (!synchronises(run, rank, op)) return false;
  const io::FileSettings& settings = settings_of(run, rank, op);
  return settings.library == io::MpiIoLibrary::kUnknown ||
         !io::is_always_alone(settings, access_of(op), run.comms.size(comm_of(run, rank, op)));
}

}  // namespace plumbline::replay::engine
