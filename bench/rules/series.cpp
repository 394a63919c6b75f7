#include "bench/rules/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "base/statistics/order.hpp"
#include "bench/results/shared_cores.hpp"

namespace plumbline::bench {
namespace {

// What one reading of the clock takes, about, where the kernel need not be asked: it is in every time.
constexpr double kReading = 25e-9;

using Key = std::tuple<RuleLayout, Place, std::string, RuleSettings, std::uint64_t>;

// What differs from run to run by chance, or says nothing of the operation.
bool tells_nothing(const std::string& name) {
  static const std::set<std::string> names = {kWay,          "directory", "matching",
                                              "wrong_bytes", "compute_s", "overlap_percent"};
  return names.contains(name);
}

RuleSettings settings_of(const Cell& cell) {
  RuleSettings settings;
  for (const auto& [name, word] : cell.words)
    if (!tells_nothing(name)) settings[name] = word;
  for (const auto& [name, number] : cell.numbers)
    if (!tells_nothing(name)) settings[name] = fmt::format("{}", number);
  settings["timing"] = cell.timing;
  settings["isolation"] = cell.isolation;
  return settings;
}

Place place_of(const Cell& cell, const Run& run) {
  const auto way = cell.words.find(kWay);
  if (way != cell.words.end() && way->second == kLoopback) return Place::kThroughLoopback;
  const auto node = [&](std::uint32_t rank) { return rank < run.node_of.size() ? run.node_of[rank] : 0; };
  const bool is_pair = cell.ranks.size() >= 2;
  return is_pair && node(cell.ranks[0]) != node(cell.ranks[1]) ? Place::kBetweenNodes : Place::kOfLayout;
}

std::vector<double> valid_seconds(const Cell& cell) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if (i >= cell.flags.size() || cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
  return valid;
}

RunBox box_of(const std::vector<double>& sorted) {
  return {sorted.front(), statistics::quantile(sorted, 0.25), statistics::median(sorted),
          statistics::quantile(sorted, 0.75), sorted.back()};
}

// Each of its values by itself.
RunBox median_of(const std::vector<RunBox>& boxes) {
  RunBox result;
  for (double RunBox::*value : {&RunBox::least, &RunBox::low, &RunBox::median, &RunBox::high, &RunBox::most}) {
    std::vector<double> all;
    for (const RunBox& box : boxes) all.push_back(box.*value);
    result.*value = statistics::median(all);
  }
  return result;
}

struct Collected {
  std::map<std::uint32_t, std::vector<double>> medians;  // by run
  std::map<std::uint32_t, std::vector<RunBox>> boxes;
  std::set<std::uint32_t> disturbed;
  double resolution_s = kReading;
  std::string sharing;
};

RuleSeries series_from(const Key& key, const Collected& collected) {
  const auto& [layout, place, operation, settings, bytes] = key;
  RuleSeries series{layout, place, operation, settings, bytes};
  for (const auto& [run, medians] : collected.medians) series.of_runs[run] = statistics::median(medians);
  for (const auto& [run, boxes] : collected.boxes) series.boxes[run] = median_of(boxes);
  series.disturbed = collected.disturbed;
  series.resolution_s = collected.resolution_s;
  series.sharing = collected.sharing;
  return series;
}

}  // namespace

RuleSettings settings_of_text(std::string_view text) {
  RuleSettings settings;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    settings[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
  }
  return settings;
}

bool RuleSeries::is_of(const Term& term) const {
  if (operation != term.operation || place != term.place) return false;
  const RuleSettings wanted = settings_of_text(term.settings);
  for (const char* name : {kThreads, kVariant})
    if (settings.contains(name) != wanted.contains(name)) return false;
  return std::ranges::all_of(wanted, [&](const auto& setting) {
    const auto own = settings.find(setting.first);
    return own != settings.end() && own->second == setting.second;
  });
}

std::vector<RuleSeries> series_of(const Campaign& campaign) {
  std::map<Key, Collected> all;
  for (const Cell& cell : campaign.cells) {
    if (cell.implementation != "library" || cell.run >= campaign.runs.size()) continue;
    const Run& run = campaign.runs[cell.run];
    std::vector<double> valid = valid_seconds(cell);
    if (valid.empty()) continue;
    std::ranges::sort(valid);
    const RuleLayout layout{run.mpi, run.nodes, run.per_node};
    Collected& into = all[{layout, place_of(cell, run), cell.operation, settings_of(cell), cell.bytes}];
    into.medians[cell.run].push_back(statistics::median(valid));
    into.boxes[cell.run].push_back(box_of(valid));
    if (!run.disturbances.empty()) into.disturbed.insert(cell.run);
    into.resolution_s = std::max(into.resolution_s, cell.clock_bound_s);
    into.sharing = sharing_of(run);
  }
  std::vector<RuleSeries> result;
  for (const auto& [key, collected] : all) result.push_back(series_from(key, collected));
  return result;
}

}  // namespace plumbline::bench
