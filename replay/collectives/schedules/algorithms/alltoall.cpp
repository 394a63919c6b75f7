// Alltoall in its three forms: coll_base_alltoall.c, coll_base_alltoallv.c, coll_basic_alltoallw.c and
// nbc_ialltoall(v, w).c of Open MPI, alltoall(v, w)_intra_* and ialltoall(v, w)_intra_sched_* of MPICH. Open MPI copies
// a rank's own block; MPICH's scattered, permuted_sendrecv, blocked and pairwise_sendrecv_replace send it to the rank
// itself.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// Receives from the ranks ahead, sends to those behind, `outstanding` of each at once; distances from `first` on.
bool batch_of(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t first,
              std::uint32_t index, bool skips_empty, Round& round) {
  const std::uint32_t batch = algorithm.outstanding == 0 ? call.ranks : algorithm.outstanding;
  const std::uint64_t begin = first + std::uint64_t{index} * batch;
  if (begin >= call.ranks) return false;
  const std::uint32_t end = static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + batch, call.ranks));
  for (std::uint32_t distance = static_cast<std::uint32_t>(begin); distance < end; ++distance) {
    const std::uint32_t from = ahead(rank, distance, call.ranks);
    const std::uint64_t bytes = bytes_from(call, rank, from);
    if (bytes > 0 || !skips_empty) post_receive(round, from, bytes);
  }
  for (std::uint32_t distance = static_cast<std::uint32_t>(begin); distance < end; ++distance) {
    const std::uint32_t to = behind(rank, distance, call.ranks);
    const std::uint64_t bytes = bytes_to(call, rank, to);
    if (bytes > 0 || !skips_empty) post_send(round, to, bytes);
  }
  return true;
}

// Open MPI's linear_sync replaces each operation as it ends; here a batch waits for the one before.
bool alltoall_linear(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t index,
                     Round& round) {
  return batch_of(algorithm, call, rank, 1, index, false, round);
}

bool alltoall_scattered(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t index,
                        Round& round) {
  return batch_of(algorithm, call, rank, 0, index, blocking_form(call.operation) != Operation::alltoall, round);
}

// Peers in the order of ranks, all at once.
bool all_in_rank_order(const Call& call, std::uint32_t rank, std::uint32_t index, bool skips_empty, Round& round) {
  if (index > 0) return false;
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (const std::uint64_t bytes = bytes_from(call, rank, i); i != rank && (bytes > 0 || !skips_empty))
      post_receive(round, i, bytes);
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (const std::uint64_t bytes = bytes_to(call, rank, i); i != rank && (bytes > 0 || !skips_empty))
      post_send(round, i, bytes);
  return true;
}

bool alltoallv_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  return all_in_rank_order(call, rank, index, false, round);
}

bool alltoallw_linear(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  return all_in_rank_order(call, rank, index, true, round);
}

bool alltoall_pairwise(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index + 1 >= call.ranks) return false;
  const std::uint32_t to = ahead(rank, index + 1, call.ranks), from = behind(rank, index + 1, call.ranks);
  post_receive(round, from, bytes_from(call, rank, from));
  post_send(round, to, bytes_to(call, rank, to));
  return true;
}

bool alltoall_mpich_pairwise(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t index,
                             Round& round) {
  if (!is_power_of_two(call.ranks)) return alltoall_pairwise(algorithm, call, rank, index, round);
  if (index + 1 >= call.ranks) return false;
  post_receive(round, rank ^ (index + 1), bytes_of(call));
  post_send(round, rank ^ (index + 1), bytes_of(call));
  return true;
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
  rounds.exchange(1 - rank, bytes_to(call, rank, 1 - rank), 1 - rank, bytes_from(call, rank, 1 - rank));
  return rounds.take();
}

// Open MPI with MPI_IN_PLACE, whatever the algorithm: right and left neighbours at growing distance. The first exchange
// of a step receives from the right what it sends to the left; with counts an empty block of one side is left out.
Schedule alltoall_basic_inplace(const Algorithm&, const Call& call, std::uint32_t rank) {
  const bool skips_empty = call.operation != Operation::alltoall;
  Rounds rounds;
  for (std::uint32_t distance = 1; distance <= call.ranks / 2; ++distance) {
    const std::uint32_t right = ahead(rank, distance, call.ranks), left = behind(rank, distance, call.ranks);
    const bool has_right = !skips_empty || bytes_to(call, rank, right) > 0;
    const bool has_left = left != right && (!skips_empty || bytes_to(call, rank, left) > 0);
    if (has_right) rounds.post_receive(right, bytes_from(call, rank, right));
    if (has_left) {
      rounds.post_send(left, bytes_to(call, rank, left));
      rounds.wait();
      rounds.post_receive(left, bytes_from(call, rank, left));
    }
    if (has_right) rounds.post_send(right, bytes_to(call, rank, right));
    rounds.wait();
  }
  return rounds.take();
}

bool alltoall_sendrecv_replace(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index,
                               Round& round) {
  if (index >= call.ranks) return false;
  post_receive(round, index, bytes_from(call, rank, index));
  post_send(round, index, bytes_to(call, rank, index));
  return true;
}

// The others in the order of ranks.
bool ialltoall_sched_inplace(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index,
                             Round& round) {
  if (index + 1 >= call.ranks) return false;
  const std::uint32_t peer = index < rank ? index : index + 1;
  post_send(round, peer, bytes_to(call, rank, peer));
  post_receive(round, peer, bytes_from(call, rank, peer));
  return true;
}

constexpr std::uint32_t kThrottle = 32;  // MPIR_CVAR_ALLTOALL_THROTTLE

constexpr Entry kAlltoallEntries[] = {
    {{kOpenMpi, Operation::alltoall, "linear", 1}, nullptr, alltoall_linear},
    {{kOpenMpi, Operation::alltoall, "pairwise", 2}, nullptr, alltoall_pairwise},
    {{kOpenMpi, Operation::alltoall, "modified_bruck", 3}, alltoall_bruck},
    {{kOpenMpi, Operation::alltoall, "linear_sync", 4}, nullptr, alltoall_linear},
    {{kOpenMpi, Operation::alltoall, "two_proc", 5}, alltoall_two_proc},
    {{kOpenMpi, Operation::alltoall, "basic_inplace"}, alltoall_basic_inplace},
    {{kOpenMpi, Operation::alltoallv, "basic_linear", 1}, nullptr, alltoallv_linear},
    {{kOpenMpi, Operation::alltoallv, "pairwise", 2}, nullptr, alltoall_pairwise},
    {{kOpenMpi, Operation::alltoallv, "basic_inplace"}, alltoall_basic_inplace},
    {{kOpenMpi, Operation::alltoallw, "linear"}, nullptr, alltoallw_linear},
    {{kOpenMpi, Operation::alltoallw, "basic_inplace"}, alltoall_basic_inplace},
    {{kMpich, Operation::alltoall, "brucks"}, alltoall_bruck},
    {{kMpich, Operation::alltoall, "scattered", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::alltoall, "pairwise"}, nullptr, alltoall_mpich_pairwise},
    {{kMpich, Operation::alltoall, "pairwise_sendrecv_replace"}, nullptr, alltoall_sendrecv_replace},
    {{kMpich, Operation::alltoallv, "scattered", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::alltoallv, "pairwise_sendrecv_replace"}, nullptr, alltoall_sendrecv_replace},
    {{kMpich, Operation::alltoallw, "scattered", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::alltoallw, "pairwise_sendrecv_replace"}, nullptr, alltoall_sendrecv_replace},
    {{kOpenMpi, Operation::ialltoall, "pairwise"}, nullptr, alltoall_pairwise},
    {{kOpenMpi, Operation::ialltoall, "diss"}, alltoall_bruck},
    {{kMpich, Operation::ialltoall, "sched_brucks"}, sends_first<alltoall_bruck>},
    {{kMpich, Operation::ialltoall, "sched_permuted_sendrecv", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::ialltoall, "sched_pairwise"}, nullptr, sends_first_in_round<alltoall_mpich_pairwise>},
    {{kMpich, Operation::ialltoall, "sched_inplace"}, nullptr, ialltoall_sched_inplace},
    {{kMpich, Operation::ialltoallv, "sched_blocked", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::ialltoallv, "sched_inplace"}, nullptr, ialltoall_sched_inplace},
    {{kMpich, Operation::ialltoallw, "sched_blocked", 0, 0, 0, 0, kThrottle}, nullptr, alltoall_scattered},
    {{kMpich, Operation::ialltoallw, "sched_inplace"}, nullptr, ialltoall_sched_inplace},
};

}  // namespace

std::span<const Entry> alltoall_entries() { return kAlltoallEntries; }

}  // namespace plumbline::replay::collectives::schedules
