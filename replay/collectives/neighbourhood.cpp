#include "replay/collectives/neighbourhood.hpp"

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives {

// Open MPI 4.1.4: coll/basic/coll_basic_neighbor_*.c, blocking (its allgathers on grids and graphs post the receive and
// the send of each neighbour together), and coll/libnbc/nbc_ineighbor_*.c. MPICH 4.0.2: both forms run
// src/mpi/coll/ineighbor_*/ineighbor_*_allcomm_sched_linear.c (maint/tuning/coll/mpir/generic.json).
PostOrder post_order(std::string_view library, Neighbourhood call) {
  if (library != schedules::kMpich) return PostOrder::kReceivesFirst;
  return call == Neighbourhood::kAlltoall ? PostOrder::kSendsFirstReceivesBackwards : PostOrder::kSendsFirst;
}

void post_all(const NeighbourLists& lists, schedules::Round& round) {
  const auto sends = [&] {
    for (const Neighbour& to : lists.to) round.posted.push_back({true, to.rank, to.bytes});
  };
  const auto receive = [&](const Neighbour& from) { round.posted.push_back({false, from.rank, from.bytes}); };
  if (lists.order != PostOrder::kReceivesFirst) sends();
  if (lists.order == PostOrder::kSendsFirstReceivesBackwards)
    for (std::size_t i = lists.from.size(); i-- > 0;) receive(lists.from[i]);
  else
    for (const Neighbour& from : lists.from) receive(from);
  if (lists.order == PostOrder::kReceivesFirst) sends();
}

}  // namespace plumbline::replay::collectives
