#include "replay/inside/collective_calls.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace plumbline::replay::inside {
namespace {

using mpi::schedules::Call;
using mpi::schedules::Observed;
using Kind = mpi::schedules::Operation;

bool is_collective(const Operation& op) {
  return op.kind == OpKind::kCollective || op.kind == OpKind::kNonBlockingCollective ||
         (is_io(op.kind) && (op.flags & kIoIsCollective) != 0);
}

// Of a file: that it was opened on.
std::uint32_t comm_of_collective(const RankProgram& rank, const Operation& op) {
  if (!is_io(op.kind)) return op.comm;
  return op.extra < rank.accesses.size() ? rank.accesses[op.extra].comm : kNone;
}

std::uint32_t rank_in(const CommView& comm, std::uint32_t world_rank) {
  const auto member = std::ranges::find(comm.members, world_rank);
  return member == comm.members.end() ? kNone : static_cast<std::uint32_t>(member - comm.members.begin());
}

std::optional<Kind> kind_of(std::string_view name) {
  static const std::map<std::string_view, Kind> kinds = [] {
    std::map<std::string_view, Kind> result;
    for (int i = 0; i <= static_cast<int>(mpi::schedules::kLastOperation); ++i)
      result[to_string(static_cast<Kind>(i))] = static_cast<Kind>(i);
    return result;
  }();
  if (!name.starts_with("MPI_")) return std::nullopt;
  std::string base(name.substr(4));
  if (base.ends_with("_c")) base.resize(base.size() - 2);
  if (base.starts_with('I')) base.erase(0, 1);
  std::ranges::transform(base, base.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto kind = kinds.find(base);
  return kind == kinds.end() ? std::nullopt : std::optional(kind->second);
}

// One rank's part of the call.
struct Part {
  const RankProgram* rank = nullptr;
  const Operation* op = nullptr;
  const CollectiveTail* tail = nullptr;
};

std::optional<Part> part_of(const Program& program, const CollectiveCall& call, std::uint32_t rank) {
  const RankProgram& mine = program.rank(program.comm(call.comm).members[rank]);
  const Operation& op = mine.operations[call.operations[rank]];
  if (is_io(op.kind) || op.extra >= mine.collectives.size()) return std::nullopt;
  return Part{&mine, &op, &mine.collectives[op.extra]};
}

std::span<const std::uint64_t> counts_at(const Part& part, std::uint32_t first, std::size_t n) {
  if (first == kNone || first + n > part.rank->counts.size()) return {};
  return part.rank->counts.subspan(first, n);
}

// Bytes per rank of a v-form, as the root (or, where there is none, the first rank) gave them.
std::vector<std::uint64_t> listed_bytes(const Program& program, const CollectiveCall& call, Kind kind,
                                        std::uint32_t root) {
  const std::size_t n = call.operations.size();
  std::vector<std::uint64_t> bytes;
  const auto take = [&](std::uint32_t rank, bool sent) {
    const auto part = part_of(program, call, rank);
    if (!part) return;
    const auto counts = counts_at(*part, sent ? part->tail->sent_counts : part->tail->received_counts, n);
    bytes.insert(bytes.end(), counts.begin(), counts.end());
  };
  if (kind == Kind::gatherv) take(root, false);
  if (kind == Kind::scatterv) take(root, true);
  if (kind == Kind::allgatherv) take(0, false);
  if (kind == Kind::reduce_scatter) take(0, true);
  if (kind == Kind::alltoallv || kind == Kind::alltoallw)
    for (std::uint32_t rank = 0; rank < n; ++rank) take(rank, true);
  return bytes;
}

// Bytes that the library compares where every rank has the same.
std::uint64_t equal_bytes(const Part& part, Kind kind, std::size_t ranks) {
  switch (kind) {
    case Kind::scatter:
    case Kind::reduce_scatter_block:
      return part.tail->received;
    case Kind::alltoall:
      return part.op->bytes / ranks;
    default:
      return part.op->bytes;
  }
}

bool has_lists(Kind kind) {
  return kind == Kind::gatherv || kind == Kind::scatterv || kind == Kind::allgatherv || kind == Kind::reduce_scatter ||
         kind == Kind::alltoallv || kind == Kind::alltoallw;
}

}  // namespace

void for_each_collective(const Program& program, const std::function<void(const CollectiveCall&)>& visit) {
  std::vector<std::vector<std::vector<std::uint32_t>>> calls(program.comms());  // by communicator, by rank in it
  std::vector<std::uint32_t> own(program.comms());                              // the rank's place in each
  for (std::uint32_t world_rank = 0; world_rank < program.ranks(); ++world_rank) {
    for (std::uint32_t comm = 0; comm < program.comms(); ++comm) own[comm] = rank_in(program.comm(comm), world_rank);
    const RankProgram& rank = program.rank(world_rank);
    for (std::uint32_t i = 0; i < rank.operations.size(); ++i) {
      if (!is_collective(rank.operations[i])) continue;
      const std::uint32_t comm = comm_of_collective(rank, rank.operations[i]);
      if (comm >= calls.size() || own[comm] == kNone || !program.comm(comm).remote_members.empty()) continue;
      calls[comm].resize(program.comm(comm).members.size());
      calls[comm][own[comm]].push_back(i);
    }
  }
  for (std::uint32_t comm = 0; comm < calls.size(); ++comm) {
    if (calls[comm].size() < 2) continue;
    const std::size_t common = std::ranges::min(calls[comm], {}, [](const auto& of) { return of.size(); }).size();
    CollectiveCall call;
    call.comm = comm;
    call.operations.resize(calls[comm].size());
    for (std::size_t n = 0; n < common; ++n) {
      for (std::size_t rank = 0; rank < call.operations.size(); ++rank) call.operations[rank] = calls[comm][rank][n];
      const RankProgram& first = program.rank(program.comm(comm).members[0]);
      call.name = program.call(first.operations[call.operations[0]].call);
      visit(call);
    }
  }
}

std::optional<Call> call_of(const Program& program, const CollectiveCall& call, std::uint64_t type_bytes) {
  const std::optional<Kind> kind = kind_of(call.name);
  const std::optional<Part> first = part_of(program, call, 0);
  if (!kind || !first) return std::nullopt;
  Call result;
  result.operation = *kind;
  result.ranks = static_cast<std::uint32_t>(call.operations.size());
  result.root = first->op->peer < 0 ? 0 : static_cast<std::uint32_t>(first->op->peer);
  result.type_bytes = *kind == Kind::alltoallw ? 1 : type_bytes;
  if (result.root >= result.ranks) return std::nullopt;
  for (const std::uint32_t member : program.comm(call.comm).members)
    result.node_of.push_back(program.rank(member).node);
  if (has_lists(*kind)) {
    result.counts = listed_bytes(program, call, *kind, result.root);
    const std::size_t wanted = *kind == Kind::alltoallv || *kind == Kind::alltoallw
                                   ? std::size_t{result.ranks} * result.ranks
                                   : std::size_t{result.ranks};
    if (result.counts.size() != wanted) return std::nullopt;
    for (std::uint64_t& count : result.counts) {
      if (count % result.type_bytes != 0) return std::nullopt;
      count /= result.type_bytes;
    }
    return result;
  }
  // Of a rooted collective the rank beside the root: the root may have used MPI_IN_PLACE.
  const std::optional<Part> any = part_of(program, call, *kind == Kind::scatter && result.root == 0 ? 1 : 0);
  const std::uint64_t bytes = *kind == Kind::barrier || !any ? 0 : equal_bytes(*any, *kind, result.ranks);
  if (bytes % type_bytes != 0) return std::nullopt;
  result.count = bytes / type_bytes;
  return result;
}

std::optional<Observed> observed_of(const Program& program, const InnerIndex& inner, const CollectiveCall& call) {
  const CommView comm = program.comm(call.comm);
  std::unordered_map<std::uint32_t, std::uint32_t> place;
  for (std::uint32_t rank = 0; rank < comm.members.size(); ++rank) place[comm.members[rank]] = rank;
  Observed observed;
  observed.ranks.resize(call.operations.size());
  for (std::uint32_t rank = 0; rank < call.operations.size(); ++rank) {
    for (const PostedMessage& posted : inner.of(comm.members[rank], call.operations[rank])) {
      const auto peer = place.find(posted.message->peer);
      if (peer == place.end() || (posted.message->flags & (kInnerFailed | kInnerUnknownBytes)) != 0) return std::nullopt;
      observed.ranks[rank].push_back({posted.is_send, peer->second, posted.message->bytes});
    }
  }
  return observed;
}

}  // namespace plumbline::replay::inside
