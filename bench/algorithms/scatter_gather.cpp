#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {
namespace {

// Of a binomial tree over relative ranks: whose blocks pass through a rank, itself first.
struct Subtree {
  Subtree(int own, int size) {
    while (mask < size && (own & mask) == 0) mask *= 2;
    blocks = std::min(mask, size - own);
  }
  int mask = 1;  // distance to the parent
  int blocks = 0;
};

}  // namespace

void scatter_linear(ConstBytes all, Bytes own, int root, MPI_Comm comm) {
  const Place here(comm);
  if (here.rank != root) return receive(own, root, comm);
  for (int other = 0; other < here.size; ++other) {
    if (other == root)
      copy(block(all, other, own.size()), own);
    else
      send(block(all, other, own.size()), other, comm);
  }
}

void scatter_binomial(ConstBytes all, Bytes own, int root, MPI_Comm comm) {
  const Place here(comm);
  const int at = here.relative(root);
  const Subtree subtree(at, here.size);
  std::vector<std::byte> blocks(static_cast<std::size_t>(subtree.blocks) * own.size());
  if (at == 0) {
    for (int i = 0; i < here.size; ++i)
      copy(block(all, here.absolute(i, root), own.size()), block(Bytes(blocks), i, own.size()));
  } else {
    receive(blocks, here.absolute(at - subtree.mask, root), comm);
  }
  for (int mask = subtree.mask / 2; mask > 0; mask /= 2) {
    if (at + mask >= here.size) continue;
    const auto count = static_cast<std::size_t>(std::min(mask, here.size - at - mask));
    send(ConstBytes(blocks).subspan(static_cast<std::size_t>(mask) * own.size(), count * own.size()),
         here.absolute(at + mask, root), comm);
  }
  copy(ConstBytes(blocks).first(own.size()), own);
}

void gather_linear(ConstBytes own, Bytes all, int root, MPI_Comm comm) {
  const Place here(comm);
  if (here.rank != root) return send(own, root, comm);
  for (int other = 0; other < here.size; ++other) {
    if (other == root)
      copy(own, block(all, other, own.size()));
    else
      receive(block(all, other, own.size()), other, comm);
  }
}

void gather_binomial(ConstBytes own, Bytes all, int root, MPI_Comm comm) {
  const Place here(comm);
  const int at = here.relative(root);
  const Subtree subtree(at, here.size);
  std::vector<std::byte> blocks(static_cast<std::size_t>(subtree.blocks) * own.size());
  copy(own, Bytes(blocks).first(own.size()));
  for (int mask = 1; mask < subtree.mask && at + mask < here.size; mask *= 2) {
    const auto count = static_cast<std::size_t>(std::min(mask, here.size - at - mask));
    receive(Bytes(blocks).subspan(static_cast<std::size_t>(mask) * own.size(), count * own.size()),
            here.absolute(at + mask, root), comm);
  }
  if (at != 0) return send(blocks, here.absolute(at - subtree.mask, root), comm);
  for (int i = 0; i < here.size; ++i)
    copy(block(ConstBytes(blocks), i, own.size()), block(all, here.absolute(i, root), own.size()));
}

}  // namespace plumbline::bench::algorithms
