#include "cli/workflows/validate/expectation/exposure.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "base/check.hpp"
#include "hwmodels/topology/routes.hpp"
#include "replay/engine/replay.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::Operation;
using replay::OpKind;
using replay::RankProgram;

// By component: bytes, and messages or calls.
struct Use {
  double bytes = 0, messages = 0;
};
using Uses = std::map<std::pair<Exposed::Kind, std::uint32_t>, Use>;

void add(Uses& to, const Uses& from) {
  for (const auto& [component, use] : from) {
    to[component].bytes += use.bytes;
    to[component].messages += use.messages;
  }
}

// The file system with the longest path that is the file's or above it.
std::optional<std::uint32_t> file_system_of(const hw::Platform& platform, std::string_view file) {
  std::optional<std::uint32_t> found;
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < platform.file_systems.size(); ++i)
    for (const std::string& path : platform.file_systems[i].paths)
      if (file.starts_with(path) && (!found || path.size() > longest)) {
        found = i;
        longest = path.size();
      }
  return found;
}

class Counting {
 public:
  Counting(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform)
      : program_(program),
        expected_(expected),
        platform_(platform),
        routes_(platform),
        nodes_(replay::place_ranks(program, platform)) {}

  Exposure count() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) count_collectives(rank);
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) count_rank(rank);
    return exposure();
  }

 private:
  using CollectiveKey = std::pair<std::uint32_t, std::uint64_t>;  // communicator, number on it
  using RowName = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  struct Row {
    double own_s = 0;
    Uses uses;
  };

  Uses between(std::uint32_t from, std::uint32_t to, double bytes) {
    Uses uses;
    if (nodes_[from] == nodes_[to] || !routes_.find(nodes_[from], nodes_[to], way_)) return uses;
    for (const hw::Step& step : way_) uses[{Exposed::Kind::kLink, step.edge}] = {bytes, 1};
    return uses;
  }

  std::optional<std::uint32_t> peer_of(std::uint32_t rank, const Operation& op, std::int32_t peer) const {
    if (op.comm >= program_.comms() || peer < 0) return {};
    const auto peers = replay::peers_of(program_.comm(op.comm), rank);
    if (static_cast<std::size_t>(peer) >= peers.size()) return {};
    return peers[static_cast<std::size_t>(peer)];
  }

  Uses of_message(std::uint32_t rank, const Operation& op) {
    const RankProgram& own = program_.rank(rank);
    Uses uses;
    const auto peer = peer_of(rank, op, op.peer);
    const auto bytes = static_cast<double>(op.bytes);
    if (op.kind == OpKind::kSend || op.kind == OpKind::kIsend || op.kind == OpKind::kSendrecv) {
      if (peer) add(uses, between(rank, *peer, bytes));
    } else if (peer) {
      add(uses, between(*peer, rank, bytes));
    }
    if (op.kind == OpKind::kSendrecv) {
      const replay::SendrecvTail& tail = own.sendrecvs[op.extra];
      if (const auto source = peer_of(rank, op, tail.source))
        add(uses, between(*source, rank, static_cast<double>(tail.bytes)));
    }
    return uses;
  }

  // Sent by this rank inside of the operation, as recorded; where nothing was, its bytes in equal parts to all others.
  Uses of_collective(std::uint32_t rank, std::uint32_t index) {
    const RankProgram& own = program_.rank(rank);
    const Operation& op = own.operations[index];
    Uses uses;
    bool recorded = false;
    for (const replay::InnerItem& item : own.inner_of(index)) {
      if (item.kind != replay::InnerKind::kSend) continue;
      const replay::InnerMessage& message = own.inner_messages[item.index];
      recorded = true;
      if (message.peer < program_.ranks()) add(uses, between(rank, message.peer, static_cast<double>(message.bytes)));
    }
    if (recorded || op.comm >= program_.comms()) return uses;
    const auto peers = replay::peers_of(program_.comm(op.comm), rank);
    if (peers.size() < 2) return uses;
    const double part = static_cast<double>(op.bytes) / static_cast<double>(peers.size() - 1);
    for (const std::uint32_t peer : peers)
      if (peer != rank && peer < program_.ranks()) add(uses, between(rank, peer, part));
    return uses;
  }

  void count_collectives(std::uint32_t rank) {
    std::map<std::uint32_t, std::uint64_t> number;
    const RankProgram& own = program_.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i)
      if (own.operations[i].kind == OpKind::kCollective) {
        const CollectiveKey key{own.operations[i].comm, number[own.operations[i].comm]++};
        add(collectives_[key], of_collective(rank, i));
      }
  }

  Uses of_file(const Operation& op) const {
    Uses uses;
    if (op.comm >= program_.files()) return uses;
    if (const auto system = file_system_of(platform_, program_.file(op.comm)))
      uses[{Exposed::Kind::kFileSystem, *system}] = {static_cast<double>(op.bytes), 1};
    return uses;
  }

  Uses of_wait(const RankProgram& own, const Operation& op) {
    Uses uses;
    if ((op.flags & replay::kNoRequestList) != 0) {
      if (op.extra < requests_.size()) add(uses, requests_[op.extra]);
      return uses;
    }
    for (const std::uint32_t slot : own.waits_for(op))
      if (slot < requests_.size()) add(uses, requests_[slot]);
    return uses;
  }

  Uses uses_of(std::uint32_t rank, std::uint32_t index, std::map<std::uint32_t, std::uint64_t>& number) {
    const RankProgram& own = program_.rank(rank);
    const Operation& op = own.operations[index];
    switch (op.kind) {
      case OpKind::kIsend:
      case OpKind::kIrecv:
        if (op.extra < requests_.size()) requests_[op.extra] = of_message(rank, op);
        return {};
      case OpKind::kSend:
      case OpKind::kRecv:
      case OpKind::kSendrecv:
        return of_message(rank, op);
      case OpKind::kWait:
        return of_wait(own, op);
      case OpKind::kCollective:
        return collectives_[{op.comm, number[op.comm]++}];
      case OpKind::kIoRead:
      case OpKind::kIoWrite:
      case OpKind::kIoSync:
        return of_file(op);
      default:
        return {};
    }
  }

  void count_rank(std::uint32_t rank) {
    const RankProgram& own = program_.rank(rank);
    const replay::ExpectedRank& columns = expected_.ranks[rank];
    std::map<std::uint32_t, std::uint64_t> number;
    requests_.assign(own.request_slots, {});
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Uses uses = uses_of(rank, i, number);
      if (uses.empty() || columns.not_judged[i] != replay::kNone) continue;
      const Operation& op = own.operations[i];
      const auto partner = replay::is_io(op.kind) ? op.comm : static_cast<std::uint32_t>(op.peer);
      Row& row = rows_[{rank, op.call, op.site, partner, static_cast<std::uint32_t>(op.kind)}];
      const Duration observed = own.times[i].end - own.times[i].begin;
      row.own_s += (observed - columns.as_run_upper[i]).seconds();
      add(row.uses, uses);
    }
  }

  Exposure exposure() const {
    Exposure result;
    std::map<Exposed, std::size_t> column_of;
    for (const auto& [name, row] : rows_) {
      const auto number = static_cast<std::uint32_t>(result.own_s.size());
      result.own_s.push_back(row.own_s);
      for (const auto& [component, use] : row.uses)
        for (const auto& [slowness, amount] :
             {std::pair{Slowness::kRate, use.bytes}, std::pair{Slowness::kLatency, use.messages}}) {
          if (amount <= 0) continue;
          const Exposed exposed{component.first, component.second, slowness};
          const auto [place, is_new] = column_of.try_emplace(exposed, result.columns.size());
          if (is_new) {
            result.exposed.push_back(exposed);
            result.columns.emplace_back();
          }
          result.columns[place->second].rows.push_back(number);
          result.columns[place->second].values.push_back(amount);
        }
    }
    return result;
  }

  const replay::Program& program_;
  const replay::Expected& expected_;
  const hw::Platform& platform_;
  hw::Routes routes_;
  std::vector<std::uint32_t> nodes_;  // by rank
  std::vector<hw::Step> way_;         // scratch
  std::map<CollectiveKey, Uses> collectives_;
  std::vector<Uses> requests_;  // by slot, of the rank in hand
  std::map<RowName, Row> rows_;
};

}  // namespace

Exposure exposure_of(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform) {
  return Counting(program, expected, platform).count();
}

std::string name_of(const Exposed& exposed, const hw::Platform& platform) {
  if (exposed.kind == Exposed::Kind::kLink) return "link " + platform.edges[exposed.index].name;
  const hw::FileSystem& system = platform.file_systems[exposed.index];
  return "storage " + (system.paths.empty() ? system.name : system.paths.front());
}

}  // namespace plumbline::cli::validate
