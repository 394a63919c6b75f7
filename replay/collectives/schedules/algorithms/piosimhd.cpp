// The algorithms of PIOsimHD, by the names that it gives them, with the messages that it sends: 20 bytes more than the
// data, and messages of 20 bytes that say "ready". Its faults are not repeated: the number of rounds of its barrier
// (natural logarithm), the root that Direct ignores and the message that it sends to itself, world ranks where those of
// the communicator are meant, the SMP-aware chain that begins at rank 0. ReduceScatterPowerOfTwo is for powers of two
// only: what it did for other numbers was wrong. Facts: J. Kunkel, Using Simulation to Validate Performance of MPI(-IO)
// Implementations, 2013, and its sources at revision 969d4e5.
#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nested.hpp"
#include "replay/collectives/schedules/nodes.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

constexpr std::uint64_t kExtra = 20;                      // bytes that go with each message
constexpr std::uint64_t kReady = 20;                      // a message that says "ready"
constexpr std::uint64_t kDirect = 30;                     // of the barrier by rank 0
constexpr std::uint64_t kEagerLimit = 102400;             // above it, children ask for their data
constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;  // of the algorithms by blocks

// Ranks with 0 and the root changed for each other; its own inverse.
std::uint32_t swapped(const Call& call, std::uint32_t rank) {
  return rank == call.root ? 0 : rank == 0 ? call.root : rank;
}

// The tree over swapped ranks: the parent of v is v without its lowest bit.
struct BinaryTree {
  std::uint32_t v, ranks, lowest;

  BinaryTree(const Call& call, std::uint32_t rank) : v(swapped(call, rank)), ranks(call.ranks) {
    lowest = v == 0 ? static_cast<std::uint32_t>(std::bit_width(ranks - 1))
                    : static_cast<std::uint32_t>(std::countr_zero(v));
  }
  bool is_root() const { return v == 0; }
  std::uint32_t parent() const { return v & (v - 1); }
  // The largest subtree first.
  std::vector<std::uint32_t> children() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = lowest; i-- > 0;)
      if ((v | 1U << i) < ranks) found.push_back(v | 1U << i);
    return found;
  }
  std::uint32_t subtree(std::uint32_t of) const { return of == 0 ? ranks : std::min(of & (~of + 1), ranks - of); }
};

Schedule barrier_direct(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != 0) {
    rounds.send(0, kDirect);
    rounds.receive(0, kDirect);
    return rounds.take();
  }
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_receive(i, kDirect);
  rounds.wait();
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_send(i, kDirect);
  return rounds.take();
}

Schedule barrier_tree(const Algorithm&, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(inner_call(call, Operation::barrier, 0, 0), rank);
  const std::vector<std::uint32_t> children = tree.children();
  Rounds rounds;
  for (const std::uint32_t child : children) rounds.post_receive(child, 0);
  rounds.wait();
  if (!tree.is_root()) rounds.send(tree.parent(), 0);
  if (!tree.is_root()) rounds.receive(tree.parent(), 0);
  for (const std::uint32_t child : children) rounds.post_send(child, 0);
  return rounds.take();
}

Schedule barrier_mpich2(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t distance = 1; distance < call.ranks; distance *= 2)
    rounds.exchange(behind(rank, distance, call.ranks), kExtra, ahead(rank, distance, call.ranks), kExtra);
  return rounds.take();
}

Schedule bcast_direct(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) rounds.receive(call.root, bytes_of(call) + kExtra);
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) rounds.post_send(i, bytes_of(call) + kExtra);
  return rounds.take();
}

// One message of `bytes` down the tree, to all children in one step.
void down(Rounds& rounds, const Call& call, const BinaryTree& tree, std::uint64_t bytes) {
  if (!tree.is_root()) rounds.receive(swapped(call, tree.parent()), bytes);
  for (const std::uint32_t child : tree.children()) rounds.post_send(swapped(call, child), bytes);
  rounds.wait();
}

Schedule bcast_simple(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  down(rounds, call, BinaryTree(call, rank), bytes_of(call) + kExtra);
  return rounds.take();
}

// The same, but who gets much says that it is ready, and who gives waits for all of its children.
Schedule bcast_binary_tree(const Algorithm&, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(call, rank);
  Rounds rounds;
  if (bytes_of(call) > kEagerLimit) {
    for (const std::uint32_t child : tree.children()) rounds.post_receive(swapped(call, child), kReady);
    if (!tree.is_root()) rounds.post_send(swapped(call, tree.parent()), kReady);
    rounds.wait();
  }
  down(rounds, call, tree, bytes_of(call) + kExtra);
  return rounds.take();
}

Schedule bcast_not_multiplexed(const Algorithm&, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(call, rank);
  const std::uint64_t bytes = bytes_of(call) + kExtra;
  Rounds rounds;
  if (!tree.is_root()) rounds.receive(swapped(call, tree.parent()), bytes);
  for (const std::uint32_t child : tree.children()) rounds.send(swapped(call, child), bytes);
  return rounds.take();
}

std::vector<std::uint64_t> blocks_of(const Call& call) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t done = 0; done < bytes_of(call); done += kBlock)
    blocks.push_back(std::min(kBlock, bytes_of(call) - done));
  return blocks;
}

Schedule bcast_blockwise(const Algorithm&, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(call, rank);
  Rounds rounds;
  for (const std::uint64_t block : blocks_of(call)) down(rounds, call, tree, block + kExtra);
  return rounds.take();
}

// Down a chain: `order` of ranks, the root first. Each says to the one before that it is ready; only the root sends its
// first block without waiting for that.
Schedule down_the_chain(const Call& call, const std::vector<std::uint32_t>& order, std::uint32_t rank) {
  const std::size_t place = static_cast<std::size_t>(std::find(order.begin(), order.end(), rank) - order.begin());
  const bool first = place == 0, last = place + 1 == order.size();
  const std::vector<std::uint64_t> blocks = blocks_of(call);
  Rounds rounds;
  if (!first) rounds.post_send(order[place - 1], kReady);
  if (!first) rounds.post_receive(order[place - 1], blocks.front() + kExtra);
  if (!first && !last) rounds.post_receive(order[place + 1], kReady);
  rounds.wait();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!first && i + 1 < blocks.size()) rounds.post_receive(order[place - 1], blocks[i + 1] + kExtra);
    if (!last) rounds.post_send(order[place + 1], blocks[i] + kExtra);
    if (first && i == 0 && !last) rounds.post_receive(order[1], kReady);
    rounds.wait();
  }
  return rounds.take();
}

Schedule bcast_piped(const Algorithm&, const Call& call, std::uint32_t rank) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < call.ranks; ++v) order.push_back(swapped(call, v));
  return down_the_chain(call, order, rank);
}

// Node by node, that of the root first.
Schedule bcast_piped_by_nodes(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Nodes nodes(call);
  std::vector<std::uint32_t> order = {call.root};
  const auto append = [&](const std::vector<std::uint32_t>& members) {
    for (const std::uint32_t member : members)
      if (member != call.root) order.push_back(member);
  };
  append(nodes.around(call.root));
  for (std::uint32_t node = 0; node < nodes.members.size(); ++node)
    if (node != nodes.node[call.root]) append(nodes.members[node]);
  return down_the_chain(call, order, rank);
}

// `part`: bytes of a rank. A parent waits for the next child to be ready while it sends to the one before.
void scatter(Rounds& rounds, const Call& call, std::uint32_t rank, std::uint64_t part) {
  const BinaryTree tree(call, rank);
  const std::vector<std::uint32_t> children = tree.children();
  if (!tree.is_root()) {
    rounds.post_send(swapped(call, tree.parent()), kReady);
    rounds.post_receive(swapped(call, tree.parent()), part * tree.subtree(tree.v) + kExtra);
    rounds.wait();
  }
  for (std::size_t i = 0; i <= children.size(); ++i) {
    if (i < children.size()) rounds.post_receive(swapped(call, children[i]), kReady);
    if (i > 0) rounds.post_send(swapped(call, children[i - 1]), part * tree.subtree(children[i - 1]) + kExtra);
    rounds.wait();
  }
}

void ring(Rounds& rounds, const Call& call, std::uint32_t rank, std::uint64_t part) {
  for (std::uint32_t step = 1; step < call.ranks; ++step)
    rounds.exchange(ahead(rank, 1, call.ranks), part + kExtra, behind(rank, 1, call.ranks), part + kExtra);
}

// The piece of a rank where a buffer is cut: the rest of the division goes with every one.
std::uint64_t piece_of(const Call& call) { return bytes_of(call) / call.ranks + bytes_of(call) % call.ranks; }

Schedule bcast_scatter_gatherall(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  scatter(rounds, call, rank, piece_of(call));
  ring(rounds, call, rank, piece_of(call));
  return rounds.take();
}

Schedule scatter_mpich2(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  scatter(rounds, call, rank, bytes_of(call));
  return rounds.take();
}

Schedule scatter_direct(const Algorithm&, const Call& call, std::uint32_t rank) { return bcast_direct({}, call, rank); }

Schedule allgather_mpich2(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  ring(rounds, call, rank, bytes_of(call));
  return rounds.take();
}

Schedule allgather_direct(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (i != rank) rounds.post_receive(i, bytes_of(call) + kExtra);
  for (std::uint32_t i = 0; i < call.ranks; ++i)
    if (i != rank) rounds.post_send(i, bytes_of(call) + kExtra);
  return rounds.take();
}

// Up the tree, the smallest subtree first, one after another or all at once; without extra bytes.
void gather(Rounds& rounds, const Call& call, std::uint32_t rank, std::uint64_t part, bool at_once) {
  const BinaryTree tree(call, rank);
  const std::vector<std::uint32_t> children = tree.children();
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    rounds.post_receive(swapped(call, *child), part * tree.subtree(*child));
    if (!at_once) rounds.wait();
  }
  rounds.wait();
  if (!tree.is_root()) rounds.send(swapped(call, tree.parent()), part * tree.subtree(tree.v));
}

Schedule gather_mpich2(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  gather(rounds, call, rank, bytes_of(call), false);
  return rounds.take();
}

Schedule gather_mpich2_concurrent(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  gather(rounds, call, rank, bytes_of(call), true);
  return rounds.take();
}

Schedule gather_direct(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) rounds.send(call.root, bytes_of(call) + kExtra);
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) rounds.post_receive(i, bytes_of(call) + kExtra);
  return rounds.take();
}

// Up the tree: all children in one step, then the parent.
void reduce_up(Rounds& rounds, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(call, rank);
  rounds.combine(true);
  for (const std::uint32_t child : tree.children()) rounds.post_receive(swapped(call, child), bytes_of(call) + kExtra);
  rounds.wait();
  rounds.combine(false);
  if (!tree.is_root()) rounds.send(swapped(call, tree.parent()), bytes_of(call) + kExtra);
}

Schedule reduce_simple(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  reduce_up(rounds, call, rank);
  return rounds.take();
}

// Here it is the parent that says when.
Schedule reduce_binary_tree(const Algorithm&, const Call& call, std::uint32_t rank) {
  const BinaryTree tree(call, rank);
  Rounds rounds;
  if (bytes_of(call) > kEagerLimit) {
    for (const std::uint32_t child : tree.children()) rounds.post_send(swapped(call, child), kReady);
    if (!tree.is_root()) rounds.post_receive(swapped(call, tree.parent()), kReady);
    rounds.wait();
  }
  reduce_up(rounds, call, rank);
  return rounds.take();
}

// Partners at distance 1, 2, 4, ..; half as much each time.
void reduce_scatter(Rounds& rounds, const Call& call, std::uint32_t rank, std::uint64_t total) {
  rounds.combine(true);
  for (std::uint32_t mask = 1; mask < call.ranks; mask *= 2) {
    total /= 2;
    rounds.exchange(rank ^ mask, total + kExtra, rank ^ mask, total + kExtra);
  }
  rounds.combine(false);
}

Schedule reduce_scatter_gather(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  reduce_scatter(rounds, call, rank, bytes_of(call));
  gather(rounds, call, rank, piece_of(call), false);
  return rounds.take();
}

Schedule reduce_scatter_power_of_two(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  reduce_scatter(rounds, call, rank, bytes_of(call) * call.ranks);
  return rounds.take();
}

Schedule inner(const Call& call, std::uint32_t rank) { return schedule_of(piosimhd_choice(call), call, rank); }

Schedule allreduce_reduce_broadcast(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.append(inner(inner_call(call, Operation::reduce, 0, call.count), rank));
  rounds.append(inner(inner_call(call, Operation::bcast, 0, call.count), rank));
  return rounds.take();
}

Schedule allreduce_tree(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  const Call whole = inner_call(call, Operation::allreduce, 0, call.count);
  reduce_up(rounds, whole, rank);
  down(rounds, whole, BinaryTree(whole, rank), bytes_of(call) + kExtra);
  return rounds.take();
}

Schedule allreduce_root_computes(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint64_t bytes = bytes_of(call) + kExtra;
  Rounds rounds;
  if (rank != 0) {
    rounds.receive(0, kReady);
    rounds.send(0, bytes);
    rounds.receive(0, bytes);
    return rounds.take();
  }
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_send(i, kReady);
  rounds.wait();
  rounds.combine(true);
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_receive(i, bytes);
  rounds.wait();
  for (std::uint32_t i = 1; i < call.ranks; ++i) rounds.post_send(i, bytes);
  return rounds.take();
}

constexpr Entry kPiosimhdEntries[] = {
    {{kPiosimhd, Operation::barrier, "Direct"}, barrier_direct},
    {{kPiosimhd, Operation::barrier, "BinaryTree"}, barrier_tree},
    {{kPiosimhd, Operation::barrier, "MPICH2"}, barrier_mpich2},
    {{kPiosimhd, Operation::bcast, "Direct"}, bcast_direct},
    {{kPiosimhd, Operation::bcast, "BinaryTreeSimple"}, bcast_simple},
    {{kPiosimhd, Operation::bcast, "BinaryTree"}, bcast_binary_tree},
    {{kPiosimhd, Operation::bcast, "BinaryTreeNotMultiplexed"}, bcast_not_multiplexed},
    {{kPiosimhd, Operation::bcast, "BinaryTreeSimpleBlockwise"}, bcast_blockwise},
    {{kPiosimhd, Operation::bcast, "PipedBlockwise"}, bcast_piped},
    {{kPiosimhd, Operation::bcast, "PipedBlockwiseSMPAware"}, bcast_piped_by_nodes},
    {{kPiosimhd, Operation::bcast, "ScatterGatherall"}, bcast_scatter_gatherall},
    {{kPiosimhd, Operation::reduce, "BinaryTreeSimple"}, reduce_simple},
    {{kPiosimhd, Operation::reduce, "BinaryTree"}, reduce_binary_tree},
    {{kPiosimhd, Operation::reduce, "ReduceScatterGatherMPICH2"}, reduce_scatter_gather},
    {{kPiosimhd, Operation::allreduce, "RootComputes"}, allreduce_root_computes},
    {{kPiosimhd, Operation::allreduce, "ReduceBroadcast"}, allreduce_reduce_broadcast},
    {{kPiosimhd, Operation::allreduce, "BinaryTree"}, allreduce_tree},
    {{kPiosimhd, Operation::gather, "Direct"}, gather_direct},
    {{kPiosimhd, Operation::gather, "MPICH2"}, gather_mpich2},
    {{kPiosimhd, Operation::gather, "MPICH2Concurrent"}, gather_mpich2_concurrent},
    {{kPiosimhd, Operation::scatter, "Direct"}, scatter_direct},
    {{kPiosimhd, Operation::scatter, "MPICH2"}, scatter_mpich2},
    {{kPiosimhd, Operation::allgather, "Direct"}, allgather_direct},
    {{kPiosimhd, Operation::allgather, "MPICH2"}, allgather_mpich2},
    {{kPiosimhd, Operation::reduce_scatter_block, "PowerOfTwo"}, reduce_scatter_power_of_two},
};

}  // namespace

std::span<const Entry> piosimhd_entries() { return kPiosimhdEntries; }

void check_piosimhd(const Algorithm& asked, const Call& call) {
  const bool halves = asked.name == "PowerOfTwo" || asked.name == "ReduceScatterGatherMPICH2";
  if (halves && !is_power_of_two(call.ranks))
    throw Error(to_string(asked), std::to_string(call.ranks) + " ranks are no power of two");
}

// The set that the validation of PIOsimHD calls MPICH2.
Algorithm piosimhd_choice(const Call& call) {
  check(call);
  const auto named = [&](std::string_view name) { return Algorithm{kPiosimhd, call.operation, name}; };
  switch (call.operation) {
    case Operation::bcast:
      return named("ScatterGatherall");
    case Operation::reduce:
      return named(is_power_of_two(call.ranks) ? "ReduceScatterGatherMPICH2" : "BinaryTreeSimple");
    case Operation::allreduce:
      return named("ReduceBroadcast");
    case Operation::barrier:
    case Operation::gather:
    case Operation::scatter:
    case Operation::allgather:
      return named("MPICH2");
    case Operation::reduce_scatter_block:
      if (is_power_of_two(call.ranks)) return named("PowerOfTwo");
      break;
    default:
      break;
  }
  throw Error("piosimhd", "has no algorithm for this " + std::string(to_string(call.operation)),
              "known: openmpi, mpich");
}

}  // namespace plumbline::replay::collectives::schedules
