#pragma once
// A campaign as rows, one for each size of each subject. The unit of sampling is the run: its median is one value, and
// the interval is over runs. Tails are of all valid repetitions of all runs.

#include <cstdint>
#include <vector>

#include "base/statistics/order.hpp"
#include "bench/report/selection.hpp"

namespace plumbline::bench {

struct SummaryRow {
  Subject subject;
  std::uint64_t bytes = 0;
  std::vector<double> run_medians;  // seconds, of runs with any valid repetition
  std::vector<double> sorted;       // seconds, all valid repetitions
  std::uint64_t repetitions = 0;    // valid and not
  std::uint64_t flagged = 0;        // of them not valid
  std::uint32_t runs = 0, contaminated = 0;
  double clock_bound_s = 0;  // the largest

  bool has_times() const { return !sorted.empty(); }
  double median() const { return statistics::median(run_medians); }
  // Of the median of runs, with 95 %; below six runs there is none, and it is the lowest and the highest run.
  statistics::Interval interval() const { return statistics::interval_of_median(run_medians); }
  bool has_interval() const { return statistics::median_interval(run_medians.size()).reached; }
  double quantile(double share) const { return statistics::quantile(sorted, share); }
  double flagged_share() const;
};

// By subject, then by size.
std::vector<SummaryRow> summarise(const Campaign& campaign, const Selection& selection);

}  // namespace plumbline::bench
