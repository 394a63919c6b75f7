#include "bench/rules/trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "bench/rules/campaign.hpp"
#include "bench/rules/series.hpp"

namespace plumbline::bench {
namespace {

constexpr double kTrialP = 0.05, kLeastChange = 1.05;
constexpr std::uint32_t kTrialRuns = 6;
constexpr std::string_view kHint = "hint ";

// Settings of the environment, or hints that are parameters of the cells themselves.
bool is_hint(const std::string& line) { return line.starts_with(kHint); }

RuleCell with_settings(RuleCell cell, const Trial& trial) {
  bool of_environment = false;
  for (const std::string& line : trial.proposal.lines) {
    const std::size_t equals = line.find('=');
    if (is_hint(line))
      cell.settings["hint." + line.substr(kHint.size(), equals - kHint.size())] = line.substr(equals + 1);
    else
      of_environment = true;
  }
  if (of_environment) cell.settings[kVariant] = trial.variant;
  return cell;
}

std::vector<std::string> environment_of(const Trial& trial) {
  std::vector<std::string> lines = trial.proposal.lines;
  std::erase_if(lines, is_hint);
  return lines;
}

bool can_be_tried(const RuleOutcome& outcome, const Proposal& proposal) {
  const auto is_plain = [](const RuleCell& cell) {
    return cell.place == Place::kOfLayout && !cell.settings.contains(kThreads);
  };
  return !proposal.lines.empty() && outcome.rule->kind == Rule::Kind::kPattern &&
         std::ranges::all_of(outcome.cells, is_plain);
}

TrialSize size_of(const RuleOutcome& outcome) {
  TrialSize size{outcome.bytes, outcome.violated};
  for (std::size_t i = 0; i < outcome.cells.size(); ++i)
    (i < outcome.fast_cells ? size.fast : size.slow).push_back(outcome.cells[i]);
  return size;
}

// Sums of the runs of the trial's layout that have all cells. What is pairs of ranks is not tried, so that each counts
// once.
std::vector<double> sums_of(const std::vector<RuleSeries>& all, const Trial& trial,
                            const std::vector<RuleCell>& cells) {
  const RuleLayout layout{trial.mpi, trial.nodes, trial.per_node};
  std::vector<std::map<std::uint32_t, double>> parts;
  for (const RuleCell& cell : cells) {
    const auto found = std::ranges::find_if(all, [&](const RuleSeries& series) {
      return series.layout == layout && series.operation == cell.operation && series.bytes == cell.bytes &&
             series.place == cell.place && series.settings == cell.settings;
    });
    if (found == all.end()) return {};
    parts.push_back(found->of_runs);
  }
  std::vector<double> sums;
  for (const auto& [run, first] : parts.front()) {
    double sum = 0;
    bool whole = true;
    for (const auto& part : parts) {
      const auto found = part.find(run);
      whole = whole && found != part.end();
      if (whole) sum += found->second;
    }
    if (whole) sums.push_back(sum);
  }
  return sums;
}

bool is_slower(const std::vector<double>& one, const std::vector<double>& other, double ratio = kLeastChange) {
  return statistics::rank_sum_test(one, other, statistics::Alternative::kGreater).p <= kTrialP &&
         statistics::median(one) >= ratio * statistics::median(other);
}

void judge(TrialSize& size, double allowed, double least_ratio) {
  size.judged = std::min({size.before.size(), size.after.size(), size.mock.size()}) >= RuleOptions{}.least_runs;
  if (!size.judged) return;
  size.before_s = statistics::median(size.before);
  size.after_s = statistics::median(size.after);
  size.mock_s = statistics::median(size.mock);
  std::vector<double> bound = size.mock;
  for (double& value : bound) value *= allowed;
  size.seen = is_slower(size.before, bound, least_ratio);
  size.faster = is_slower(size.before, size.after);
  size.slower = is_slower(size.after, size.before);
  size.healed = size.seen && size.faster && size.after_s < least_ratio * allowed * size.mock_s;
}

// Of a tuning file what it says, and not for what or where.
std::string what_is_set(const Proposal& proposal) {
  if (!proposal.file.empty()) return proposal.file.substr(std::min(proposal.file.find('\n'), proposal.file.size()));
  return fmt::format("{}", fmt::join(proposal.lines, "\n"));
}

}  // namespace

std::size_t Trial::violated() const {
  return static_cast<std::size_t>(std::ranges::count_if(sizes, &TrialSize::violated));
}

std::size_t Trial::judged() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sizes, [](const TrialSize& size) { return size.violated && size.judged; }));
}

std::size_t Trial::seen() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sizes, [](const TrialSize& size) { return size.violated && size.seen; }));
}

std::size_t Trial::healed() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sizes, [](const TrialSize& size) { return size.violated && size.healed; }));
}

std::size_t Trial::harmed() const { return static_cast<std::size_t>(std::ranges::count_if(sizes, &TrialSize::slower)); }

std::vector<Trial> trials_of(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks,
                             const std::vector<Proposal>& proposals, std::size_t most) {
  std::vector<Trial> trials;
  std::map<std::string, std::size_t> of_mpi;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const std::size_t i : violated_worst_first(verdict, tracks)) {
    const GuidelineTrack& track = tracks[i];
    const RuleOutcome& worst = verdict.outcomes[*track.worst];
    const Proposal& proposal = proposals[i];
    if (!can_be_tried(worst, proposal) || of_mpi[track.mpi] == most) continue;
    if (!seen.insert({track.mpi, worst.operation, what_is_set(proposal)}).second) continue;
    ++of_mpi[track.mpi];
    Trial& trial = trials.emplace_back();
    trial.variant = fmt::format("proposal-{}", trials.size());
    trial.title = track.title;
    trial.mpi = track.mpi;
    trial.nodes = track.nodes;
    trial.per_node = track.per_node;
    trial.proposal = proposal;
    trial.allowed = worst.allowed;
    for (const std::size_t outcome : track.of_it) trial.sizes.push_back(size_of(verdict.outcomes[outcome]));
  }
  return trials;
}

std::vector<std::vector<Trial>> by_layout(const std::vector<Trial>& trials) {
  std::vector<std::vector<Trial>> parts;
  const auto layout_of = [](const Trial& trial) { return RuleLayout{trial.mpi, trial.nodes, trial.per_node}; };
  for (const Trial& trial : trials) {
    auto part = std::ranges::find(parts, layout_of(trial),
                                  [&](const std::vector<Trial>& of_it) { return layout_of(of_it.front()); });
    if (part == parts.end()) part = parts.insert(parts.end(), std::vector<Trial>{});
    part->push_back(trial);
  }
  return parts;
}

std::string trial_text(const std::vector<Trial>& trials, const RulesCampaign& options) {
  std::vector<RuleCell> cells;
  RulesCampaign with_variants = options;
  with_variants.runs = std::max(kTrialRuns, options.runs);
  with_variants.mpis = {trials.front().mpi};
  with_variants.nodes = trials.front().nodes;
  with_variants.per_node = trials.front().per_node;
  for (const Trial& trial : trials) {
    RuleVariant variant{trial.variant, environment_of(trial), {}};
    for (const TrialSize& size : trial.sizes) {
      for (const auto* side : {&size.fast, &size.slow}) cells.insert(cells.end(), side->begin(), side->end());
      for (const RuleCell& cell : size.fast) {
        cells.push_back(with_settings(cell, trial));
        variant.operations.insert(cell.operation);
      }
    }
    if (!variant.environment.empty()) with_variants.variants.push_back(variant);
  }
  return campaign_text_of(cells, with_variants);
}

void judge_trials(const Campaign& campaign, double least_ratio, std::vector<Trial>& trials) {
  const std::vector<RuleSeries> all = series_of(campaign);
  for (Trial& trial : trials)
    for (TrialSize& size : trial.sizes) {
      std::vector<RuleCell> after;
      for (const RuleCell& cell : size.fast) after.push_back(with_settings(cell, trial));
      size.before = sums_of(all, trial, size.fast);
      size.mock = sums_of(all, trial, size.slow);
      size.after = sums_of(all, trial, after);
      judge(size, trial.allowed, least_ratio);
    }
}

}  // namespace plumbline::bench
