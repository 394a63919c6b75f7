#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {
namespace {

// In a tree; -1: no parent.
struct TreeNode {
  int parent = -1;
  std::vector<int> children;
};

TreeNode in_chain(const Place& here, int root) {
  const int own = here.relative(root);
  TreeNode tree;
  if (own > 0) tree.parent = here.beyond(-1);
  if (own + 1 < here.size) tree.children.push_back(here.beyond(1));
  return tree;
}

TreeNode in_binary_tree(const Place& here, int root) {
  const int own = here.relative(root);
  TreeNode tree;
  if (own > 0) tree.parent = here.absolute((own - 1) / 2, root);
  for (int side = 1; side <= 2; ++side) {
    // Beyond half of INT_MAX ranks nobody has children.
    if (own < (here.size - side + 1) / 2) tree.children.push_back(here.absolute(2 * own + side, root));
  }
  return tree;
}

// Each segment goes to the children in turn, while the next one may come.
void pass_on(const Place& here, const TreeNode& tree, Bytes data, std::size_t segment) {
  const auto segment_at = [&](std::size_t at) { return data.subspan(at, std::min(segment, data.size() - at)); };
  Requests coming(here);
  if (tree.parent >= 0) coming.receive(segment_at(0), tree.parent);
  std::size_t at = 0;
  do {
    const Bytes piece = segment_at(at);
    at += piece.size();
    coming.wait();
    if (tree.parent >= 0 && at < data.size()) coming.receive(segment_at(at), tree.parent);
    for (const int child : tree.children) here.send(piece, child);
  } while (at < data.size());
}

std::size_t whole(const Call& call) { return std::max<std::size_t>(call.receive.size(), 1); }
std::size_t segment_of(const Call& call) { return call.segment > 0 ? call.segment : kSegment; }

Bytes parts(const Place& here, Bytes data, int first, int behind) {
  return parts_of(data, 1, first, behind, here.size);
}

// Part p belongs to relative rank p; a rank gets the parts of its subtree.
void scatter_parts(const Place& here, Bytes data, int root) {
  const int own = here.relative(root);
  const Subtree subtree(own, here.size);
  if (own != 0) here.receive(parts(here, data, own, own + subtree.blocks), here.beyond(-subtree.mask));
  for (int mask = subtree.mask / 2; mask > 0; mask /= 2)
    if (own + mask < here.size)
      here.send(parts(here, data, own + mask, std::min(own + 2 * mask, here.size)), here.beyond(mask));
}

}  // namespace

void bcast_linear(const Call& call) {
  const Place here(call);
  if (here.rank != call.root) return here.receive(call.receive, call.root);
  for (int other = 0; other < here.size; ++other)
    if (other != call.root) here.send(call.receive, other);
}

void bcast_binomial(const Call& call) {
  const Place here(call);
  const int own = here.relative(call.root);
  const Subtree subtree(own, here.size);
  if (own != 0) here.receive(call.receive, here.beyond(-subtree.mask));
  for (int mask = subtree.mask / 2; mask > 0; mask /= 2)
    if (own + mask < here.size) here.send(call.receive, here.beyond(mask));
}

void bcast_chain(const Call& call) {
  const Place here(call);
  pass_on(here, in_chain(here, call.root), call.receive, whole(call));
}

void bcast_pipeline(const Call& call) {
  const Place here(call);
  pass_on(here, in_chain(here, call.root), call.receive, segment_of(call));
}

void bcast_binary(const Call& call) {
  const Place here(call);
  pass_on(here, in_binary_tree(here, call.root), call.receive, whole(call));
}

void bcast_binary_pipeline(const Call& call) {
  const Place here(call);
  pass_on(here, in_binary_tree(here, call.root), call.receive, segment_of(call));
}

void bcast_scatter_recursive_doubling_allgather(const Call& call) {
  const Place here(call);
  const int own = here.relative(call.root);
  scatter_parts(here, call.receive, call.root);
  for (int mask = 1; mask < here.size; mask *= 2) {
    const int other = own ^ mask, first = own & ~(mask - 1), others_first = other & ~(mask - 1);
    const int partner = here.absolute(other, call.root);
    here.exchange(parts(here, call.receive, first, first + mask), partner,
                  parts(here, call.receive, others_first, others_first + mask), partner);
  }
}

void bcast_scatter_ring_allgather(const Call& call) {
  const Place here(call);
  const int own = here.relative(call.root);
  scatter_parts(here, call.receive, call.root);
  for (int step = 0; step + 1 < here.size; ++step) {
    const int out = (own - step + here.size) % here.size, in = (own - step - 1 + here.size) % here.size;
    here.exchange(parts(here, call.receive, out, out + 1), here.beyond(1), parts(here, call.receive, in, in + 1),
                  here.beyond(-1));
  }
}

}  // namespace plumbline::bench::algorithms
