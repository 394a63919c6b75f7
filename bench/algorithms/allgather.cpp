#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void allgather_gather_bcast(const Call& call) {
  Call whole = call;
  whole.root = 0;
  gather_binomial(whole);
  bcast_binomial(whole);
}

void allgather_linear(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  copy(call.send, block(call.receive, here.rank, length));
  Requests requests(here);
  for (int step = 1; step < here.size; ++step)
    requests.receive(block(call.receive, here.beyond(-step), length), here.beyond(-step));
  for (int step = 1; step < here.size; ++step) requests.send(call.send, here.beyond(step));
  requests.wait();
}

void allgather_ring(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  copy(call.send, block(call.receive, here.rank, length));
  for (int step = 0; step + 1 < here.size; ++step)
    here.exchange(block(call.receive, here.beyond(-step), length), here.beyond(1),
                  block(call.receive, here.beyond(-step - 1), length), here.beyond(-1));
}

// What lies at i is the block of the rank i ahead; turned around at the end.
void allgather_bruck(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  const Buffer ahead(call.receive.size());
  copy(call.send, block(Bytes(ahead), 0, length));
  for (int have = 1; have < here.size; have *= 2) {
    const int more = std::min(have, here.size - have);
    here.exchange(block(ConstBytes(ahead), 0, length, more), here.beyond(-have),
                  block(Bytes(ahead), have, length, more), here.beyond(have));
  }
  for (int i = 0; i < here.size; ++i)
    copy(block(ConstBytes(ahead), i, length), block(call.receive, here.beyond(i), length));
}

void allgather_recursive_doubling(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  copy(call.send, block(call.receive, here.rank, length));
  for (int mask = 1; mask < here.size; mask *= 2) {
    const int other = here.rank ^ mask, first = here.rank & ~(mask - 1), others_first = other & ~(mask - 1);
    here.exchange(block(call.receive, first, length, mask), other, block(call.receive, others_first, length, mask),
                  other);
  }
}

// Pairs of blocks, with the neighbour on either side in turn: each passes on the pair that came last (Chen, Zhang,
// Zhang, Yuan, "Performance evaluation of allgather algorithms on terascale Linux cluster with fast Ethernet", 2005).
void allgather_neighbor_exchange(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  const int side = here.rank % 2 == 0 ? 1 : -1;
  const int neighbours[] = {here.beyond(side), here.beyond(-side)};
  copy(call.send, block(call.receive, here.rank, length));
  here.exchange(call.send, neighbours[0], block(call.receive, neighbours[0], length), neighbours[0]);
  int last = std::min(here.rank, neighbours[0]);
  int from[] = {last, last};  // where the last pair of each neighbour begins
  for (int step = 1; step < here.size / 2; ++step) {
    const int turn = step % 2;
    from[turn] = (from[turn] + (turn == 0 ? 2 : -2) * side + here.size) % here.size;
    here.exchange(block(call.receive, last, length, 2), neighbours[turn], block(call.receive, from[turn], length, 2),
                  neighbours[turn]);
    last = from[turn];
  }
}

}  // namespace plumbline::bench::algorithms
