#include "replay/mpi/matching/open_receives.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

namespace plumbline::replay {
namespace {

struct Sent {
  Time begin;
  std::uint64_t bytes = 0;
};

// What was sent on one channel, in order, and how many of these messages have a receive.
struct Traffic {
  std::vector<Sent> sends;
  std::size_t taken = 0;

  bool has_more() const { return taken < sends.size(); }
};

struct ByContent {
  bool operator()(const mpi::Channel& a, const mpi::Channel& b) const {
    return std::tie(a.receiver, a.comm, a.source, a.tag) < std::tie(b.receiver, b.comm, b.source, b.tag);
  }
};
using Channels = std::map<mpi::Channel, Traffic, ByContent>;

bool is_open(const Operation& op) { return op.kind == OpKind::kIrecv && (op.flags & kNotCompleted) != 0; }

constexpr int kMostWildcards = 3;
int wildcards_of(const Operation& op) {
  return ((op.flags & kAnySource) != 0) + ((op.flags & kAnyTag) != 0) + ((op.flags & kAnyComm) != 0);
}

std::uint32_t peer_of(const Program& program, std::uint32_t rank, std::uint32_t comm, std::int32_t peer) {
  return peers_of(program.comm(comm), rank)[static_cast<std::size_t>(peer)];
}

// The traffic towards ranks that have open receives.
class Counter {
 public:
  Counter(const Program& program, const std::vector<bool>& wanted) : program_(program), wanted_(wanted) {
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) count(rank);
  }

  Channels take() { return std::move(channels_); }

 private:
  void count(std::uint32_t rank) {
    const RankProgram& own = program_.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      const bool both = op.kind == OpKind::kSendrecv;
      if (both || op.kind == OpKind::kSend || op.kind == OpKind::kIsend) sent(rank, op, own.times[i].begin);
      if (both) received(rank, op.comm, own.sendrecvs[op.extra].source, own.sendrecvs[op.extra].tag);
      if (op.kind == OpKind::kRecv || (op.kind == OpKind::kIrecv && !is_open(op)))
        received(rank, op.comm, op.peer, op.tag);
    }
  }

  void sent(std::uint32_t rank, const Operation& op, Time begin) {
    if (op.peer == kNoPeer) return;
    const std::uint32_t receiver = peer_of(program_, rank, op.comm, op.peer);
    if (wanted_[receiver]) channels_[{receiver, rank, op.comm, op.tag}].sends.push_back({begin, op.bytes});
  }

  void received(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) {
    if (peer == kNoPeer || !wanted_[rank]) return;
    ++channels_[{rank, peer_of(program_, rank, comm, peer), comm, tag}].taken;
  }

  const Program& program_;
  const std::vector<bool>& wanted_;
  Channels channels_;
};

bool fits(const Operation& op, std::optional<std::uint32_t> source, const mpi::Channel& channel) {
  if (!(op.flags & kAnyComm) && channel.comm != op.comm) return false;
  if (!(op.flags & kAnyTag) && channel.tag != op.tag) return false;
  return !source || channel.source == *source;
}

// Of the channels that fit and have a message left, the one whose next message was sent first.
Channels::iterator earliest(Channels& channels, std::uint32_t rank, const Operation& op,
                            std::optional<std::uint32_t> source) {
  auto best = channels.end();
  for (auto at = channels.lower_bound({rank, 0, 0, std::numeric_limits<std::int32_t>::min()});
       at != channels.end() && at->first.receiver == rank; ++at) {
    if (!at->second.has_more() || !fits(op, source, at->first)) continue;
    const auto begin = [](const Channels::iterator& of) { return of->second.sends[of->second.taken].begin; };
    if (best == channels.end() || begin(at) < begin(best)) best = at;
  }
  return best;
}

}  // namespace

OpenReceives::OpenReceives(const Program& program) {
  std::vector<bool> wanted(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    wanted[rank] = std::ranges::any_of(program.rank(rank).operations, is_open);
  if (std::ranges::find(wanted, true) == wanted.end()) return;
  Channels channels = Counter(program, wanted).take();
  // Those that may take less choose first, so that nobody takes the only message that another one can have.
  for (int wildcards = 0; wildcards <= kMostWildcards; ++wildcards)
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      if (!wanted[rank]) continue;
      const std::span<const Operation> operations = program.rank(rank).operations;
      for (std::uint32_t i = 0; i < operations.size(); ++i) {
        const Operation& op = operations[i];
        if (!is_open(op) || wildcards_of(op) != wildcards) continue;
        std::optional<std::uint32_t> source;
        if (op.peer != kNoPeer) source = peer_of(program, rank, op.comm, op.peer);
        const auto found = earliest(channels, rank, op, source);
        if (found == channels.end()) continue;
        matches_[{rank, i}] = {found->first, found->second.sends[found->second.taken].bytes};
        ++found->second.taken;
      }
    }
}

std::optional<OpenReceives::Match> OpenReceives::of(std::uint32_t rank, std::uint32_t operation) const {
  const auto found = matches_.find({rank, operation});
  return found == matches_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace plumbline::replay
