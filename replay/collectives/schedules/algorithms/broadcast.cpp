// Broadcasts: coll_base_bcast.c and nbc_ibcast.c of Open MPI, bcast_intra_*.c, bcast_utils.c, ibcast_intra_sched_*.c
// and ibcast_utils.c of MPICH.
#include "replay/collectives/schedules/algorithms/doubling.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"
#include "replay/collectives/schedules/segments.hpp"
#include "replay/collectives/schedules/trees.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// Segment by segment from the parent to all children at once, while the next segment is received.
Schedule down_the_tree(const Tree& tree, const std::vector<std::uint64_t>& segments) {
  Rounds rounds;
  if (tree.parent && !segments.empty()) rounds.receive(*tree.parent, segments.front());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (tree.parent && i + 1 < segments.size()) rounds.post_receive(*tree.parent, segments[i + 1]);
    for (const std::uint32_t child : tree.children) rounds.post_send(child, segments[i]);
    rounds.wait();
  }
  return rounds.take();
}

Schedule bcast_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) {
    rounds.receive(call.root, bytes_of(call));
    return rounds.take();
  }
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (i != rank) rounds.post_send(i, bytes_of(call));
  return rounds.take();
}

Schedule bcast_chain(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return down_the_tree(chain(call.ranks, call.root, algorithm.fan_out, rank),
                       segments_of(call, algorithm.segment_bytes));
}

Schedule bcast_pipeline(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return down_the_tree(chain(call.ranks, call.root, 1, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule bcast_binary(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return down_the_tree(binary_tree(call.ranks, call.root, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule bcast_binomial(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return down_the_tree(binomial_tree(call.ranks, call.root, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule bcast_knomial(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return down_the_tree(knomial_tree(call.ranks, call.root, algorithm.radix, rank),
                       segments_of(call, algorithm.segment_bytes));
}

// One half goes down the left subtree, the other half down the right one; then each rank changes halves with its pair
// in the other subtree, which is a neighbour in rank. With an even number of ranks the last one has no pair: the root
// gives it the right half.
Schedule bcast_split_binary(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const std::uint64_t elements[2] = {call.count - call.count / 2, call.count / 2};
  const std::uint64_t bytes[2] = {elements[0] * call.type_bytes, elements[1] * call.type_bytes};
  std::vector<std::uint64_t> segments[2];
  for (int half = 0; half < 2; ++half)
    segments[half] = segments_of(elements[half],
                                 algorithm.segment_bytes == 0
                                     ? elements[half]
                                     : std::max<std::uint64_t>(algorithm.segment_bytes / call.type_bytes, 1),
                                 call.type_bytes);
  const Tree tree = binary_tree(call.ranks, call.root, rank);
  const std::uint32_t last = behind(call.root, 1, call.ranks);
  Rounds rounds;
  if (rank == call.root) {
    for (std::size_t i = 0; i < segments[0].size(); ++i)
      for (std::size_t half = 0; half < tree.children.size(); ++half)
        if (i < segments[half].size()) rounds.send(tree.children[half], segments[half][i]);
    if (call.ranks % 2 == 0) rounds.send(last, bytes[1]);
    return rounds.take();
  }
  const std::uint32_t mine = (behind(rank, call.root, call.ranks) + 1) % 2;
  const std::vector<std::uint64_t>& my = segments[mine];
  rounds.receive(*tree.parent, my.front());
  for (std::size_t i = 0; i < my.size(); ++i) {
    if (i + 1 < my.size()) rounds.post_receive(*tree.parent, my[i + 1]);
    for (const std::uint32_t child : tree.children) rounds.post_send(child, my[i]);
    rounds.wait();
  }
  if (call.ranks % 2 == 0 && rank == last) {
    rounds.receive(call.root, bytes[1]);
    return rounds.take();
  }
  const std::uint32_t pair = mine == 0 ? ahead(rank, 1, call.ranks) : behind(rank, 1, call.ranks);
  rounds.exchange(pair, bytes[mine], pair, bytes[1 - mine]);
  return rounds.take();
}

// The buffer in equal pieces, one per rank in the order from the root; the last ones may be short or empty. Open MPI
// cuts between elements, MPICH between bytes.
struct Pieces {
  std::uint32_t ranks, root;
  std::uint64_t units, unit_bytes, piece;  // piece: in units

  Pieces(const Call& call, std::uint64_t units_, std::uint64_t unit_bytes_)
      : ranks(call.ranks),
        root(call.root),
        units(units_),
        unit_bytes(unit_bytes_),
        piece((units_ + call.ranks - 1) / call.ranks) {}

  std::uint64_t bytes(std::uint32_t first, std::uint32_t number) const {
    const std::uint64_t begin = std::min(units, first * piece);
    return (std::min(units, begin + number * piece) - begin) * unit_bytes;
  }
  std::uint32_t rank_of(std::uint32_t v) const { return ahead(v, root, ranks); }
};

// Down the in-order binomial tree, the largest subtree first; nothing is sent where there is nothing to send.
void scatter_pieces(Rounds& rounds, const Pieces& pieces, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, pieces.root, pieces.ranks);
  const std::uint32_t width = v == 0 ? std::bit_ceil(pieces.ranks) : v & (~v + 1);  // of the subtree of v
  if (v != 0 && pieces.bytes(v, width) > 0) rounds.receive(pieces.rank_of(v - width), pieces.bytes(v, width));
  for (std::uint32_t mask = width / 2; mask > 0; mask /= 2)
    if (v + mask < pieces.ranks && pieces.bytes(v + mask, mask) > 0)
      rounds.send(pieces.rank_of(v + mask), pieces.bytes(v + mask, mask));
}

void gather_doubling(Rounds& rounds, const Pieces& pieces, std::uint32_t rank) {
  double_recursively(
      rounds, behind(rank, pieces.root, pieces.ranks), pieces.ranks, [&](std::uint32_t v) { return pieces.rank_of(v); },
      [&](std::uint32_t first, std::uint32_t mask) { return pieces.bytes(first, mask); });
}

void gather_ring(Rounds& rounds, const Pieces& pieces, std::uint32_t rank) {
  const std::uint32_t left = behind(rank, 1, pieces.ranks), right = ahead(rank, 1, pieces.ranks);
  std::uint32_t sent = behind(rank, pieces.root, pieces.ranks);
  for (std::uint32_t i = 1; i < pieces.ranks; ++i) {
    const std::uint32_t received = behind(sent, 1, pieces.ranks);
    rounds.exchange(right, pieces.bytes(sent, 1), left, pieces.bytes(received, 1));
    sent = received;
  }
}

Schedule scatter_doubling(const Pieces& pieces, std::uint32_t rank) {
  Rounds rounds;
  scatter_pieces(rounds, pieces, rank);
  gather_doubling(rounds, pieces, rank);
  return rounds.take();
}

Schedule scatter_ring(const Pieces& pieces, std::uint32_t rank) {
  Rounds rounds;
  scatter_pieces(rounds, pieces, rank);
  gather_ring(rounds, pieces, rank);
  return rounds.take();
}

Schedule bcast_scatter_allgather(const Algorithm&, const Call& call, std::uint32_t rank) {
  return scatter_doubling(Pieces(call, call.count, call.type_bytes), rank);
}

Schedule bcast_scatter_allgather_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  return scatter_ring(Pieces(call, call.count, call.type_bytes), rank);
}

// MPICH's algorithms end where there is nothing to send; its compositions begin all the same.
Schedule bcast_mpich_scatter_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  if (bytes_of(call) == 0) return {};
  return scatter_doubling(Pieces(call, bytes_of(call), 1), rank);
}

Schedule bcast_mpich_scatter_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  if (bytes_of(call) == 0) return {};
  return scatter_ring(Pieces(call, bytes_of(call), 1), rank);
}

Schedule bcast_mpich_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  if (bytes_of(call) == 0) return {};
  const Tree tree = in_order_binomial_tree(call.ranks, call.root, rank);
  Rounds rounds;
  if (tree.parent) rounds.receive(*tree.parent, bytes_of(call));
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) rounds.send(*child, bytes_of(call));
  return rounds.take();
}

// Of MPICH's non-blocking forms, to the child at distance `mask` of relative rank `v`: to the first child everything
// from its own piece to the end, however little of that its subtree needs.
std::uint64_t bytes_down(const Pieces& pieces, std::uint32_t v, std::uint32_t width, std::uint32_t mask) {
  std::uint64_t left = pieces.units - std::min(pieces.units, v * pieces.piece);
  for (std::uint32_t step = width / 2; step > 0; step /= 2) {
    const std::uint64_t kept = std::min(left, step * pieces.piece);
    if (v + step >= pieces.ranks) continue;
    if (step == mask) return left - kept;
    left = kept;
  }
  return 0;
}

// What a rank sends is not awaited: the first step behind it goes along.
void post_pieces(Rounds& rounds, const Pieces& pieces, std::uint32_t rank) {
  const auto width_of = [&](std::uint32_t v) { return v == 0 ? std::bit_ceil(pieces.ranks) : v & (~v + 1); };
  const std::uint32_t v = behind(rank, pieces.root, pieces.ranks), width = width_of(v);
  if (v != 0)
    if (const std::uint64_t bytes = bytes_down(pieces, v - width, width_of(v - width), width); bytes > 0)
      rounds.receive(pieces.rank_of(v - width), bytes);
  for (std::uint32_t mask = width / 2; mask > 0; mask /= 2)
    if (const std::uint64_t bytes = bytes_down(pieces, v, width, mask); v + mask < pieces.ranks && bytes > 0)
      rounds.post_send(pieces.rank_of(v + mask), bytes);
}

Schedule ibcast_sched_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Tree tree = in_order_binomial_tree(call.ranks, call.root, rank);
  Rounds rounds;
  if (tree.parent) rounds.receive(*tree.parent, bytes_of(call));
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child)
    rounds.post_send(*child, bytes_of(call));
  return rounds.take();
}

Schedule ibcast_sched_scatter_doubling(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Pieces pieces(call, bytes_of(call), 1);
  Rounds rounds;
  post_pieces(rounds, pieces, rank);
  gather_doubling(rounds, pieces, rank);
  return rounds.take();
}

Schedule ibcast_sched_scatter_ring(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Pieces pieces(call, bytes_of(call), 1);
  Rounds rounds;
  post_pieces(rounds, pieces, rank);
  gather_ring(rounds, pieces, rank);
  return rounds.take();
}

constexpr Entry kBroadcastEntries[] = {
    {{kOpenMpi, Operation::bcast, "basic_linear", 1}, bcast_linear},
    {{kOpenMpi, Operation::bcast, "chain", 2, 0, 1}, bcast_chain},
    {{kOpenMpi, Operation::bcast, "chain", 2, 0, 4}, bcast_chain},
    {{kOpenMpi, Operation::bcast, "pipeline", 3}, bcast_pipeline},
    {{kOpenMpi, Operation::bcast, "split_binary_tree", 4}, bcast_split_binary},
    {{kOpenMpi, Operation::bcast, "binary_tree", 5}, bcast_binary},
    {{kOpenMpi, Operation::bcast, "binomial", 6}, bcast_binomial},
    {{kOpenMpi, Operation::bcast, "knomial", 7, 0, 0, 4}, bcast_knomial},
    {{kOpenMpi, Operation::bcast, "scatter_allgather", 8}, bcast_scatter_allgather},
    {{kOpenMpi, Operation::bcast, "scatter_allgather_ring", 9}, bcast_scatter_allgather_ring},
    {{kMpich, Operation::bcast, "binomial"}, bcast_mpich_binomial},
    {{kMpich, Operation::bcast, "scatter_recursive_doubling_allgather"}, bcast_mpich_scatter_doubling},
    {{kMpich, Operation::bcast, "scatter_ring_allgather"}, bcast_mpich_scatter_ring},
    {{kOpenMpi, Operation::ibcast, "linear", 1}, bcast_linear},
    {{kOpenMpi, Operation::ibcast, "knomial", 4, 0, 0, 4}, bcast_knomial},
    {{kMpich, Operation::ibcast, "sched_binomial"}, ibcast_sched_binomial},
    {{kMpich, Operation::ibcast, "sched_scatter_recursive_doubling_allgather"},
     sends_first<ibcast_sched_scatter_doubling>},
    {{kMpich, Operation::ibcast, "sched_scatter_ring_allgather"}, sends_first<ibcast_sched_scatter_ring>},
};

}  // namespace

std::span<const Entry> broadcast_entries() { return kBroadcastEntries; }

}  // namespace plumbline::replay::collectives::schedules
