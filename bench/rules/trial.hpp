#pragma once
// A proposal that is run: the operation with the settings and without them, beside what was faster than it.

#include <string>
#include <vector>

#include "bench/rules/proposals.hpp"
#include "bench/rules/rules.hpp"
#include "bench/rules/tracks.hpp"

namespace plumbline::bench {

struct TrialSize {
  std::uint64_t bytes = 0;
  bool violated = false;                                   // by the campaign
  std::vector<RuleCell> fast = {}, slow = {};              // each as the campaign had it
  std::vector<double> before = {}, after = {}, mock = {};  // medians of runs: without, with; the other side without. s
  double before_s = 0, after_s = 0, mock_s = 0;
  bool judged = false;                  // of RuleOptions::least_runs of each side; else the others are false
  bool seen = false;                    // violated without it this time too, by the rank-sum test at 0.05 and the ratio
  bool faster = false, slower = false;  // with than without, by the rank-sum test at 0.05 and by 5 %
  bool healed = false;                  // seen, faster, and no slower than the other side is allowed to be exceeded
};

struct Trial {
  std::string variant;  // "proposal-1"
  std::string title, mpi;
  std::uint32_t nodes = 1, per_node = 1;  // where it was violated
  Proposal proposal;
  double allowed = 1;
  std::vector<TrialSize> sizes;

  std::size_t violated() const;  // sizes
  std::size_t judged() const;    // of those, by what was measured this time
  std::size_t seen() const;      // of those, once more
  std::size_t healed() const;    // of those that were seen
  std::size_t harmed() const;    // sizes at which the settings cost time
};

// Of what is violated as a whole, worst first, where the library has a setting and ranks are those of the layout; each
// proposal once for an operation. At most `most` for each MPI. `proposals`: [tracks], with tuning files in their
// places.
std::vector<Trial> trials_of(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks,
                             const std::vector<Proposal>& proposals, std::size_t most);

// Those of each MPI and layout together, in their order.
std::vector<std::vector<Trial>> by_layout(const std::vector<Trial>& trials);

// A campaign of trials of one MPI and layout, which stands for that of the options: with each variant and without, in
// random order.
std::string trial_text(const std::vector<Trial>& trials, const RulesCampaign& options);

// Fills in what was measured.
void judge_trials(const Campaign& campaign, double least_ratio, std::vector<Trial>& trials);

}  // namespace plumbline::bench
