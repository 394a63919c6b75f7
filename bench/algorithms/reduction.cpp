#include "bench/algorithms/reduction.hpp"

namespace plumbline::bench::algorithms {

Folded::Folded(const Place& here, const Reduction& reduction, Bytes values, Bytes room) : here_(here), values_(values) {
  while (kept * 2 <= here.size) kept *= 2;
  extra_ = here.size - kept;
  if (here.rank >= 2 * extra_) {
    own = here.rank - extra_;
  } else if (here.rank % 2 == 0) {
    here.send(values, here.rank + 1);
  } else {
    here.receive(room, here.rank - 1);
    reduction.add(room, values);
    own = here.rank / 2;
  }
}

void Folded::unfold() const {
  if (here_.rank >= 2 * extra_) return;
  if (here_.rank % 2 == 0)
    here_.receive(values_, here_.rank + 1);
  else
    here_.send(values_, here_.rank - 1);
}

void halve(const Place& here, const Reduction& reduction, const Folded& folded, Bytes values, Bytes room) {
  for (int mask = folded.kept / 2; folded.own >= 0 && mask > 0; mask /= 2) {
    const int other = folded.own ^ mask, first = folded.own & ~(mask - 1), others_first = other & ~(mask - 1);
    const Bytes out = parts_of(values, reduction.element, others_first, others_first + mask, folded.kept);
    const Bytes in = parts_of(values, reduction.element, first, first + mask, folded.kept);
    const Bytes others = room.first(in.size());
    here.exchange(out, folded.rank_of(other), others, folded.rank_of(other));
    reduction.add(others, in);
  }
}

}  // namespace plumbline::bench::algorithms
