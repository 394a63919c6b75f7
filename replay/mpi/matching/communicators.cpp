#include "replay/mpi/matching/communicators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace plumbline::replay::mpi {

Communicators::Communicators(const Program& program) : first_(program.ranks() + 1) {
  for (std::uint32_t c = 0; c < program.comms(); ++c) {
    comms_.push_back(program.comm(c));
    if (!is_inter(c)) continue;
    is_remote_.resize(program.comms());
    is_remote_[c].resize(program.ranks());
    for (const std::uint32_t member : comms_[c].remote_members) is_remote_[c][member] = true;
  }
  for (const CommView& view : comms_)
    for (const std::uint32_t member : view.members) ++first_[member + 1];
  for (std::size_t rank = 1; rank < first_.size(); ++rank) first_[rank] += first_[rank - 1];
  memberships_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t c = 0; c < comms_.size(); ++c)
    for (std::uint32_t rank = 0; rank < comms_[c].members.size(); ++rank)
      memberships_[next[comms_[c].members[rank]]++] = {c, rank};
}

Membership& Communicators::membership(std::uint32_t world_rank, std::uint32_t comm) {
  Membership* const begin = memberships_.data() + first_[world_rank];
  Membership* const end = memberships_.data() + first_[world_rank + 1];
  Membership* const found =
      std::lower_bound(begin, end, comm, [](const Membership& m, std::uint32_t c) { return m.comm < c; });
  if (found == end || found->comm != comm)
    throw Error(
        fmt::format("rank {}", world_rank),
        fmt::format("takes part in a collective operation of communicator {}, which it does not belong to", comm),
        "the recording is damaged or incomplete: record the program again");
  return *found;
}

}  // namespace plumbline::replay::mpi
