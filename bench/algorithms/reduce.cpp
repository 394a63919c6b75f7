#include "bench/algorithms/reduction.hpp"

namespace plumbline::bench::algorithms {
namespace {

// Segments go to the next rank towards the root when the own values are added to them.
void pass_along(const Call& call, std::size_t segment) {
  const Place here(call);
  const Reduction reduction(call);
  const int at = here.relative(call.root);
  const std::size_t bytes = call.send.size(),
                    step = std::max(segment / reduction.element, std::size_t{1}) * reduction.element;
  const bool has_more = at + 1 < here.size;
  const Buffer room(at == 0 || !has_more ? 0 : bytes), others(has_more ? std::min(step, bytes) : 0);
  const Bytes sum = at == 0 ? call.receive : Bytes(room);
  if (at == 0 || has_more) copy(call.send, sum);
  const ConstBytes result = at == 0 || has_more ? ConstBytes(sum) : call.send;
  std::size_t from = 0;
  do {
    const std::size_t length = std::min(step, bytes - from);
    if (has_more) {
      here.receive(Bytes(others).first(length), here.beyond(1));
      reduction.add(Bytes(others).first(length), sum.subspan(from, length));
    }
    if (at > 0) here.send(result.subspan(from, length), here.beyond(-1));
    from += length;
  } while (from < bytes);
}

}  // namespace

void reduce_linear(const Call& call) {
  const Place here(call);
  if (here.rank != call.root) return here.send(call.send, call.root);
  const Reduction reduction(call);
  const Buffer others(call.send.size());
  copy(call.send, call.receive);
  for (int other = 0; other < here.size; ++other) {
    if (other == call.root) continue;
    here.receive(others, other);
    reduction.add(others, call.receive);
  }
}

void reduce_binomial(const Call& call) {
  const Place here(call);
  const int at = here.relative(call.root);
  const Subtree subtree(at, here.size);
  if (at != 0 && subtree.blocks == 1) return here.send(call.send, here.beyond(-subtree.mask));
  const Reduction reduction(call);
  const Buffer room(at == 0 ? 0 : call.send.size()), others(call.send.size());
  const Bytes sum = at == 0 ? call.receive : Bytes(room);
  copy(call.send, sum);
  for (int mask = 1; mask < subtree.mask && at + mask < here.size; mask *= 2) {
    here.receive(others, here.beyond(mask));
    reduction.add(others, sum);
  }
  if (at != 0) here.send(sum, here.beyond(-subtree.mask));
}

void reduce_chain(const Call& call) { pass_along(call, call.send.size()); }

void reduce_pipeline(const Call& call) { pass_along(call, call.segment > 0 ? call.segment : kSegment); }

// Each rank adds up its part; the parts are gathered in a binomial tree, in which the root is number 0 by exclusive or.
void reduce_rabenseifner(const Call& call) {
  const Place here(call);
  const Reduction reduction(call);
  const bool is_root = here.rank == call.root;
  const Buffer own(is_root ? 0 : call.send.size()), room(call.send.size());
  const Bytes values = is_root ? call.receive : Bytes(own);
  copy(call.send, values);
  const Folded folded(here, reduction, values, room);
  halve(here, reduction, folded, values, room);
  const int top = folded.number_of(call.root), at = folded.own ^ top;
  const auto parts_from = [&](int number, int mask) {
    const int first = number & ~(mask - 1);
    return parts_of(values, reduction.element, first, first + mask, folded.kept);
  };
  for (int mask = 1; folded.own >= 0 && mask < folded.kept; mask *= 2) {
    const int other = folded.own ^ mask;
    if ((at & mask) != 0) {
      here.send(parts_from(folded.own, mask), folded.rank_of(other));
      break;
    }
    here.receive(parts_from(other, mask), folded.rank_of(other));
  }
  const int keeper = folded.rank_of(top);
  if (keeper == call.root) return;
  if (here.rank == keeper) here.send(values, call.root);
  if (is_root) here.receive(values, keeper);
}

}  // namespace plumbline::bench::algorithms
