#pragma once
// What ranks have in common: the third step of folding a recording (fold.hpp). Ranks are added one after the other to a
// list of statements, each with the ranks that run it; statements of a rank find their equals in it by their longest
// common subsequence, weighted by how much their peers are alike.
//
// A rank of m statements takes O(m) where it does what those before do, else O(m * n) with n statements in the list,
// and O(m + n) where that would be too much: then what is between the common begin and the common end stays apart.

#include <cstdint>
#include <vector>

#include "replay/model/fold/loops.hpp"
#include "replay/model/fold/patterns.hpp"

namespace plumbline::replay::model {

// Means in ps, and what passes beyond them some of the times.
struct RankGap {
  std::uint32_t rank = 0;
  double computed = 0, kept = 0, least = 0;
  std::vector<Passage> computed_beyond, kept_beyond, least_beyond;
};

struct RankedStatement {
  RankSet ranks;
  FoldedCall call;               // its peers, its offset and its displacement are beside it
  std::uint64_t iterations = 0;  // 0: a call
  std::vector<RankedStatement> body;
  PeerPattern to, from;
  OffsetPattern offset;
  std::vector<std::uint64_t> displacements;  // of a view: of each of its ranks
  std::vector<std::int64_t> strides, shifts;
  std::vector<RankGap> before;  // of each of its ranks
};
using RankedBlock = std::vector<RankedStatement>;

class RankFolder {
 public:
  explicit RankFolder(std::uint32_t ranks) : ranks_(ranks) {}

  void add(std::uint32_t rank, const FoldedBlock& block);  // in ascending order
  const RankedBlock& block() const { return block_; }

 private:
  std::uint32_t ranks_;
  RankedBlock block_;
};

}  // namespace plumbline::replay::model
