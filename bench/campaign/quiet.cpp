#include "bench/campaign/quiet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics/order.hpp"
#include "bench/results/shared_cores.hpp"

namespace plumbline::bench {
namespace {

constexpr double kMinute = 60;
constexpr std::string_view kByOthers = "by others", kToOtherMachines = "went to other machines";

// [ranks] of machines whose ranks share cores. What they wait for is each other: that a repetition takes a thousand
// medians, and that they lose their core, says nothing of others. (Linux counts every sched_yield() as an involuntary
// switch: __schedule() in kernel/sched/core.c.)
std::vector<bool> ranks_that_share(const Run& run) {
  std::vector<bool> share(run.node_of.size(), false);
  for (const RunMachine& machine : machines_of(run))
    for (const std::uint32_t rank : machine.ranks) share[rank] = machine.shares_cores();
  return share;
}

bool is_of_any(const Cell& cell, const std::vector<bool>& ranks) {
  if (cell.ranks.empty()) return std::ranges::find(ranks, true) != ranks.end();
  return std::ranges::any_of(cell.ranks, [&](std::uint32_t rank) { return rank < ranks.size() && ranks[rank]; });
}

double farthest_out(const Cell& cell) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if (cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
  if (valid.empty()) return 0;
  const double median = statistics::median(valid);
  return median > 0 ? std::ranges::max(valid) / median : 0;
}

void add_far_out(std::span<const Cell> cells, const std::vector<bool>& share, std::vector<std::string>& to) {
  std::size_t count = 0;
  double worst = 0;
  const Cell* of_worst = nullptr;
  for (const Cell& cell : cells) {
    if (is_of_any(cell, share)) continue;
    const double ratio = farthest_out(cell);
    if (ratio <= kFarOut) continue;
    ++count;
    if (ratio > worst) {
      worst = ratio;
      of_worst = &cell;
    }
  }
  if (of_worst != nullptr)
    to.push_back(fmt::format("the longest repetition took {:.0f} times the median ({} of {} B; {} of {} cells)", worst,
                             of_worst->operation, of_worst->bytes, count, cells.size()));
}

void add_switches(const Run& run, const std::vector<bool>& share, std::vector<std::string>& to) {
  double switches = 0;
  for (std::size_t rank = 0; rank < run.involuntary_switches.size(); ++rank)
    if (rank >= share.size() || !share[rank]) switches += run.involuntary_switches[rank];
  if (switches > 0) to.push_back(fmt::format("ranks were taken off their cores {:.0f} times", switches));
}

// Of the machine that the ranks were started from, where some of them are on it: of others its run queue says nothing.
void add_foreign_queue(const Run& run, const HostLoad& host, std::vector<std::string>& to) {
  const auto own = static_cast<double>(std::ranges::count(run.boots, host.boot));
  if (host.boot.empty() || own == 0) return;
  if (const double foreign = host.run_queue - own; foreign > kForeignLoad)
    to.push_back(fmt::format("a load of {:.1f} {} while the ranks measured", foreign, kByOthers));
}

}  // namespace

std::vector<std::string> disturbances_of(const Run& run, std::span<const Cell> cells, const HostLoad& host) {
  std::vector<std::string> result;
  const std::vector<bool> share = ranks_that_share(run);
  add_far_out(cells, share, result);
  add_switches(run, share, result);
  if (run.stolen > kStolenShare)
    result.push_back(fmt::format("{:.1f} % of the processor time {}", 100 * run.stolen, kToOtherMachines));
  if (const double foreign = run.load_before - host.own_before; foreign > kForeignLoad)
    result.push_back(fmt::format("a load of {:.1f} {} before the run", foreign, kByOthers));
  add_foreign_queue(run, host, result);
  return result;
}

bool is_use_by_others(std::string_view disturbance) {
  return disturbance.find(kByOthers) != std::string_view::npos ||
         disturbance.find(kToOtherMachines) != std::string_view::npos;
}

void OwnLoad::step(double seconds, double runnable) {
  const double kept = std::exp(-std::max(seconds, 0.0) / kMinute);
  load_ = load_ * kept + runnable * (1 - kept);
}

}  // namespace plumbline::bench
