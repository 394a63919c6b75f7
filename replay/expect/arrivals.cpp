#include "replay/expect/arrivals.hpp"

#include <algorithm>

#include "replay/program/common_call.hpp"

namespace plumbline::replay::expect {
namespace {

enum class WaitsFor : std::uint8_t { kNobody, kRoot, kOthers };

bool is_root(const Program& program, std::uint32_t rank, const Operation& op) {
  const auto members = program.comm(op.comm).members;
  return op.peer >= 0 && static_cast<std::size_t>(op.peer) < members.size() &&
         members[static_cast<std::size_t>(op.peer)] == rank;
}

// Whom a rank cannot leave a collective without, by what the call means. Where ranks say how many bytes each of them
// sends, some may send none, so that nobody is sure to wait.
WaitsFor waits_for(const Program& program, std::uint32_t rank, const Operation& op) {
  const CollectiveTail& tail = program.rank(rank).collectives[op.extra];
  const bool receives = tail.received > 0, by_counts = tail.sent_counts != kNone || tail.received_counts != kNone;
  switch (static_cast<Collective>(op.tag)) {
    case Collective::kBarrier:
      return WaitsFor::kOthers;
    case Collective::kBcast:
    case Collective::kScatter:
      return receives && !by_counts && !is_root(program, rank, op) ? WaitsFor::kRoot : WaitsFor::kNobody;
    case Collective::kAllgather:
    case Collective::kAlltoall:
    case Collective::kAllreduce:
      return receives && !by_counts ? WaitsFor::kOthers : WaitsFor::kNobody;
    case Collective::kReduceScatter:
      return receives ? WaitsFor::kOthers : WaitsFor::kNobody;
    case Collective::kGather:
    case Collective::kReduce:
      return receives && !by_counts && is_root(program, rank, op) ? WaitsFor::kOthers : WaitsFor::kNobody;
    case Collective::kScan:
    case Collective::kExscan:
      break;
  }
  return WaitsFor::kNobody;
}

// Opening, closing and synchronising end with a barrier; of accesses the library decides.
WaitsFor waits_for(const Program& program, std::uint32_t rank, const CommonCall& call, const Operation& op) {
  if (!program.comm(call.comm).remote_members.empty()) return WaitsFor::kNobody;
  if (op.kind == OpKind::kCollective) return waits_for(program, rank, op);
  const bool is_barrier =
      call.of_file && (op.kind == OpKind::kIoOpen || op.kind == OpKind::kIoClose || op.kind == OpKind::kIoSync);
  return is_barrier ? WaitsFor::kOthers : WaitsFor::kNobody;
}

}  // namespace

// visit(operation, call of all, index into calls_, which of its calls)
template <class Visit>
void Arrivals::for_each_call(std::uint32_t rank, Visit visit) const {
  const RankProgram& own = program_.rank(rank);
  std::vector<std::uint32_t> begun(calls_.size(), 0);
  for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
    const CommonCall call = common_call(own, own.operations[i]);
    if (call.comm == kNone) continue;
    const std::size_t key = std::size_t{2} * call.comm + (call.of_file ? 1 : 0);
    visit(i, call, key, begun[key]++);
  }
}

void Arrivals::come(std::uint32_t rank, const Operation& op, Time begin, Call& call) const {
  if (call.last_rank == kNone || begin > call.last) {
    call.second_last = call.last_rank == kNone ? begin : call.last;
    call.last = begin;
    call.last_rank = rank;
  } else {
    call.second_last = std::max(call.second_last, begin);
  }
  if (is_data_collective(op.kind) && is_root(program_, rank, op)) call.root = begin;
}

Arrivals::Arrivals(const Program& program, const Scratch& scratch) : program_(program) {
  calls_.reserve(std::size_t{2} * program.comms());
  for (std::uint32_t list = 0; list < 2 * program.comms(); ++list) calls_.emplace_back(scratch);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& own = program.rank(rank);
    for_each_call(rank, [&](std::uint32_t i, const CommonCall&, std::size_t key, std::uint32_t number) {
      if (calls_[key].size() <= number) calls_[key].resize(number + std::size_t{1});
      come(rank, own.operations[i], own.times[i].begin, calls_[key][number]);
    });
  }
}

void Arrivals::wait_as_observed(std::vector<Column<OperationTimes>>& times) const {
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    const RankProgram& own = program_.rank(rank);
    for_each_call(rank, [&](std::uint32_t i, const CommonCall& common, std::size_t key, std::uint32_t number) {
      const Time observed = own.times[i].begin;
      Time& begin = times[rank][i].begin;
      if (begin <= observed) return;
      const WaitsFor whom = waits_for(program_, rank, common, own.operations[i]);
      if (whom == WaitsFor::kNobody) return;
      const Call& call = calls_[key][number];
      const Time others = call.last_rank == rank ? call.second_last : call.last;
      const Time awaited = std::min(begin, whom == WaitsFor::kRoot ? call.root : others);
      if (awaited > observed) begin = begin - (awaited - observed);
    });
  }
}

}  // namespace plumbline::replay::expect
