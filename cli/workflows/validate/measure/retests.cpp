#include "cli/workflows/validate/measure/retests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/link_retests.hpp"
#include "cli/workflows/validate/measure/recalibration.hpp"
#include "cli/workflows/validate/measure/shown.hpp"
#include "cli/workflows/validate/suite/suite.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::Observation;
using replay::validate::Retest;

constexpr double kSecondsOfRetests = 10;  // seconds; nobody knows beforehand how much will be suspected

// What the same run costs by the same cause when it is made again; 0: it is not found.
double cost_in(const std::vector<Diagnosis>& found, const Diagnosis& suspected) {
  double cost = 0;
  for (const Diagnosis& each : found)
    if (accuse_the_same(each, suspected)) cost += each.cost_s;
  return cost;
}

// Why the suspicion is no finding.
std::string why_not_confirmed(const Repeated& again) {
  if (std::ranges::count(again.retest.again, 0.0) > 0) return "measured again, it was not so";
  return "it could not be measured again" + (again.unclear.empty() ? "" : ": " + again.unclear);
}

Observation observation_not_confirmed(const Diagnosis& diagnosis, std::string_view why) {
  Observation observation = observation_of(diagnosis, why);
  for (const Retest& retest : diagnosis.retests)
    for (const double again : retest.again)
      observation.rows.push_back({retest.what + ", again", fmt::format("{:.4g}", again), retest.unit});
  return observation;
}

using Found = std::vector<Diagnosis>;

constexpr std::string_view kMachineChanged = "the machine was slower than when it was calibrated";

bool is_against_calibration(const Diagnosis& diagnosis) {
  return diagnosis.reference == replay::validate::Reference::kNominal;
}

// What was found each further time, and what by calibrations beside it, where times are held against one.
struct Repetitions {
  std::vector<Repetition> found;
  std::vector<Found> beside;
};

bool needs_calibration(const Session& session, const std::vector<Suspicion>& suspicions, const SuiteResult* run) {
  const double least = kLeastShare * session.validation.suite_s();
  return std::ranges::any_of(suspicions, [&](const Suspicion& each) {
    return each.run == run && is_against_calibration(each.diagnosis) && each.diagnosis.cost_s >= least;
  });
}

std::map<const SuiteResult*, Repetitions> repeat(Session& session, const std::vector<Suspicion>& suspicions) {
  std::map<const SuiteResult*, Repetitions> again;
  for (const Suspicion& suspicion : suspicions) again.try_emplace(suspicion.run);
  for (std::uint32_t time = 1; time <= kRetests; ++time)
    for (auto& [run, repetitions] : again) {
      session.begin_step(fmt::format("{} again, {}", run->entry->name, run->mpi->installed.flavour));
      try {
        const Judged judged = judge_again(session, *run, time);
        repetitions.found.push_back({shown_by(judged, *run), withheld_of(judged.report)});
      } catch (const Error& error) {
        session.validation.notes.push_back(fmt::format("re-test of {}: {}", run->entry->name, error.what()));
        continue;
      }
      if (!needs_calibration(session, suspicions, run)) continue;
      if (auto beside = shown_by_calibration_after(session, *run, time))
        repetitions.beside.push_back(*std::move(beside));
    }
  return again;
}

// Each suspected cable is measured by itself once with an MPI, however many runs accuse it.
class Links {
 public:
  explicit Links(Session& session) : session_(session) {}

  // Of a set that the suite cannot tell apart the first one that is slow by itself remains. True: none of them is.
  bool refute(const Mpi& mpi, Diagnosis& diagnosis) {
    std::vector<std::string> suspects = diagnosis.one_of;
    if (suspects.empty()) suspects = {diagnosis.component};
    bool all_refuted = true;
    for (const std::string& suspect : suspects) {
      const std::optional<Retest>& retest = retest_of(mpi, suspect);
      if (retest) diagnosis.retests.push_back(*retest);
      const bool is_slow = retest && speaks_for(*retest, diagnosis);
      if (retest) diagnosis.retests.back().persists = is_slow;
      all_refuted = all_refuted && retest && !is_slow;
      if (!is_slow) continue;
      if (!diagnosis.one_of.empty()) settle_on(suspect, diagnosis);
      return false;
    }
    return all_refuted;
  }

 private:
  const std::optional<Retest>& retest_of(const Mpi& mpi, const std::string& link) {
    const auto [place, is_new] = known_.try_emplace({&mpi, link});
    if (is_new) place->second = retest_of_link(session_, mpi, link);
    return place->second;
  }

  Session& session_;
  std::map<std::pair<const Mpi*, std::string>, std::optional<Retest>> known_;
};

// Whether it is the machine that was slower than when it was calibrated: then nothing can be said of its calls.
// `beside`: what the repetitions show by calibrations beside them.
bool is_of_the_machine(Session& session, const SuiteResult& run, const std::vector<Found>& beside,
                       Diagnosis& diagnosis) {
  if (!is_against_calibration(diagnosis) || beside.empty()) return false;
  Retest retest{
      fmt::format("cost in {} by a calibration beside it", run.entry->name), "s", diagnosis.cost_s, {}, {}, true};
  for (const Found& found : beside) retest.again.push_back(cost_in(found, diagnosis));
  const double least = std::ranges::min(retest.again);
  retest.persists = least > 0;
  diagnosis.cost_s = std::min(diagnosis.cost_s, least);
  diagnosis.retests.push_back(retest);
  if (retest.persists) return false;
  session.not_judged.try_emplace(diagnosis.id, kMachineChanged);
  session.disturbed(std::string(kMachineChanged));
  return true;
}

}  // namespace

Repeated repeated(const Diagnosis& suspected, const std::string& entry, std::span<const Repetition> repetitions) {
  Repeated result{{fmt::format("cost in {}", entry), "s", suspected.cost_s, {}, {}, true}};
  for (const Repetition& each : repetitions) {
    const double cost = cost_in(each.found, suspected);
    const auto withheld = std::ranges::find(each.withheld, suspected.id, &Withheld::id);
    if (cost > 0 || withheld == each.withheld.end())
      result.retest.again.push_back(cost);
    else
      result.unclear = withheld->reason;
  }
  result.retest.persists = !result.retest.again.empty() && result.unclear.empty() &&
                           std::ranges::all_of(result.retest.again, [](double cost) { return cost > 0; });
  return result;
}

double planned_seconds_of_retests() { return kSecondsOfRetests; }

std::vector<Diagnosis> confirmed(Session& session, std::vector<Suspicion> suspicions) {
  const auto again = repeat(session, suspicions);
  Links links(session);
  std::vector<Diagnosis> result;
  for (Suspicion& suspicion : suspicions) {
    Diagnosis& diagnosis = suspicion.diagnosis;
    const Repetitions& repetitions = again.at(suspicion.run);
    const Repeated repetition = repeated(diagnosis, suspicion.run->entry->name, repetitions.found);
    if (repetition.retest.persists)
      diagnosis.cost_s = std::min(diagnosis.cost_s, std::ranges::min(repetition.retest.again));
    diagnosis.retests.push_back(repetition.retest);
    if (!repetition.unclear.empty() && std::ranges::count(repetition.retest.again, 0.0) == 0)
      session.not_judged.try_emplace(diagnosis.id, repetition.unclear);
    if (!repetition.retest.persists)
      session.validation.observations.push_back(observation_not_confirmed(diagnosis, why_not_confirmed(repetition)));
    else if (is_of_the_machine(session, *suspicion.run, repetitions.beside, diagnosis))
      session.validation.observations.push_back(observation_of(diagnosis, "by a calibration beside it, it was not so"));
    else if (links.refute(*suspicion.run->mpi, diagnosis))
      session.validation.observations.push_back(observation_of(diagnosis, "by itself it is not as slow as that"));
    else
      result.push_back(std::move(diagnosis));
  }
  return result;
}

}  // namespace plumbline::cli::validate
