#include "cli/workflows/validate/setting_costs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/statistics/order.hpp"
#include "cli/workflows/validate/archive_settings.hpp"

namespace plumbline::cli::validate {
namespace {

using plumbline::validate::Confidence;
using plumbline::validate::Diagnosis;
using plumbline::validate::Observation;
using plumbline::validate::Reference;
using plumbline::validate::Retest;

constexpr double kLeastP = 0.05;

// Of the suite with this MPI.
double length_of(const Session& session, const std::string& mpi) {
  double length = 0;
  for (const auto& run : session.validation.suite)
    if (run.mpi == mpi) length += run.observed_s;
  return length;
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

bool is_costly(const TwinOutcome& outcome) {
  return outcome.fault.empty() && outcome.p <= kLeastP && outcome.gain_s() > kLeastShare * outcome.as_is_s;
}

bool may_be_costly(const TwinOutcome& outcome) {
  return outcome.fault.empty() && outcome.least_gain_s() > kLeastShare * outcome.least_as_is_s;
}

std::vector<plumbline::validate::Datum> differing_cells(const TwinOutcome& outcome) {
  constexpr double kTimes = 2;
  // By how many times the least of `slow` exceeds the most of `fast`.
  const auto times = [](const std::vector<double>& slow, const std::vector<double>& fast) {
    if (slow.empty() || fast.empty()) return 0.0;
    const double most = std::ranges::max(fast);
    return most > 0 ? std::ranges::min(slow) / most : 0.0;
  };
  std::vector<plumbline::validate::Datum> rows;
  for (const TwinCell& cell : outcome.cells) {
    const double with = times(cell.as_is, cell.changed), without = times(cell.changed, cell.as_is);
    if (with >= kTimes) rows.push_back({cell.name, fmt::format("{:.3g}", with), "times as long with it"});
    if (without >= kTimes) rows.push_back({cell.name, fmt::format("{:.3g}", without), "times as long without it"});
  }
  return rows;
}

std::string text_of_doubt(const TwinOutcome& outcome, std::uint32_t pairs) {
  return fmt::format("{} times with and without it took {:.3f} and {:.3f} s, which may be chance (p {:.2g})", pairs,
                     outcome.as_is_s, outcome.changed_s, outcome.p);
}

Diagnosis diagnosis_of(const Session& session, const Observation& setting, const std::string& mpi,
                       const TwinOutcome& outcome, std::uint32_t pairs) {
  Diagnosis diagnosis;
  diagnosis.id = setting.id;
  diagnosis.title = setting.text;
  diagnosis.component = setting.component;
  diagnosis.mpi = mpi;
  diagnosis.reference = Reference::kWitness;
  const double share = outcome.gain_s() / outcome.as_is_s;
  diagnosis.cost_s = share * length_of(session, mpi);
  diagnosis.cost_basis =
      fmt::format("cells of the suite, run with and without it {} times in turn, gained {:.0f} %", pairs, 100 * share);
  diagnosis.confidence = outcome.p <= 0.01 ? Confidence::kHigh : Confidence::kGood;
  diagnosis.samples = pairs;
  diagnosis.p = outcome.p;
  diagnosis.retests = retests_of(outcome);
  diagnosis.evidence = setting.rows;
  diagnosis.evidence.push_back({"cells with it", fmt::format("{:.3f}", outcome.as_is_s), "s"});
  diagnosis.evidence.push_back({"cells without it", fmt::format("{:.3f}", outcome.changed_s), "s"});
  diagnosis.origin = setting.origin;
  (mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich) = {text_of_removal(setting)};
  return diagnosis;
}

}  // namespace plumbline::cli::validate
