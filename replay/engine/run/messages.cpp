#include "replay/engine/run/messages.hpp"

#include <optional>
#include <span>

#include "replay/engine/run/file_accesses.hpp"
#include "replay/engine/run/phases.hpp"
#include "replay/mpi/engine_collectives.hpp"
#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/engine_wildcards.hpp"
#include "replay/mpi/window_calls.hpp"

namespace plumbline::replay::engine {
namespace {

mpi::Channel channel_from(const Run& run, std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) {
  return {rank, run.comms.peer(rank, comm, peer), comm, tag};
}

mpi::Channel channel_to(const Run& run, std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) {
  return {run.comms.peer(rank, comm, peer), rank, comm, tag};
}

void start_send(Run& run, std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.peer == kNoPeer) return mpi::complete_at(run.engine, request, rank, run.engine.rank(rank).clock);
  if (op.flags & kBuffered) {  // it is the library's from now on
    mpi::complete_at(run.engine, request, rank, run.engine.rank(rank).clock);
    request = mpi::pooled_request(run.engine, rank);
  }
  mpi::send(run.engine, request, channel_to(run, rank, op.comm, op.peer, op.tag), op.bytes, op.flags & kSynchronous);
}

// Posts what somebody answers; the rest is complete.
void post_answered(Run& run, std::uint32_t rank, const Operation& op, std::uint8_t unanswered) {
  const auto complete = [&](std::uint32_t request) {
    mpi::complete_at(run.engine, request, rank, run.engine.rank(rank).clock);
  };
  switch (op.kind) {
    case OpKind::kSend:
      return complete(run.engine.blocking_send(rank));
    case OpKind::kRecv:
      return complete(run.engine.blocking_receive(rank));
    case OpKind::kIsend:
    case OpKind::kIrecv:
      return complete(run.engine.request_of_slot(rank, op.extra));
    case OpKind::kNonBlockingCollective:
      return complete(run.engine.request_of_slot(rank, run.program.rank(rank).collectives[op.extra].request));
    case OpKind::kSendrecv: {
      const SendrecvTail& tail = run.program.rank(rank).sendrecvs[op.extra];
      if ((unanswered & UnmatchedOperations::kReceives) || tail.source == kNoPeer)
        complete(run.engine.blocking_receive(rank));
      else
        mpi::receive(run.engine, run.engine.blocking_receive(rank),
                     channel_from(run, rank, op.comm, tail.source, tail.tag), tail.bytes);
      if (unanswered & UnmatchedOperations::kSends) return complete(run.engine.blocking_send(rank));
      return start_send(run, rank, op, run.engine.blocking_send(rank));
    }
    default:
      return;
  }
}

// Nobody waits for it. Where no message is left for it, it is never there.
void start_open_receive(Run& run, std::uint32_t rank, std::uint32_t request) {
  const std::optional<OpenReceives::Match> match = run.open_receives.of(rank, run.cursors[rank].next);
  if (match) mpi::receive(run.engine, request, match->channel, match->bytes);
}

void start_receive(Run& run, std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.kind == OpKind::kIrecv && (op.flags & kNotCompleted)) return start_open_receive(run, rank, request);
  if (is_open_wildcard(op))
    return mpi::receive_any(run.engine, request, {rank, op.comm, op.tag}, op.bytes, run.cursors[rank].next);
  if (op.peer == kNoPeer) return mpi::complete_at(run.engine, request, rank, run.engine.rank(rank).clock);
  mpi::receive(run.engine, request, channel_from(run, rank, op.comm, op.peer, op.tag), op.bytes);
}

// The receive first, as the libraries do.
void start_sendrecv(Run& run, std::uint32_t rank, const Operation& op) {
  const SendrecvTail& tail = run.program.rank(rank).sendrecvs[op.extra];
  if (tail.source != kNoPeer)
    mpi::receive(run.engine, run.engine.blocking_receive(rank), channel_from(run, rank, op.comm, tail.source, tail.tag),
                 tail.bytes);
  start_send(run, rank, op, run.engine.blocking_send(rank));
}

void start_collective(Run& run, std::uint32_t rank, const Operation& op) {
  const bool blocking = op.kind == OpKind::kCollective;
  const std::uint32_t request =
      blocking ? kNone : run.engine.request_of_slot(rank, run.program.rank(rank).collectives[op.extra].request);
  if (run.comms.is_inter(op.comm)) {  // not judged
    if (!blocking) mpi::complete_at(run.engine, request, rank, run.engine.rank(rank).clock);
    return keep_duration(run, rank);
  }
  mpi::Membership& member = run.comms.membership(rank, op.comm);
  collectives::Shape shape = shape_of(run.program, rank, op, run.comms.size(op.comm), member.rank);
  shape.plan = run.choice.plan(op.comm, member.data_collectives);
  mpi::start(run.engine, rank, shape, run.program.comm(op.comm), op.comm, mpi::kCollectiveSpace, member.collectives++,
             request);
}

void start_neighbourhood(Run& run, std::uint32_t rank, const Operation& op) {
  const RankProgram& own = run.program.rank(rank);
  mpi::Membership& member = run.comms.membership(rank, op.comm);
  collectives::Shape shape;
  shape.size = run.comms.size(op.comm);
  shape.rank = member.rank;
  shape.neighbours = {own.sends_to(op), own.receives_from(op),
                      collectives::post_order(run.choice.library(), static_cast<Neighbourhood>(op.tag))};
  const std::uint32_t request =
      op.kind == OpKind::kNeighbourhood ? kNone : run.engine.request_of_slot(rank, own.request_of(op));
  mpi::start(run.engine, rank, shape, run.program.comm(op.comm), op.comm, mpi::kNeighbourSpace, member.neighbourhoods++,
             request);
}

void start_wait(Run& run, std::uint32_t rank, const Operation& op) {
  if (op.flags & kNoRequestList) return mpi::wait(run.engine, run.engine.request_of_slot(rank, op.extra));
  const std::span<const std::uint32_t> slots = run.program.rank(rank).waits_for(op);
  if (!run.engine.order_matters()) {
    for (const std::uint32_t slot : slots) mpi::wait(run.engine, run.engine.request_of_slot(rank, slot));
    return;
  }
  for (const std::uint32_t slot : slots) run.posted.push_back(run.engine.request_of_slot(rank, slot));
  mpi::wait(run.engine, run.posted);
  run.posted.clear();
}

void start_probe(Run& run, std::uint32_t rank, const Operation& op) {
  if (op.peer != kNoPeer) mpi::probe(run.engine, rank, channel_from(run, rank, op.comm, op.peer, op.tag));
}

}  // namespace

void post(Run& run, std::uint32_t rank, const Operation& op) {
  if (const std::uint8_t parts = unanswered(run, rank)) return post_answered(run, rank, op, parts);
  switch (op.kind) {
    case OpKind::kSend:
      return start_send(run, rank, op, run.engine.blocking_send(rank));
    case OpKind::kRecv:
      return start_receive(run, rank, op, run.engine.blocking_receive(rank));
    case OpKind::kIsend:
      return start_send(run, rank, op, run.engine.request_of_slot(rank, op.extra));
    case OpKind::kIrecv:
      return start_receive(run, rank, op, run.engine.request_of_slot(rank, op.extra));
    case OpKind::kSendrecv:
      return start_sendrecv(run, rank, op);
    case OpKind::kCollective:
    case OpKind::kNonBlockingCollective:
      return start_collective(run, rank, op);
    case OpKind::kNeighbourhood:
    case OpKind::kNonBlockingNeighbourhood:
      return start_neighbourhood(run, rank, op);
    case OpKind::kCommCreate:
      if (!run.comms.is_inter(op.comm)) start_barrier(run, rank, op.comm, mpi::kCollectiveSpace);
      return;
    default:
      if (is_one_sided(op.kind)) mpi::rma::call(*run.windows, rank, op);
      return;
  }
}

void begin_to_wait(Run& run, std::uint32_t rank, const Operation& op) {
  switch (op.kind) {
    case OpKind::kSend:
      return mpi::wait(run.engine, run.engine.blocking_send(rank));
    case OpKind::kRecv:
      return mpi::wait(run.engine, run.engine.blocking_receive(rank));
    case OpKind::kSendrecv:
      mpi::wait(run.engine, run.engine.blocking_send(rank));
      return mpi::wait(run.engine, run.engine.blocking_receive(rank));
    case OpKind::kWait:
      return start_wait(run, rank, op);
    case OpKind::kProbe:
      if (unanswered(run, rank) == UnmatchedOperations::kNothing) start_probe(run, rank, op);
      return;
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
    case OpKind::kIoSeek:
      return keep_duration(run, rank);
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return start_io(run, rank, op);
    default:
      return;
  }
}

void start_barrier(Run& run, std::uint32_t rank, std::uint32_t comm, std::uint32_t space) {
  mpi::Membership& member = run.comms.membership(rank, comm);
  std::uint32_t& sequence = space == mpi::kFileSpace ? member.file_collectives : member.collectives;
  collectives::Shape shape;
  shape.size = run.comms.size(comm);
  shape.rank = member.rank;
  mpi::start(run.engine, rank, shape, run.program.comm(comm), comm, space, sequence++, kNone);
}

}  // namespace plumbline::replay::engine
