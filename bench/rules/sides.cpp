#include "bench/rules/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/quantity.hpp"
#include "bench/rules/form_text.hpp"

namespace plumbline::bench {
namespace {

// What a side is made of: series, and how often each is taken.
struct Part {
  const RuleSeries* series = nullptr;
  double times = 1;
};
using Side = std::vector<Part>;

std::string_view text_of(Place place) {
  constexpr std::string_view kTexts[] = {"", " through the loopback", " between nodes"};
  return kTexts[static_cast<std::size_t>(place)];
}

// What a reader needs to tell it from another series of the operation.
std::string text_of(const RuleSeries& series) {
  std::string text = series.operation;
  if (series.bytes > 0) text += " " + format(Bytes{series.bytes});
  text += text_of(series.place);
  text += text_of_form(series.settings);
  if (const auto phase = series.settings.find(kPhase); phase != series.settings.end()) text += ", " + phase->second;
  if (const auto threads = series.settings.find(kThreads); threads != series.settings.end())
    text += fmt::format(" with MPI_THREAD_{}", threads->second == "multiple" ? "MULTIPLE" : threads->second);
  return text;
}

std::string text_of(const Side& side) {
  std::string text;
  for (const Part& part : side) {
    if (!text.empty()) text += " + ";
    if (part.times != 1) text += fmt::format("{} times ", part.times);
    text += text_of(*part.series);
  }
  return text;
}

void add(const RunBox& part, double times, RunBox& to) {
  for (double RunBox::*value : {&RunBox::least, &RunBox::low, &RunBox::median, &RunBox::high, &RunBox::most})
    to.*value += times * part.*value;
}

struct Sums {
  std::vector<double> medians;
  std::vector<RunBox> boxes;
};

// The sum of each run that has all parts.
Sums sums_of(const Side& side, bool disturbed_too) {
  Sums sums;
  for (const auto& [run, first] : side.front().series->of_runs) {
    double sum = 0;
    RunBox box;
    bool whole = disturbed_too || !side.front().series->disturbed.contains(run);
    for (const Part& part : side) {
      const auto found = part.series->of_runs.find(run);
      whole = whole && found != part.series->of_runs.end();
      if (!whole) break;
      sum += part.times * found->second;
      add(part.series->boxes.at(run), part.times, box);
    }
    if (!whole) continue;
    sums.medians.push_back(sum);
    sums.boxes.push_back(box);
  }
  return sums;
}

void add_sums(const Side& fast, const Side& slow, const RuleOptions& options, RuleOutcome& to) {
  const auto take = [&](bool disturbed_too) {
    const Sums of_fast = sums_of(fast, disturbed_too), of_slow = sums_of(slow, disturbed_too);
    to.fast = of_fast.medians;
    to.slow = of_slow.medians;
    to.fast_boxes = of_fast.boxes;
    to.slow_boxes = of_slow.boxes;
  };
  take(options.disturbed == DisturbedRuns::kTake);
  const std::size_t undisturbed = std::min(to.fast.size(), to.slow.size());
  if (options.disturbed != DisturbedRuns::kWhereNeeded || undisturbed >= options.enough_runs) return;
  take(true);
  to.disturbed = std::min(to.fast.size(), to.slow.size()) > undisturbed;
}

RuleOutcome outcome_of(const Rule& rule, const RuleLayout& layout, const Side& fast, const Side& slow,
                       const RuleOptions& options) {
  RuleOutcome outcome;
  outcome.rule = &rule;
  outcome.mpi = layout.mpi;
  outcome.nodes = layout.nodes;
  outcome.per_node = layout.per_node;
  outcome.operation = fast.front().series->operation;
  outcome.bytes = fast.front().series->bytes;
  outcome.of_fast = text_of(fast);
  outcome.of_slow = text_of(slow);
  outcome.fast_cells = fast.size();
  add_sums(fast, slow, options, outcome);
  for (const Side* side : {&fast, &slow})
    for (const Part& part : *side) {
      const RuleSeries& of_it = *part.series;
      outcome.cells.push_back({of_it.operation, of_it.settings, of_it.place, of_it.bytes});
      outcome.resolution_s = std::max(outcome.resolution_s, part.series->resolution_s);
      if (!part.series->sharing.empty()) outcome.not_judged = part.series->sharing;
    }
  return outcome;
}

// --- Patterns

std::uint64_t size_of(const Term& term, std::uint64_t block, std::uint32_t ranks) {
  if (term.size == Term::Size::kNone) return 0;
  return term.size == Term::Size::kWhole ? block * ranks : block;
}

std::string what_is(const Term& term) {
  return fmt::format("{}{}{}{}", term.operation, text_of(term.place), term.settings.empty() ? "" : ", ", term.settings);
}

// Of the series of a term at a size. In its own layout, or, where the place is another one than the rule begins at, in
// that of the fewest ranks. Nothing where there is none, or where it was measured in several forms.
const RuleSeries* find(const std::vector<RuleSeries>& all, const Term& term, const RuleLayout& layout, bool elsewhere,
                       std::uint64_t bytes) {
  const RuleSeries* found = nullptr;
  for (const RuleSeries& series : all) {
    if (series.layout.mpi != layout.mpi || series.bytes != bytes || !series.is_of(term)) continue;
    if (!elsewhere && series.layout != layout) continue;
    if (found != nullptr && found->layout == series.layout) return nullptr;
    if (found == nullptr || series.layout.ranks() < found->layout.ranks()) found = &series;
  }
  return found;
}

// Blocks that the first term was measured at.
std::set<std::uint64_t> blocks_of(const std::vector<RuleSeries>& all, const Term& first, const RuleLayout& layout) {
  std::set<std::uint64_t> blocks;
  const std::uint64_t by = first.size == Term::Size::kWhole ? layout.ranks() : 1;
  for (const RuleSeries& series : all)
    if (series.layout == layout && series.is_of(first) && series.bytes % by == 0) blocks.insert(series.bytes / by);
  return blocks;
}

std::optional<Side> side_of(const std::vector<RuleSeries>& all, const std::vector<Term>& terms,
                            const RuleLayout& layout, Place home, std::uint64_t block, std::string& lacking) {
  Side side;
  for (const Term& term : terms) {
    const std::uint64_t bytes = size_of(term, block, layout.ranks());
    const RuleSeries* series = find(all, term, layout, term.place != home, bytes);
    if (series == nullptr) {
      lacking = fmt::format("{} of {} was not measured, or in several forms", what_is(term), format(Bytes{bytes}));
      return std::nullopt;
    }
    const std::uint32_t pairs = std::max(1U, layout.ranks() / 2);
    side.push_back({series, term.times == Term::Times::kPairs ? static_cast<double>(pairs) : 1});
  }
  return side;
}

void add_pattern(const Rule& rule, std::size_t index, const RuleLayout& layout, const RuleMeasurements& measured,
                 std::vector<RuleOutcome>& to, std::string& lacking) {
  const Comparison& comparison = rule.comparisons[index];
  const Term& first = comparison.fast.front();
  const std::set<std::uint64_t> blocks = blocks_of(measured.all, first, layout);
  if (blocks.empty() && lacking.empty()) lacking = fmt::format("{} was not measured", what_is(first));
  for (const std::uint64_t block : blocks) {
    if (block < comparison.least_block || block > comparison.most_block) continue;
    const std::optional<Side> fast = side_of(measured.all, comparison.fast, layout, first.place, block, lacking);
    const std::optional<Side> slow = side_of(measured.all, comparison.slow, layout, first.place, block, lacking);
    if (!fast || !slow) continue;
    RuleOutcome& outcome = to.emplace_back(outcome_of(rule, layout, *fast, *slow, measured.options));
    outcome.comparison = index;
    outcome.allowed = comparison.allowed;
    outcome.track = static_cast<std::uint32_t>(index);
  }
}

// --- Sizes

// Sizes of one operation, ascending.
using Row = std::vector<const RuleSeries*>;

bool is_computing(const RuleSeries& series) {
  const auto phase = series.settings.find(kPhase);
  return phase != series.settings.end() && phase->second == kPhaseOfComputing;
}

std::vector<Row> rows_of(const Rule& rule, const std::vector<RuleSeries>& all, const RuleLayout& layout) {
  const std::set<std::string_view> operations(rule.operations.begin(), rule.operations.end());
  std::map<std::tuple<Place, std::string, RuleSettings>, Row> rows;
  for (const RuleSeries& series : all)
    if (series.layout == layout && operations.contains(series.operation) && series.bytes > 0 && !is_computing(series))
      rows[{series.place, series.operation, series.settings}].push_back(&series);
  std::vector<Row> result;
  for (auto& [key, row] : rows) {
    std::ranges::sort(row, {}, &RuleSeries::bytes);
    result.push_back(std::move(row));
  }
  return result;
}

// Each size and the next one.
void add_sizes(const Rule& rule, const RuleLayout& layout, const RuleMeasurements& measured,
               std::vector<RuleOutcome>& to, std::string& lacking) {
  std::uint32_t track = 0;
  for (const Row& row : rows_of(rule, measured.all, layout)) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const RuleSeries *small = row[i - 1], *large = row[i];
      const bool divides = large->bytes % small->bytes == 0;
      if (rule.kind == Rule::Kind::kSplit && !divides) continue;
      const double parts = static_cast<double>(large->bytes / small->bytes);
      const Side fast{{rule.kind == Rule::Kind::kSplit ? large : small}},
          slow{rule.kind == Rule::Kind::kSplit ? Part{small, parts} : Part{large}};
      to.push_back(outcome_of(rule, layout, fast, slow, measured.options));
      to.back().track = track;
    }
    ++track;
  }
  if (to.empty()) lacking = "no operation was measured at two sizes";
}

}  // namespace

std::vector<RuleOutcome> sides_of(const Rule& rule, const RuleLayout& layout, const RuleMeasurements& measured,
                                  std::string& lacking) {
  std::vector<RuleOutcome> outcomes;
  if (rule.kind != Rule::Kind::kPattern) add_sizes(rule, layout, measured, outcomes, lacking);
  for (std::size_t i = 0; i < rule.comparisons.size(); ++i) add_pattern(rule, i, layout, measured, outcomes, lacking);
  return outcomes;
}

}  // namespace plumbline::bench
