#include "cli/workflows/validate/settings/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "base/statistics/order.hpp"
#include "base/statistics/rank_sum.hpp"
#include "cli/workflows/validate/session/archive_settings.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::Observation;
using replay::validate::Reference;
using replay::validate::Retest;

// Of each test. A healthy machine may have one finding in 150 validations, in each of which settings are tried; most of
// them are let go after two pairs, all at once.
constexpr double kLeastP = 0.004;
constexpr double kHighP = 0.0011;  // 1 / C(12, 6): six runs with it, each of them longer than each of six without

// The least p of so many runs on each side: 1 / C(2 n, n).
constexpr double least_p(std::uint32_t pairs) {
  double p = 1;
  for (std::uint32_t i = 1; i <= pairs; ++i) p *= static_cast<double>(i) / (pairs + i);
  return p;
}
static_assert(least_p(kLeastPairs) <= kLeastP && least_p(6) <= kHighP, "so few runs show nothing");

constexpr double kUnclearP = 0.1;          // not shown, and not refuted either
constexpr double kUnclearTime_s = 60;      // of runs that are worth making again for it
constexpr double kLeastShareAlike = 0.02;  // of 34 cells one that takes four times as long, or two that take twice
// A cell whose time differs by this, in every run, differs whatever the machine's noise.
constexpr double kTimesAsLong = 2;
// A cell that is worth a look, since other runs decide then.
constexpr double kSuspectTimes = 1.5;
constexpr double kMuch = 0.05;  // of the time

// Of the suite with this MPI.
double length_of(const Session& session, const std::string& mpi) {
  double length = 0;
  for (const auto& run : session.validation.suite)
    if (run.mpi == mpi) length += run.observed_s;
  return length;
}

// By how many times the least of `slow` exceeds the most of `fast`.
double times_as_long(const std::vector<double>& slow, const std::vector<double>& fast) {
  if (slow.empty() || fast.empty()) return 0;
  const double most = std::ranges::max(fast);
  return most > 0 ? std::ranges::min(slow) / most : 0.0;
}

bool is_a_loss(const TwinOutcome& outcome, const CellLoss& loss) {
  return loss.lost_s > kLeastShare * outcome.as_is_s || loss.share_alike > kLeastShareAlike;
}

double logarithm(double seconds) { return std::log(std::max(seconds, 1e-12)); }

bool is_of(const TwinCell& cell, const std::vector<std::string>& names) {
  return std::ranges::find(names, cell.name) != names.end();
}

// How many times as long the cell takes with the setting.
double typical_ratio(const TwinCell& cell) {
  return statistics::median(cell.typical_as_is) / statistics::median(cell.typical_changed);
}

// "bcast:bytes=8 (12 times)", the worst first, at most three; and how many more.
std::string text_of_losing(const TwinOutcome& outcome, const std::vector<std::string>& losing) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<double, std::string>> ratios;
  for (const TwinCell& cell : outcome.cells)
    if (is_of(cell, losing)) ratios.emplace_back(typical_ratio(cell), cell.name);
  std::ranges::stable_sort(ratios, std::greater<>(), &std::pair<double, std::string>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, ratios.size()); ++i)
    text += fmt::format("{}{} ({:.2g} times as long)", i == 0 ? "" : ", ", ratios[i].second, ratios[i].first);
  return ratios.size() > kMost ? fmt::format("{} and {} more", text, ratios.size() - kMost) : text;
}

constexpr std::string_view kLongerWith = "times as long with it", kLongerWithout = "times as long without it";

bool is_faster_with_it(const replay::validate::Datum& row) { return row.unit == kLongerWithout; }

// How much longer the losing cells take by their medians, and what other cells gain by the setting.
std::vector<replay::validate::Datum> rows_of(const TwinOutcome& outcome, const std::vector<std::string>& losing) {
  std::vector<replay::validate::Datum> rows;
  for (const TwinCell& cell : outcome.cells)
    if (is_of(cell, losing))
      rows.push_back({cell.name, fmt::format("{:.3g}", typical_ratio(cell)), std::string(kLongerWith)});
  std::ranges::copy_if(differing_cells(outcome), std::back_inserter(rows), is_faster_with_it);
  return rows;
}

// The cells that gain most, as re-tests: each was measured as often with the setting as without.
std::vector<Retest> retests_of(const TwinOutcome& outcome) {
  constexpr std::size_t kMost = 4;
  std::vector<const TwinCell*> cells;
  for (const TwinCell& cell : outcome.cells) cells.push_back(&cell);
  const auto gain = [](const TwinCell* cell) {
    return statistics::median(cell->as_is) - statistics::median(cell->changed);
  };
  std::ranges::stable_sort(cells, std::greater<>(), gain);
  std::vector<Retest> retests;
  for (const TwinCell* cell : cells) {
    if (retests.size() == kMost || gain(cell) <= 0) break;
    retests.push_back({cell->name, "s", statistics::median(cell->as_is), cell->as_is, cell->changed, true});
  }
  return retests;
}

}  // namespace

bool is_costly(const TwinOutcome& outcome) { return is_costly(outcome, CellLoss{outcome.gain_s(), outcome.p}); }

bool may_be_costly(const TwinOutcome& outcome) {
  return outcome.fault.empty() && outcome.least_gain_s() > kLeastShare * outcome.least_as_is_s;
}

std::vector<std::string> losing_cells(const TwinOutcome& outcome) {
  std::vector<std::string> names;
  for (const TwinCell& cell : outcome.cells)
    if (times_as_long(cell.typical_as_is, cell.typical_changed) >= kSuspectTimes) names.push_back(cell.name);
  return names;
}

CellLoss loss_in(const TwinOutcome& outcome, const std::vector<std::string>& cells) {
  CellLoss loss;
  std::vector<double> as_is, changed;
  const auto add = [](const std::vector<double>& times, std::vector<double>& to) {
    to.resize(times.size());
    std::ranges::transform(to, times, to.begin(), [](double sum, double time) { return sum + logarithm(time); });
  };
  for (const TwinCell& cell : outcome.cells) {
    if (!is_of(cell, cells)) continue;
    const double with = statistics::median(cell.typical_as_is), lost = with - statistics::median(cell.typical_changed);
    loss.lost_s += lost;
    if (with > 0) loss.share_alike += lost / with / static_cast<double>(outcome.cells.size());
    add(cell.typical_as_is, as_is);
    add(cell.typical_changed, changed);
  }
  if (!as_is.empty() && !changed.empty())
    loss.p = statistics::rank_sum_test(as_is, changed, statistics::Alternative::kGreater).p;
  return loss;
}

bool is_costly(const TwinOutcome& outcome, const CellLoss& loss) {
  return outcome.fault.empty() && loss.p <= kLeastP && is_a_loss(outcome, loss);
}

bool is_unclear(const TwinOutcome& outcome, const CellLoss& loss) {
  return outcome.fault.empty() && !is_costly(outcome, loss) && loss.p <= kUnclearP &&
         outcome.took_s <= kUnclearTime_s && is_a_loss(outcome, loss);
}

bool is_worth_more_pairs(const TwinOutcome& outcome) {
  constexpr double kShort_s = 12;
  if (!outcome.fault.empty()) return false;
  if (is_a_loss(outcome, loss_in(outcome, losing_cells(outcome)))) return true;
  if (!may_be_costly(outcome)) return false;
  return outcome.is_apart || (outcome.took_s <= kShort_s && outcome.least_gain_s() > kMuch * outcome.least_as_is_s);
}

bool loses_much(const TwinOutcome& part) {
  return part.fault.empty() && part.is_apart && part.least_gain_s() > kMuch * part.least_as_is_s;
}

std::vector<replay::validate::Datum> differing_cells(const TwinOutcome& outcome) {
  std::vector<replay::validate::Datum> rows;
  for (const TwinCell& cell : outcome.cells) {
    const double with = times_as_long(cell.typical_as_is, cell.typical_changed);
    const double without = times_as_long(cell.typical_changed, cell.typical_as_is);
    if (with >= kTimesAsLong) rows.push_back({cell.name, fmt::format("{:.3g}", with), std::string(kLongerWith)});
    if (without >= kTimesAsLong)
      rows.push_back({cell.name, fmt::format("{:.3g}", without), std::string(kLongerWithout)});
  }
  return rows;
}

std::string text_of_doubt(const TwinOutcome& outcome, std::uint32_t pairs) {
  return fmt::format("{} times with and without it took {:.3f} and {:.3f} s, which may be chance (p {:.2g})", pairs,
                     outcome.as_is_s, outcome.changed_s, outcome.p);
}

Diagnosis diagnosis_of(const Session& session, const Observation& setting, const std::string& mpi,
                       const SettingTrial& trial) {
  const TwinOutcome& outcome = trial.outcome;
  const bool is_of_cells = !trial.losing.empty();
  const CellLoss loss = is_of_cells ? loss_in(outcome, trial.losing) : CellLoss{outcome.gain_s(), outcome.p};
  Diagnosis diagnosis;
  diagnosis.id = setting.id;
  diagnosis.title = setting.text;
  if (is_of_cells) diagnosis.title += "; " + text_of_losing(outcome, trial.losing);
  diagnosis.component = setting.component;
  diagnosis.mpi = mpi;
  diagnosis.reference = Reference::kWitness;
  const double share = loss.lost_s / outcome.as_is_s;
  diagnosis.cost_s = share * length_of(session, mpi);
  if (is_of_cells && share < kLeastShare) diagnosis.cells_share = loss.share_alike;
  diagnosis.cost_basis = fmt::format(
      "{}, run with and without it {} times in turn, {} {:.0f} %{}{}",
      is_of_cells ? fmt::format("{} of {} cells", trial.losing.size(), outcome.cells.size())
                  : fmt::format("{} cells", outcome.cells.size()),
      trial.pairs, is_of_cells ? "lost" : "gained", 100 * share,
      outcome.typical ? " by their typical repetitions, for ranks are stopped for moments" : "",
      is_of_cells
          ? fmt::format("; all cells together gained {:.0f} % without it", 100 * outcome.gain_s() / outcome.as_is_s)
          : "");
  diagnosis.confidence = loss.p <= kHighP ? Confidence::kHigh : Confidence::kGood;
  diagnosis.samples = trial.pairs;
  diagnosis.p = loss.p;
  diagnosis.retests = retests_of(outcome);
  diagnosis.evidence = setting.rows;
  diagnosis.evidence.push_back({"cells with it", fmt::format("{:.3f}", outcome.as_is_s), "s"});
  diagnosis.evidence.push_back({"cells without it", fmt::format("{:.3f}", outcome.changed_s), "s"});
  if (is_of_cells) std::ranges::move(rows_of(outcome, trial.losing), std::back_inserter(diagnosis.evidence));
  diagnosis.origin = setting.origin;
  (mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich) = {text_of_removal(setting)};
  if (is_of_cells && std::ranges::any_of(diagnosis.evidence, is_faster_with_it))
    diagnosis.remedy.lines.push_back(
        "other cells are faster with it (see the evidence): weigh them by what is run here");
  return diagnosis;
}

}  // namespace plumbline::cli::validate
