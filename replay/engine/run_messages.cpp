// What operations send and receive: what a call posts, and which requests it waits for then.

#include "replay/engine/run.hpp"

namespace plumbline::replay {

// Posts what somebody answers; the rest is complete.
void Run::post_answered(std::uint32_t rank, const Operation& op, std::uint8_t unanswered) {
  const auto complete = [&](std::uint32_t request) { engine_.complete_at(request, rank, engine_.rank(rank).clock); };
  switch (op.kind) {
    case OpKind::kSend:
      return complete(engine_.blocking_send(rank));
    case OpKind::kRecv:
      return complete(engine_.blocking_receive(rank));
    case OpKind::kIsend:
    case OpKind::kIrecv:
      return complete(engine_.request_of_slot(rank, op.extra));
    case OpKind::kNonBlockingCollective:
      return complete(engine_.request_of_slot(rank, program_.rank(rank).collectives[op.extra].request));
    case OpKind::kSendrecv: {
      const SendrecvTail& tail = program_.rank(rank).sendrecvs[op.extra];
      if ((unanswered & UnmatchedOperations::kReceives) || tail.source == kNoPeer)
        complete(engine_.blocking_receive(rank));
      else
        engine_.receive(engine_.blocking_receive(rank), from(rank, op.comm, tail.source, tail.tag), tail.bytes);
      if (unanswered & UnmatchedOperations::kSends) return complete(engine_.blocking_send(rank));
      return start_send(rank, op, engine_.blocking_send(rank));
    }
    default:
      return;
  }
}

void Run::post(std::uint32_t rank, const Operation& op) {
  if (const std::uint8_t parts = unanswered(rank)) return post_answered(rank, op, parts);
  switch (op.kind) {
    case OpKind::kSend:
      return start_send(rank, op, engine_.blocking_send(rank));
    case OpKind::kRecv:
      return start_receive(rank, op, engine_.blocking_receive(rank));
    case OpKind::kIsend:
      return start_send(rank, op, engine_.request_of_slot(rank, op.extra));
    case OpKind::kIrecv:
      return start_receive(rank, op, engine_.request_of_slot(rank, op.extra));
    case OpKind::kSendrecv:
      return start_sendrecv(rank, op);
    case OpKind::kCollective:
    case OpKind::kNonBlockingCollective:
      return start_collective(rank, op);
    case OpKind::kNeighbourhood:
    case OpKind::kNonBlockingNeighbourhood:
      return start_neighbourhood(rank, op);
    case OpKind::kCommCreate:
      if (!comms_.is_inter(op.comm)) start_barrier(rank, op.comm, mpi::kCollectiveSpace);
      return;
    default:
      if (is_one_sided(op.kind)) windows_->call(rank, op);
      return;
  }
}

void Run::begin_to_wait(std::uint32_t rank, const Operation& op) {
  switch (op.kind) {
    case OpKind::kSend:
      return engine_.wait(engine_.blocking_send(rank));
    case OpKind::kRecv:
      return engine_.wait(engine_.blocking_receive(rank));
    case OpKind::kSendrecv:
      engine_.wait(engine_.blocking_send(rank));
      return engine_.wait(engine_.blocking_receive(rank));
    case OpKind::kWait:
      return start_wait(rank, op);
    case OpKind::kProbe:
      if (unanswered(rank) == UnmatchedOperations::kNothing) start_probe(rank, op);
      return;
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
    case OpKind::kIoSeek:
      return keep_duration(rank);
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return start_io(rank, op);
    default:
      return;
  }
}

mpi::Channel Run::to(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const {
  return {comms_.peer(rank, comm, peer), rank, comm, tag};
}

mpi::Channel Run::from(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const {
  return {rank, comms_.peer(rank, comm, peer), comm, tag};
}

void Run::start_send(std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.peer == kNoPeer) return engine_.complete_at(request, rank, engine_.rank(rank).clock);
  if (op.flags & kBuffered) {  // it is the library's from now on
    engine_.complete_at(request, rank, engine_.rank(rank).clock);
    request = engine_.pooled_request(rank);
  }
  engine_.send(request, to(rank, op.comm, op.peer, op.tag), op.bytes, op.flags & kSynchronous);
}

void Run::start_receive(std::uint32_t rank, const Operation& op, std::uint32_t request) {
  if (op.kind == OpKind::kIrecv && (op.flags & kNotCompleted)) return start_open_receive(rank, request);
  if (is_open_wildcard(op)) return engine_.receive_any(request, {rank, op.comm, op.tag}, op.bytes, cursors_[rank].next);
  if (op.peer == kNoPeer) return engine_.complete_at(request, rank, engine_.rank(rank).clock);
  engine_.receive(request, from(rank, op.comm, op.peer, op.tag), op.bytes);
}

// Nobody waits for it. Where no message is left for it, it is never there.
void Run::start_open_receive(std::uint32_t rank, std::uint32_t request) {
  const std::optional<OpenReceives::Match> match = open_receives_.of(rank, cursors_[rank].next);
  if (match) engine_.receive(request, match->channel, match->bytes);
}

// The receive first, as the libraries do.
void Run::start_sendrecv(std::uint32_t rank, const Operation& op) {
  const SendrecvTail& tail = program_.rank(rank).sendrecvs[op.extra];
  if (tail.source != kNoPeer)
    engine_.receive(engine_.blocking_receive(rank), from(rank, op.comm, tail.source, tail.tag), tail.bytes);
  start_send(rank, op, engine_.blocking_send(rank));
}

void Run::start_wait(std::uint32_t rank, const Operation& op) {
  if (op.flags & kNoRequestList) return engine_.wait(engine_.request_of_slot(rank, op.extra));
  const std::span<const std::uint32_t> slots = program_.rank(rank).waits_for(op);
  if (!engine_.order_matters()) {
    for (const std::uint32_t slot : slots) engine_.wait(engine_.request_of_slot(rank, slot));
    return;
  }
  for (const std::uint32_t slot : slots) posted_.push_back(engine_.request_of_slot(rank, slot));
  engine_.wait(posted_);
  posted_.clear();
}

void Run::start_probe(std::uint32_t rank, const Operation& op) {
  if (op.peer != kNoPeer) engine_.probe(rank, from(rank, op.comm, op.peer, op.tag));
}

void Run::start_collective(std::uint32_t rank, const Operation& op) {
  const bool blocking = op.kind == OpKind::kCollective;
  const std::uint32_t request =
      blocking ? kNone : engine_.request_of_slot(rank, program_.rank(rank).collectives[op.extra].request);
  if (comms_.is_inter(op.comm)) {  // not judged
    if (!blocking) engine_.complete_at(request, rank, engine_.rank(rank).clock);
    return keep_duration(rank);
  }
  mpi::Membership& member = comms_.membership(rank, op.comm);
  mpi::Shape shape = shape_of(program_, rank, op, comms_.size(op.comm), member.rank);
  shape.plan = choice_.plan(op.comm, member.data_collectives);
  engine_.start(rank, shape, program_.comm(op.comm), op.comm, mpi::kCollectiveSpace, member.collectives++, request);
}

void Run::start_neighbourhood(std::uint32_t rank, const Operation& op) {
  const RankProgram& own = program_.rank(rank);
  mpi::Membership& member = comms_.membership(rank, op.comm);
  mpi::Shape shape;
  shape.size = comms_.size(op.comm);
  shape.rank = member.rank;
  shape.neighbours = {own.sends_to(op), own.receives_from(op),
                      mpi::post_order(choice_.library(), static_cast<Neighbourhood>(op.tag))};
  const std::uint32_t request =
      op.kind == OpKind::kNeighbourhood ? kNone : engine_.request_of_slot(rank, own.request_of(op));
  engine_.start(rank, shape, program_.comm(op.comm), op.comm, mpi::kNeighbourSpace, member.neighbourhoods++, request);
}

void Run::start_barrier(std::uint32_t rank, std::uint32_t comm, std::uint32_t space) {
  mpi::Membership& member = comms_.membership(rank, comm);
  std::uint32_t& sequence = space == mpi::kFileSpace ? member.file_collectives : member.collectives;
  mpi::Shape shape;
  shape.size = comms_.size(comm);
  shape.rank = member.rank;
  engine_.start(rank, shape, program_.comm(comm), comm, space, sequence++, kNone);
}

}  // namespace plumbline::replay
