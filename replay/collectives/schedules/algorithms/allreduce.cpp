// Allreduce: coll_base_allreduce.c and nbc_iallreduce.c of Open MPI, allreduce_intra_*.c and iallreduce_intra_sched_*.c
// of MPICH.
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/algorithms/halving.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nested.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"
#include "replay/collectives/schedules/segments.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule allreduce_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Call reduce = inner_call(call, Operation::reduce, 0, call.count);
  const Call bcast = inner_call(call, Operation::bcast, 0, call.count);
  Rounds rounds;
  rounds.append(schedule_of({kOpenMpi, Operation::reduce, "linear"}, reduce, rank));
  rounds.append(schedule_of({kOpenMpi, Operation::bcast, "basic_linear"}, bcast, rank));
  return rounds.take();
}

Schedule allreduce_nonoverlapping(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.append(openmpi_inner(inner_call(call, Operation::reduce, 0, call.count), rank));
  rounds.append(openmpi_inner(inner_call(call, Operation::bcast, 0, call.count), rank));
  return rounds.take();
}

// The first ranks of an odd number fold into pairs: the even one sends all and gets the result in the end.
Schedule allreduce_recursive_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Fold fold(call.ranks, Folded::odd_goes_on);
  const std::uint64_t bytes = bytes_of(call);
  Rounds rounds;
  if (fold.stands_aside(rank)) {
    rounds.send(rank + 1, bytes);
    rounds.receive(rank + 1, bytes);
    return rounds.take();
  }
  rounds.combine(true);
  if (fold.is_paired(rank)) rounds.receive(rank - 1, bytes);
  for (std::uint32_t mask = 1; mask < fold.power; mask *= 2) {
    const std::uint32_t peer = fold.rank_of(fold.number_of(rank) ^ mask);
    rounds.exchange(peer, bytes, peer, bytes);
  }
  if (fold.is_paired(rank)) rounds.send(rank - 1, bytes);
  return rounds.take();
}

// `count` elements in `blocks` blocks, the first ones one element longer (COLL_BASE_COMPUTE_BLOCKCOUNT).
std::uint64_t even_block(std::uint64_t count, std::uint64_t blocks, std::uint64_t block) {
  return count / blocks + (block < count % blocks ? 1 : 0);
}

// ranks - 1 steps to the right: in the first phase a rank begins with its own block, in the second one with the block
// behind, which it has completed. bytes(block).
template <class Bytes>
void ring_lap(Rounds& rounds, std::uint32_t ranks, std::uint32_t rank, std::uint32_t first, Bytes bytes) {
  const std::uint32_t left = behind(rank, 1, ranks), right = ahead(rank, 1, ranks);
  std::uint32_t sent = first;
  for (std::uint32_t step = 1; step < ranks; ++step) {
    const std::uint32_t received = behind(sent, 1, ranks);
    rounds.exchange(right, bytes(sent), left, bytes(received));
    sent = received;
  }
}

bool allreduce_ring(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  const std::uint32_t steps = call.ranks - 1;
  if (index >= 2 * steps) return false;
  const bool reduces = index < steps;
  const std::uint32_t first = reduces ? rank : ahead(rank, 1, call.ranks);
  const std::uint32_t sent = behind(first, reduces ? index : index - steps, call.ranks);
  const auto bytes = [&](std::uint32_t block) { return even_block(call.count, call.ranks, block) * call.type_bytes; };
  post_receive(round, behind(rank, 1, call.ranks), bytes(behind(sent, 1, call.ranks)), reduces);
  post_send(round, ahead(rank, 1, call.ranks), bytes(sent));
  return true;
}

// The first phase goes round once per segment of the blocks, the second one once with whole blocks.
Schedule allreduce_segmented_ring(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const std::uint64_t lap = call.ranks * segment_count(algorithm.segment_bytes, call.count, call.type_bytes);
  const std::uint64_t rest = call.count % lap;
  const std::uint64_t phases = call.count / lap + (rest >= call.ranks && rest > lap / 2 ? 1 : 0);
  const auto block = [&](std::uint32_t i) { return even_block(call.count, call.ranks, i); };
  Rounds rounds;
  rounds.combine(true);
  for (std::uint64_t phase = 0; phase < phases; ++phase)
    ring_lap(rounds, call.ranks, rank, rank,
             [&](std::uint32_t i) { return even_block(block(i), phases, phase) * call.type_bytes; });
  rounds.combine(false);
  ring_lap(rounds, call.ranks, rank, ahead(rank, 1, call.ranks),
           [&](std::uint32_t i) { return block(i) * call.type_bytes; });
  return rounds.take();
}

void exchange_halves(Rounds& rounds, const Call& call, const Fold& fold, const std::vector<HalvingStep>& steps) {
  const auto exchange = [&](std::uint32_t partner, std::uint64_t sent, std::uint64_t received) {
    const std::uint32_t peer = fold.rank_of(partner);
    rounds.exchange(peer, sent * call.type_bytes, peer, received * call.type_bytes);
  };
  rounds.combine(true);
  for (const HalvingStep& step : steps) exchange(step.partner, step.sent, step.received);
  rounds.combine(false);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) exchange(step->partner, step->received, step->sent);
}

Schedule allreduce_rabenseifner(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Fold fold(call.ranks, Folded::even_goes_on);
  const std::uint64_t lower = call.count / 2 * call.type_bytes, upper = bytes_of(call) - lower;
  Rounds rounds;
  if (fold.stands_aside(rank)) {
    rounds.combine(true);
    rounds.exchange(rank - 1, lower, rank - 1, upper);
    rounds.combine(false);
    rounds.send(rank - 1, upper);
    rounds.receive(rank - 1, bytes_of(call));
    return rounds.take();
  }
  if (fold.is_paired(rank)) {
    rounds.combine(true);
    rounds.exchange(rank + 1, upper, rank + 1, lower);
    rounds.combine(false);
    rounds.receive(rank + 1, upper);
  }
  exchange_halves(rounds, call, fold, halve_elements(call.count, fold.power, fold.number_of(rank)));
  if (fold.is_paired(rank)) rounds.send(rank + 1, bytes_of(call));
  return rounds.take();
}

template <Halving kHalve>
Schedule allreduce_reduce_scatter_allgather(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Fold fold(call.ranks, Folded::odd_goes_on);
  Rounds rounds;
  if (fold.stands_aside(rank)) {
    rounds.send(rank + 1, bytes_of(call));
    rounds.receive(rank + 1, bytes_of(call));
    return rounds.take();
  }
  rounds.combine(true);
  if (fold.is_paired(rank)) rounds.receive(rank - 1, bytes_of(call));
  exchange_halves(rounds, call, fold, kHalve(call.count, fold.power, fold.number_of(rank)));
  if (fold.is_paired(rank)) rounds.send(rank - 1, bytes_of(call));
  return rounds.take();
}

// libnbc's ring begins with the block in front of the rank's own.
bool iallreduce_ring(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  const std::uint32_t steps = call.ranks - 1;
  if (index >= 2 * steps) return false;
  const auto bytes = [&](std::uint32_t block) { return even_block(call.count, call.ranks, block) * call.type_bytes; };
  const std::uint32_t received = behind(rank, index % call.ranks, call.ranks), sent = ahead(received, 1, call.ranks);
  post_send(round, ahead(rank, 1, call.ranks), bytes(sent));
  post_receive(round, behind(rank, 1, call.ranks), bytes(received), index < steps);
  return true;
}

// By the library's own choice of a reduction and a broadcast.
Schedule iallreduce_sched_naive(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (const Operation operation : {Operation::ireduce, Operation::ibcast}) {
    const Call step = inner_call(call, operation, 0, call.count);
    rounds.append(run(mpich_choice(step), step, rank));
  }
  return rounds.take();
}

constexpr Entry kAllreduceEntries[] = {
    {{kOpenMpi, Operation::allreduce, "basic_linear", 1}, allreduce_linear},
    {{kOpenMpi, Operation::allreduce, "nonoverlapping", 2}, allreduce_nonoverlapping},
    {{kOpenMpi, Operation::allreduce, "recursive_doubling", 3}, allreduce_recursive_doubling},
    {{kOpenMpi, Operation::allreduce, "ring", 4}, nullptr, allreduce_ring},
    {{kOpenMpi, Operation::allreduce, "segmented_ring", 5}, allreduce_segmented_ring},
    {{kOpenMpi, Operation::allreduce, "rabenseifner", 6}, allreduce_rabenseifner},
    {{kMpich, Operation::allreduce, "recursive_doubling"}, allreduce_recursive_doubling},
    {{kMpich, Operation::allreduce, "reduce_scatter_allgather"}, allreduce_reduce_scatter_allgather<halve_blocks>},
    {{kOpenMpi, Operation::iallreduce, "ring", 1}, nullptr, iallreduce_ring},
    {{kOpenMpi, Operation::iallreduce, "rabenseifner", 3}, begins_later<sends_first<allreduce_rabenseifner>>},
    {{kOpenMpi, Operation::iallreduce, "recursive_doubling", 4},
     begins_later<sends_first<allreduce_recursive_doubling>>},
    {{kMpich, Operation::iallreduce, "sched_recursive_doubling"}, allreduce_recursive_doubling},
    {{kMpich, Operation::iallreduce, "sched_reduce_scatter_allgather"},
     allreduce_reduce_scatter_allgather<halve_blocks_rest_last>},
    {{kMpich, Operation::iallreduce, "sched_naive"}, iallreduce_sched_naive},
};

}  // namespace

std::span<const Entry> allreduce_entries() { return kAllreduceEntries; }

}  // namespace plumbline::replay::collectives::schedules
