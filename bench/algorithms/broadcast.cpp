#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {
namespace {

// Each segment comes from `parent` (-1: none) and goes to the children in turn.
void pass_on(Bytes data, int parent, std::span<const int> children, std::size_t segment, MPI_Comm comm) {
  if (segment == 0) segment = std::max<std::size_t>(data.size(), 1);
  std::size_t at = 0;
  do {
    const Bytes piece = data.subspan(at, std::min(segment, data.size() - at));
    if (parent >= 0) receive(piece, parent, comm);
    for (const int child : children) send(piece, child, comm);
    at += piece.size();
  } while (at < data.size());
}

}  // namespace

void bcast_linear(Bytes data, int root, MPI_Comm comm) {
  const Place here(comm);
  if (here.rank != root) return receive(data, root, comm);
  for (int other = 0; other < here.size; ++other)
    if (other != root) send(data, other, comm);
}

void bcast_binomial(Bytes data, int root, MPI_Comm comm) {
  const Place here(comm);
  const int own = here.relative(root);
  int mask = 1;
  while (mask < here.size && (own & mask) == 0) mask *= 2;
  if (own != 0) receive(data, here.absolute(own - mask, root), comm);
  for (mask /= 2; mask > 0; mask /= 2)
    if (own + mask < here.size) send(data, here.absolute(own + mask, root), comm);
}

void bcast_chain(Bytes data, int root, MPI_Comm comm, std::size_t segment) {
  const Place here(comm);
  const int own = here.relative(root), next = here.absolute(own + 1, root);
  const std::span<const int> children(&next, own + 1 < here.size ? 1 : 0);
  pass_on(data, own == 0 ? -1 : here.absolute(own - 1, root), children, segment, comm);
}

void bcast_binary(Bytes data, int root, MPI_Comm comm, std::size_t segment) {
  const Place here(comm);
  const int own = here.relative(root);
  std::vector<int> children;
  for (const int child : {2 * own + 1, 2 * own + 2})
    if (child < here.size) children.push_back(here.absolute(child, root));
  pass_on(data, own == 0 ? -1 : here.absolute((own - 1) / 2, root), children, segment, comm);
}

// Part p belongs to relative rank p; a rank gets the parts of its subtree.
void bcast_scatter_allgather(Bytes data, int root, MPI_Comm comm) {
  const Place here(comm);
  const int own = here.relative(root);
  const auto parts = [&](int first, int behind) {
    const Bytes begin = part(data, first, here.size), last = part(data, behind - 1, here.size);
    return Bytes(begin.data(), last.data() + last.size());
  };
  int mask = 1;
  while (mask < here.size && (own & mask) == 0) mask *= 2;
  if (own != 0) receive(parts(own, std::min(own + mask, here.size)), here.absolute(own - mask, root), comm);
  for (mask /= 2; mask > 0; mask /= 2)
    if (own + mask < here.size)
      send(parts(own + mask, std::min(own + 2 * mask, here.size)), here.absolute(own + mask, root), comm);
  for (int step = 0; step + 1 < here.size; ++step) {
    const int out = (own - step + here.size) % here.size, in = (own - step - 1 + here.size) % here.size;
    exchange(part(data, out, here.size), here.beyond(1), part(data, in, here.size), here.beyond(-1), comm);
  }
}

}  // namespace plumbline::bench::algorithms
