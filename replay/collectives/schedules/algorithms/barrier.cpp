// Barriers: coll_base_barrier.c and nbc_ibarrier.c of Open MPI, barrier_intra_dissemination.c and
// ibarrier_intra_sched_recursive_doubling.c of MPICH. Their messages are empty.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule barrier_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != 0) {
    rounds.send(0, 0);
    rounds.receive(0, 0);
    return rounds.take();
  }
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_receive_from_any(i, 0);
  rounds.wait();
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.send(i, 0);
  return rounds.take();
}

Schedule barrier_double_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t left = behind(rank, 1, call.ranks), right = ahead(rank, 1, call.ranks);
  Rounds rounds;
  for (int lap = 0; lap < 2; ++lap) {
    if (rank > 0) rounds.receive(left, 0);
    rounds.send(right, 0);
    if (rank == 0) rounds.receive(left, 0);
  }
  return rounds.take();
}

Schedule barrier_recursive_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t power = power_of_two_below(call.ranks), extra = call.ranks - power;
  Rounds rounds;
  if (rank >= power) {
    rounds.exchange(rank - power, 0, rank - power, 0);
    return rounds.take();
  }
  if (rank < extra) rounds.receive(rank + power, 0);
  for (std::uint32_t mask = 1; mask < power; mask *= 2) rounds.exchange(rank ^ mask, 0, rank ^ mask, 0);
  if (rank < extra) rounds.send(rank + power, 0);
  return rounds.take();
}

// Open MPI calls it Bruck's.
Schedule barrier_dissemination(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t distance = 1; distance < call.ranks; distance *= 2)
    rounds.exchange(ahead(rank, distance, call.ranks), 0, behind(rank, distance, call.ranks), 0);
  return rounds.take();
}

Schedule barrier_two_proc(const Algorithm&, const Call&, std::uint32_t rank) {
  Rounds rounds;
  rounds.exchange(1 - rank, 0, 1 - rank, 0);
  return rounds.take();
}

Schedule barrier_tree(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t depth = std::bit_ceil(call.ranks);
  const auto partner_at = [&](std::uint32_t jump) {
    const std::uint32_t partner = rank ^ jump;
    return (partner & (jump - 1)) == 0 && partner < call.ranks ? partner : rank;
  };
  Rounds rounds;
  for (std::uint32_t jump = 1; jump < depth; jump *= 2) {
    const std::uint32_t partner = partner_at(jump);
    if (partner > rank) rounds.receive(partner, 0);
    if (partner < rank) rounds.send(partner, 0);
  }
  for (std::uint32_t jump = depth / 2; jump > 0; jump /= 2) {
    const std::uint32_t partner = partner_at(jump);
    if (partner > rank) rounds.send(partner, 0);
    if (partner < rank) rounds.receive(partner, 0);
  }
  return rounds.take();
}

constexpr Entry kBarrierEntries[] = {
    {{kOpenMpi, Operation::barrier, "linear", 1}, barrier_linear},
    {{kOpenMpi, Operation::barrier, "double_ring", 2}, barrier_double_ring},
    {{kOpenMpi, Operation::barrier, "recursive_doubling", 3}, barrier_recursive_doubling},
    {{kOpenMpi, Operation::barrier, "bruck", 4}, barrier_dissemination},
    {{kOpenMpi, Operation::barrier, "two_proc", 5}, barrier_two_proc},
    {{kOpenMpi, Operation::barrier, "tree", 6}, barrier_tree},
    {{kMpich, Operation::barrier, "dissemination"}, barrier_dissemination},
    {{kOpenMpi, Operation::ibarrier, "dissemination"}, sends_first<barrier_dissemination>},
    {{kMpich, Operation::ibarrier, "sched_recursive_doubling"}, sends_first<barrier_dissemination>},
};

}  // namespace

std::span<const Entry> barrier_entries() { return kBarrierEntries; }

}  // namespace plumbline::replay::collectives::schedules
