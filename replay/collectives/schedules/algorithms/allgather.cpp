// Allgather, regular and with counts: coll_base_allgather.c, coll_base_allgatherv.c and nbc_iallgather.c of Open MPI,
// allgather(v)_intra_* and iallgather(v)_intra_sched_* of MPICH. The regular forms are the ones with equal counts.
#include "replay/collectives/schedules/algorithms/doubling.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nested.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule allgather_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.append(openmpi_inner(inner_call(call, Operation::gather, 0, call.count), rank));
  rounds.append(openmpi_inner(inner_call(call, Operation::bcast, 0, call.count * call.ranks), rank));
  return rounds.take();
}

// The result is broadcast as one element of a datatype that holds all blocks.
Schedule allgatherv_default(const Algorithm&, const Call& call, std::uint32_t rank) {
  Call gatherv = inner_call(call, Operation::gatherv, 0, 0), bcast = inner_call(call, Operation::bcast, 0, 1);
  gatherv.counts = call.counts;
  bcast.type_bytes = Blocks(call).total();
  Rounds rounds;
  rounds.append(openmpi_inner(gatherv, rank));
  rounds.append(openmpi_inner(bcast, rank));
  return rounds.take();
}

Schedule allgather_bruck(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  for (std::uint32_t distance = 1; distance < call.ranks; distance *= 2) {
    const std::uint32_t number = std::min(distance, call.ranks - distance);
    const std::uint32_t from = ahead(rank, distance, call.ranks);
    rounds.exchange(behind(rank, distance, call.ranks), blocks.around(rank, number), from, blocks.around(from, number));
  }
  return rounds.take();
}

Schedule allgather_recursive_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  double_recursively(
      rounds, rank, call.ranks, [](std::uint32_t v) { return v; },
      [&](std::uint32_t first, std::uint32_t mask) { return blocks.between(first, first + mask); });
  return rounds.take();
}

bool allgather_ring(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index + 1 >= call.ranks) return false;
  post_receive(round, behind(rank, 1, call.ranks), block_bytes(call, behind(rank, index + 1, call.ranks)));
  post_send(round, ahead(rank, 1, call.ranks), block_bytes(call, behind(rank, index, call.ranks)));
  return true;
}

// First the own block with one neighbour, then in turn with the other and this one the two blocks that came last.
Schedule allgather_neighbor(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t n = call.ranks;
  const bool even = rank % 2 == 0;
  const std::uint32_t next = ahead(rank, 1, n), previous = behind(rank, 1, n);
  const std::uint32_t neighbor[2] = {even ? next : previous, even ? previous : next};
  const Blocks blocks(call);
  Rounds rounds;
  rounds.exchange(neighbor[0], blocks.of(rank), neighbor[0], blocks.of(neighbor[0]));
  std::uint32_t sent = even ? rank : previous;  // the first of the two blocks
  std::uint32_t last_from[2] = {sent, sent};
  for (std::uint32_t step = 1; step < n / 2; ++step) {
    const std::uint32_t side = step % 2;
    last_from[side] = (side == 0) == even ? ahead(last_from[side], 2, n) : behind(last_from[side], 2, n);
    rounds.exchange(neighbor[side], blocks.between(sent, sent + 2), neighbor[side],
                    blocks.between(last_from[side], last_from[side] + 2));
    sent = last_from[side];
  }
  return rounds.take();
}

Schedule allgather_two_proc(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  rounds.exchange(1 - rank, blocks.of(rank), 1 - rank, blocks.of(1 - rank));
  return rounds.take();
}

// MPICH's ring cuts blocks into pieces of MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE where one is larger than that. Both
// directions go on at their own pace.
class AllgathervPipe {
 public:
  AllgathervPipe(const Call& call, std::uint32_t first, std::uint64_t elements, std::uint64_t piece)
      : call_(call), block_(first), left_(elements), piece_(piece) {}

  bool over() const { return left_ == 0; }
  // Elements of the next piece; 0 in the place of an empty block.
  std::uint64_t next() {
    const std::uint64_t now = over() ? 0 : std::min(call_.counts[block_] - offset_, piece_);
    left_ -= now;
    offset_ += now;
    if (offset_ == call_.counts[block_]) {
      offset_ = 0;
      block_ = behind(block_, 1, call_.ranks);
    }
    return now;
  }

 private:
  const Call& call_;
  std::uint32_t block_;
  std::uint64_t offset_ = 0, left_, piece_;
};

constexpr std::uint64_t kPipelineBytes = 32768;

Schedule ring_in_pieces(const Call& call, std::uint32_t rank, std::uint64_t piece) {
  const std::uint32_t left = behind(rank, 1, call.ranks), right = ahead(rank, 1, call.ranks);
  std::uint64_t total = 0;
  for (const std::uint64_t count : call.counts) total += count;
  AllgathervPipe sent(call, rank, total - call.counts[right], piece);
  AllgathervPipe received(call, left, total - call.counts[rank], piece);
  Rounds rounds;
  while (!sent.over() || !received.over()) {
    const std::uint64_t sends = sent.next() * call.type_bytes, receives = received.next() * call.type_bytes;
    if (receives > 0) rounds.post_receive(left, receives);
    if (sends > 0) rounds.post_send(right, sends);
    rounds.wait();
  }
  return rounds.take();
}

std::uint64_t pipeline_elements(const Call& call) {
  return std::max<std::uint64_t>(kPipelineBytes / std::max<std::uint64_t>(call.type_bytes, 1), 1);
}

Schedule allgatherv_mpich_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint64_t largest = *std::ranges::max_element(call.counts);
  return ring_in_pieces(call, rank, largest * call.type_bytes > kPipelineBytes ? pipeline_elements(call) : largest);
}

// Pieces are as large as the smallest block, but not below the pipeline's size.
Schedule iallgatherv_sched_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint64_t smallest = *std::ranges::min_element(call.counts);
  return ring_in_pieces(call, rank, smallest * call.type_bytes < kPipelineBytes ? pipeline_elements(call) : smallest);
}

constexpr Entry kAllgatherEntries[] = {
    {{kOpenMpi, Operation::allgather, "linear", 1}, allgather_linear},
    {{kOpenMpi, Operation::allgather, "bruck", 2}, allgather_bruck},
    {{kOpenMpi, Operation::allgather, "recursive_doubling", 3}, allgather_recursive_doubling},
    {{kOpenMpi, Operation::allgather, "ring", 4}, nullptr, allgather_ring},
    {{kOpenMpi, Operation::allgather, "neighbor", 5}, allgather_neighbor},
    {{kOpenMpi, Operation::allgather, "two_proc", 6}, allgather_two_proc},
    {{kOpenMpi, Operation::allgatherv, "default", 1}, allgatherv_default},
    {{kOpenMpi, Operation::allgatherv, "bruck", 2}, allgather_bruck},
    {{kOpenMpi, Operation::allgatherv, "ring", 3}, nullptr, allgather_ring},
    {{kOpenMpi, Operation::allgatherv, "neighbor", 4}, allgather_neighbor},
    {{kOpenMpi, Operation::allgatherv, "two_proc", 5}, allgather_two_proc},
    {{kMpich, Operation::allgather, "brucks"}, allgather_bruck},
    {{kMpich, Operation::allgather, "recursive_doubling"}, allgather_recursive_doubling},
    {{kMpich, Operation::allgather, "ring"}, nullptr, allgather_ring},
    {{kMpich, Operation::allgatherv, "brucks"}, allgather_bruck},
    {{kMpich, Operation::allgatherv, "recursive_doubling"}, allgather_recursive_doubling},
    {{kMpich, Operation::allgatherv, "ring"}, allgatherv_mpich_ring},
    {{kOpenMpi, Operation::iallgather, "recursive_doubling", 2}, sends_first<allgather_recursive_doubling>},
    {{kMpich, Operation::iallgather, "sched_brucks"}, sends_first<allgather_bruck>},
    {{kMpich, Operation::iallgather, "sched_recursive_doubling"}, sends_first<allgather_recursive_doubling>},
    {{kMpich, Operation::iallgather, "sched_ring"}, nullptr, sends_first_in_round<allgather_ring>},
    {{kMpich, Operation::iallgatherv, "sched_brucks"}, sends_first<allgather_bruck>},
    {{kMpich, Operation::iallgatherv, "sched_recursive_doubling"}, sends_first<allgather_recursive_doubling>},
    {{kMpich, Operation::iallgatherv, "sched_ring"}, iallgatherv_sched_ring},
};

}  // namespace

std::span<const Entry> allgather_entries() { return kAllgatherEntries; }

}  // namespace plumbline::replay::collectives::schedules
