#include "cli/workflows/validate/causes/interference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "cli/workflows/validate/measure/rule_layouts.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::Observation;

constexpr double kLeastUnseen = 0.05;  // of the suite

// "n3 dd (process 12) had 0.97 of a processor, and 2 more processes some": the largest one, of all nodes.
std::string text_of(const Observation& seen) {
  const auto share = [](const replay::validate::Datum& row) { return std::strtod(row.value.c_str(), nullptr); };
  const replay::validate::Datum& largest = *std::ranges::max_element(seen.rows, {}, share);
  const std::string more =
      seen.rows.size() > 1 ? fmt::format(", and {} more processes some", seen.rows.size() - 1) : "";
  return fmt::format("{} had {} of a processor{}", largest.name, largest.value, more);
}

Diagnosis begun(double off_s, const Observation* seen) {
  Diagnosis diagnosis;
  diagnosis.id = kInterference;
  diagnosis.title = fmt::format("Ranks were ready and did not run for {:.2f} s in all: {}", off_s,
                                seen ? text_of(*seen) : "other processes or interrupts had their processors");
  diagnosis.component = "processors";
  if (seen) diagnosis.places = seen->places;
  diagnosis.reference = replay::validate::Reference::kWitness;
  diagnosis.cost_is_bound = true;
  diagnosis.cost_basis = "what ranks missed, in each run no more than it lost";
  diagnosis.confidence = seen ? Confidence::kHigh : Confidence::kGood;
  if (seen) diagnosis.evidence = seen->rows;
  if (const auto* const check = replay::validate::find_check(kInterference))
    diagnosis.remedy = replay::validate::remedy_of(*check);
  return diagnosis;
}

}  // namespace

bool take_turns(const replay::validate::Validation& validation, const std::vector<node::RankIdentity>& ranks) {
  constexpr std::array<std::string_view, 3> kLaunchCauses{"launch.binding.overlap", "launch.ranks.cores", "cpu.quota"};
  const auto is_cause = [&](const auto& each) { return std::ranges::count(kLaunchCauses, each.id) > 0; };
  return !sharing_of(ranks).empty() || std::ranges::any_of(validation.diagnoses, is_cause) ||
         std::ranges::any_of(validation.observations, is_cause);
}

std::optional<Diagnosis> interference(const std::vector<OffCpu>& runs, double suite_s, const Observation* seen) {
  double off_s = 0, cost_s = 0;
  std::vector<replay::validate::Datum> rows;
  for (const OffCpu& run : runs) {
    off_s += run.off_s;
    cost_s += std::clamp(run.lost_s, 0.0, run.off_s);
    if (run.off_s > 0) rows.push_back({run.entry + ", ready and not running", fmt::format("{:.3f}", run.off_s), "s"});
  }
  if (cost_s <= 0 || cost_s < (seen ? kLeastShare : kLeastUnseen) * suite_s) return {};
  Diagnosis diagnosis = begun(off_s, seen);
  diagnosis.cost_s = cost_s;
  diagnosis.samples = runs.size();
  diagnosis.evidence.insert(diagnosis.evidence.end(), rows.begin(), rows.end());
  return diagnosis;
}

std::vector<Diagnosis> interferences(Session& session) {
  auto& observations = session.validation.observations;
  const auto seen = std::ranges::find(observations, kInterference, &Observation::id);
  std::vector<Diagnosis> found;
  for (const MpiResult& result : session.mpis) {
    if (take_turns(session.validation, result.ranks)) continue;
    std::vector<OffCpu> runs;
    double suite_s = 0;
    for (const SuiteResult& run : session.runs) {
      if (run.mpi != result.mpi) continue;
      const replay::Totals& totals = run.judged.report.totals;
      runs.push_back({run.entry->name, totals.off_cpu.seconds(), (totals.run - run.judged.expected).seconds()});
      suite_s += totals.run.seconds();
    }
    std::optional<Diagnosis> one =
        interference(runs, suite_s, seen == observations.end() || seen->rows.empty() ? nullptr : &*seen);
    if (!one) continue;
    one->mpi = result.mpi->installed.flavour;
    if (seen != observations.end()) seen->explained = true;
    found.push_back(*std::move(one));
  }
  return found;
}

bool names_processes(const Diagnosis& interference) {
  return std::ranges::any_of(interference.evidence, [](const auto& row) { return row.unit == "processors"; });
}

void leave_out_own_threads(Session& session, std::vector<Diagnosis>& shown) {
  const auto has_threads = [&](const std::string& mpi) {
    return std::ranges::any_of(session.mpis, [&](const MpiResult& result) {
      return result.mpi->installed.flavour == mpi &&
             std::ranges::count(result.observations, kProgressThreads, &Observation::component) > 0;
    });
  };
  std::erase_if(shown, [&](const Diagnosis& each) {
    if (each.id != kInterference || names_processes(each) || !has_threads(each.mpi)) return false;
    session.validation.observations.push_back(
        observation_of(each, "threads for progress that the ranks have may be what had them"));
    return true;
  });
}

}  // namespace plumbline::cli::validate
