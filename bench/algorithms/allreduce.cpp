#include "bench/algorithms/reduction.hpp"

namespace plumbline::bench::algorithms {

void allreduce_reduce_bcast(const Call& call) {
  Call up_and_down = call;
  up_and_down.root = 0;
  reduce_binomial(up_and_down);
  bcast_binomial(up_and_down);
}

void allreduce_recursive_doubling(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const Bytes values = call.receive;
  const Buffer others(values.size());
  copy(call.send, values);
  const Folded folded(here, reduction, values, others);
  for (int mask = 1; folded.own >= 0 && mask < folded.kept; mask *= 2) {
    const int other = folded.rank_of(folded.own ^ mask);
    here.exchange(values, other, others, other);
    reduction.add(others, values);
  }
  folded.unfold();
}

// Each part goes around once and is added up, and once more to be known.
void allreduce_ring(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const Buffer room(call.receive.size() / static_cast<std::size_t>(here.size) + reduction.element);
  const auto part_of = [&](int steps_behind) {
    const int index = here.beyond(-steps_behind);
    return parts_of(call.receive, reduction.element, index, index + 1, here.size);
  };
  copy(call.send, call.receive);
  for (int step = 0; step + 1 < here.size; ++step) {
    const Bytes in = part_of(step + 1), others = Bytes(room).first(in.size());
    here.exchange(part_of(step), here.beyond(1), others, here.beyond(-1));
    reduction.add(others, in);
  }
  for (int step = 0; step + 1 < here.size; ++step)
    here.exchange(part_of(step - 1), here.beyond(1), part_of(step), here.beyond(-1));
}

// Halves are exchanged and added until each rank has one part; then doubled back (Rabenseifner, "Optimization of
// collective reduction operations", ICCS 2004).
void allreduce_rabenseifner(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const Bytes values = call.receive;
  const Buffer room(values.size());
  copy(call.send, values);
  const Folded folded(here, reduction, values, room);
  halve(here, reduction, folded, values, room);
  for (int mask = 1; folded.own >= 0 && mask < folded.kept; mask *= 2) {
    const int other = folded.own ^ mask, first = folded.own & ~(mask - 1), others_first = other & ~(mask - 1);
    here.exchange(parts_of(values, reduction.element, first, first + mask, folded.kept), folded.rank_of(other),
                  parts_of(values, reduction.element, others_first, others_first + mask, folded.kept),
                  folded.rank_of(other));
  }
  folded.unfold();
}

}  // namespace plumbline::bench::algorithms
