// Non-blocking collectives of Open MPI by trees: nbc_ibcast.c, nbc_ireduce.c, nbc_iallreduce.c, nbc_ireduce_scatter.c
// and nbc_ireduce_scatter_block.c of coll/libnbc. Its trees begin at rank 0, which changes places with the root.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/rounds.hpp"
#include "replay/collectives/schedules/trees.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

std::uint32_t with_places_changed(std::uint32_t rank, std::uint32_t root) {
  if (rank == root) return 0;
  return rank == 0 ? root : rank;
}

Tree with_places_changed(Tree tree, std::uint32_t root) {
  if (tree.parent) tree.parent = with_places_changed(*tree.parent, root);
  for (std::uint32_t& child : tree.children) child = with_places_changed(child, root);
  return tree;
}

// Away from the root, and towards it.
Tree tree_down(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank) {
  return with_places_changed(binomial_tree(ranks, 0, with_places_changed(rank, root)), root);
}
Tree tree_up(std::uint32_t ranks, std::uint32_t root, std::uint32_t rank) {
  return with_places_changed(in_order_binomial_tree(ranks, 0, with_places_changed(rank, root)), root);
}

// Bytes of the fragments of a chain: whole elements, as many in each as fit evenly; the rest is in the last one.
std::vector<std::uint64_t> fragments_of(const Call& call, std::uint64_t fragment_bytes) {
  const std::uint64_t bytes = bytes_of(call);
  if (bytes == 0) return {};
  const std::uint64_t number = fragment_bytes == 0 ? 1 : (bytes + fragment_bytes - 1) / fragment_bytes;
  const std::uint64_t elements = call.count / number;
  std::vector<std::uint64_t> fragments(number, elements * call.type_bytes);
  fragments.back() = bytes - elements * (number - 1) * call.type_bytes;
  return fragments;
}

// The place of a rank in the chain 0, 1, 2, .., and who is before and behind it.
struct Link {
  std::uint32_t place, before, behind;
  Link(const Call& call, std::uint32_t rank)
      : place(with_places_changed(rank, call.root)),
        before(with_places_changed(place - 1, call.root)),
        behind(with_places_changed(place + 1, call.root)) {}
};

Schedule ibcast_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Tree tree = tree_down(call.ranks, call.root, rank);
  Rounds rounds;
  if (tree.parent) rounds.receive(*tree.parent, bytes_of(call));
  for (const std::uint32_t child : tree.children) rounds.post_send(child, bytes_of(call));
  return rounds.take();
}

// A fragment is sent while the next one is received.
Schedule ibcast_chain(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const Link link(call, rank);
  Rounds rounds;
  for (const std::uint64_t bytes : fragments_of(call, algorithm.segment_bytes)) {
    if (link.place != 0) rounds.receive(link.before, bytes);
    if (link.place + 1 < call.ranks) rounds.post_send(link.behind, bytes);
    if (link.place == 0) rounds.wait();
  }
  return rounds.take();
}

Schedule ireduce_chain(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const Link link(call, rank);
  Rounds rounds;
  rounds.combine(true);
  for (const std::uint64_t bytes : fragments_of(call, algorithm.segment_bytes)) {
    if (link.place + 1 < call.ranks) rounds.receive(link.behind, bytes);
    if (link.place != 0) rounds.send(link.before, bytes);
  }
  return rounds.take();
}

// What comes from the children, one after the other; what goes to the parent is left in the open round.
void post_up(Rounds& rounds, const Tree& tree, std::uint64_t bytes) {
  rounds.combine(true);
  for (const std::uint32_t child : tree.children) rounds.receive(child, bytes);
  rounds.combine(false);
  if (tree.parent) rounds.post_send(*tree.parent, bytes);
}

// Where the operator does not commute rank 0 reduces, and gives the root the result.
Schedule ireduce_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t top = call.commutative ? call.root : 0;
  Rounds rounds;
  post_up(rounds, tree_up(call.ranks, top, rank), bytes_of(call));
  if (top != call.root && rank == top) rounds.post_send(call.root, bytes_of(call));
  if (top != call.root && rank == call.root) rounds.post_receive(top, bytes_of(call));
  return rounds.take();
}

// Reduced by rank 0, which broadcasts: who has sent its part waits for the result at once. In place the first of an odd
// number of steps is a copy.
Schedule iallreduce_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Tree down = tree_down(call.ranks, 0, rank);
  Rounds rounds;
  post_up(rounds, tree_up(call.ranks, 0, rank), bytes_of(call));
  if (down.parent) rounds.post_receive(*down.parent, bytes_of(call));
  rounds.wait();
  for (const std::uint32_t child : down.children) rounds.post_send(child, bytes_of(call));
  Schedule schedule = rounds.take();
  if (call.in_place && std::bit_width(call.ranks - 1) % 2 == 1) schedule.insert(schedule.begin(), Round{});
  return schedule;
}

// Everything is reduced by rank 0, which hands out the blocks, empty ones too.
Schedule ireduce_scatter_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  post_up(rounds, tree_up(call.ranks, 0, rank), blocks.total());
  rounds.wait();
  if (rank != 0) rounds.receive(0, blocks.of(rank));
  for (std::uint32_t i = 1; rank == 0 && i < call.ranks; ++i) rounds.post_send(i, blocks.of(i));
  return rounds.take();
}

// Fragments of the chains where they are forced: of ibcast 16 KiB, of ireduce 8 KiB.
constexpr Entry kLibnbcTreeEntries[] = {
    {{kOpenMpi, Operation::ibcast, "binomial", 2}, ibcast_binomial},
    {{kOpenMpi, Operation::ibcast, "chain", 3, 16384}, ibcast_chain},
    {{kOpenMpi, Operation::ireduce, "chain", 1, 8192}, ireduce_chain},
    {{kOpenMpi, Operation::ireduce, "binomial", 2}, ireduce_binomial},
    {{kOpenMpi, Operation::iallreduce, "binomial", 2}, iallreduce_binomial},
    {{kOpenMpi, Operation::ireduce_scatter, "binomial"}, ireduce_scatter_binomial},
    {{kOpenMpi, Operation::ireduce_scatter_block, "binomial"}, ireduce_scatter_binomial},
};

}  // namespace

std::span<const Entry> libnbc_tree_entries() { return kLibnbcTreeEntries; }

}  // namespace plumbline::replay::collectives::schedules
