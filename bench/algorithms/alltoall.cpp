#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {
namespace {

std::size_t length_of_block(const Call& call, const Place& here) {
  return call.send.size() / static_cast<std::size_t>(here.size);
}

// Of the blocks at places with this bit set, one behind the other.
template <class Act>
void for_places_with(int bit, int places, Act act) {
  for (int place = 0, number = 0; place < places; ++place)
    if ((place & bit) != 0) act(place, number++);
}

}  // namespace

void alltoall_linear(const Call& call) {
  const Place here(call);
  const std::size_t length = length_of_block(call, here);
  copy(block(call.send, here.rank, length), block(call.receive, here.rank, length));
  Requests requests(here);
  for (int step = 1; step < here.size; ++step)
    requests.receive(block(call.receive, here.beyond(-step), length), here.beyond(-step));
  for (int step = 1; step < here.size; ++step)
    requests.send(block(call.send, here.beyond(step), length), here.beyond(step));
  requests.wait();
}

void alltoall_pairwise(const Call& call) {
  const Place here(call);
  const std::size_t length = length_of_block(call, here);
  copy(block(call.send, here.rank, length), block(call.receive, here.rank, length));
  for (int step = 1; step < here.size; ++step)
    here.exchange(block(call.send, here.beyond(step), length), here.beyond(step),
                  block(call.receive, here.beyond(-step), length), here.beyond(-step));
}

// What lies at i has i ranks to go; in step k that with bit k set goes 2^k of them (Bruck, Ho, Kipnis, Upfal,
// Weathersby, IEEE TPDS 8(11), 1997).
void alltoall_bruck(const Call& call) {
  const Place here(call);
  const std::size_t length = length_of_block(call, here), half = (static_cast<std::size_t>(here.size) + 1) / 2 * length;
  const Buffer blocks(call.send.size()), out(half), in(half);
  for (int i = 0; i < here.size; ++i) copy(block(call.send, here.beyond(i), length), block(Bytes(blocks), i, length));
  for (int bit = 1; bit < here.size; bit *= 2) {
    std::size_t bytes = 0;
    for_places_with(bit, here.size, [&](int place, int number) {
      copy(block(ConstBytes(blocks), place, length), block(Bytes(out), number, length));
      bytes += length;
    });
    here.exchange(ConstBytes(out).first(bytes), here.beyond(bit), Bytes(in).first(bytes), here.beyond(-bit));
    for_places_with(bit, here.size, [&](int place, int number) {
      copy(block(ConstBytes(in), number, length), block(Bytes(blocks), place, length));
    });
  }
  for (int i = 0; i < here.size; ++i)
    copy(block(ConstBytes(blocks), i, length), block(call.receive, here.beyond(-i), length));
}

}  // namespace plumbline::bench::algorithms
