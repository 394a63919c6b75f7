#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void alltoall_linear(ConstBytes to, Bytes from, MPI_Comm comm) {
  const Place here(comm);
  const std::size_t length = to.size() / static_cast<std::size_t>(here.size);
  copy(block(to, here.rank, length), block(from, here.rank, length));
  Requests requests(comm);
  for (int step = 1; step < here.size; ++step)
    requests.receive(block(from, here.beyond(-step), length), here.beyond(-step));
  for (int step = 1; step < here.size; ++step)
    requests.send(block(to, here.beyond(step), length), here.beyond(step));
  requests.wait();
}

void alltoall_pairwise(ConstBytes to, Bytes from, MPI_Comm comm) {
  const Place here(comm);
  const std::size_t length = to.size() / static_cast<std::size_t>(here.size);
  for (int step = 0; step < here.size; ++step)
    exchange(block(to, here.beyond(step), length), here.beyond(step), block(from, here.beyond(-step), length),
             here.beyond(-step), comm);
}

// What lies at i has i ranks to go; in step k that with bit k set goes 2^k of them (Bruck et al., 1997).
void alltoall_bruck(ConstBytes to, Bytes from, MPI_Comm comm) {
  const Place here(comm);
  const std::size_t length = to.size() / static_cast<std::size_t>(here.size);
  std::vector<std::byte> blocks(to.size()), out, in;
  for (int i = 0; i < here.size; ++i)
    copy(block(to, here.beyond(i), length), block(Bytes(blocks), i, length));
  for (int bit = 1; bit < here.size; bit *= 2) {
    out.clear();
    for (int i = 0; i < here.size; ++i) {
      const Bytes piece = block(Bytes(blocks), i, length);
      if ((i & bit) != 0) out.insert(out.end(), piece.begin(), piece.end());
    }
    in.resize(out.size());
    exchange(out, here.beyond(bit), in, here.beyond(-bit), comm);
    for (int i = 0, taken = 0; i < here.size; ++i)
      if ((i & bit) != 0) copy(block(ConstBytes(in), taken++, length), block(Bytes(blocks), i, length));
  }
  for (int i = 0; i < here.size; ++i)
    copy(block(ConstBytes(blocks), i, length), block(from, here.beyond(-i), length));
}

}  // namespace plumbline::bench::algorithms
