#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void allgather_ring(ConstBytes own, Bytes all, MPI_Comm comm) {
  const Place here(comm);
  copy(own, block(all, here.rank, own.size()));
  for (int step = 0; step + 1 < here.size; ++step)
    exchange(block(all, here.beyond(-step), own.size()), here.beyond(1), block(all, here.beyond(-step - 1), own.size()),
             here.beyond(-1), comm);
}

// What lies at i is the block of the rank i ahead; turned around at the end.
void allgather_bruck(ConstBytes own, Bytes all, MPI_Comm comm) {
  const Place here(comm);
  std::vector<std::byte> ahead(all.size());
  copy(own, Bytes(ahead).first(own.size()));
  for (int have = 1; have < here.size; have *= 2) {
    const auto more = static_cast<std::size_t>(std::min(have, here.size - have)) * own.size();
    exchange(ConstBytes(ahead).first(more), here.beyond(-have),
             Bytes(ahead).subspan(static_cast<std::size_t>(have) * own.size(), more), here.beyond(have), comm);
  }
  for (int i = 0; i < here.size; ++i)
    copy(block(ConstBytes(ahead), i, own.size()), block(all, here.beyond(i), own.size()));
}

void allgather_recursive_doubling(ConstBytes own, Bytes all, MPI_Comm comm) {
  const Place here(comm);
  if ((here.size & (here.size - 1)) != 0) return allgather_bruck(own, all, comm);
  copy(own, block(all, here.rank, own.size()));
  for (int mask = 1; mask < here.size; mask *= 2) {
    const int other = here.rank ^ mask, first = here.rank & ~(mask - 1), others = other & ~(mask - 1);
    const auto length = static_cast<std::size_t>(mask) * own.size();
    exchange(all.subspan(static_cast<std::size_t>(first) * own.size(), length), other,
             all.subspan(static_cast<std::size_t>(others) * own.size(), length), other, comm);
  }
}

}  // namespace plumbline::bench::algorithms
