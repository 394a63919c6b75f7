#include "replay/validate/report/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "base/statistics/sign_test.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

constexpr double kLeastSpread = 0.10;          // of a run that was made once: smaller changes are not told
constexpr double kLeastRepeatedSpread = 0.02;  // of one that was repeated
constexpr double kSuiteMatters = 0.05, kSuiteShown = 0.01;
constexpr double kRobustDeviation = 1.4826;  // of a median absolute deviation, to a standard deviation

std::vector<double> lengths(const SuiteRun& run) {
  std::vector<double> all = run.again_s;
  all.push_back(run.observed_s);
  return all;
}

struct Pair {
  const SuiteRun* run = nullptr;
  std::vector<double> now, before;
  double median_now = 0, median_before = 0;

  double ratio() const { return std::log(median_now / median_before); }
  bool repeated() const { return now.size() > 1 && before.size() > 1; }
};

bool can_be_compared(const SuiteRun& run) { return run.fault.empty() && run.observed_s > 0; }

std::string name_of(const SuiteRun& run) {
  return run.mpi.empty() ? run.name : fmt::format("{} ({})", run.name, run.mpi);
}

std::vector<Pair> pairs_of(const Validation& now, const Validation& before, std::vector<std::string>& left_out) {
  std::vector<Pair> pairs;
  for (const SuiteRun& run : now.suite) {
    const auto other = std::ranges::find_if(before.suite, [&](const SuiteRun& each) {
      return each.name == run.name && each.mpi == run.mpi && can_be_compared(each);
    });
    if (!can_be_compared(run) || other == before.suite.end()) {
      left_out.push_back(name_of(run));
      continue;
    }
    Pair pair{.run = &run, .now = lengths(run), .before = lengths(*other)};
    pair.median_now = statistics::median(pair.now);
    pair.median_before = statistics::median(pair.before);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// Of logarithms of ratios.
double spread_of(const std::vector<Pair>& pairs) {
  std::vector<double> ratios;
  for (const Pair& pair : pairs) ratios.push_back(pair.ratio());
  const double middle = statistics::median(ratios);
  for (double& ratio : ratios) ratio = std::abs(ratio - middle);
  return std::max(std::log1p(kLeastSpread), 3 * kRobustDeviation * statistics::median(ratios));
}

bool is_slower(const Pair& pair, double spread) {
  if (!pair.repeated()) return pair.ratio() > spread;
  return std::ranges::min(pair.now) > std::ranges::max(pair.before) && pair.ratio() > std::log1p(kLeastRepeatedSpread);
}

struct Suite {
  double now = 0, before = 0, p = 1;

  bool is_slower() const { return now > before * (1 + kSuiteMatters) && p <= kSuiteShown; }
};

Suite suite_of(const std::vector<Pair>& pairs) {
  Suite suite;
  std::uint64_t above = 0;
  for (const Pair& pair : pairs) {
    suite.now += pair.median_now;
    suite.before += pair.median_before;
    above += pair.median_now > pair.median_before ? 1 : 0;
  }
  suite.p = statistics::sign_test(above, pairs.size());
  return suite;
}

Datum evidence_of(const Pair& pair) {
  return {name_of(*pair.run),
          fmt::format("{}, was {} ({:+.0f} %)", seconds_text(pair.median_now), seconds_text(pair.median_before),
                      100 * (pair.median_now / pair.median_before - 1)),
          ""};
}

std::vector<Diagnosis> slower_than_before(const std::vector<Pair>& pairs, const Validation& now,
                                          const Validation& before) {
  if (pairs.empty()) return {};
  const Suite suite = suite_of(pairs);
  const double spread = spread_of(pairs);
  std::vector<const Pair*> slower;
  for (const Pair& pair : pairs)
    if (is_slower(pair, spread) || (suite.is_slower() && pair.median_now > pair.median_before)) slower.push_back(&pair);
  if (slower.empty()) return {};
  Diagnosis found;
  found.id = "suite.slower";
  found.component = "suite";
  found.reference = Reference::kBaseline;
  found.title = suite.is_slower() ? fmt::format("the whole suite is slower than in the baseline of {}", before.created)
                                  : fmt::format("{} of the suite took longer than in the baseline of {}",
                                                replay::plural(slower.size(), "run"), before.created);
  for (const Pair* pair : slower) {
    found.cost_s += pair->median_now - pair->median_before;
    found.evidence.push_back(evidence_of(*pair));
  }
  if (now.suite_s() > 0) found.cost_share = std::min(found.cost_s / now.suite_s(), 1.0);
  found.cost_basis = "medians of these runs, less those of the baseline";
  const bool repeated = std::ranges::all_of(slower, &Pair::repeated);
  found.confidence = suite.is_slower() ? Confidence::kHigh : repeated ? Confidence::kGood : Confidence::kLow;
  found.samples = pairs.size();
  found.p = suite.p;
  return {std::move(found)};
}

std::set<std::string> names_of(const Validation& validation) {
  std::set<std::string> names;
  for (const Diagnosis* finding : findings(validation))
    names.insert(fmt::format("{}, {}{}", finding->id, finding->component, places_text(finding->places, 1000)));
  return names;
}

std::vector<std::string> without(const std::set<std::string>& names, const std::set<std::string>& others) {
  std::vector<std::string> left;
  std::ranges::set_difference(names, others, std::back_inserter(left));
  return left;
}

std::string nodes_text(const Machine& machine) {
  std::vector<std::string> nodes = machine.nodes;
  std::ranges::sort(nodes);
  return fmt::format("{}", fmt::join(nodes, ", "));
}

void require_same_machine(const Validation& now, const Validation& before, const std::string& name) {
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view what, const auto& there, const auto& here) {
    if (there != here) differences.push_back(fmt::format("{} {} there, {} here", what, there, here));
  };
  compare("nodes", nodes_text(before.machine), nodes_text(now.machine));
  compare("ranks", before.machine.ranks, now.machine.ranks);
  compare("cores a node", before.machine.cores_per_node, now.machine.cores_per_node);
  compare("level", before.level, now.level);
  if (!differences.empty())
    throw Error(name, fmt::format("is no baseline for this machine: {}", fmt::join(differences, "; ")),
                "give the report.json of a validation of the same nodes with as many ranks at the same level",
                ExitCode::kNotComparable);
}

std::vector<std::string> changes_between(const Validation& now, const Validation& before) {
  std::vector<std::string> changes;
  const auto compare = [&](std::string_view what, const std::string& was, const std::string& is) {
    if (was != is) changes.push_back(fmt::format("{} {} is now {}", what, was, is));
  };
  compare("kernel", before.machine.kernel, now.machine.kernel);
  compare("MPI", fmt::format("{}", fmt::join(before.machine.mpis, " and ")),
          fmt::format("{}", fmt::join(now.machine.mpis, " and ")));
  compare("Plumbline", before.version, now.version);
  return changes;
}

}  // namespace

BaselineComparison compare_with_baseline(const Validation& now, const Validation& before, const std::string& name) {
  require_same_machine(now, before, name);
  BaselineComparison comparison;
  const std::vector<Pair> pairs = pairs_of(now, before, comparison.left_out);
  comparison.diagnoses = slower_than_before(pairs, now, before);
  const std::set<std::string> are = names_of(now), were = names_of(before);
  comparison.new_findings = without(are, were);
  comparison.gone_findings = without(were, are);
  comparison.changes = changes_between(now, before);
  return comparison;
}

void hold_against_baseline(Validation& now, const Validation& before, const std::string& name) {
  BaselineComparison comparison = compare_with_baseline(now, before, name);
  const auto note = [&](std::string_view what, const std::vector<std::string>& texts) {
    if (!texts.empty()) now.notes.push_back(fmt::format("{} {}: {}", what, name, fmt::join(texts, "; ")));
  };
  note("changed since", comparison.changes);
  note("found, and not in", comparison.new_findings);
  note("no longer found, but in", comparison.gone_findings);
  note("runs that cannot be compared with", comparison.left_out);
  std::ranges::move(comparison.diagnoses, std::back_inserter(now.diagnoses));
  sort_diagnoses(now);
  mark_found_checks(now);
}

}  // namespace plumbline::replay::validate
