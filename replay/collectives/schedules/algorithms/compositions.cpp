// MPICH's compositions for nodes: ch4_coll_impl.h; i*_intra_sched_smp.c of the non-blocking forms. Steps on the
// communicator of a node and on that of the node leaders go through the generic selection tree, which sees no hierarchy
// there. Compositions that take the communicator as a whole
// ("flat": gamma of bcast, beta of barrier, ..) have no name of their own here: they are the algorithm that the tree
// gives.
#include <numeric>

#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/nested.hpp"
#include "replay/collectives/schedules/nodes.hpp"
#include "replay/collectives/schedules/rounds.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// A communicator of nodes or leaders has no hierarchy.
std::vector<std::uint32_t> each_on_its_own_node(std::uint32_t ranks) {
  std::vector<std::uint32_t> node_of(ranks);
  std::iota(node_of.begin(), node_of.end(), 0U);
  return node_of;
}

// The steps of one rank.
class Composition {
 public:
  Composition(const Call& call, std::uint32_t rank) : nodes(call), call_(call), rank_(rank) {}

  // A collective inside this rank's node; `root` is a rank of the node's communicator.
  void in_node(Operation operation, std::uint32_t root, std::uint64_t count, std::uint64_t type_bytes) {
    run(nodes.around(rank_), nodes.place[rank_], operation, root, count, type_bytes);
  }
  void in_node(Operation operation, std::uint32_t root) { in_node(operation, root, call_.count, call_.type_bytes); }

  // Among leaders; other ranks do nothing. `root` is a number of a node.
  void among_leaders(Operation operation, std::uint32_t root) {
    if (nodes.leads(rank_)) run(nodes.leaders, nodes.node[rank_], operation, root, call_.count, call_.type_bytes);
  }

  // The whole buffer from one rank to another, if this is one of them.
  void hand_over(std::uint32_t from, std::uint32_t to) {
    if (from == to) return;
    if (rank_ == from) rounds.send(to, bytes_of(call_));
    if (rank_ == to) rounds.receive(from, bytes_of(call_));
  }

  const Nodes nodes;
  Rounds rounds;

 private:
  void run(const std::vector<std::uint32_t>& members, std::uint32_t rank, Operation operation, std::uint32_t root,
           std::uint64_t count, std::uint64_t type_bytes) {
    if (members.size() < 2) return;
    Call call = inner_call(call_, operation, root, count);
    call.ranks = static_cast<std::uint32_t>(members.size());
    call.type_bytes = type_bytes;
    call.node_of = each_on_its_own_node(call.ranks);
    rounds.append(schedules::run(mpich_flat_choice(call), call, rank), members);
  }

  const Call& call_;
  std::uint32_t rank_;
};

Schedule barrier_alpha(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  steps.in_node(Operation::barrier, 0);
  steps.among_leaders(Operation::barrier, 0);
  steps.in_node(Operation::bcast, 0, 1, 1);
  return steps.rounds.take();
}

template <Operation kBcast>
Schedule bcast_alpha(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  steps.hand_over(call.root, steps.nodes.around(call.root).front());
  steps.among_leaders(kBcast, steps.nodes.node[call.root]);
  steps.in_node(kBcast, 0);
  return steps.rounds.take();
}

Schedule bcast_beta(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  const bool near_root = steps.nodes.node[rank] == steps.nodes.node[call.root] && !steps.nodes.leads(call.root);
  if (near_root) steps.in_node(Operation::bcast, steps.nodes.place[call.root]);
  steps.among_leaders(Operation::bcast, steps.nodes.node[call.root]);
  if (!near_root) steps.in_node(Operation::bcast, 0);
  return steps.rounds.take();
}

template <Operation kReduce, Operation kAllreduce, Operation kBcast>
Schedule allreduce_alpha(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  steps.in_node(kReduce, 0);
  steps.among_leaders(kAllreduce, 0);
  steps.in_node(kBcast, 0);
  return steps.rounds.take();
}

constexpr auto blocking_allreduce_alpha = allreduce_alpha<Operation::reduce, Operation::allreduce, Operation::bcast>;

// Of the generic tree; it runs for empty buffers, whose messages are sent.
Schedule allreduce_smp(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return Nodes(call).are_hierarchy() ? blocking_allreduce_alpha(algorithm, call, rank) : Schedule{};
}

Schedule reduce_alpha(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  steps.in_node(Operation::reduce, 0);
  steps.among_leaders(Operation::reduce, 0);
  steps.hand_over(0, call.root);
  return steps.rounds.take();
}

template <Operation kReduce>
Schedule reduce_beta(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  const bool near_root = steps.nodes.node[rank] == steps.nodes.node[call.root];
  if (!near_root) steps.in_node(kReduce, 0);
  steps.among_leaders(kReduce, steps.nodes.node[call.root]);
  if (near_root) steps.in_node(kReduce, steps.nodes.place[call.root]);
  return steps.rounds.take();
}

// The last rank of a node gives the node's sum to the leader; leaders scan, and hand what they got to the next one; a
// flag (an int), of the blocking form only, and, behind the first node, the sum before the node are broadcast in the
// node.
template <Operation kScan, Operation kBcast>
Schedule scan_alpha(const Algorithm&, const Call& call, std::uint32_t rank) {
  Composition steps(call, rank);
  const Nodes& nodes = steps.nodes;
  const std::uint32_t node = nodes.node[rank];
  steps.in_node(kScan, 0);
  steps.hand_over(nodes.around(rank).back(), nodes.leaders[node]);
  steps.among_leaders(kScan, 0);
  if (node + 1 < nodes.leaders.size()) steps.hand_over(nodes.leaders[node], nodes.leaders[node + 1]);
  if (node > 0) steps.hand_over(nodes.leaders[node - 1], nodes.leaders[node]);
  if (!is_non_blocking(kScan)) steps.in_node(kBcast, 0, 1, sizeof(std::int32_t));
  if (node > 0) steps.in_node(kBcast, 0);
  return steps.rounds.take();
}

constexpr Entry kCompositionEntries[] = {
    {{kMpich, Operation::barrier, "composition_alpha"}, barrier_alpha},
    {{kMpich, Operation::bcast, "composition_alpha"}, bcast_alpha<Operation::bcast>},
    {{kMpich, Operation::bcast, "composition_beta"}, bcast_beta},
    {{kMpich, Operation::allreduce, "composition_alpha"}, blocking_allreduce_alpha},
    {{kMpich, Operation::allreduce, "smp"}, allreduce_smp},
    {{kMpich, Operation::reduce, "composition_alpha"}, reduce_alpha},
    {{kMpich, Operation::reduce, "composition_beta"}, reduce_beta<Operation::reduce>},
    {{kMpich, Operation::scan, "composition_alpha"}, scan_alpha<Operation::scan, Operation::bcast>},
    {{kMpich, Operation::ibcast, "sched_smp"}, bcast_alpha<Operation::ibcast>},
    {{kMpich, Operation::ireduce, "sched_smp"}, reduce_beta<Operation::ireduce>},
    {{kMpich, Operation::iallreduce, "sched_smp"},
     allreduce_alpha<Operation::ireduce, Operation::iallreduce, Operation::ibcast>},
    {{kMpich, Operation::iscan, "sched_smp"}, scan_alpha<Operation::iscan, Operation::ibcast>},
};

}  // namespace

std::span<const Entry> composition_entries() { return kCompositionEntries; }

}  // namespace plumbline::replay::collectives::schedules
