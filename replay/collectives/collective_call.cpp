#include "replay/collectives/collective_call.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/algorithms.hpp"

namespace plumbline::replay::collectives {
namespace {

using schedules::Call;
using Kind = schedules::Operation;

constexpr std::array<std::uint64_t, 4> kLikelyTypeBytes = {8, 4, 2, 1};

bool is_wanted(const Operation& op, WhichCalls which) {
  return is_data_collective(op.kind) || (which.files && is_io(op.kind) && (op.flags & kIoIsCollective) != 0);
}

// Of a file: that it was opened on.
std::uint32_t comm_of_collective(const RankProgram& rank, const Operation& op) {
  if (!is_io(op.kind)) return op.comm;
  return op.extra < rank.accesses.size() ? rank.accesses[op.extra].comm : kNone;
}

// Whether a rank has records of such calls at all.
bool may_have(const RankProgram& rank, WhichCalls which) {
  return !rank.collectives.empty() || (which.files && !rank.accesses.empty());
}

// One rank's part of the call.
struct Part {
  const RankProgram* rank = nullptr;
  const Operation* op = nullptr;
  const CollectiveTail* tail = nullptr;
};

std::optional<Part> part_of(const Program& program, const CollectiveCall& call, std::uint32_t rank) {
  if (call.operations[rank] == kNone) return std::nullopt;
  const RankProgram& mine = program.rank(program.comm(call.comm).members[rank]);
  const Operation& op = mine.operations[call.operations[rank]];
  if (is_io(op.kind) || op.extra >= mine.collectives.size()) return std::nullopt;
  return Part{&mine, &op, &mine.collectives[op.extra]};
}

std::span<const std::uint64_t> counts_at(const Part& part, std::uint32_t first, std::size_t n) {
  if (first == kNone || first + n > part.rank->counts.size()) return {};
  return part.rank->counts.subspan(first, n);
}

bool is_matrix(Kind kind) {
  kind = schedules::blocking_form(kind);
  return kind == Kind::alltoallv || kind == Kind::alltoallw;
}

bool has_lists(Kind kind) {
  kind = schedules::blocking_form(kind);
  return kind == Kind::gatherv || kind == Kind::scatterv || kind == Kind::allgatherv || kind == Kind::reduce_scatter ||
         is_matrix(kind);
}

// A call that is being put together.
class CallReader {
 public:
  CallReader(const Program& program, const CollectiveCall& call, Kind operation)
      : program_(program),
        operation_(operation),
        kind_(schedules::blocking_form(operation)),
        ranks_(static_cast<std::uint32_t>(call.operations.size())) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) parts_.push_back(part_of(program, call, rank));
  }

  // All that recorded it called the same.
  bool agrees() const {
    const Part* first = nullptr;
    for (const std::optional<Part>& part : parts_) {
      if (!part) continue;
      if (first == nullptr) first = &*part;
      if (part->op->peer != first->op->peer) return false;
      if (part->op->call != first->op->call && operation_of(program_.call(part->op->call)) != operation_) return false;
    }
    return first != nullptr;
  }

  std::uint32_t root() const {
    for (const std::optional<Part>& part : parts_)
      if (part) return part->op->peer < 0 ? 0 : static_cast<std::uint32_t>(part->op->peer);
    return 0;
  }

  // Bytes that the library compares where every rank has the same. A rank that used MPI_IN_PLACE gave no send buffer.
  std::uint64_t equal_bytes() const {
    std::uint64_t most = 0;
    for (const std::optional<Part>& part : parts_)
      if (part) most = std::max(most, equal_bytes_of(*part));
    return most;
  }

  // Where it changes the algorithm.
  bool is_in_place() const {
    return (kind_ == Kind::alltoall || operation_ == Kind::iallreduce) &&
           std::ranges::all_of(parts_, [](const std::optional<Part>& part) {
             return part && part->op->bytes == 0 && part->tail->received > 0;
           });
  }

  // Bytes per rank of a v-form: as a rank that knows all of them gave them, else what each rank gave of its own.
  std::vector<std::uint64_t> listed_bytes() const {
    std::vector<std::uint64_t> bytes;
    if (is_matrix(kind_)) {
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) append(bytes, rank, true);
      return bytes;
    }
    const std::uint32_t who = kind_ == Kind::gatherv || kind_ == Kind::scatterv ? root() : 0;
    append(bytes, who, kind_ == Kind::scatterv || kind_ == Kind::reduce_scatter);
    if (bytes.empty() && kind_ == Kind::reduce_scatter) append(bytes, who, false);
    for (std::uint32_t rank = 0; bytes.size() < ranks_ && rank < ranks_; ++rank) {
      if (!parts_[rank]) return {};
      const bool sends = kind_ == Kind::gatherv || kind_ == Kind::allgatherv;
      bytes.push_back(sends ? parts_[rank]->op->bytes : parts_[rank]->tail->received);
    }
    return bytes;
  }

  // Every rank knows what it sends to and gets from each, and they agree on who has nothing for whom.
  bool has_rows() const {
    std::vector<std::span<const std::uint64_t>> received(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (!parts_[rank] || counts_at(*parts_[rank], parts_[rank]->tail->sent_counts, ranks_).empty()) return false;
      received[rank] = counts_at(*parts_[rank], parts_[rank]->tail->received_counts, ranks_);
      if (received[rank].empty()) return false;
    }
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const auto sent = counts_at(*parts_[rank], parts_[rank]->tail->sent_counts, ranks_);
      for (std::uint32_t peer = 0; peer < ranks_; ++peer)
        if ((sent[peer] == 0) != (received[peer][rank] == 0)) return false;
    }
    return true;
  }

 private:
  std::uint64_t equal_bytes_of(const Part& part) const {
    const std::uint64_t sent = part.op->bytes, received = part.tail->received;
    switch (kind_) {
      case Kind::barrier:
        return 0;
      case Kind::scatter:
      case Kind::reduce_scatter_block:
        return std::max(sent / ranks_, received);
      case Kind::alltoall:
        return std::max(sent, received) / ranks_;
      case Kind::gather:
      case Kind::allgather:
        return std::max(sent, received / ranks_);
      case Kind::reduce:
        return sent;
      default:
        return std::max(sent, received);
    }
  }

  void append(std::vector<std::uint64_t>& bytes, std::uint32_t rank, bool sent) const {
    if (rank >= ranks_ || !parts_[rank]) return;
    const CollectiveTail& tail = *parts_[rank]->tail;
    const auto counts = counts_at(*parts_[rank], sent ? tail.sent_counts : tail.received_counts, ranks_);
    bytes.insert(bytes.end(), counts.begin(), counts.end());
  }

  const Program& program_;
  Kind operation_, kind_;  // kind_: its blocking form
  std::uint32_t ranks_;
  std::vector<std::optional<Part>> parts_;
};

// What a rank's place in its communicators is: by communicator.
using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<Places> places_of_ranks(const Program& program) {
  std::vector<Places> places(program.ranks());
  for (std::uint32_t comm = 0; comm < program.comms(); ++comm) {
    const CommView view = program.comm(comm);
    if (view.members.size() < 2 || !view.remote_members.empty()) continue;
    for (std::uint32_t rank = 0; rank < view.members.size(); ++rank) places[view.members[rank]].push_back({comm, rank});
  }
  return places;
}

std::uint32_t place_in(const Places& places, std::uint32_t comm) {
  const auto found = std::ranges::lower_bound(places, comm, {}, &Places::value_type::first);
  return found != places.end() && found->first == comm ? found->second : kNone;
}

}  // namespace

std::optional<Kind> operation_of(std::string_view name) {
  static const std::map<std::string_view, Kind> kinds = [] {
    std::map<std::string_view, Kind> result;
    for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
      result[to_string(static_cast<Kind>(i))] = static_cast<Kind>(i);
    return result;
  }();
  if (!name.starts_with("MPI_")) return std::nullopt;
  std::string base(name.substr(4));
  if (base.ends_with("_c")) base.resize(base.size() - 2);
  std::ranges::transform(base, base.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto kind = kinds.find(base);
  return kind == kinds.end() ? std::nullopt : std::optional(kind->second);
}

void for_each_collective(const Program& program, const std::function<void(const CollectiveCall&)>& visit,
                         WhichCalls which) {
  std::uint32_t without = 0;
  while (without < program.ranks() && !may_have(program.rank(without), which)) ++without;
  if (without == program.ranks()) return;
  std::vector<std::vector<std::vector<std::uint32_t>>> calls(program.comms());  // by communicator, by rank in it
  const std::vector<Places> places = places_of_ranks(program);
  for (std::uint32_t world_rank = 0; world_rank < program.ranks(); ++world_rank) {
    const RankProgram& rank = program.rank(world_rank);
    if (!may_have(rank, which)) continue;
    for (std::uint32_t i = 0; i < rank.operations.size(); ++i) {
      if (!is_wanted(rank.operations[i], which)) continue;
      const std::uint32_t comm = comm_of_collective(rank, rank.operations[i]);
      const std::uint32_t place = place_in(places[world_rank], comm);
      if (place == kNone) continue;
      calls[comm].resize(program.comm(comm).members.size());
      calls[comm][place].push_back(i);
    }
  }
  for (std::uint32_t comm = 0; comm < calls.size(); ++comm) {
    if (calls[comm].empty()) continue;
    std::size_t least = calls[comm].front().size(), most = 0;
    for (const auto& of_rank : calls[comm])
      least = std::min(least, of_rank.size()), most = std::max(most, of_rank.size());
    CollectiveCall call;
    call.comm = comm;
    call.operations.resize(calls[comm].size());
    for (std::size_t n = 0; n < (which.incomplete ? most : least); ++n) {
      call.number = static_cast<std::uint32_t>(n);
      call.name = {};
      for (std::size_t rank = 0; rank < call.operations.size(); ++rank) {
        const std::vector<std::uint32_t>& own = calls[comm][rank];
        call.operations[rank] = n < own.size() ? own[n] : kNone;
        if (n < own.size() && call.name.empty())
          call.name = program.call(program.rank(program.comm(comm).members[rank]).operations[own[n]].call);
      }
      visit(call);
    }
  }
}

std::optional<Call> call_of(const Program& program, const CollectiveCall& call, std::uint64_t type_bytes,
                            const Reading& reading) {
  const std::optional<Kind> kind = operation_of(call.name);
  if (!kind) return std::nullopt;
  const CallReader reader(program, call, *kind);
  if (!reader.agrees()) return std::nullopt;
  Call result;
  result.operation = *kind;
  result.ranks = static_cast<std::uint32_t>(call.operations.size());
  result.root = reader.root();
  const bool in_rows = is_matrix(*kind) && reading.without_matrix;
  result.type_bytes = schedules::blocking_form(*kind) == Kind::alltoallw || in_rows ? 1 : type_bytes;
  if (result.root >= result.ranks) return std::nullopt;
  for (const std::uint32_t member : program.comm(call.comm).members)
    result.node_of.push_back(reading.nodes.empty() ? program.rank(member).node : reading.nodes[member]);
  result.in_rows = in_rows;
  if (in_rows) return reader.has_rows() ? std::optional(std::move(result)) : std::nullopt;
  if (has_lists(*kind)) {
    result.counts = reader.listed_bytes();
    const std::size_t wanted = is_matrix(*kind) ? std::size_t{result.ranks} * result.ranks : std::size_t{result.ranks};
    if (result.counts.size() != wanted) return std::nullopt;
    for (std::uint64_t& count : result.counts) {
      if (count % result.type_bytes != 0) return std::nullopt;
      count /= result.type_bytes;
    }
    return result;
  }
  const std::uint64_t bytes = reader.equal_bytes();
  if (bytes % type_bytes != 0) return std::nullopt;
  result.count = bytes / type_bytes;
  result.in_place = reader.is_in_place();
  return result;
}

std::optional<Call> likely_call_of(const Program& program, const CollectiveCall& call, const Reading& reading) {
  for (const std::uint64_t type_bytes : kLikelyTypeBytes)
    if (std::optional<Call> read = call_of(program, call, type_bytes, reading)) return read;
  return std::nullopt;
}

std::string_view library_of(const Program& program) {
  const std::string_view text = program.property("library");
  if (text.find("Open MPI") != std::string_view::npos) return schedules::kOpenMpi;
  return text.find("MPICH") != std::string_view::npos ? schedules::kMpich : std::string_view();
}

}  // namespace plumbline::replay::collectives
