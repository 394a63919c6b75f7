// Reduce-scatter, with counts and in blocks: coll_base_reduce_scatter.c and coll_base_reduce_scatter_block.c of Open
// MPI, reduce_scatter(_block)_intra_* and ireduce_scatter(_block)_intra_sched_* of MPICH. The block form is the one
// with equal counts.
#include <limits>

#include "replay/collectives/schedules/algorithms/doubling.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nested.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule reduce_scatter_nonoverlapping(const Algorithm&, const Call& call, std::uint32_t rank) {
  std::uint64_t elements = 0;
  for (const std::uint64_t count : call.counts) elements += count;
  Call scatterv = inner_call(call, Operation::scatterv, 0, 0);
  scatterv.counts = call.counts;
  Rounds rounds;
  rounds.append(openmpi_inner(inner_call(call, Operation::reduce, 0, elements), rank));
  rounds.append(openmpi_inner(scatterv, rank));
  return rounds.take();
}

// Above INT_MAX elements each rank's block is reduced and sent alone.
Schedule reduce_scatter_block_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint64_t elements = call.count * call.ranks;
  Rounds rounds;
  if (elements <= std::numeric_limits<std::int32_t>::max()) {
    rounds.append(openmpi_inner(inner_call(call, Operation::reduce, 0, elements), rank));
    rounds.append(openmpi_inner(inner_call(call, Operation::scatter, 0, call.count), rank));
    return rounds.take();
  }
  for (std::uint32_t i = 0; i < call.ranks; ++i) {
    rounds.append(openmpi_inner(inner_call(call, Operation::reduce, 0, call.count), rank));
    if (rank == 0 && i != 0) rounds.send(i, bytes_of(call));
    if (rank == i && i != 0) rounds.receive(0, bytes_of(call));
  }
  return rounds.take();
}

// Bytes of the ranks that the numbers first .. last - 1 of the fold stand for.
std::uint64_t folded_bytes(const Blocks& blocks, const Fold& fold, std::uint32_t first, std::uint32_t last) {
  return blocks.between(fold.first_rank_of(first), fold.first_rank_of(last));
}

void give_all_to_the_odd(Rounds& rounds, const Blocks& blocks, const Fold& fold, std::uint32_t rank) {
  if (fold.stands_aside(rank)) {
    rounds.send(rank + 1, blocks.total());
  } else if (fold.is_paired(rank)) {
    rounds.receive(rank - 1, blocks.total());
  }
}

// The same in both libraries. Empty messages are left out.
Schedule reduce_scatter_recursive_halving(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  const Fold fold(call.ranks, Folded::odd_goes_on);
  Rounds rounds;
  rounds.combine(true);
  give_all_to_the_odd(rounds, blocks, fold, rank);
  const std::uint32_t number = fold.number_of(rank);
  for (std::uint32_t mask = fold.power / 2; mask > 0 && !fold.stands_aside(rank); mask /= 2) {
    const std::uint32_t peer = fold.rank_of(number ^ mask);
    const std::uint32_t mine = number / mask * mask, other = mine ^ mask;  // the halves begin there
    const std::uint64_t sent = folded_bytes(blocks, fold, other, other + mask);
    const std::uint64_t received = folded_bytes(blocks, fold, mine, mine + mask);
    if (received > 0) rounds.post_receive(peer, received);
    if (sent > 0) rounds.post_send(peer, sent);
    rounds.wait();
  }
  rounds.combine(false);
  if (fold.stands_aside(rank) && blocks.of(rank) > 0) rounds.receive(rank + 1, blocks.of(rank));
  if (fold.is_paired(rank) && !fold.stands_aside(rank) && blocks.of(rank - 1) > 0)
    rounds.send(rank - 1, blocks.of(rank - 1));
  return rounds.take();
}

bool reduce_scatter_ring(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index, Round& round) {
  if (index + 1 >= call.ranks) return false;
  post_receive(round, behind(rank, 1, call.ranks), block_bytes(call, behind(rank, index + 2, call.ranks)), true);
  post_send(round, ahead(rank, 1, call.ranks), block_bytes(call, behind(rank, index + 1, call.ranks)));
  return true;
}

// Bits of `number` in reverse order.
std::uint32_t mirrored(std::uint32_t number, std::uint32_t power) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 1, mirror = power / 2; mirror > 0; bit *= 2, mirror /= 2)
    if ((number & bit) != 0) result |= mirror;
  return result;
}

// Halves in the order of the lowest bit first, so that operators need not commute: a rank ends with the blocks of the
// mirrored number and hands them to their owner.
Schedule reduce_scatter_butterfly(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  const Fold fold(call.ranks, Folded::odd_goes_on);
  const std::uint32_t number = fold.number_of(rank), owner = mirrored(number, fold.power);
  Rounds rounds;
  rounds.combine(true);
  give_all_to_the_odd(rounds, blocks, fold, rank);
  if (fold.stands_aside(rank)) {
    rounds.combine(false);
    rounds.receive(fold.rank_of(owner), blocks.of(rank));
    return rounds.take();
  }
  std::uint32_t first = 0;
  for (std::uint32_t mask = 1, half = fold.power / 2; mask < fold.power; mask *= 2, half /= 2) {
    const bool lower = (number & mask) == 0;
    const std::uint32_t peer = fold.rank_of(number ^ mask), kept = lower ? first : first + half,
                        given = lower ? first + half : first;
    rounds.exchange(peer, folded_bytes(blocks, fold, given, given + half), peer,
                    folded_bytes(blocks, fold, kept, kept + half));
    first = kept;
  }
  rounds.combine(false);
  const std::uint32_t peer = fold.rank_of(owner);
  if (owner < fold.pairs) rounds.send(peer - 1, blocks.of(peer - 1));
  if (owner != number) rounds.exchange(peer, blocks.of(peer), peer, blocks.of(rank));
  return rounds.take();
}

// Blocks are permuted before: nothing is left to hand over. Open MPI's butterfly for powers of two and MPICH's
// noncommutative.
Schedule reduce_scatter_permuted_butterfly(const Algorithm&, const Call& call, std::uint32_t rank) {
  std::uint64_t bytes = Blocks(call).total();
  Rounds rounds;
  rounds.combine(true);
  for (std::uint32_t mask = 1; mask < call.ranks; mask *= 2) {
    bytes /= 2;
    rounds.exchange(rank ^ mask, bytes, rank ^ mask, bytes);
  }
  return rounds.take();
}

Schedule reduce_scatter_block_butterfly(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return is_power_of_two(call.ranks) ? reduce_scatter_permuted_butterfly(algorithm, call, rank)
                                     : reduce_scatter_butterfly(algorithm, call, rank);
}

// Everything but the blocks of one's own tree.
Schedule reduce_scatter_recursive_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  rounds.combine(true);
  double_recursively(
      rounds, rank, call.ranks, [](std::uint32_t v) { return v; },
      [&](std::uint32_t first, std::uint32_t mask) { return blocks.total() - blocks.between(first, first + mask); });
  return rounds.take();
}

bool reduce_scatter_pairwise(const Algorithm&, const Call& call, std::uint32_t rank, std::uint32_t index,
                             Round& round) {
  if (index + 1 >= call.ranks) return false;
  const std::uint32_t to = ahead(rank, index + 1, call.ranks);
  post_receive(round, behind(rank, index + 1, call.ranks), block_bytes(call, rank), true);
  post_send(round, to, block_bytes(call, to));
  return true;
}

constexpr Entry kReduceScatterEntries[] = {
    {{kOpenMpi, Operation::reduce_scatter, "non_overlapping", 1}, reduce_scatter_nonoverlapping},
    {{kOpenMpi, Operation::reduce_scatter, "recursive_halving", 2}, reduce_scatter_recursive_halving},
    {{kOpenMpi, Operation::reduce_scatter, "ring", 3}, nullptr, reduce_scatter_ring},
    {{kOpenMpi, Operation::reduce_scatter, "butterfly", 4}, reduce_scatter_butterfly},
    {{kOpenMpi, Operation::reduce_scatter_block, "basic_linear", 1}, reduce_scatter_block_linear},
    {{kOpenMpi, Operation::reduce_scatter_block, "recursive_doubling", 2}, reduce_scatter_recursive_doubling},
    {{kOpenMpi, Operation::reduce_scatter_block, "recursive_halving", 3}, reduce_scatter_recursive_halving},
    {{kOpenMpi, Operation::reduce_scatter_block, "butterfly", 4}, reduce_scatter_block_butterfly},
    {{kMpich, Operation::reduce_scatter, "recursive_halving"}, reduce_scatter_recursive_halving},
    {{kMpich, Operation::reduce_scatter, "pairwise"}, nullptr, reduce_scatter_pairwise},
    {{kMpich, Operation::reduce_scatter, "noncommutative"}, reduce_scatter_permuted_butterfly},
    {{kMpich, Operation::reduce_scatter, "recursive_doubling"}, reduce_scatter_recursive_doubling},
    {{kMpich, Operation::reduce_scatter_block, "recursive_halving"}, reduce_scatter_recursive_halving},
    {{kMpich, Operation::reduce_scatter_block, "pairwise"}, nullptr, reduce_scatter_pairwise},
    {{kMpich, Operation::reduce_scatter_block, "noncommutative"}, reduce_scatter_permuted_butterfly},
    {{kMpich, Operation::reduce_scatter_block, "recursive_doubling"}, reduce_scatter_recursive_doubling},
    {{kMpich, Operation::ireduce_scatter, "sched_recursive_halving"}, sends_first<reduce_scatter_recursive_halving>},
    {{kMpich, Operation::ireduce_scatter, "sched_pairwise"}, nullptr, sends_first_in_round<reduce_scatter_pairwise>},
    {{kMpich, Operation::ireduce_scatter, "sched_noncommutative"}, sends_first<reduce_scatter_permuted_butterfly>},
    {{kMpich, Operation::ireduce_scatter, "sched_recursive_doubling"}, sends_first<reduce_scatter_recursive_doubling>},
    {{kMpich, Operation::ireduce_scatter_block, "sched_recursive_halving"},
     sends_first<reduce_scatter_recursive_halving>},
    {{kMpich, Operation::ireduce_scatter_block, "sched_pairwise"},
     nullptr,
     sends_first_in_round<reduce_scatter_pairwise>},
    {{kMpich, Operation::ireduce_scatter_block, "sched_noncommutative"},
     sends_first<reduce_scatter_permuted_butterfly>},
    {{kMpich, Operation::ireduce_scatter_block, "sched_recursive_doubling"},
     sends_first<reduce_scatter_recursive_doubling>},
};

}  // namespace

std::span<const Entry> reduce_scatter_entries() { return kReduceScatterEntries; }

}  // namespace plumbline::replay::collectives::schedules
