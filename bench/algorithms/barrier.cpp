#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void barrier_linear(const Call& call) {
  const Place here(call);
  if (here.rank != 0) {
    here.send({}, 0);
    return here.receive({}, 0);
  }
  for (int other = 1; other < here.size; ++other) here.receive({}, other);
  for (int other = 1; other < here.size; ++other) here.send({}, other);
}

// Up a binomial tree, and down again.
void barrier_tree(const Call& call) {
  const Place here(call);
  const Subtree subtree(here.rank, here.size);
  for (int mask = 1; mask < subtree.mask && here.rank + mask < here.size; mask *= 2) here.receive({}, here.rank + mask);
  if (here.rank != 0) here.exchange({}, here.rank - subtree.mask, {}, here.rank - subtree.mask);
  for (int mask = subtree.mask / 2; mask > 0; mask /= 2)
    if (here.rank + mask < here.size) here.send({}, here.rank + mask);
}

void barrier_dissemination(const Call& call) {
  const Place here(call);
  for (int distance = 1; distance < here.size; distance *= 2)
    here.exchange({}, here.beyond(distance), {}, here.beyond(-distance));
}

void barrier_recursive_doubling(const Call& call) {
  const Place here(call);
  for (int mask = 1; mask < here.size; mask *= 2) here.exchange({}, here.rank ^ mask, {}, here.rank ^ mask);
}

}  // namespace plumbline::bench::algorithms
