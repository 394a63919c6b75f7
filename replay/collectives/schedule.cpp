#include "replay/collectives/schedule.hpp"

#include <algorithm>
#include <bit>

namespace plumbline::replay::collectives {
namespace {

std::uint64_t rounded_up(std::uint64_t total, std::uint32_t parts) { return total / parts + (total % parts != 0); }

// Bytes for `peer`, from counts where they were recorded, else an equal part of `total`.
std::uint64_t part(std::span<const std::uint64_t> counts, std::uint32_t peer, std::uint64_t total, std::uint32_t size) {
  return peer < counts.size() ? counts[peer] : rounded_up(total, size);
}

// A binomial tree over ranks relative to the root: the parent of v is v without its lowest set bit; its children are
// v + m for the powers of two m below that bit.
struct Tree {
  std::uint32_t size = 1, root = 0, relative = 0;

  explicit Tree(const Shape& shape)
      : size(shape.size), root(shape.root), relative((shape.rank + shape.size - shape.root) % shape.size) {}

  std::uint32_t rank(std::uint32_t v) const { return static_cast<std::uint32_t>((std::uint64_t{v} + root) % size); }
  bool is_root() const { return relative == 0; }
  std::uint32_t parent() const { return rank(relative & (relative - 1)); }

  std::uint32_t children() const {
    const std::uint32_t width = static_cast<std::uint32_t>(std::bit_width(size - 1 - relative));
    return is_root() ? width : std::min(width, static_cast<std::uint32_t>(std::countr_zero(relative)));
  }
  std::uint32_t subtree(std::uint32_t v) const {  // ranks in it
    return v == 0 ? size : std::min(v & (~v + 1), size - v);
  }
};

Step send_to(std::uint32_t peer, std::uint64_t bytes) { return {peer, std::nullopt, bytes}; }
Step receive_from(std::uint32_t peer) { return {std::nullopt, peer, 0}; }

// From the root outwards, the largest subtree first. bytes(v): for the subtree of v.
template <class BytesOf>
std::optional<Step> down(const Tree& tree, std::uint32_t index, BytesOf bytes) {
  if (!tree.is_root()) {
    if (index == 0) return receive_from(tree.parent());
    --index;
  }
  const std::uint32_t children = tree.children();
  if (index >= children) return std::nullopt;
  const std::uint32_t child = tree.relative + (1U << (children - 1 - index));
  return send_to(tree.rank(child), bytes(child));
}

// Towards the root, the smallest subtree first.
std::optional<Step> up(const Tree& tree, std::uint32_t index, std::uint64_t bytes) {
  const std::uint32_t children = tree.children();
  if (index < children) return receive_from(tree.rank(tree.relative + (1U << index)));
  if (index == children && !tree.is_root()) return send_to(tree.parent(), bytes);
  return std::nullopt;
}

std::optional<Step> combining(std::optional<Step> step, std::uint64_t bytes) {
  if (step && step->from) step->combined = bytes;
  return step;
}

std::optional<Step> dissemination(const Shape& s, std::uint32_t index) {
  if (index >= static_cast<std::uint32_t>(std::bit_width(s.size - 1))) return std::nullopt;
  const std::uint64_t distance = std::uint64_t{1} << index;
  return Step{static_cast<std::uint32_t>((s.rank + distance) % s.size),
              static_cast<std::uint32_t>((s.rank + s.size - distance) % s.size), 0};
}

std::optional<Step> broadcast(const Shape& s, std::uint32_t index, std::uint64_t bytes) {
  return down(Tree(s), index, [bytes](std::uint32_t) { return bytes; });
}

// The n-th of the others, in ascending order.
std::uint32_t other(std::uint32_t index, std::uint32_t self) { return index < self ? index : index + 1; }

std::optional<Step> gather(const Shape& s, std::uint32_t index) {
  if (!s.irregular) {
    const Tree tree(s);
    return up(tree, index, s.sent * tree.subtree(tree.relative));
  }
  if (s.rank != s.root) return index == 0 ? std::optional(send_to(s.root, s.sent)) : std::nullopt;
  return index + 1 < s.size ? std::optional(receive_from(other(index, s.root))) : std::nullopt;
}

std::optional<Step> scatter(const Shape& s, std::uint32_t index) {
  if (!s.irregular) {
    const Tree tree(s);
    const std::uint64_t block = tree.is_root() ? rounded_up(s.sent, s.size) : s.received;
    return down(tree, index, [&](std::uint32_t child) { return block * tree.subtree(child); });
  }
  if (s.rank != s.root) return index == 0 ? std::optional(receive_from(s.root)) : std::nullopt;
  if (index + 1 >= s.size) return std::nullopt;
  const std::uint32_t peer = other(index, s.root);
  return send_to(peer, part(s.sent_counts, peer, s.sent, s.size));
}

std::optional<Step> ring(const Shape& s, std::uint32_t index) {
  if (index + 1 >= s.size) return std::nullopt;
  const std::uint32_t block = (s.rank + s.size - index) % s.size;
  return Step{(s.rank + 1) % s.size, (s.rank + s.size - 1) % s.size,
              part(s.received_counts, block, s.received, s.size)};
}

std::optional<Step> pairwise(const Shape& s, std::uint32_t index, std::span<const std::uint64_t> counts) {
  if (index + 1 >= s.size) return std::nullopt;
  const std::uint32_t distance = index + 1;
  const std::uint32_t to = static_cast<std::uint32_t>((std::uint64_t{s.rank} + distance) % s.size);
  return Step{to, static_cast<std::uint32_t>((std::uint64_t{s.rank} + s.size - distance) % s.size),
              part(counts, to, s.sent, s.size)};
}

// Up with the parts, down with the result, root 0.
std::optional<Step> allreduce(Shape s, std::uint32_t index) {
  s.root = 0;
  const Tree tree(s);
  const std::uint64_t bytes = std::max(s.sent, s.received);  // sent is 0 where the call was in place
  const std::uint32_t first = tree.children() + (tree.is_root() ? 0U : 1U);
  if (index < first) return combining(up(tree, index, bytes), bytes);
  return broadcast(s, index - first, bytes);
}

// Rank r gives its prefix to r + 1, r + 2, r + 4, ..: after step k it knows the sum of 2^(k+1) ranks.
std::optional<Step> scan(const Shape& s, std::uint32_t index) {
  if (index >= static_cast<std::uint32_t>(std::bit_width(s.size - 1))) return std::nullopt;
  const std::uint32_t distance = 1U << index;
  Step step;
  step.sent = std::max(s.sent, s.received);
  if (distance < s.size - s.rank) step.to = s.rank + distance;
  if (s.rank >= distance) step.from = s.rank - distance;
  return step;
}

}  // namespace

std::optional<Step> step_of(const Shape& s, std::uint32_t index) {
  if (s.size < 2) return std::nullopt;
  switch (s.kind) {
    case Collective::kBarrier:
      return dissemination(s, index);
    case Collective::kBcast:
      return broadcast(s, index, s.received > 0 ? s.received : s.sent);
    case Collective::kGather:
      return gather(s, index);
    case Collective::kScatter:
      return scatter(s, index);
    case Collective::kAllgather:
      return ring(s, index);
    case Collective::kAlltoall:
      return pairwise(s, index, s.sent_counts);
    case Collective::kAllreduce:
      return allreduce(s, index);
    case Collective::kReduce:
      return combining(up(Tree(s), index, s.sent), s.sent);
    case Collective::kReduceScatter:
      return combining(pairwise(s, index, s.received_counts), s.received);
    case Collective::kScan:
    case Collective::kExscan:
      return combining(scan(s, index), std::max(s.sent, s.received));
  }
  return std::nullopt;
}

std::string_view schedule_name(Collective kind) {
  switch (kind) {
    case Collective::kBarrier:
      return "dissemination";
    case Collective::kBcast:
      return "binomial tree";
    case Collective::kGather:
    case Collective::kScatter:
      return "binomial tree; linear where amounts differ";
    case Collective::kAllgather:
      return "ring";
    case Collective::kAlltoall:
    case Collective::kReduceScatter:
      return "pairwise exchange";
    case Collective::kAllreduce:
      return "binomial tree up and down";
    case Collective::kReduce:
      return "binomial tree";
    case Collective::kScan:
    case Collective::kExscan:
      return "recursive doubling";
  }
  return "";
}

}  // namespace plumbline::replay::collectives
