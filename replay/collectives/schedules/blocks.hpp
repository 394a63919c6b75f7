#pragma once
// Bytes of the ranks' blocks, and arithmetic on rank numbers that several families share.

#include <algorithm>
#include <bit>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

// The blocks of all ranks one behind the other.
class Blocks {
 public:
  // From `counts` of the call where it has them, else `count` elements for each rank.
  explicit Blocks(const Call& call) {
    end_.reserve(call.ranks + std::size_t{1});
    end_.push_back(0);
    for (std::uint32_t i = 0; i < call.ranks; ++i)
      end_.push_back(end_.back() + (i < call.counts.size() ? call.counts[i] : call.count) * call.type_bytes);
  }

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(end_.size() - 1); }
  std::uint64_t total() const { return end_.back(); }
  std::uint64_t of(std::uint32_t rank) const { return end_[rank + std::size_t{1}] - end_[rank]; }
  // Of ranks first .. last - 1; either may be behind the last rank.
  std::uint64_t between(std::uint32_t first, std::uint32_t last) const {
    return end_[std::min(last, ranks())] - end_[std::min(first, ranks())];
  }
  // Of `number` ranks from `first` on, rank 0 behind the last one.
  std::uint64_t around(std::uint32_t first, std::uint32_t number) const {
    const std::uint32_t last = first + number;
    return last <= ranks() ? between(first, last) : between(first, ranks()) + between(0, last - ranks());
  }

 private:
  std::vector<std::uint64_t> end_;  // end_[i]: bytes before rank i
};

// Of the whole buffer of bcast, reduce, allreduce, scan, exscan; of one block elsewhere.
inline std::uint64_t bytes_of(const Call& call) { return call.count * call.type_bytes; }

// Of one rank's block.
inline std::uint64_t block_bytes(const Call& call, std::uint32_t rank) {
  return (rank < call.counts.size() ? call.counts[rank] : call.count) * call.type_bytes;
}

// alltoall(v, w), for the schedule of `rank`: what it sends to `receiver`, and what it gets from `sender`.
inline std::uint64_t bytes_to(const Call& call, std::uint32_t rank, std::uint32_t receiver) {
  if (blocking_form(call.operation) == Operation::alltoall) return bytes_of(call);
  if (call.in_rows) return call.own_sent[receiver] * call.type_bytes;
  return call.counts[std::size_t{rank} * call.ranks + receiver] * call.type_bytes;
}
inline std::uint64_t bytes_from(const Call& call, std::uint32_t rank, std::uint32_t sender) {
  if (blocking_form(call.operation) == Operation::alltoall) return bytes_of(call);
  if (call.in_rows) return call.own_received[sender] * call.type_bytes;
  return call.counts[std::size_t{sender} * call.ranks + rank] * call.type_bytes;
}

inline bool is_power_of_two(std::uint32_t ranks) { return std::has_single_bit(ranks); }
// The largest power of two that is not above `ranks`.
inline std::uint32_t power_of_two_below(std::uint32_t ranks) { return std::bit_floor(ranks); }

// `rank` + `distance` and `rank` - `distance` on the ring of all ranks; distance <= ranks.
inline std::uint32_t ahead(std::uint32_t rank, std::uint32_t distance, std::uint32_t ranks) {
  return (rank + distance) % ranks;
}
inline std::uint32_t behind(std::uint32_t rank, std::uint32_t distance, std::uint32_t ranks) {
  return (rank + ranks - distance) % ranks;
}

// Algorithms for powers of two fold the first 2 * (ranks - power) ranks into pairs, one of which then stands aside. Who
// of a pair goes on is a matter of the algorithm.
enum class Folded { even_goes_on, odd_goes_on };

struct Fold {
  std::uint32_t power = 1, pairs = 0;  // ranks that go on; pairs that were folded
  Folded who = Folded::odd_goes_on;

  Fold(std::uint32_t ranks, Folded folded) : power(std::bit_floor(ranks)), pairs(ranks - power), who(folded) {}

  bool is_paired(std::uint32_t rank) const { return rank < 2 * pairs; }
  bool stands_aside(std::uint32_t rank) const {
    return is_paired(rank) && (rank % 2 == 0) == (who == Folded::odd_goes_on);
  }
  std::uint32_t number_of(std::uint32_t rank) const { return is_paired(rank) ? rank / 2 : rank - pairs; }
  std::uint32_t rank_of(std::uint32_t number) const {
    return number < pairs ? number * 2 + (who == Folded::odd_goes_on ? 1 : 0) : number + pairs;
  }
  // Ranks that the numbers first .. last - 1 stand for: all of a pair.
  std::uint32_t first_rank_of(std::uint32_t number) const { return number < pairs ? number * 2 : number + pairs; }
};

}  // namespace plumbline::replay::collectives::schedules
