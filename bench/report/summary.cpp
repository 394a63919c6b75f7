#include "bench/report/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace plumbline::bench {
namespace {

struct Collected {
  std::map<std::uint32_t, std::vector<double>> of_runs;  // valid repetitions
  std::set<std::uint32_t> runs;
  std::uint64_t repetitions = 0, flagged = 0;
  double clock_bound_s = 0;
};

void collect(const Cell& cell, Collected& into) {
  into.runs.insert(cell.run);
  into.repetitions += cell.seconds.size();
  into.clock_bound_s = std::max(into.clock_bound_s, cell.clock_bound_s);
  for (std::size_t i = 0; i < cell.seconds.size(); ++i) {
    if (cell.flags[i] == 0)
      into.of_runs[cell.run].push_back(cell.seconds[i]);
    else
      ++into.flagged;
  }
}

SummaryRow row_of(const Campaign& campaign, const Subject& subject, std::uint64_t bytes, const Collected& from) {
  SummaryRow row{subject, bytes, {}, {}, from.repetitions, from.flagged};
  row.clock_bound_s = from.clock_bound_s;
  for (const auto& [run, seconds] : from.of_runs) {
    row.run_medians.push_back(statistics::median(seconds));
    row.sorted.insert(row.sorted.end(), seconds.begin(), seconds.end());
  }
  std::ranges::sort(row.sorted);
  row.runs = static_cast<std::uint32_t>(from.runs.size());
  for (const std::uint32_t run : from.runs) row.contaminated += campaign.runs[run].disturbances.empty() ? 0 : 1;
  return row;
}

}  // namespace

double SummaryRow::flagged_share() const {
  return repetitions == 0 ? 0 : static_cast<double>(flagged) / static_cast<double>(repetitions);
}

std::vector<SummaryRow> summarise(const Campaign& campaign, const Selection& selection) {
  std::map<std::tuple<Subject, std::uint64_t>, Collected> all;
  for (const Cell& cell : campaign.cells)
    if (selection.takes(campaign, cell)) collect(cell, all[{subject_of(campaign, cell), cell.bytes}]);
  std::vector<SummaryRow> rows;
  for (const auto& [key, collected] : all)
    rows.push_back(row_of(campaign, std::get<0>(key), std::get<1>(key), collected));
  return rows;
}

}  // namespace plumbline::bench
