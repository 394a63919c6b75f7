#pragma once
// Which rank of which communicator a world rank is, and how many collective operations it has begun there.

#include <cstdint>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay::mpi {

struct Membership {
  std::uint32_t comm = 0;
  std::uint32_t rank = 0;              // in comm
  std::uint32_t collectives = 0;       // begun so far
  std::uint32_t file_collectives = 0;  // likewise, of files opened on comm
  std::uint32_t data_collectives = 0;  // ended so far: without those that make communicators
  std::uint32_t neighbourhoods = 0;    // begun so far: those of neighbours
};
static_assert(sizeof(Membership) == 24);

class Communicators {
 public:
  explicit Communicators(const Program& program);

  // Throws Error when `world_rank` does not belong to it.
  Membership& membership(std::uint32_t world_rank, std::uint32_t comm);

  std::uint32_t size(std::uint32_t comm) const { return static_cast<std::uint32_t>(comms_[comm].members.size()); }
  std::uint32_t world(std::uint32_t comm, std::uint32_t rank) const { return comms_[comm].members[rank]; }
  bool is_inter(std::uint32_t comm) const { return !comms_[comm].remote_members.empty(); }

  // World rank of a peer of a world rank: of the other group where there are two.
  std::uint32_t peer(std::uint32_t world_rank, std::uint32_t comm, std::int32_t peer) const {
    const CommView& view = comms_[comm];
    const bool other = !view.remote_members.empty() && !is_remote_[comm][world_rank];
    return (other ? view.remote_members : view.members)[static_cast<std::uint32_t>(peer)];
  }

 private:
  std::vector<CommView> comms_;
  std::vector<std::vector<bool>> is_remote_;  // by communicator, then by world rank; of intercommunicators only
  std::vector<Membership> memberships_;       // by world rank, then by communicator
  std::vector<std::uint32_t> first_;          // of each world rank
};

}  // namespace plumbline::replay::mpi
