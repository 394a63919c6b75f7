#include "replay/program/rank_program.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay {

std::span<const std::uint32_t> RankProgram::waits_for(const Operation& wait) const {
  if (wait.flags & kNoRequestList) return {&wait.extra, 1};
  if (wait.extra == kNone) return {};
  return request_lists.subspan(wait.extra + std::size_t{1}, request_lists[wait.extra]);
}

std::span<const Neighbour> RankProgram::sends_to(const Operation& op) const {
  const NeighbourTail& tail = neighbourhoods[op.extra];
  return neighbours.subspan(tail.first, tail.to);
}

std::span<const Neighbour> RankProgram::receives_from(const Operation& op) const {
  const NeighbourTail& tail = neighbourhoods[op.extra];
  return neighbours.subspan(std::size_t{tail.first} + tail.to, tail.from);
}

std::span<const std::uint32_t> RankProgram::group_of(const Operation& op) const {
  return op.extra == kNone ? std::span<const std::uint32_t>()
                           : groups.subspan(op.extra + std::size_t{1}, groups[op.extra]);
}

std::span<const InnerItem> RankProgram::inner_of(std::uint32_t operation) const {
  const auto [first, last] = std::ranges::equal_range(inner, operation, std::less<>(), &InnerItem::operation);
  return {first, last};
}

std::span<const std::uint32_t> group_of(const CommView& comm, std::uint32_t world_rank) {
  return std::ranges::find(comm.remote_members, world_rank) == comm.remote_members.end() ? comm.members
                                                                                         : comm.remote_members;
}

std::span<const std::uint32_t> peers_of(const CommView& comm, std::uint32_t world_rank) {
  if (comm.remote_members.empty()) return comm.members;
  return group_of(comm, world_rank).data() == comm.members.data() ? comm.remote_members : comm.members;
}

}  // namespace plumbline::replay
