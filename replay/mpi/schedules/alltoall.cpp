// Alltoall in its three forms: coll_base_alltoall.c, coll_base_alltoallv.c and coll_basic_alltoallw.c of Open MPI,
// alltoall(v, w)_intra_* of MPICH. Open MPI copies a rank's own block; MPICH's scattered and pairwise_sendrecv_replace
// send it to the rank itself.
#include "replay/mpi/schedules/blocks.hpp"
#include "replay/mpi/schedules/families.hpp"
#include "replay/mpi/schedules/rounds.hpp"

namespace plumbline::replay::mpi::schedules {
namespace {

// Receives from the ranks ahead, sends to those behind, `outstanding` of each at once; distances from `first` on.
Schedule alltoall_in_batches(const Call& call, std::uint32_t rank, std::uint32_t first, std::uint32_t outstanding,
                             bool skips_empty) {
  const std::uint32_t batch = outstanding == 0 ? call.ranks : outstanding;
  Rounds rounds;
  for (std::uint32_t begin = first; begin < call.ranks; begin += batch) {
    const std::uint32_t end = std::min(begin + batch, call.ranks);
    for (std::uint32_t distance = begin; distance < end; ++distance) {
      const std::uint32_t from = ahead(rank, distance, call.ranks);
      const std::uint64_t bytes = bytes_between(call, from, rank);
      if (bytes > 0 || !skips_empty) rounds.post_receive(from, bytes);
    }
    for (std::uint32_t distance = begin; distance < end; ++distance) {
      const std::uint32_t to = behind(rank, distance, call.ranks);
      const std::uint64_t bytes = bytes_between(call, rank, to);
      if (bytes > 0 || !skips_empty) rounds.post_send(to, bytes);
    }
    rounds.wait();
  }
  return rounds.take();
}

// Open MPI's linear_sync replaces each operation as it ends; here a batch waits for the one before.
Schedule alltoall_linear(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return alltoall_in_batches(call, rank, 1, algorithm.outstanding, false);
}

Schedule alltoall_scattered(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return alltoall_in_batches(call, rank, 0, algorithm.outstanding, call.operation != Operation::alltoall);
}

// Peers in the order of ranks.
Schedule alltoall_in_rank_order(const Call& call, std::uint32_t rank, bool skips_empty) {
  Rounds rounds;
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (const std::uint64_t bytes = bytes_between(call, i, rank); i != rank && (bytes > 0 || !skips_empty))
      rounds.post_receive(i, bytes);
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (const std::uint64_t bytes = bytes_between(call, rank, i); i != rank && (bytes > 0 || !skips_empty))
      rounds.post_send(i, bytes);
  return rounds.take();
}

Schedule alltoallv_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  return alltoall_in_rank_order(call, rank, false);
}

Schedule alltoallw_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  return alltoall_in_rank_order(call, rank, true);
}

Schedule alltoall_pairwise(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t step = 1; step < call.ranks; ++step) {
    const std::uint32_t to = ahead(rank, step, call.ranks), from = behind(rank, step, call.ranks);
    rounds.exchange(to, bytes_between(call, rank, to), from, bytes_between(call, from, rank));
  }
  return rounds.take();
}

Schedule alltoall_mpich_pairwise(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  if (!is_power_of_two(call.ranks)) return alltoall_pairwise(algorithm, call, rank);
  Rounds rounds;
  for (std::uint32_t step = 1; step < call.ranks; ++step)
    rounds.exchange(rank ^ step, bytes_of(call), rank ^ step, bytes_of(call));
  return rounds.take();
}

Schedule alltoall_bruck(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t distance = 1; distance < call.ranks; distance *= 2) {
    std::uint64_t blocks = 0;
    for (std::uint32_t i = 1; i < call.ranks; ++i) blocks += (i & distance) != 0 ? 1 : 0;
    rounds.exchange(ahead(rank, distance, call.ranks), blocks * bytes_of(call), behind(rank, distance, call.ranks),
                    blocks * bytes_of(call));
  }
  return rounds.take();
}

Schedule alltoall_two_proc(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.exchange(1 - rank, bytes_between(call, rank, 1 - rank), 1 - rank, bytes_between(call, 1 - rank, rank));
  return rounds.take();
}

// Open MPI with MPI_IN_PLACE, whatever the algorithm: right and left neighbours at growing distance. The first exchange
// of a step receives from the right what it sends to the left; with counts an empty block of one side is left out.
Schedule alltoall_basic_inplace(const Algorithm&, const Call& call, std::uint32_t rank) {
  const bool skips_empty = call.operation != Operation::alltoall;
  Rounds rounds;
  for (std::uint32_t distance = 1; distance <= call.ranks / 2; ++distance) {
    const std::uint32_t right = ahead(rank, distance, call.ranks), left = behind(rank, distance, call.ranks);
    const bool has_right = !skips_empty || bytes_between(call, rank, right) > 0;
    const bool has_left = left != right && (!skips_empty || bytes_between(call, rank, left) > 0);
    if (has_right) rounds.post_receive(right, bytes_between(call, right, rank));
    if (has_left) {
      rounds.post_send(left, bytes_between(call, rank, left));
      rounds.wait();
      rounds.post_receive(left, bytes_between(call, left, rank));
    }
    if (has_right) rounds.post_send(right, bytes_between(call, rank, right));
    rounds.wait();
  }
  return rounds.take();
}

Schedule alltoall_sendrecv_replace(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t peer = 0; peer < call.ranks; ++peer)
    rounds.exchange(peer, bytes_between(call, rank, peer), peer, bytes_between(call, peer, rank));
  return rounds.take();
}

constexpr std::uint32_t kThrottle = 32;  // MPIR_CVAR_ALLTOALL_THROTTLE

constexpr Entry kAlltoallEntries[] = {
    {{kOpenMpi, Operation::alltoall, "linear", 1}, alltoall_linear},
    {{kOpenMpi, Operation::alltoall, "pairwise", 2}, alltoall_pairwise},
    {{kOpenMpi, Operation::alltoall, "modified_bruck", 3}, alltoall_bruck},
    {{kOpenMpi, Operation::alltoall, "linear_sync", 4}, alltoall_linear},
    {{kOpenMpi, Operation::alltoall, "two_proc", 5}, alltoall_two_proc},
    {{kOpenMpi, Operation::alltoall, "basic_inplace"}, alltoall_basic_inplace},
    {{kOpenMpi, Operation::alltoallv, "basic_linear", 1}, alltoallv_linear},
    {{kOpenMpi, Operation::alltoallv, "pairwise", 2}, alltoall_pairwise},
    {{kOpenMpi, Operation::alltoallv, "basic_inplace"}, alltoall_basic_inplace},
    {{kOpenMpi, Operation::alltoallw, "linear"}, alltoallw_linear},
    {{kOpenMpi, Operation::alltoallw, "basic_inplace"}, alltoall_basic_inplace},
    {{kMpich, Operation::alltoall, "brucks"}, alltoall_bruck},
    {{kMpich, Operation::alltoall, "scattered", 0, 0, 0, 0, kThrottle}, alltoall_scattered},
    {{kMpich, Operation::alltoall, "pairwise"}, alltoall_mpich_pairwise},
    {{kMpich, Operation::alltoall, "pairwise_sendrecv_replace"}, alltoall_sendrecv_replace},
    {{kMpich, Operation::alltoallv, "scattered", 0, 0, 0, 0, kThrottle}, alltoall_scattered},
    {{kMpich, Operation::alltoallv, "pairwise_sendrecv_replace"}, alltoall_sendrecv_replace},
    {{kMpich, Operation::alltoallw, "scattered", 0, 0, 0, 0, kThrottle}, alltoall_scattered},
    {{kMpich, Operation::alltoallw, "pairwise_sendrecv_replace"}, alltoall_sendrecv_replace},
};

}  // namespace

std::span<const Entry> alltoall_entries() { return kAlltoallEntries; }

}  // namespace plumbline::replay::mpi::schedules
