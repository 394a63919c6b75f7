#include "bench/campaign/quiet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "base/statistics/order.hpp"

namespace plumbline::bench {
namespace {

constexpr double kMinute = 60;
constexpr std::uint32_t kMostCpus = 1 << 16;

double farthest_out(const Cell& cell) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if (cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
  if (valid.empty()) return 0;
  const double median = statistics::median(valid);
  return median > 0 ? std::ranges::max(valid) / median : 0;
}

void add_far_out(std::span<const Cell> cells, std::vector<std::string>& to) {
  std::size_t count = 0;
  double worst = 0;
  const Cell* of_worst = nullptr;
  for (const Cell& cell : cells) {
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

// By the CPUs that ranks of one node may use all together.
void add_crowded_nodes(const Run& run, std::vector<std::string>& to) {
  if (run.bindings.size() != run.node_of.size()) return;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<bool>>> nodes;
  for (std::size_t rank = 0; rank < run.node_of.size(); ++rank) {
    auto& [ranks, cpus] = nodes[run.node_of[rank]];
    ++ranks;
    cpus_in(run.bindings[rank], cpus);
  }
  for (const auto& [node, both] : nodes) {
    const auto cpus = static_cast<std::uint32_t>(std::ranges::count(both.second, true));
    if (cpus == 0 || both.first <= cpus) continue;
    to.push_back(fmt::format("{} ranks share {} cores", both.first, cpus));
    return;
  }
}

}  // namespace

std::uint32_t cpus_in(const std::string& list, std::vector<bool>& into) {
  std::uint32_t count = 0;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    std::uint32_t first = 0, last = 0;
    auto [behind, error] = std::from_chars(at, end, first);
    if (error != std::errc() || first >= kMostCpus) return count;
    last = first;
    if (behind < end && *behind == '-') {
      const auto second = std::from_chars(behind + 1, end, last);
      if (second.ec != std::errc() || last < first || last >= kMostCpus) return count;
      behind = second.ptr;
    }
    if (into.size() <= last) into.resize(last + 1, false);
    for (std::uint32_t cpu = first; cpu <= last; ++cpu) into[cpu] = true;
    count += last - first + 1;
    at = behind < end && *behind == ',' ? behind + 1 : end;
  }
  return count;
}

std::vector<std::string> disturbances_of(const Run& run, std::span<const Cell> cells, double own_load) {
  std::vector<std::string> result;
  add_far_out(cells, result);
  const double switches = std::accumulate(run.involuntary_switches.begin(), run.involuntary_switches.end(), 0.0);
  if (switches > 0) result.push_back(fmt::format("ranks were taken off their cores {:.0f} times", switches));
  if (run.stolen > kStolenShare)
    result.push_back(fmt::format("{:.1f} % of the processor time went to other machines", 100 * run.stolen));
  if (const double foreign = run.load_before - own_load; foreign > kForeignLoad)
    result.push_back(fmt::format("a load of {:.1f} by others before the run", foreign));
  add_crowded_nodes(run, result);
  return result;
}

void OwnLoad::step(double seconds, double runnable) {
  const double kept = std::exp(-std::max(seconds, 0.0) / kMinute);
  load_ = load_ * kept + runnable * (1 - kept);
}

}  // namespace plumbline::bench
