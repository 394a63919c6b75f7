#pragma once
// Loops in what one rank does: the second step of folding a recording (fold.hpp). The sequence is read once; what has
// been read is a list of calls and loops, and whenever its end repeats what is just before it, both become a loop, or
// one more iteration of the loop that is there: the regular section descriptors of Noeth, Ratn, Mueller, Schulz and de
// Supinski, "ScalaTrace: Scalable compression and replay of communication traces for high-performance computing", JPDC
// 2009, nested as they are found.
//
// Of n calls: O(n) comparisons of windows by hash, at most kMostTried for each call, and O(n) calls compared once a
// hash fits, because each is then folded away. Memory: the list, which is as long as what does not repeat.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "replay/model/fold/calls.hpp"

namespace plumbline::replay::model {

struct FoldedStatement;
using FoldedBlock = std::vector<FoldedStatement>;

struct FoldedStatement {
  FoldedCall call;               // of the first iteration
  std::uint64_t iterations = 0;  // 0: a call, else a loop
  FoldedBlock body;
  Gap before;  // of a loop: what its first iteration computes more than the others
  // Of the offset and of the displacement: how they grow with each loop around, from the innermost one on.
  std::vector<std::int64_t> strides, shifts;
  std::uint64_t hash = 0;  // of all but gaps, offsets and displacements
};

class LoopFolder {
 public:
  void add(const FoldedCall& call, const Gap& before);
  FoldedBlock take();

 private:
  bool fold_once();
  bool add_iteration(std::size_t loop);
  bool make_loop(std::size_t second);
  void push(FoldedStatement statement);
  FoldedStatement pop();
  std::uint64_t window_hash(std::size_t begin, std::size_t end) const;

  FoldedBlock list_;
  std::vector<std::uint64_t> prefix_{0}, powers_{1};
  // Positions in the list by hash: of what is there, and of loops by the last statement of their body.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_, loops_;
};

}  // namespace plumbline::replay::model
