// Reductions: coll_base_reduce.c and nbc_ireduce.c of Open MPI, reduce_intra_*.c and ireduce_intra_sched_*.c of MPICH.
#include "replay/collectives/schedules/algorithms/halving.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/families.hpp"
#include "replay/collectives/schedules/posting.hpp"
#include "replay/collectives/schedules/rounds.hpp"
#include "replay/collectives/schedules/segments.hpp"
#include "replay/collectives/schedules/trees.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// Segment by segment from all children; each goes on to the parent after the first receive of the next one was posted.
// Open MPI keeps two receives posted at a time; here those of one segment are posted together.
Schedule up_the_tree(const Tree& tree, const std::vector<std::uint64_t>& segments) {
  Rounds rounds;
  rounds.combine(true);
  for (std::size_t i = 0; i <= segments.size(); ++i) {
    const bool receives = i < segments.size() && !tree.children.empty();
    if (receives) rounds.post_receive(tree.children.front(), segments[i]);
    if (i > 0 && tree.parent) rounds.post_send(*tree.parent, segments[i - 1]);
    for (std::size_t child = 1; receives && child < tree.children.size(); ++child)
      rounds.post_receive(tree.children[child], segments[i]);
    rounds.wait();
  }
  return rounds.take();
}

Schedule reduce_linear(const Algorithm&, const Call& call, std::uint32_t rank) {
  Rounds rounds;
  rounds.combine(true);
  if (rank != call.root) rounds.send(call.root, bytes_of(call));
  for (std::uint32_t i = call.ranks; rank == call.root && i-- > 0;)
    if (i != rank) rounds.receive(i, bytes_of(call));
  return rounds.take();
}

Schedule reduce_chain(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return up_the_tree(chain(call.ranks, call.root, algorithm.fan_out, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule reduce_pipeline(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return up_the_tree(chain(call.ranks, call.root, 1, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule reduce_binary(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return up_the_tree(binary_tree(call.ranks, call.root, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule reduce_binomial(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  return up_the_tree(in_order_binomial_tree(call.ranks, call.root, rank), segments_of(call, algorithm.segment_bytes));
}

Schedule reduce_in_order_binary(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  const std::uint32_t last = call.ranks - 1;
  Rounds rounds;
  rounds.append(up_the_tree(in_order_binary_tree(call.ranks, rank), segments_of(call, algorithm.segment_bytes)));
  if (call.root != last && rank == call.root) rounds.receive(last, bytes_of(call));
  if (call.root != last && rank == last) rounds.send(call.root, bytes_of(call));
  return rounds.take();
}

// The phase that gathers at the root, of both libraries' Rabenseifner: `steps` as in the reduce-scatter. A root that
// was folded away takes over the place of number 0.
void gather_halves(Rounds& rounds, const Call& call, const Fold& fold, std::uint32_t rank,
                   std::vector<HalvingStep> steps, std::vector<HalvingStep> steps_of_0) {
  const std::uint64_t type = call.type_bytes;
  const bool root_stood_aside = fold.stands_aside(call.root);
  if (root_stood_aside && rank == call.root) {
    steps = std::move(steps_of_0);
    rounds.receive(0, (steps.empty() ? call.count : steps.back().received) * type);
  } else if (fold.stands_aside(rank)) {
    return;
  } else if (root_stood_aside && fold.number_of(rank) == 0) {
    rounds.send(call.root, (steps.empty() ? call.count : steps.back().received) * type);
    return;
  }
  const std::uint32_t root_number = root_stood_aside ? 0 : fold.number_of(call.root);
  for (std::size_t step = steps.size(); step-- > 0;) {
    const std::uint32_t partner = steps[step].partner;
    const std::uint32_t peer = partner == 0 && root_stood_aside ? call.root : fold.rank_of(partner);
    if (partner >> step == root_number >> step) {
      rounds.send(peer, steps[step].received * type);
      return;
    }
    rounds.receive(peer, steps[step].sent * type);
  }
}

void scatter_halves(Rounds& rounds, const Call& call, const Fold& fold, const std::vector<HalvingStep>& steps) {
  rounds.combine(true);
  for (const HalvingStep& step : steps)
    rounds.exchange(fold.rank_of(step.partner), step.sent * call.type_bytes, fold.rank_of(step.partner),
                    step.received * call.type_bytes);
  rounds.combine(false);
}

Schedule reduce_rabenseifner(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Fold fold(call.ranks, Folded::even_goes_on);
  const std::uint64_t lower = call.count / 2 * call.type_bytes, upper = bytes_of(call) - lower;
  Rounds rounds;
  rounds.combine(true);
  if (fold.is_paired(rank) && rank % 2 != 0) {
    rounds.exchange(rank - 1, lower, rank - 1, upper);
    rounds.send(rank - 1, upper);
  } else if (fold.is_paired(rank)) {
    rounds.exchange(rank + 1, upper, rank + 1, lower);
    rounds.combine(false);
    rounds.receive(rank + 1, upper);
  }
  std::vector<HalvingStep> steps;
  if (!fold.stands_aside(rank)) steps = halve_elements(call.count, fold.power, fold.number_of(rank));
  scatter_halves(rounds, call, fold, steps);
  gather_halves(rounds, call, fold, rank, steps, halve_elements(call.count, fold.power, 0));
  return rounds.take();
}

Schedule reduce_mpich_binomial(const Algorithm&, const Call& call, std::uint32_t rank) {
  const std::uint32_t top = call.commutative ? call.root : 0;
  const Tree tree = in_order_binomial_tree(call.ranks, top, rank);
  Rounds rounds;
  rounds.combine(true);
  for (const std::uint32_t child : tree.children) rounds.receive(child, bytes_of(call));
  rounds.combine(false);
  if (tree.parent) rounds.send(*tree.parent, bytes_of(call));
  if (top != call.root && rank == top) rounds.send(call.root, bytes_of(call));
  if (top != call.root && rank == call.root) rounds.receive(top, bytes_of(call));
  return rounds.take();
}

template <Halving kHalve>
Schedule reduce_mpich_reduce_scatter_gather(const Algorithm&, const Call& call, std::uint32_t rank) {
  const Fold fold(call.ranks, Folded::even_goes_on);
  Rounds rounds;
  rounds.combine(true);
  if (fold.is_paired(rank) && rank % 2 != 0) rounds.send(rank - 1, bytes_of(call));
  if (fold.is_paired(rank) && rank % 2 == 0) rounds.receive(rank + 1, bytes_of(call));
  std::vector<HalvingStep> steps;
  if (!fold.stands_aside(rank)) steps = kHalve(call.count, fold.power, fold.number_of(rank));
  scatter_halves(rounds, call, fold, steps);
  gather_halves(rounds, call, fold, rank, steps, kHalve(call.count, fold.power, 0));
  return rounds.take();
}

constexpr Entry kReduceEntries[] = {
    {{kOpenMpi, Operation::reduce, "linear", 1}, reduce_linear},
    {{kOpenMpi, Operation::reduce, "chain", 2, 0, 1}, reduce_chain},
    {{kOpenMpi, Operation::reduce, "chain", 2, 0, 4}, reduce_chain},
    {{kOpenMpi, Operation::reduce, "pipeline", 3}, reduce_pipeline},
    {{kOpenMpi, Operation::reduce, "binary", 4}, reduce_binary},
    {{kOpenMpi, Operation::reduce, "binomial", 5}, reduce_binomial},
    {{kOpenMpi, Operation::reduce, "in_order_binary", 6}, reduce_in_order_binary},
    {{kOpenMpi, Operation::reduce, "rabenseifner", 7}, reduce_rabenseifner},
    {{kMpich, Operation::reduce, "binomial"}, reduce_mpich_binomial},
    {{kMpich, Operation::reduce, "reduce_scatter_gather"}, reduce_mpich_reduce_scatter_gather<halve_blocks>},
    {{kOpenMpi, Operation::ireduce, "rabenseifner", 3}, begins_later<sends_first<reduce_rabenseifner>>},
    {{kMpich, Operation::ireduce, "sched_binomial"}, reduce_mpich_binomial},
    {{kMpich, Operation::ireduce, "sched_reduce_scatter_gather"},
     sends_first<reduce_mpich_reduce_scatter_gather<halve_blocks_rest_last>>},
};

}  // namespace

std::span<const Entry> reduce_entries() { return kReduceEntries; }

}  // namespace plumbline::replay::collectives::schedules
