#pragma once
// Recursive doubling over any number of ranks, where each tree of `mask` ranks knows something that its neighbour tree
// needs (allgather phases of both libraries' broadcasts, MPICH's allgather, reduce_scatter by recursive doubling).

#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {

// `v`: this rank, relative to the root; rank_of(v): its rank. tree_bytes(first, mask): what the tree of relative ranks
// first .. first + mask - 1 sends to its neighbour. Where the neighbour tree is not whole, ranks that have no partner
// in it are told by those of their own tree that have one.
template <class RankOf, class TreeBytes>
void double_recursively(Rounds& rounds, std::uint32_t v, std::uint32_t ranks, RankOf rank_of, TreeBytes tree_bytes) {
  for (std::uint32_t mask = 1; mask < ranks; mask *= 2) {
    const std::uint32_t partner = v ^ mask;
    const std::uint32_t mine = v / mask * mask, other = partner / mask * mask;  // first ranks of the two trees
    if (partner < ranks)
      rounds.exchange(rank_of(partner), tree_bytes(mine, mask), rank_of(partner), tree_bytes(other, mask));
    if (other + mask <= ranks) continue;
    const std::int64_t told =
        std::int64_t{ranks} - mine - mask;  // ranks of a tree that know from a partner; may be < 0
    for (std::uint32_t step = mask / 2; step > 0; step /= 2) {
      const std::uint32_t next = v ^ step;
      const std::int64_t block = std::int64_t{2} * step, limit = v / block * block + told;
      if (next > v && v < limit && next >= limit) rounds.send(rank_of(next), tree_bytes(other, mask));
      if (next < v && next < limit && v >= limit) rounds.receive(rank_of(next), tree_bytes(other, mask));
    }
  }
}

}  // namespace plumbline::replay::collectives::schedules
