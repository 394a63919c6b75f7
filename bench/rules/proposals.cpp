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
    {"rule.reduce.reduce-scatter-gatherv", "", "7", "binomial"},
    {"rule.allgather.alltoall", "", "5", "nb"},
    {"rule.allgather.allreduce", "", "3", "recursive_doubling"},
    {"rule.allgather.gather-bcast", "", "1", "brucks"},
    {"rule.reduce-scatter.allreduce", "", "2", "pairwise"},
    {"rule.reduce-scatter.reduce-scatterv", "", "1", "pairwise"},
    {"rule.reduce-scatter-block.reduce-scatter", "", "3", "pairwise"},
    {"rule.reduce-scatter-block.allreduce", "", "3", "pairwise"},
    {"rule.allreduce.reduce-bcast", "", "2", "smp"},
    {"rule.allreduce.reduce-scatter-allgather", "", "6", "recursive_doubling"},
    {"rule.allreduce.reduce-scatter-allgatherv", "", "6", "recursive_doubling"},
    {"rule.regular.vector", "gather", "1", "nb"},
    {"rule.regular.vector", "scatter", "1", "nb"},
    {"rule.regular.vector", "allgather", "4", "ring"},
    {"rule.regular.vector", "alltoall", "2", "scattered"},
    {"rule.regular.vector", "reduce_scatter_block", "3", "pairwise"},
    {"rule.neighbourhood", "allgather", "1", "nb"},
    {"rule.neighbourhood", "allgatherv", "1", "nb"},
    {"rule.neighbourhood", "alltoall", "1", "nb"},
    {"rule.neighbourhood", "alltoallv", "1", "nb"},
    {"guideline.neighbourhood.random", "allgather", "1", "nb"},
    {"guideline.neighbourhood.random", "alltoall", "1", "nb"},
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

// Empty: there is none.
std::string_view algorithm_for(const RuleOutcome& outcome) {
  for (const ProposalRow& row : kAlgorithms)
    if (row.rule == outcome.rule->id && (row.operation.empty() || row.operation == outcome.operation))
      return outcome.mpi == "openmpi" ? row.openmpi : row.mpich;
  return "";
}

std::string text_of_algorithm(const RuleOutcome& outcome) {
  return fmt::format("another algorithm for {}, nearer to what is faster here", outcome.operation);
}

Proposal for_algorithm(const RuleOutcome& outcome) {
  const std::string_view algorithm = algorithm_for(outcome);
  if (algorithm.empty()) return by_hand(outcome);
  return {text_of_algorithm(outcome), lines_for_algorithm(outcome, algorithm)};
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

// --- Tuning files of Open MPI's coll/tuned: for each number of ranks from which on a list holds, the algorithm by the
// size from which on it is taken; 0 is the library's own choice. Numbers of operations and what their size is, by calls
// on four ranks under a file with an algorithm that does not exist (Open MPI 4.1.4).

struct TunedOperation {
  std::string_view operation;
  int number;
  bool of_all_ranks;  // the size compared is that of the blocks of all ranks, and a campaign's of one
};
constexpr TunedOperation kTuned[] = {
    {"allgather", 0, true}, {"allgatherv", 1, false},     {"allreduce", 2, false},
    {"alltoall", 3, true},  {"bcast", 7, false},          {"gather", 9, true},
    {"reduce", 11, false},  {"reduce_scatter", 12, true}, {"reduce_scatter_block", 13, true},
    {"scatter", 15, true}};

std::string tuning_file(const TunedOperation& tuned, std::string_view algorithm, const GuidelineTrack& track,
                        const RulesVerdict& verdict) {
  const std::uint64_t ranks = std::uint64_t{track.nodes} * track.per_node;
  std::string sizes;
  std::size_t lines = 0;
  bool forced = false;
  const auto from = [&](std::uint64_t bytes, bool force) {
    sizes += fmt::format("{} {} 0 0\n", bytes, force ? algorithm : "0");
    forced = force;
    ++lines;
  };
  for (const std::size_t i : track.of_it) {
    const RuleOutcome& outcome = verdict.outcomes[i];
    const std::uint64_t bytes = outcome.bytes * (tuned.of_all_ranks ? ranks : 1);
    if (lines == 0) from(0, i == track.of_it.front() && outcome.violated);
    if (outcome.violated != forced) from(bytes, outcome.violated);
  }
  return fmt::format(
      "# coll/tuned: {0} from {1} ranks on, and from {2} on as the library has it\n1\n{3}\n2\n{1}\n{4}\n{5}"
      "{2}\n1\n0 0 0 0\n",
      track.title, ranks, ranks + 1, tuned.number, lines, sizes);
}

Proposal for_some_sizes(const GuidelineTrack& track, const RulesVerdict& verdict) {
  const RuleOutcome& worst = verdict.outcomes[*track.worst];
  const auto* tuned = std::ranges::find(kTuned, worst.operation, &TunedOperation::operation);
  const std::string_view algorithm = algorithm_for(worst);
  if (tuned == std::end(kTuned) || algorithm.empty()) return {};
  return {text_of_algorithm(worst) + ", at these sizes alone",
          {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
           fmt::format("OMPI_MCA_coll_tuned_dynamic_rules_filename={}", kTuningFile)},
          tuning_file(*tuned, algorithm, track, verdict)};
}

}  // namespace

Proposal proposal_for(const GuidelineTrack& track, const RulesVerdict& verdict) {
  const bool pattern = track.rule->kind == Rule::Kind::kPattern;
  if (pattern && track.mpi == "openmpi")
    if (Proposal proposal = for_some_sizes(track, verdict); !proposal.file.empty()) return proposal;
  return proposal_for(verdict.outcomes[*track.worst]);
}

std::vector<std::string> lines_with(const Proposal& proposal, const std::string& path) {
  std::vector<std::string> lines = proposal.lines;
  for (std::string& line : lines)
    if (const std::size_t at = line.find(kTuningFile); at != std::string::npos)
      line.replace(at, std::string_view(kTuningFile).size(), path);
  return lines;
}

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
