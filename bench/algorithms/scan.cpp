#include "bench/algorithms/reduction.hpp"

namespace plumbline::bench::algorithms {

void scan_linear(const Call& call) {
  const Place here(call);
  copy(call.send, call.receive);
  if (here.rank > 0) {
    const Buffer before(call.send.size());
    here.receive(before, here.rank - 1);
    Reduction(call).add(before, call.receive);
  }
  if (here.rank + 1 < here.size) here.send(call.receive, here.rank + 1);
}

// `sum` is that of a growing block of ranks; of it, what comes from lower ranks belongs to the result.
void scan_recursive_doubling(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const Buffer sum(call.send.size()), others(call.send.size());
  copy(call.send, sum);
  copy(call.send, call.receive);
  for (int mask = 1; mask < here.size; mask *= 2) {
    const int other = here.rank ^ mask;
    if (other >= here.size) continue;
    here.exchange(sum, other, others, other);
    if (other < here.rank) reduction.add(others, call.receive);
    reduction.add(others, sum);
  }
}

}  // namespace plumbline::bench::algorithms
