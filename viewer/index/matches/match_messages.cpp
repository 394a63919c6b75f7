// Messages of the program. While they are matched, the sends of a channel that no receive has taken yet form a list
// whose links stand where their partners will.

#include <algorithm>
#include <vector>

#include "viewer/index/matches/match_parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::kNoPeer;
using replay::Operation;
using replay::OpKind;
using replay::Program;

struct Channel {
  std::uint32_t comm = 0, sender = 0, receiver = kNone;  // world ranks
  std::int32_t tag = 0;

  bool operator==(const Channel&) const = default;
};

struct Queue {
  Channel channel;
  OperationId first, last;
};

// A hash table with open addressing; a place without a receiver is free.
class Queues {
 public:
  Queues() : places_(1024) {}

  Queue& of(const Channel& channel) {
    if ((used_ + 1) * 2 > places_.size()) grow();
    Queue& queue = places_[place_of(channel)];
    if (queue.channel.receiver == kNone) {
      queue.channel = channel;
      ++used_;
    }
    return queue;
  }

  Queue* find(const Channel& channel) {
    Queue& queue = places_[place_of(channel)];
    return queue.channel.receiver == kNone ? nullptr : &queue;
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (Queue& queue : places_)
      if (queue.channel.receiver != kNone) visit(queue);
  }

 private:
  // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::size_t place_of(const Channel& channel) const {
    const std::uint64_t who = static_cast<std::uint64_t>(channel.sender) << 32 | channel.receiver;
    const std::uint64_t what = static_cast<std::uint64_t>(channel.comm) << 32 | static_cast<std::uint32_t>(channel.tag);
    std::size_t place = mix(who * 0x9e3779b97f4a7c15ULL + what) & (places_.size() - 1);
    while (places_[place].channel.receiver != kNone && places_[place].channel != channel)
      place = (place + 1) & (places_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Queue> old(places_.size() * 2);
    old.swap(places_);
    for (const Queue& queue : old)
      if (queue.channel.receiver != kNone) places_[place_of(queue.channel)] = queue;
  }

  std::vector<Queue> places_;  // a power of two, at most half full
  std::size_t used_ = 0;
};

bool is_open(const Operation& op) { return op.kind == OpKind::kIrecv && (op.flags & replay::kNotCompleted) != 0; }

class MessageMatcher {
 public:
  MessageMatcher(const Program& program, Matches& matches) : program_(program), matches_(matches) {}

  void run() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) take_sends(rank);
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
      take_receives(rank, false);
      take_receives(rank, true);
    }
    forget_rest();
    std::ranges::sort(matches_.without_partner);
    const auto again = std::ranges::unique(matches_.without_partner);
    matches_.without_partner.erase(again.begin(), again.end());
  }

 private:
  std::uint32_t peer(std::uint32_t rank, const Operation& op, std::int32_t number) const {
    return peers_of(program_.comm(op.comm), rank)[static_cast<std::size_t>(number)];
  }

  void take_sends(std::uint32_t rank) {
    const auto operations = program_.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Operation& op = operations[i];
      const bool both = op.kind == OpKind::kSendrecv;
      if ((!both && op.kind != OpKind::kSend && op.kind != OpKind::kIsend) || op.peer == kNoPeer) continue;
      if (both) matches_.ranks[rank].sent_to.push_back({i, {}});
      add({op.comm, rank, peer(rank, op, op.peer), op.tag}, {rank, i});
    }
  }

  void add(const Channel& channel, OperationId send) {
    Queue& queue = queues_.of(channel);
    (queue.first.exists() ? link(queue.last) : queue.first) = send;
    queue.last = send;
  }

  // Where the receive of a send will stand, and until then the send behind it.
  OperationId& link(OperationId send) {
    RankMatches& own = matches_.ranks[send.rank];
    if (program_.rank(send.rank).operations[send.operation].kind != OpKind::kSendrecv)
      return own.partner[send.operation];
    return std::ranges::lower_bound(own.sent_to, send.operation, {}, &Link::operation)->to;
  }

  // `open`: those that nobody completed, which come after all others; of wildcards no record tells what they took.
  void take_receives(std::uint32_t rank, bool open) {
    const auto operations = program_.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Operation& op = operations[i];
      if (is_open(op) != open) continue;
      const auto wildcards = replay::kAnySource | replay::kAnyTag | replay::kAnyComm;
      if (open && (op.flags & wildcards) != 0) continue;
      if (op.kind == OpKind::kSendrecv) {
        const replay::SendrecvTail& tail = program_.rank(rank).sendrecvs[op.extra];
        receive({rank, i}, op, tail.source, tail.tag);
      } else if (op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv || op.kind == OpKind::kProbe) {
        receive({rank, i}, op, op.peer, op.tag);
      }
    }
  }

  void receive(OperationId id, const Operation& op, std::int32_t source, std::int32_t tag) {
    if (source == kNoPeer) return;
    Queue* const queue = queues_.find({op.comm, peer(id.rank, op, source), id.rank, tag});
    if (queue == nullptr || !queue->first.exists()) {
      if (op.kind != OpKind::kProbe) forget(id);
      return;
    }
    const OperationId send = queue->first;
    matches_.ranks[id.rank].partner[id.operation] = send;
    if (op.kind == OpKind::kProbe) return;
    OperationId& next = link(send);
    queue->first = send == queue->last ? OperationId{} : next;
    next = id;
  }

  void forget(OperationId id) {
    ++matches_.unmatched;
    matches_.without_partner.push_back(id);
  }

  void forget_rest() {
    queues_.for_each([this](Queue& queue) {
      for (OperationId send = queue.first; send.exists();) {
        const OperationId next = send == queue.last ? OperationId{} : link(send);
        link(send) = {};
        forget(send);
        send = next;
      }
    });
  }

  const Program& program_;
  Matches& matches_;
  Queues queues_;
};

}  // namespace

void match_messages(const Program& program, Matches& matches) { MessageMatcher(program, matches).run(); }

}  // namespace plumbline::viewer
