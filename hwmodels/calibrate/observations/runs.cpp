#include "hwmodels/calibrate/observations/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/results/shared_cores.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kEnoughRuns = 3;

}  // namespace

std::string RunChoice::mark() const {
  std::string text = disturbances.empty() ? "" : " (machine in use)";
  if (cores_shared) text += " (ranks shared cores)";
  return text;
}

RunChoice choose_runs(const bench::Campaign& campaign) {
  const auto quiet = static_cast<std::size_t>(std::count_if(
      campaign.runs.begin(), campaign.runs.end(), [](const bench::Run& run) { return run.disturbances.empty(); }));
  RunChoice choice;
  choice.counts.assign(campaign.runs.size(), true);
  for (std::size_t i = 0; i < campaign.runs.size(); ++i) {
    const bench::Run& run = campaign.runs[i];
    choice.counts[i] = run.disturbances.empty() || quiet < kEnoughRuns;
    if (choice.counts[i] && !bench::sharing_of(run).empty()) choice.cores_shared = true;
    if (run.disturbances.empty()) continue;
    const std::string why = fmt::format("run {}: {}", i, fmt::join(run.disturbances, ", "));
    if (choice.counts[i])
      choice.disturbances.push_back(why);
    else
      choice.notes.push_back(fmt::format("{}: left out", why));
  }
  return choice;
}

}  // namespace plumbline::hw::calibration
