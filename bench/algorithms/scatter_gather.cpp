#include "bench/algorithms/messages.hpp"

namespace plumbline::bench::algorithms {

void scatter_linear(const Call& call) {
  const Place here(call);
  const std::size_t length = call.receive.size();
  if (here.rank != call.root) return here.receive(call.receive, call.root);
  for (int other = 0; other < here.size; ++other) {
    if (other == call.root)
      copy(block(call.send, other, length), call.receive);
    else
      here.send(block(call.send, other, length), other);
  }
}

// A rank gets the blocks of its subtree, in the order of relative ranks: of root 0 as they lie.
void scatter_binomial(const Call& call) {
  const Place here(call);
  const std::size_t length = call.receive.size();
  const int at = here.relative(call.root);
  const Subtree subtree(at, here.size);
  const int parent = here.beyond(-subtree.mask);
  if (at != 0 && subtree.blocks == 1) return here.receive(call.receive, parent);
  const bool as_they_lie = at == 0 && call.root == 0;
  const Buffer room(as_they_lie ? 0 : static_cast<std::size_t>(subtree.blocks) * length);
  if (at != 0) {
    here.receive(room, parent);
  } else if (!as_they_lie) {
    for (int i = 0; i < here.size; ++i)
      copy(block(call.send, here.absolute(i, call.root), length), block(Bytes(room), i, length));
  }
  const ConstBytes blocks = as_they_lie ? call.send : ConstBytes(room);
  for (int mask = subtree.mask / 2; mask > 0; mask /= 2) {
    if (at + mask >= here.size) continue;
    const int count = std::min(mask, here.size - at - mask);
    here.send(block(blocks, mask, length, count), here.beyond(mask));
  }
  copy(blocks.first(length), call.receive);
}

void gather_linear(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  if (here.rank != call.root) return here.send(call.send, call.root);
  for (int other = 0; other < here.size; ++other) {
    if (other == call.root)
      copy(call.send, block(call.receive, other, length));
    else
      here.receive(block(call.receive, other, length), other);
  }
}

void gather_binomial(const Call& call) {
  const Place here(call);
  const std::size_t length = call.send.size();
  const int at = here.relative(call.root);
  const Subtree subtree(at, here.size);
  const int parent = here.beyond(-subtree.mask);
  if (at != 0 && subtree.blocks == 1) return here.send(call.send, parent);
  const bool as_they_lie = at == 0 && call.root == 0;
  const Buffer room(as_they_lie ? 0 : static_cast<std::size_t>(subtree.blocks) * length);
  const Bytes blocks = as_they_lie ? call.receive : Bytes(room);
  copy(call.send, blocks.first(length));
  for (int mask = 1; mask < subtree.mask && at + mask < here.size; mask *= 2) {
    const int count = std::min(mask, here.size - at - mask);
    here.receive(block(blocks, mask, length, count), here.beyond(mask));
  }
  if (at != 0) return here.send(blocks, parent);
  for (int i = 0; i < here.size && !as_they_lie; ++i)
    copy(block(ConstBytes(blocks), i, length), block(call.receive, here.absolute(i, call.root), length));
}

}  // namespace plumbline::bench::algorithms
