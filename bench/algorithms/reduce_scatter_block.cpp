#include "bench/algorithms/reduction.hpp"

namespace plumbline::bench::algorithms {

void reduce_scatter_block_reduce_scatter(const Call& call) {
  const Place here(call);
  const Buffer sum(here.rank == 0 ? call.send.size() : 0);
  Call part = call;
  part.root = 0;
  part.receive = sum;
  reduce_binomial(part);
  part.send = sum;
  part.receive = call.receive;
  scatter_binomial(part);
}

void reduce_scatter_block_pairwise(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const std::size_t length = call.receive.size();
  const Buffer others(length);
  copy(block(call.send, here.rank, length), call.receive);
  for (int step = 1; step < here.size; ++step) {
    here.exchange(block(call.send, here.beyond(step), length), here.beyond(step), others, here.beyond(-step));
    reduction.add(others, call.receive);
  }
}

// A block goes around from the rank behind its own one, and each adds what it has.
void reduce_scatter_block_ring(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const std::size_t length = call.receive.size();
  Buffer sum(length), others(length);
  copy(block(call.send, here.beyond(-1), length), sum);
  for (int step = 1; step < here.size; ++step) {
    here.exchange(sum, here.beyond(1), others, here.beyond(-1));
    reduction.add(block(call.send, here.beyond(-1 - step), length), others);
    swap(sum, others);
  }
  copy(sum, call.receive);
}

void reduce_scatter_block_recursive_halving(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const std::size_t length = call.receive.size();
  const Buffer sums(call.send.size()), room(call.send.size());
  copy(call.send, sums);
  for (int mask = here.size / 2; mask > 0; mask /= 2) {
    const int other = here.rank ^ mask, first = here.rank & ~(mask - 1), others_first = other & ~(mask - 1);
    const Bytes in = block(Bytes(sums), first, length, mask), others = Bytes(room).first(in.size());
    here.exchange(block(ConstBytes(sums), others_first, length, mask), other, others, other);
    reduction.add(others, in);
  }
  copy(block(ConstBytes(sums), here.rank, length), call.receive);
}

}  // namespace plumbline::bench::algorithms
