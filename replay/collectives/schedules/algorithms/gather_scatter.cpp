// Gather and scatter, regular and with counts: coll_base_gather.c, coll_base_scatter.c, coll_basic_gatherv.c and
// coll_basic_scatterv.c of Open MPI, gather(v)_*, scatter(v)_*, igather(v)_*_sched_* and iscatter(v)_*_sched_* of
// MPICH.
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/rounds.hpp"
#include "replay/collectives/schedules/trees.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Schedule gather_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) rounds.send(call.root, bytes_of(call));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) rounds.receive(i, bytes_of(call));
  return rounds.take();
}

// The root calls for each rank's block. Without segments the first part is all of it; the second one is empty, and
// sent.
Schedule gather_linear_sync(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) {
    rounds.receive(call.root, 0);
    rounds.send(call.root, bytes_of(call));
    rounds.send(call.root, 0);
    return rounds.take();
  }
  for (std::uint32_t i = 0; i < call.ranks; ++i) {
    if (i == rank) continue;
    rounds.post_receive(i, bytes_of(call));
    rounds.post_send(i, 0);
    rounds.post_receive(i, 0);
    rounds.wait();
  }
  return rounds.take();
}

// Ranks in the subtree of `rank` of the in-order binomial tree.
std::uint32_t subtree_ranks(const Call& call, std::uint32_t rank) {
  const std::uint32_t v = behind(rank, call.root, call.ranks);
  return v == 0 ? call.ranks : std::min(v & (~v + 1), call.ranks - v);
}

// The same in both libraries.
Schedule gather_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Tree tree = in_order_binomial_tree(call.ranks, call.root, rank);
  Rounds rounds;
  for (const std::uint32_t child : tree.children) rounds.receive(child, subtree_ranks(call, child) * bytes_of(call));
  if (tree.parent) rounds.send(*tree.parent, subtree_ranks(call, rank) * bytes_of(call));
  return rounds.take();
}

Schedule scatter_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Tree tree = in_order_binomial_tree(call.ranks, call.root, rank);
  Rounds rounds;
  if (tree.parent) rounds.receive(*tree.parent, subtree_ranks(call, rank) * bytes_of(call));
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child)
    rounds.send(*child, subtree_ranks(call, *child) * bytes_of(call));
  return rounds.take();
}

Schedule scatter_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) rounds.receive(call.root, bytes_of(call));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) rounds.send(i, bytes_of(call));
  return rounds.take();
}

Schedule scatter_linear_nb(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  if (rank != call.root) rounds.post_receive(call.root, bytes_of(call));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank) rounds.post_send(i, bytes_of(call));
  return rounds.take();
}

// With counts, empty blocks are not sent. Open MPI's root takes one rank after the other, MPICH's all at once.
Schedule gatherv_one_by_one(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  if (rank != call.root && blocks.of(rank) > 0) rounds.send(call.root, blocks.of(rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank && blocks.of(i) > 0) rounds.receive(i, blocks.of(i));
  return rounds.take();
}

Schedule gatherv_at_once(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  if (rank != call.root && blocks.of(rank) > 0) rounds.post_send(call.root, blocks.of(rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank && blocks.of(i) > 0) rounds.post_receive(i, blocks.of(i));
  return rounds.take();
}

Schedule scatterv_one_by_one(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  if (rank != call.root && blocks.of(rank) > 0) rounds.receive(call.root, blocks.of(rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank && blocks.of(i) > 0) rounds.send(i, blocks.of(i));
  return rounds.take();
}

Schedule scatterv_at_once(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Blocks blocks(call);
  Rounds rounds;
  if (rank != call.root && blocks.of(rank) > 0) rounds.post_receive(call.root, blocks.of(rank));
  for (std::uint32_t i = 0; rank == call.root && i < call.ranks; ++i)
    if (i != rank && blocks.of(i) > 0) rounds.post_send(i, blocks.of(i));
  return rounds.take();
}

constexpr Entry kGatherScatterEntries[] = {
    {{kOpenMpi, Operation::gather, "basic_linear", 1}, gather_linear},
    {{kOpenMpi, Operation::gather, "binomial", 2}, gather_binomial},
    {{kOpenMpi, Operation::gather, "linear_sync", 3}, gather_linear_sync},
    {{kOpenMpi, Operation::scatter, "basic_linear", 1}, scatter_linear},
    {{kOpenMpi, Operation::scatter, "binomial", 2}, scatter_binomial},
    {{kOpenMpi, Operation::scatter, "linear_nb", 3}, scatter_linear_nb},
    {{kOpenMpi, Operation::gatherv, "linear"}, gatherv_one_by_one},
    {{kOpenMpi, Operation::scatterv, "linear"}, scatterv_one_by_one},
    {{kMpich, Operation::gather, "binomial"}, gather_binomial},
    {{kMpich, Operation::scatter, "binomial"}, scatter_binomial},
    {{kMpich, Operation::gatherv, "linear"}, gatherv_at_once},
    {{kMpich, Operation::scatterv, "linear"}, scatterv_at_once},
    {{kMpich, Operation::igather, "sched_binomial"}, gather_binomial},
    {{kMpich, Operation::iscatter, "sched_binomial"}, scatter_binomial},
    {{kMpich, Operation::igatherv, "sched_linear"}, gatherv_at_once},
    {{kMpich, Operation::iscatterv, "sched_linear"}, scatterv_at_once},
};

}  // namespace

std::span<const Entry> gather_scatter_entries() { return kGatherScatterEntries; }

}  // namespace plumbline::replay::collectives::schedules
