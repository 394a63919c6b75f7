#pragma once
// When the ranks of a collective call were observed to come to it, and what that says of an anchored replay.

#include <cstdint>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/units.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

// `program` outlives it.
class Arrivals {
 public:
  explicit Arrivals(const Program& program, const Scratch& scratch = {});

  // `times` of an anchored replay, [rank][operation]. There a rank may come to a call later than it was observed to,
  // because the model was slower than the world before. In a call that waits for others it was waiting meanwhile: the
  // operation begins when it was observed to, but the time after the last of the others had come (or after its begin in
  // the replay, if that is earlier) remains its own. Durations grow by that and never shrink
  // (docs/models/replay-expectations.md).
  void wait_as_observed(std::vector<Column<OperationTimes>>& times) const;

 private:
  // Of one call, by what was observed.
  struct Call {
    Time last, second_last;  // of all ranks
    std::uint32_t last_rank = kNone;
    Time root;
  };

  template <class Visit>
  void for_each_call(std::uint32_t rank, Visit visit) const;
  void come(std::uint32_t rank, const Operation& op, Time begin, Call& call) const;

  const Program& program_;
  std::vector<Column<Call>> calls_;  // by communicator, first those on it and then those of its files
};

}  // namespace plumbline::replay::expect
