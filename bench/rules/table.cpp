// All rules. Sources are in docs/rules.md; sizes by what the "bytes" of each operation are
// (docs/reference/operations.md).

#include <algorithm>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {
namespace {

using Kind = Rule::Kind;

// A small message through the loopback takes system calls and two passes of the TCP stack on either side, through
// memory two copies of less than a page: 7 to 40 times on this project's machines, for both MPIs. Where both are about
// equal, shared memory is not in use, and then "not slower" would hold. Larger messages are no such witness: a copy of
// 256 KiB takes a third of what the loopback does.
constexpr double kLeastGainOfMemory = 3;
constexpr std::uint64_t kSmall = 2 * 1024;
// A switch that carries every port's rate at once needs no more time for all pairs than for one; half of that is left
// to chance and to paths that meet.
constexpr double kMostOfAllAtOnce = 1.5;
constexpr std::uint64_t kLarge = 64 * 1024;

constexpr std::string_view kGrid = "topology=cartesian", kComplete = "topology=complete",
                           kMultiple = "threads=multiple", kPieces = "layout=strided piece=512 limit_mib=4";

// Its size is one block of b bytes.
Term block(std::string_view operation, std::string_view settings = {}, Place place = Place::kOfLayout) {
  return {operation, Term::Size::kBlock, settings, place};
}

// Its size is that of all blocks, p b bytes.
Term whole(std::string_view operation, std::string_view settings = {}) {
  return {operation, Term::Size::kWhole, settings};
}

Rule pattern(std::string_view id, std::string_view text, std::vector<Term> fast, std::vector<Term> slow) {
  return {id, text, {{text, std::move(fast), std::move(slow)}}};
}

std::vector<Rule> transports() {
  const Term memory = block("round_trip"), loopback = block("round_trip", "", Place::kThroughLoopback),
             network = block("round_trip", "", Place::kBetweenNodes);
  return {
      {"rule.shared-memory.loopback",
       "Messages through shared memory are faster than through the network's transport inside of a node",
       {{"shared memory is not slower than the loopback", {memory}, {loopback}},
        {"up to 2 KiB shared memory is 3 times faster than the loopback",
         {memory},
         {loopback},
         1 / kLeastGainOfMemory,
         0,
         kSmall}}},
      pattern("rule.loopback.network", "Messages inside of a node are not slower than those between nodes", {loopback},
              {network}),
      {"rule.sendrecv",
       "MPI_Sendrecv is not slower than MPI_Send and MPI_Recv one after the other",
       {{"in a node", {block("exchange")}, {memory}},
        {"through the loopback", {block("exchange", "", Place::kThroughLoopback)}, {loopback}},
        {"between nodes", {block("exchange", "", Place::kBetweenNodes)}, {network}}}},
  };
}

std::vector<Rule> rooted() {
  return {
      pattern("rule.gather.allgather", "MPI_Gather is not slower than MPI_Allgather", {block("gather")},
              {block("allgather")}),
      pattern("rule.gather.reduce", "MPI_Gather is not slower than MPI_Reduce of all blocks", {block("gather")},
              {whole("reduce")}),
      pattern("rule.scatter.bcast", "MPI_Scatter is not slower than MPI_Bcast of all blocks", {block("scatter")},
              {whole("bcast")}),
      pattern("rule.bcast.scatter-allgather", "MPI_Bcast is not slower than MPI_Scatter and MPI_Allgather",
              {whole("bcast")}, {block("scatter"), block("allgather")}),
      pattern("rule.reduce.allreduce", "MPI_Reduce is not slower than MPI_Allreduce", {whole("reduce")},
              {whole("allreduce")}),
      pattern("rule.reduce.reduce-scatter-gather",
              "MPI_Reduce is not slower than MPI_Reduce_scatter_block and MPI_Gather", {whole("reduce")},
              {block("reduce_scatter_block"), block("gather")}),
  };
}

std::vector<Rule> of_all_ranks() {
  return {
      pattern("rule.allgather.alltoall", "MPI_Allgather is not slower than MPI_Alltoall", {block("allgather")},
              {block("alltoall")}),
      pattern("rule.allgather.allreduce", "MPI_Allgather is not slower than MPI_Allreduce of all blocks",
              {block("allgather")}, {whole("allreduce")}),
      pattern("rule.allgather.gather-bcast", "MPI_Allgather is not slower than MPI_Gather and MPI_Bcast",
              {block("allgather")}, {block("gather"), whole("bcast")}),
      pattern("rule.reduce-scatter.allreduce", "MPI_Reduce_scatter is not slower than MPI_Allreduce",
              {block("reduce_scatter")}, {whole("allreduce")}),
      pattern("rule.reduce-scatter.reduce-scatterv",
              "MPI_Reduce_scatter is not slower than MPI_Reduce and MPI_Scatterv", {block("reduce_scatter")},
              {whole("reduce"), block("scatterv")}),
      pattern("rule.reduce-scatter-block.reduce-scatter",
              "MPI_Reduce_scatter_block is not slower than MPI_Reduce and MPI_Scatter", {block("reduce_scatter_block")},
              {whole("reduce"), block("scatter")}),
      pattern("rule.allreduce.reduce-bcast", "MPI_Allreduce is not slower than MPI_Reduce and MPI_Bcast",
              {whole("allreduce")}, {whole("reduce"), whole("bcast")}),
      pattern("rule.allreduce.reduce-scatter-allgather",
              "MPI_Allreduce is not slower than MPI_Reduce_scatter_block and MPI_Allgather", {whole("allreduce")},
              {block("reduce_scatter_block"), block("allgather")}),
      pattern("rule.scan.exscan-reduce", "MPI_Scan is not slower than MPI_Exscan and a local reduction",
              {whole("scan")}, {whole("exscan"), whole("reduce_local")}),
  };
}

// GL4 to GL8: numbers of Hunold and Träff's guidelines for neighbourhood collectives.
std::vector<Rule> vectors_and_neighbours() {
  const auto pair = [](std::string_view text, std::string_view fast, std::string_view slow,
                       std::string_view of_fast = {}, std::string_view of_slow = {}) {
    return Comparison{text, {block(fast, of_fast)}, {block(slow, of_slow)}};
  };
  return {
      {"rule.regular.vector",
       "An operation of equal blocks is not slower than that of blocks which may differ",
       {pair("MPI_Gather and MPI_Gatherv", "gather", "gatherv"),
        pair("MPI_Scatter and MPI_Scatterv", "scatter", "scatterv"),
        pair("MPI_Allgather and MPI_Allgatherv", "allgather", "allgatherv"),
        pair("MPI_Alltoall and MPI_Alltoallv", "alltoall", "alltoallv"),
        pair("MPI_Alltoallv and MPI_Alltoallw", "alltoallv", "alltoallw"),
        pair("MPI_Reduce_scatter_block and MPI_Reduce_scatter", "reduce_scatter_block", "reduce_scatter"),
        pair("MPI_Neighbor_allgather and MPI_Neighbor_allgatherv (GL5)", "neighbor_allgather", "neighbor_allgatherv",
             kGrid, kGrid),
        pair("MPI_Neighbor_alltoall and MPI_Neighbor_alltoallv (GL6)", "neighbor_alltoall", "neighbor_alltoallv", kGrid,
             kGrid),
        pair("MPI_Neighbor_alltoall and MPI_Neighbor_alltoallw (GL6)", "neighbor_alltoall", "neighbor_alltoallw", kGrid,
             kGrid)}},
      {"rule.neighbourhood",
       "A neighbourhood collective is not slower than one that moves more, nor a collective than its neighbourhood "
       "form",
       {pair("one block for all neighbours, and one for each (GL4)", "neighbor_allgather", "neighbor_alltoall", kGrid,
             kGrid),
        pair("one block for all neighbours, and one for each, of sizes that may differ (GL4)", "neighbor_allgatherv",
             "neighbor_alltoallv", kGrid, kGrid),
        pair("MPI_Allgather, and with all ranks as neighbours (GL7)", "allgather", "neighbor_allgather", "", kComplete),
        pair("MPI_Allgatherv, and with all ranks as neighbours (GL7)", "allgatherv", "neighbor_allgatherv", "",
             kComplete),
        pair("MPI_Alltoall, and with all ranks as neighbours (GL8)", "alltoall", "neighbor_alltoall", "", kComplete),
        pair("MPI_Alltoallv, and with all ranks as neighbours (GL8)", "alltoallv", "neighbor_alltoallv", "", kComplete),
        pair("MPI_Alltoallw, and with all ranks as neighbours (GL8)", "alltoallw", "neighbor_alltoallw", "",
             kComplete)}},
  };
}

std::vector<Rule> others() {
  const Term all_at_once = block("bisection", "", Place::kBetweenNodes),
             alone = block("exchange", "", Place::kBetweenNodes);
  Term one_by_one = alone;
  one_by_one.times = Term::Times::kPairs;
  return {
      {"rule.thread-single",
       "Nothing is slower where ranks asked for no threads than with MPI_THREAD_MULTIPLE",
       {{"messages", {block("round_trip")}, {block("round_trip", kMultiple)}},
        {"MPI_Allreduce", {whole("allreduce")}, {whole("allreduce", kMultiple)}}}},
      {"rule.collective-io",
       "Collective access to a shared file in pieces is not slower than independent access",
       {{"writes", {block("file_write_at_all", kPieces)}, {block("file_write_at", kPieces)}},
        {"reads", {block("file_read_at_all", kPieces)}, {block("file_read_at", kPieces)}}}},
      {"rule.size.monotony", "A larger size is never faster", {}, Kind::kMonotony},
      {"rule.size.split", "One call is not slower than several of the parts", {}, Kind::kSplit},
      {"net.backplane",
       "All pairs of nodes at once take no longer than a network allows whose switches carry what their ports do",
       {{"all pairs at once are not slower than one after the other", {all_at_once}, {one_by_one}},
        {"from 64 KiB on all pairs at once take at most 1.5 times one alone",
         {all_at_once},
         {alone},
         kMostOfAllAtOnce,
         kLarge}}},
  };
}

std::vector<Rule> all_rules() {
  std::vector<Rule> all;
  for (std::vector<Rule> part : {transports(), rooted(), of_all_ranks(), vectors_and_neighbours(), others()})
    std::ranges::move(part, std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> all = all_rules();
  return all;
}

const Rule* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules(), id, &Rule::id);
  return found == rules().end() ? nullptr : &*found;
}

}  // namespace plumbline::bench
