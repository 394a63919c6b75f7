#include "replay/compare/locality.hpp"

#include <algorithm>

namespace plumbline::replay {
namespace {

// Farther wins: an operation with one message between nodes waits for that one.
Place farther(Place a, Place b) { return std::max(a, b); }

}  // namespace

Localities::Localities(const Program& program) : program_(program), of_comm_(program.comms(), Place::kUnknown) {
  for (std::uint32_t comm = 0; comm < program.comms(); ++comm) {
    const CommView view = program.comm(comm);
    if (view.members.empty()) continue;
    const std::uint32_t first = program.rank(view.members.front()).node;
    const auto is_first = [&](std::uint32_t rank) { return program.rank(rank).node == first; };
    const bool one_node =
        std::ranges::all_of(view.members, is_first) && std::ranges::all_of(view.remote_members, is_first);
    of_comm_[comm] = one_node ? Place::kInside : Place::kBetween;
  }
}

void Localities::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  of_slot_.assign(program_.rank(rank).request_slots, Place::kUnknown);
}

Place Localities::of(const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kIsend:
    case OpKind::kIrecv: {
      const Place place = of_peer(operation.comm, operation.peer);
      remember(operation.extra, place);
      return place;
    }
    case OpKind::kSend:
    case OpKind::kRecv:
    case OpKind::kProbe:
      return of_peer(operation.comm, operation.peer);
    case OpKind::kSendrecv: {
      const std::int32_t source = program_.rank(rank_).sendrecvs[operation.extra].source;
      return farther(of_peer(operation.comm, operation.peer), of_peer(operation.comm, source));
    }
    case OpKind::kCollective:
    case OpKind::kNonBlockingCollective:
    case OpKind::kCommCreate: {
      const Place place = operation.comm < of_comm_.size() ? of_comm_[operation.comm] : Place::kUnknown;
      if (operation.kind == OpKind::kNonBlockingCollective && operation.extra != kNone)
        remember(program_.rank(rank_).collectives[operation.extra].request, place);
      return place;
    }
    case OpKind::kNeighbourhood:
    case OpKind::kNonBlockingNeighbourhood:
      return of_neighbours(operation);
    case OpKind::kWait:
      return of_wait(operation);
    case OpKind::kLocal:
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
    case OpKind::kIoSeek:
    case OpKind::kUnmodelled:
      return Place::kUnknown;
  }
  return Place::kUnknown;
}

Place Localities::of_peer(std::uint32_t comm, std::int32_t peer) const {
  if (comm >= program_.comms() || peer < 0) return Place::kUnknown;
  const CommView view = program_.comm(comm);
  const auto group = view.remote_members.empty() ? view.members : view.remote_members;
  if (static_cast<std::size_t>(peer) >= group.size()) return Place::kUnknown;
  const std::uint32_t other = group[static_cast<std::size_t>(peer)];
  return program_.rank(other).node == program_.rank(rank_).node ? Place::kInside : Place::kBetween;
}

Place Localities::of_neighbours(const Operation& operation) {
  Place place = Place::kUnknown;
  const RankProgram& own = program_.rank(rank_);
  for (const auto& list : {own.sends_to(operation), own.receives_from(operation)})
    for (const Neighbour& neighbour : list)
      place = farther(place, of_peer(operation.comm, static_cast<std::int32_t>(neighbour.rank)));
  if (operation.kind == OpKind::kNonBlockingNeighbourhood) remember(own.request_of(operation), place);
  return place;
}

Place Localities::of_wait(const Operation& wait) const {
  Place place = Place::kUnknown;
  const auto add = [&](std::uint32_t slot) {
    if (slot < of_slot_.size()) place = farther(place, of_slot_[slot]);
  };
  if ((wait.flags & kNoRequestList) != 0) {
    add(wait.extra);
  } else if (wait.extra != kNone) {
    for (const std::uint32_t slot : program_.rank(rank_).waits_for(wait)) add(slot);
  }
  return place;
}

void Localities::remember(std::uint32_t slot, Place place) {
  if (slot < of_slot_.size()) of_slot_[slot] = place;
}

}  // namespace plumbline::replay
