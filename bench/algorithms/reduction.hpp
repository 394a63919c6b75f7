#pragma once
// What reductions are made of.

#include <climits>

#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

class Reduction {
 public:
  explicit Reduction(const Call& call) : type_(call.type), op_(call.op) {
    int size = 0;
    must(MPI_Type_size(type_, &size));
    element = static_cast<std::size_t>(size);
  }

  // What both have together is in `to`.
  void add(ConstBytes from, Bytes to) const {
    const std::size_t most = element * INT_MAX;
    for (std::size_t at = 0; at < to.size(); at += most) {
      const std::size_t bytes = std::min(most, to.size() - at);
      must(MPI_Reduce_local(from.data() + at, to.data() + at, static_cast<int>(bytes / element), type_, op_));
    }
  }

  std::size_t element = 1;  // bytes

 private:
  MPI_Datatype type_;
  MPI_Op op_;
};

// A power of two of ranks keeps everybody's values: of the first 2 * extra ranks the even ones give theirs to the next
// one, and get the result from it (Rabenseifner, Träff, "More efficient reduction algorithms for non-power-of-two
// number of processors", EuroPVM/MPI 2004).
class Folded {
 public:
  Folded(const Place& here, const Reduction& reduction, Bytes values, Bytes room);

  // The rank of the kept one with this number.
  int rank_of(int number) const { return number < extra_ ? 2 * number + 1 : number + extra_; }
  // The number of the kept one that has the values of this rank.
  int number_of(int rank) const { return rank < 2 * extra_ ? rank / 2 : rank - extra_; }

  // The result, to those that were not kept.
  void unfold() const;

  int kept = 1;
  int own = -1;  // number among the kept ones; -1: waits for the result

 private:
  const Place& here_;
  Bytes values_;
  int extra_ = 0;
};

// Halves are exchanged and added until each kept rank has its part of `kept` ones.
void halve(const Place& here, const Reduction& reduction, const Folded& folded, Bytes values, Bytes room);

}  // namespace plumbline::bench::algorithms
