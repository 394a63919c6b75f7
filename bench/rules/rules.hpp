#pragma once
// Rules that need no reference: of two things that a machine does, one must not be slower than the other, whatever the
// machine. "a ⪯ b" after Träff, Gropp and Thakur, "Self-consistent MPI performance guidelines" (2010): a is not slower
// than b with all else equal, or a user would gain by doing b instead. What is the same everywhere, and so is in the
// calibration too, is found by them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// One term of a side: an operation of the campaign's catalogue. Sides are sums of their terms.
struct Term {
  std::string_view operation, implementation = "library";
  bool loopback = false;  // between ranks that share no memory, on one node
  // The size of this term where the rule is at size m, with p ranks.
  enum class Size { kSame, kTimesRanks, kOverRanks, kDouble } size = Size::kSame;
  std::string_view words = {};  // "level=multiple": that the cell must have
};

struct Rule {
  std::string_view id;    // of the catalogue of checks: "rule.allgather.gather-bcast"
  std::string_view text;  // "MPI_Allgather is not slower than MPI_Gather + MPI_Bcast"
  std::span<const Term> fast, slow;  // sum of fast ⪯ sum of slow
  enum class Kind { kPattern, kMonotony, kSplit } kind = Kind::kPattern;
};

std::span<const Rule> rules();

// A rule at one size under one MPI.
struct RuleOutcome {
  const Rule* rule = nullptr;
  std::string mpi;
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0;
  std::vector<double> fast, slow;  // medians of runs, seconds
  double ratio = 0;                // median of fast over median of slow: above 1 it is violated
  double p = 1, q = 1;             // rank-sum test, one-sided; q: adjusted for all rules and sizes
  bool violated = false, overlapping = false;  // overlapping: quartiles of the two meet, so that nothing is shown
};

struct RuleOptions {
  double least_ratio = 1.0;  // set by the caller; below that a violation is not worth a word
  double least_q = 0.05;
};

// Every rule at every size that the campaign has both sides of; in the order of rules(), then MPI, then size.
std::vector<RuleOutcome> judge_rules(const Campaign& campaign, const RuleOptions& options);

// The campaign (TOML) that measures what the rules need. `seconds`: about how long each start of the ranks takes.
struct RulesCampaign {
  std::uint32_t runs = 7;  // the fewest that a rank-sum test tells apart at 0.001
  double budget_s = 0.02;  // for the repetitions of one size
  std::vector<std::uint64_t> sizes = {};  // empty: on both sides of the usual eager limits and of an MTU
  std::vector<std::string> mpis = {};
  std::uint32_t per_node = 2, nodes = 1;
  std::string launcher = {};  // as in a campaign file
  std::string directory = {}; // of files; empty: no rules on files
};
std::string campaign_text(const RulesCampaign& options);

}  // namespace plumbline::bench
