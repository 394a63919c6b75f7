#include "cli/workflows/predict/partners.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "replay/engine/replay.hpp"

namespace plumbline::cli::predict {
namespace {

using replay::Operation;
using replay::OpKind;
using replay::Program;

constexpr Time kNobody{std::numeric_limits<std::int64_t>::min()};

// One end of a message; those of one channel lie side by side, in order, once they are sorted.
struct End {
  std::uint32_t sender = 0, receiver = 0, comm = 0;
  std::int32_t tag = 0;
  std::uint32_t operation = 0;
  bool waits = false;  // of a send: for its receive

  auto channel() const { return std::tie(sender, receiver, comm, tag); }
  bool operator<(const End& other) const {
    return std::tuple_cat(channel(), std::tie(operation)) < std::tuple_cat(other.channel(), std::tie(other.operation));
  }
};

bool is_collective(const Operation& op) {
  return replay::is_data_collective(op.kind) ||
         (replay::is_io(op.kind) &&
          (op.flags & (replay::kIoIsCollective | replay::kIoIsMpi)) == (replay::kIoIsCollective | replay::kIoIsMpi));
}

// Of one collective call on its communicator.
struct Call {
  Time last = kNobody, of_root = kNobody;
};

class Partners {
 public:
  Partners(const Program& program, const hw::Platform& platform, const replay::ReplayResult& result,
           const Scratch& scratch)
      : program_(program),
        platform_(platform),
        result_(result),
        nodes_(replay::place_ranks(program, platform)),
        scratch_(scratch),
        sends_(scratch),
        receives_(scratch) {}

  PartnerTimes run() {
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
      times_.emplace_back(program_.rank(rank).operations.size(), kNobody, scratch_);
      look_at(rank);
    }
    std::sort(sends_.begin(), sends_.end());
    std::sort(receives_.begin(), receives_.end());
    join_messages();
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
      join_collectives(rank);
      join_waits(rank);
    }
    return std::move(times_);
  }

 private:
  Time begin_of(std::uint32_t rank, std::uint32_t operation) const { return result_.times[rank][operation].begin; }

  void look_at(std::uint32_t rank) {
    const replay::RankProgram& own = program_.rank(rank);
    auto wildcard = result_.wildcards.empty() ? nullptr : result_.wildcards[rank].data();
    std::map<std::uint32_t, std::uint32_t> calls;  // by communicator
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      const bool both = op.kind == OpKind::kSendrecv;
      if (both || op.kind == OpKind::kSend || op.kind == OpKind::kIsend) sent(rank, i, op);
      if (both) received(rank, i, op, own.sendrecvs[op.extra].source, own.sendrecvs[op.extra].tag);
      if (op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv) {
        const bool is_open = replay::is_open_wildcard(op);
        received(rank, i, op, is_open ? static_cast<std::int32_t>((wildcard++)->source) : op.peer, op.tag);
      }
      if (is_collective(op)) called(rank, i, op, calls[comm_of(rank, op)]++);
    }
  }

  std::uint32_t comm_of(std::uint32_t rank, const Operation& op) const {
    return replay::is_io(op.kind) ? program_.rank(rank).accesses[op.extra].comm : op.comm;
  }

  std::uint32_t world(std::uint32_t rank, std::uint32_t comm, std::int32_t peer) const {
    return replay::peers_of(program_.comm(comm), rank)[static_cast<std::size_t>(peer)];
  }

  void sent(std::uint32_t rank, std::uint32_t operation, const Operation& op) {
    if (op.peer == replay::kNoPeer) return;
    const std::uint32_t receiver = world(rank, op.comm, op.peer);
    const hw::Transport& transport = hw::transport_of(platform_, nodes_[rank], nodes_[receiver]);
    const bool rendezvous = hw::range_of(transport, Bytes{op.bytes}).protocol == hw::Protocol::kRendezvous;
    const bool waits = (rendezvous || (op.flags & replay::kSynchronous)) && !(op.flags & replay::kBuffered);
    sends_.push_back({rank, receiver, op.comm, op.tag, operation, waits});
  }

  void received(std::uint32_t rank, std::uint32_t operation, const Operation& op, std::int32_t source,
                std::int32_t tag) {
    if (source != replay::kNoPeer)
      receives_.push_back({world(rank, op.comm, source), rank, op.comm, tag, operation, true});
  }

  void called(std::uint32_t rank, std::uint32_t operation, const Operation& op, std::uint32_t sequence) {
    const std::uint32_t comm = comm_of(rank, op);
    std::vector<Call>& calls = calls_[comm];
    if (sequence >= calls.size()) calls.resize(sequence + 1);
    Call& call = calls[sequence];
    const Time begin = begin_of(rank, operation);
    call.last = std::max(call.last, begin);
    if (replay::is_data_collective(op.kind) && op.peer != replay::kNoPeer && world(rank, comm, op.peer) == rank)
      call.of_root = begin;
  }

  // The n-th send of a channel belongs to its n-th receive.
  void join_messages() {
    auto receive = receives_.begin();
    for (const End& send : sends_) {
      while (receive != receives_.end() && receive->channel() < send.channel()) ++receive;
      if (receive == receives_.end() || receive->channel() != send.channel()) continue;
      later(times_[receive->receiver][receive->operation], begin_of(send.sender, send.operation));
      if (send.waits) later(times_[send.sender][send.operation], begin_of(receive->receiver, receive->operation));
      ++receive;
    }
  }

  static void later(Time& time, Time other) { time = std::max(time, other); }

  Time needed_by(std::uint32_t rank, const Operation& op, const Call& call) const {
    if (!replay::is_data_collective(op.kind) || op.peer == replay::kNoPeer) return call.last;
    const auto kind = static_cast<replay::Collective>(op.tag);
    if (kind == replay::Collective::kBcast || kind == replay::Collective::kScatter) return call.of_root;
    return world(rank, op.comm, op.peer) == rank ? call.last : kNobody;
  }

  void join_collectives(std::uint32_t rank) {
    const auto operations = program_.rank(rank).operations;
    std::map<std::uint32_t, std::uint32_t> calls;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Operation& op = operations[i];
      if (!is_collective(op)) continue;
      const std::uint32_t comm = comm_of(rank, op);
      later(times_[rank][i], needed_by(rank, op, calls_[comm][calls[comm]++]));
    }
  }

  void join_waits(std::uint32_t rank) {
    const replay::RankProgram& own = program_.rank(rank);
    std::vector<std::uint32_t> started(own.request_slots, replay::kNone);  // by slot
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      if (op.kind == OpKind::kIsend || op.kind == OpKind::kIrecv) started[op.extra] = i;
      if (replay::starts_collective(op.kind)) started[own.request_of(op)] = i;
      if (replay::is_io(op.kind) && (op.flags & replay::kNonBlocking)) started[own.accesses[op.extra].request] = i;
      if (op.kind != OpKind::kWait) continue;
      for (const std::uint32_t slot : own.waits_for(op)) later(times_[rank][i], times_[rank][started[slot]]);
    }
  }

  const Program& program_;
  const hw::Platform& platform_;
  const replay::ReplayResult& result_;
  const std::vector<std::uint32_t> nodes_;
  const Scratch scratch_;
  PartnerTimes times_;
  Column<End> sends_, receives_;
  std::map<std::uint32_t, std::vector<Call>> calls_;  // by communicator
};

}  // namespace

PartnerTimes partner_times(const Program& program, const hw::Platform& platform, const replay::ReplayResult& result,
                           const Scratch& scratch) {
  return Partners(program, platform, result, scratch).run();
}

}  // namespace plumbline::cli::predict
