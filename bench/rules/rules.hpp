#pragma once
// Rules that need no reference: of two things that a machine does, one must not be slower than the other, whatever the
// machine. "a ⪯ b" after Träff, Gropp and Thakur, "Self-consistent MPI performance guidelines" (2010): a is not slower
// than b with all else equal, or a user would gain by doing b instead. What is the same everywhere, and so is in the
// calibration too, is found by them. docs/rules.md tells what each rule is and how it is judged.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// Where the ranks of a measurement are. kOfLayout: those of a layout, or a pair of one node of it. kThroughLoopback: of
// one node, kept from shared memory (kWay). kBetweenNodes: of pairs, on different nodes.
enum class Place { kOfLayout, kThroughLoopback, kBetweenNodes };

// One term of a side: an operation of the ranks' catalogue, as the library does it. A rule is at a block size b, with p
// ranks: the equal amount of data is b or p b bytes, by what the operation's size is the size of.
struct Term {
  enum class Size { kBlock, kWhole, kNone };  // b; p b; the operation has none
  enum class Times { kOnce, kPairs };         // kPairs: as often as p ranks are pairs
  std::string operation = {};
  Size size = Size::kBlock;
  std::string settings = {};  // "topology=complete": that cells have among words and numbers
  Place place = Place::kOfLayout;
  Times times = Times::kOnce;
};

// The sum of `fast` takes at most `allowed` times the sum of `slow`, at block sizes from `least_block` to `most_block`.
struct Comparison {
  std::string text = {};
  std::vector<Term> fast = {}, slow = {};
  double allowed = 1;
  std::uint64_t least_block = 0, most_block = ~std::uint64_t{0};
  std::string name = {};      // of the paper that it is from: "GL4"; empty: it has none
  std::string form = {};      // parameters of both sides, where there are several: "topology=moore dimensions=2"
  bool is_first_form = true;  // of its forms, where there are several
};

struct Rule {
  // kPattern: its comparisons. kMonotony: of each of its operations, a larger size is never faster. kSplit: of each of
  // them, one call is not slower than k calls of the k-th part.
  enum class Kind { kPattern, kMonotony, kSplit };
  std::string id = {};    // "rule.allgather.gather-bcast"; in a validation that of a check
  std::string text = {};  // "MPI_Allgather is not slower than MPI_Gather and MPI_Bcast"
  std::vector<Comparison> comparisons = {};
  Kind kind = Kind::kPattern;
  std::string group = {};  // "rooted collectives"
  std::vector<std::string> operations = {};
  bool in_validation = true;
};

// Those of a validation, with the comparisons that it makes. All: bench/rules/table/table.hpp.
std::span<const Rule> rules();
const Rule* find_rule(std::string_view id);  // nullptr: there is none

// What a side was measured by: enough to ask for it again.
struct RuleCell {
  std::string operation;
  std::map<std::string, std::string> settings = {};  // words and numbers, kThreads too; of a file not its directory
  Place place = Place::kOfLayout;
  std::uint64_t bytes = 0;
};

struct Spread {
  double low = 0, high = 0;  // seconds
};

// Repetitions of one run: least, quartiles and most, seconds. Of a sum the sums of those of its parts.
struct RunBox {
  double least = 0, low = 0, median = 0, high = 0, most = 0;
};

// A comparison at one size, in one layout, under one MPI.
struct RuleOutcome {
  const Rule* rule = nullptr;
  std::size_t comparison = 0;  // of the rule; of monotony and split 0
  std::string mpi;
  std::uint32_t nodes = 1, per_node = 1;       // of the layout that the fast side was measured in
  std::string operation;                       // first of the fast side
  std::string of_fast, of_slow;                // "allgather 1 KiB", "gather 1 KiB + bcast 2 KiB"
  std::uint64_t bytes = 0;                     // size of the first operation of the fast side
  std::vector<RuleCell> cells;                 // of both sides
  std::size_t fast_cells = 0;                  // of them, the first ones
  std::vector<double> fast, slow;              // sums of medians of runs, seconds
  std::vector<RunBox> fast_boxes, slow_boxes;  // of the same runs
  double fast_s = 0, slow_s = 0;               // their medians
  double allowed = 1;
  double ratio = 0;  // fast_s / slow_s; above `allowed` the rule may be violated
  // Rank-sum test that `fast` is more than `allowed` times `slow`; q: adjusted for all tests of the lot that
  // RuleOptions::together makes.
  double p = 1, q = 1;
  double resolution_s = 0;  // smaller differences are not seen by this way of measuring
  std::uint32_t track = 0;  // outcomes of a rule and layout with the same one are at successive sizes
  // Quartiles: of the sums of runs; and within a run, of repetitions, the median run's.
  Spread fast_runs = {}, slow_runs = {}, fast_within = {}, slow_within = {};
  bool overlapping = false;  // the quartiles of both sides meet: of runs, or where options say so within them
  bool disturbed = false;    // there were too few undisturbed runs, and others are among these
  bool violated = false;
  bool artefact = false;        // it would be, but for quartiles that meet: what differs is how much times spread
  std::string not_judged = {};  // why; empty: it is judged
};

// A rule as a whole in one layout under one MPI.
struct RuleSummary {
  const Rule* rule = nullptr;
  std::string mpi;
  std::uint32_t nodes = 1, per_node = 1;
  std::size_t judged = 0, violations = 0;  // outcomes
  // At two neighbouring sizes of a comparison, or at one by a factor of 2: single ones are often chance.
  bool violated = false;
  std::optional<std::size_t> worst = {};  // outcome of the greatest ratio over `allowed`; violated ones before others
  std::string not_judged = {};            // why nothing is; empty: something is
};

struct RulesVerdict {
  std::vector<RuleOutcome> outcomes;   // in the order of rules(), MPI, layout, operation and size
  std::vector<RuleSummary> summaries;  // in the order of rules(), MPI and layout
  std::vector<std::string> notes;      // what was left out
};

// Runs that Run::disturbances says something of. Where the machine is in use that is every run. They make a test weaker
// and not wrong: the order is random, so that they fall on both sides alike.
enum class DisturbedRuns { kLeaveOut, kWhereNeeded, kTake };

// Which tests are adjusted for being many. kMpiAndKind: those of one MPI and one kind of rule; kCampaign: all.
enum class TestsTogether { kMpiAndKind, kCampaign };

struct RuleOptions {
  double least_ratio = 1.1;  // over `allowed`; below that a violation is not worth a word
  double least_q = 0.05;
  std::size_t least_runs = 4;  // of each side; fewer are not judged
  DisturbedRuns disturbed = DisturbedRuns::kWhereNeeded;
  std::size_t enough_runs = 7;  // undisturbed ones of each side, beside which no others are needed
  TestsTogether together = TestsTogether::kMpiAndKind;
  bool within_runs = false;  // quartiles of repetitions must not meet either
};

// `table` outlives the verdict.
RulesVerdict judge_rules(const Campaign& campaign, const RuleOptions& options = {},
                         std::span<const Rule> table = rules());

// Whether outcomes at successive sizes of one comparison say together that it is violated: at two neighbouring sizes,
// or at one by a factor of 2; of what has no sizes the one is enough.
bool is_violated_as_a_whole(std::span<const RuleOutcome> track);

double excess_of(const RuleOutcome& outcome);  // ratio / allowed

// Of a call of the fast side's, what is lost: fast_s less what the slow side allows.
double lost_s(const RuleOutcome& outcome);

// "round_trip 8 B takes 12.3 us, and round_trip 8 B through the loopback 12.5 us (0.98 times; allowed 0.77; q 0.003)"
std::string text_of(const RuleOutcome& outcome);

// --- The campaign that measures what the rules need, and nothing else (bench/campaign)

// Cells once more, in a layout with settings of its own.
struct RuleVariant {
  std::string name;
  std::vector<std::string> environment;  // "NAME=value"
  std::set<std::string> operations;
};

struct RulesCampaign {
  std::uint32_t runs = 8;    // of 7 a rank-sum test gives 0.0003 at best, which is too much for some 350 tests at once
  double budget_s = 0.012;   // for the repetitions of one size
  std::uint32_t least = 60;  // repetitions of one size, also where they take longer than that
  // Between nodes: sizes at which the blocks of all ranks take longer than `longest_s` through a link of this rate,
  // B/s, are left out, but for the smallest. 0: not known, nothing is.
  double link_rate = 0, longest_s = 0.025;
  std::uint64_t largest_vector = 16 << 20;   // of all blocks of a rank: what larger ones would show, these do
  std::vector<std::uint64_t> blocks = {};    // ascending, each a multiple of the one before
  std::vector<std::uint64_t> accesses = {};  // to files, of each rank
  std::vector<std::string> mpis = {};        // empty: all that are installed
  std::uint32_t per_node = 2, nodes = 1;     // two ranks or more
  std::vector<std::string> hosts = {};
  std::string launcher = {};   // as in a campaign file
  std::string directory = {};  // of files; empty: no rules on files
  // Repetitions take the next piece of so many MiB, so that data are in no cache of one core. With the same data each
  // time, what nobody has changed is in the caches of both ranks, and an operation that sends what it has just written
  // (MPI_Allreduce) takes up to five times as long as one of the same size that does not (MPI_Bcast).
  std::uint32_t fresh_mib = 4;
  std::uint64_t seed = 1;
  std::vector<RuleVariant> variants = {};
};

// kQuick: half a minute for each MPI on one machine. Sizes of all lie on both sides of an MTU and of the usual eager
// limits (4 KiB to 64 KiB).
enum class RulesLevel { kQuick, kDefault, kFull };
RulesCampaign rules_campaign(RulesLevel level);

// As TOML: what a table asks for.
std::string campaign_text(const RulesCampaign& options, std::span<const Rule> table = rules());

}  // namespace plumbline::bench
