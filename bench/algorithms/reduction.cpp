#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {
namespace {

using Doubles = std::span<double>;
using ConstDoubles = std::span<const double>;

// Leaves a power of two of ranks that have everybody's values: of the first 2 * extra ranks the even ones give theirs to
// the next one, and get the result from it.
class Folded {
 public:
  Folded(Doubles values, const Place& here) : values_(values), here_(here) {
    while (kept * 2 <= here.size) kept *= 2;
    extra_ = here.size - kept;
    if (here.rank >= 2 * extra_) {
      own = here.rank - extra_;
    } else if (here.rank % 2 == 0) {
      send(std::as_bytes(ConstDoubles(values)), here.rank + 1, here.comm);
    } else {
      std::vector<double> others(values.size());
      receive(std::as_writable_bytes(Doubles(others)), here.rank - 1, here.comm);
      add(others, values);
      own = here.rank / 2;
    }
  }

  // The rank of the kept one with this number.
  int rank_of(int number) const { return number < extra_ ? 2 * number + 1 : number + extra_; }

  void unfold() {
    if (here_.rank >= 2 * extra_) return;
    if (here_.rank % 2 == 0)
      receive(std::as_writable_bytes(values_), here_.rank + 1, here_.comm);
    else
      send(std::as_bytes(ConstDoubles(values_)), here_.rank - 1, here_.comm);
  }

  int kept = 1;
  int own = -1;  // number among the kept ones; -1: waits for the result

 private:
  Doubles values_;
  Place here_;
  int extra_ = 0;
};

}  // namespace

void reduce_linear(ConstDoubles own, Doubles sum, int root, MPI_Comm comm) {
  const Place here(comm);
  if (here.rank != root) return send(std::as_bytes(own), root, comm);
  std::copy(own.begin(), own.end(), sum.begin());
  std::vector<double> others(own.size());
  for (int other = 0; other < here.size; ++other) {
    if (other == root) continue;
    receive(std::as_writable_bytes(Doubles(others)), other, comm);
    add(others, sum);
  }
}

void reduce_binomial(ConstDoubles own, Doubles sum, int root, MPI_Comm comm) {
  const Place here(comm);
  const int at = here.relative(root);
  std::vector<double> so_far(own.begin(), own.end()), others(own.size());
  for (int mask = 1; mask < here.size; mask *= 2) {
    if ((at & mask) != 0)
      return send(std::as_bytes(ConstDoubles(so_far)), here.absolute(at - mask, root), comm);
    if (at + mask >= here.size) continue;
    receive(std::as_writable_bytes(Doubles(others)), here.absolute(at + mask, root), comm);
    add(others, so_far);
  }
  std::copy(so_far.begin(), so_far.end(), sum.begin());
}

void allreduce_recursive_doubling(Doubles values, MPI_Comm comm) {
  const Place here(comm);
  Folded folded(values, here);
  std::vector<double> others(values.size());
  for (int mask = 1; folded.own >= 0 && mask < folded.kept; mask *= 2) {
    const int other = folded.rank_of(folded.own ^ mask);
    exchange(std::as_bytes(ConstDoubles(values)), other, std::as_writable_bytes(Doubles(others)), other, comm);
    add(others, values);
  }
  folded.unfold();
}

// Each part goes around once and is summed, and once more to be known.
void allreduce_ring(Doubles values, MPI_Comm comm) {
  const Place here(comm);
  std::vector<double> others(values.size() / static_cast<std::size_t>(here.size) + 1);
  const auto part_of = [&](int index) { return part(values, (index % here.size + here.size) % here.size, here.size); };
  for (int step = 0; step + 1 < here.size; ++step) {
    const Doubles out = part_of(here.rank - step), in = part_of(here.rank - step - 1);
    const Doubles room = Doubles(others).first(in.size());
    exchange(std::as_bytes(out), here.beyond(1), std::as_writable_bytes(room), here.beyond(-1), comm);
    add(room, in);
  }
  for (int step = 0; step + 1 < here.size; ++step)
    exchange(std::as_bytes(part_of(here.rank + 1 - step)), here.beyond(1),
             std::as_writable_bytes(part_of(here.rank - step)), here.beyond(-1), comm);
}

// Halves are exchanged and summed until each rank has one part; then doubled back (Rabenseifner, 2004).
void allreduce_rabenseifner(Doubles values, MPI_Comm comm) {
  const Place here(comm);
  Folded folded(values, here);
  std::vector<double> others(values.size());
  const auto parts = [&](int first, int behind) {
    const Doubles begin = part(values, first, folded.kept), last = part(values, behind - 1, folded.kept);
    return Doubles(begin.data(), last.data() + last.size());
  };
  for (int mask = folded.kept / 2; folded.own >= 0 && mask > 0; mask /= 2) {
    const int other = folded.own ^ mask, first = folded.own & ~(mask - 1), others_first = other & ~(mask - 1);
    const Doubles out = parts(others_first, others_first + mask), in = parts(first, first + mask);
    const Doubles room = Doubles(others).first(in.size());
    exchange(std::as_bytes(out), folded.rank_of(other), std::as_writable_bytes(room), folded.rank_of(other), comm);
    add(room, in);
  }
  for (int mask = 1; folded.own >= 0 && mask < folded.kept; mask *= 2) {
    const int other = folded.own ^ mask, first = folded.own & ~(mask - 1), others_first = other & ~(mask - 1);
    exchange(std::as_bytes(parts(first, first + mask)), folded.rank_of(other),
             std::as_writable_bytes(parts(others_first, others_first + mask)), folded.rank_of(other), comm);
  }
  folded.unfold();
}

}  // namespace plumbline::bench::algorithms
