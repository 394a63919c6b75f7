#pragma once
// What ranks have in common, as expressions in procnum and numprocs.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plumbline::replay::model {

// Ranks in ascending order, as ranges with both ends.
class RankSet {
 public:
  RankSet() = default;
  explicit RankSet(std::uint32_t rank) : ranges_{{rank, rank}} {}

  void add(std::uint32_t rank);  // larger than all that are there
  bool contains(std::uint32_t rank) const;
  std::uint32_t size() const;
  std::uint32_t first() const { return ranges_.front().first; }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges() const { return ranges_; }

  bool operator==(const RankSet&) const = default;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

// Conditions that together hold for these ranks of so many and for no other, none for two of them: one, unless it would
// be too long for an expression. Ends are counted from the nearer end of the ranks.
std::vector<std::string> conditions_of(const RankSet& ranks, std::uint32_t all);

// All the ways in which the peers of the ranks so far can be written.
struct PeerPattern {
  enum Way : std::uint32_t { kFixed = 1, kRelative = 2, kAround = 4, kExclusive = 8, kNull = 16, kAny = 32 };
  std::uint32_t ways = 0;
  std::int64_t peer = 0;    // kFixed
  std::int64_t step = 0;    // kRelative: procnum + step
  std::int64_t around = 0;  // kAround: (procnum + around) % numprocs
  std::int64_t mask = 0;    // kExclusive: procnum ^ mask

  static PeerPattern of(std::uint32_t rank, std::int32_t peer, std::uint32_t all);
  PeerPattern meet(const PeerPattern& other) const;  // no way: they have nothing in common
};

// How much two ranks have in common: more for what holds for other numbers of ranks too. 0: nothing.
int likeness(const PeerPattern& met);

std::string text_of(const PeerPattern& pattern, const RankSet& ranks, std::uint32_t all);

// An offset of each rank: slope * procnum + base.
struct OffsetPattern {
  std::uint32_t rank = 0;  // the first one
  std::int64_t offset = 0, slope = 0;
  bool several = false;

  static OffsetPattern of(std::uint32_t rank, std::uint64_t offset) {
    return {rank, static_cast<std::int64_t>(offset), 0, false};
  }
  bool takes(const OffsetPattern& one) const;  // `one` is of one rank, larger than those that are there
  void take(const OffsetPattern& one);
};

std::string text_of(const OffsetPattern& pattern);

// Any numbers, one for each of the ranks: of all ranks as a sum of steps along the dimensions of a grid, where they are
// that, else one by one. A sum, a number, or in brackets.
std::string text_of(const std::vector<std::uint64_t>& numbers, const RankSet& ranks, std::uint32_t all);

}  // namespace plumbline::replay::model
