// Algorithms are those that do what the slow side of the rule does, or the nearest to it; where the library takes that
// one by itself at most sizes, and so is slow with it, another. MPI_Scan has none that helps: Open MPI's second one
// takes 2.8 times as long as its first, MPICH has one. Names and numbers: `ompi_info
// --param coll tuned --level 9` of Open MPI 4.1 and `mpivars` of MPICH 4.0.

#include "bench/rules/proposals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace plumbline::bench {
namespace {

struct ProposalRow {
  std::string_view rule, operation;  // operation: empty: any
  std::string_view openmpi, mpich;   // algorithms; empty: the library has none of the kind
};

constexpr ProposalRow kAlgorithms[] = {
    {"rule.gather.allgather", "", "2", "nb"},
    {"rule.gather.reduce", "", "2", "nb"},
    {"rule.scatter.bcast", "", "2", "nb"},
    {"rule.bcast.scatter-allgather", "", "8", "scatter_recursive_doubling_allgather"},
    {"rule.reduce.allreduce", "", "5", "binomial"},
    {"rule.reduce.reduce-scatter-gather", "", "7", "binomial"},
    {"rule.allgather.alltoall", "", "5", "nb"},
    {"rule.allgather.allreduce", "", "3", "recursive_doubling"},
    {"rule.allgather.gather-bcast", "", "1", "brucks"},
    {"rule.reduce-scatter.allreduce", "", "2", "pairwise"},
    {"rule.reduce-scatter.reduce-scatterv", "", "1", "pairwise"},
    {"rule.reduce-scatter-block.reduce-scatter", "", "3", "pairwise"},
    {"rule.allreduce.reduce-bcast", "", "2", "smp"},
    {"rule.allreduce.reduce-scatter-allgather", "", "6", "recursive_doubling"},
    {"rule.regular.vector", "gather", "1", "nb"},
    {"rule.regular.vector", "scatter", "1", "nb"},
    {"rule.regular.vector", "allgather", "4", "ring"},
    {"rule.regular.vector", "alltoall", "2", "scattered"},
    {"rule.regular.vector", "reduce_scatter_block", "3", "pairwise"},
    {"rule.neighbourhood", "allgather", "1", "nb"},
    {"rule.neighbourhood", "allgatherv", "1", "nb"},
    {"rule.neighbourhood", "alltoall", "1", "nb"},
    {"rule.neighbourhood", "alltoallv", "1", "nb"},
};

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<std::string> lines_for_algorithm(const RuleOutcome& outcome, std::string_view algorithm) {
  if (outcome.mpi == "openmpi")
    return {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
            fmt::format("OMPI_MCA_coll_tuned_{}_algorithm={}", outcome.operation, algorithm)};
  return {fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM={}", in_capitals(outcome.operation), algorithm)};
}

Proposal by_hand(const RuleOutcome& outcome) {
  return {fmt::format("the library has no setting for it: a program gains by {} in place of {}", outcome.of_slow,
                      outcome.of_fast)};
}

Proposal for_algorithm(const RuleOutcome& outcome) {
  for (const ProposalRow& row : kAlgorithms) {
    if (row.rule != outcome.rule->id || (!row.operation.empty() && row.operation != outcome.operation)) continue;
    const std::string_view algorithm = outcome.mpi == "openmpi" ? row.openmpi : row.mpich;
    if (algorithm.empty()) break;
    return {fmt::format("another algorithm for {}, nearer to what is faster here", outcome.operation),
            lines_for_algorithm(outcome, algorithm)};
  }
  return by_hand(outcome);
}

Proposal for_memory(const RuleOutcome& outcome) {
  const std::string why = "shared memory is switched off or not used; without the setting that does so, it is on";
  if (outcome.mpi == "openmpi") return {why, {"OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self,vader,tcp"}};
  return {why, {"UCX_TLS=all", "MPIR_CVAR_NOLOCAL=0"}};
}

// ROMIO exchanges data between ranks before it reads, which a file in the page cache of the node does not repay.
Proposal for_files(const RuleOutcome& outcome) {
  const std::string_view what = outcome.operation.find("write") != std::string::npos ? "write" : "read";
  const std::string why = "collective buffering costs more here than it saves";
  if (outcome.mpi == "openmpi") return {why, {"OMPI_MCA_fcoll=individual"}};
  return {why, {fmt::format("hint romio_cb_{}=disable", what)}};
}

Proposal for_sizes(const RuleOutcome& outcome) {
  static const std::set<std::string_view> messages = {"round_trip", "exchange"};
  if (messages.contains(outcome.operation)) {
    const std::string why = "a threshold of the protocol lies between the two sizes, and is in the wrong place";
    if (outcome.mpi != "openmpi") return {why, {"UCX_RNDV_THRESH=auto"}};
    const bool memory = outcome.of_fast.find("through the loopback") == std::string::npos &&
                        outcome.of_fast.find("between nodes") == std::string::npos;
    return {why, {fmt::format("OMPI_MCA_btl_{}_eager_limit={}", memory ? "vader" : "tcp", outcome.bytes)}};
  }
  return {fmt::format("the library takes another algorithm for {} at one of the sizes: force that of the other one",
                      outcome.operation)};
}

}  // namespace

Proposal proposal_for(const RuleOutcome& outcome) {
  const std::string_view id = outcome.rule->id;
  if (id == "rule.shared-memory.loopback") return for_memory(outcome);
  if (id == "rule.collective-io") return for_files(outcome);
  if (outcome.rule->kind != Rule::Kind::kPattern) return for_sizes(outcome);
  if (id == "net.backplane")
    return {"look at the switches: rates and duplex of uplinks, and whether all of them carry what their ports do"};
  if (id == "rule.loopback.network")
    return {"the transport inside of a node is slower than the network: shared memory is used for it where it is on"};
  if (id == "rule.thread-single")
    return {"find out what sets up threads in the library where a program asked for none"};
  return for_algorithm(outcome);
}

}  // namespace plumbline::bench
