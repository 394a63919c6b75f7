#include "cli/workflows/validate/causes/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "cli/workflows/validate/causes/cause_rules.hpp"
#include "cli/workflows/validate/causes/first_use.hpp"
#include "cli/workflows/validate/causes/folding.hpp"
#include "cli/workflows/validate/causes/interference.hpp"
#include "cli/workflows/validate/causes/noise.hpp"
#include "cli/workflows/validate/causes/rule_findings.hpp"
#include "cli/workflows/validate/causes/sync_mounts.hpp"
#include "cli/workflows/validate/causes/wrong_data_causes.hpp"
#include "cli/workflows/validate/measure/component_findings.hpp"
#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/retests.hpp"
#include "cli/workflows/validate/measure/rule_layouts.hpp"
#include "cli/workflows/validate/measure/server_findings.hpp"
#include "cli/workflows/validate/measure/shown.hpp"
#include "cli/workflows/validate/preflight/lossy_network.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "cli/workflows/validate/settings/trials.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;

// Ranks that share cores wait for each other inside of calls, which the platform, measured with two of them, does not
// have. Whom their peers excel shares cores as they do, and stays suspect.
std::string why_no_call_is_slow(const Session& session, const SuiteResult& run) {
  for (const MpiResult& result : session.mpis)
    if (result.mpi == run.mpi) return sharing_of(result.ranks);
  return {};
}

std::vector<Suspicion> suspicions_of(Session& session) {
  std::vector<Suspicion> suspicions;
  for (const SuiteResult& run : session.runs) {
    const std::string sharing = why_no_call_is_slow(session, run);
    for (Diagnosis& each : shown_by(run.judged, run)) {
      if (each.id == "suite.slower" && !sharing.empty())
        session.not_judged.try_emplace(each.id, sharing);
      else
        suspicions.push_back({&run, std::move(each)});
    }
    for (const Withheld& each : withheld_of(run.judged.report)) session.not_judged.try_emplace(each.id, each.reason);
  }
  return suspicions;
}

// What costs next to nothing is told, and is no finding.
void leave_out_cheap(Session& session) {
  auto& diagnoses = session.validation.diagnoses;
  std::erase_if(diagnoses, [&](const Diagnosis& each) {
    const bool is_cheap = costs_next_to_nothing(each, session.validation.suite_s());
    if (is_cheap) session.validation.observations.push_back(observation_of(each, kCostsNothing));
    return is_cheap;
  });
}

void set_shares(Session& session) {
  const double suite = session.validation.suite_s();
  for (Diagnosis& each : session.validation.diagnoses)
    each.cost_share = suite > 0 ? std::min(1.0, each.cost_s / suite) : 0;
}

double lost_by_the_suite(const Session& session) {
  double lost = 0;
  for (const SuiteResult& run : session.runs)
    lost += run.judged.report.totals.lost().seconds() / std::max(1U, run.judged.report.totals.ranks);
  return lost;
}

struct Causes {
  std::vector<Diagnosis> settings, shown;
  std::vector<Suspicion> suspicions;  // of the suite, to be measured again
};

void find_causes(Session& session, Causes& causes) {
  causes.suspicions = suspicions_of(session);
  std::vector<LossyNetwork> networks = lossy_networks(session);
  leave_out_lost(networks, causes.suspicions, session.not_judged);
  for (LossyNetwork& each : networks) causes.shown.push_back(std::move(each.diagnosis));
  std::ranges::move(interferences(session), std::back_inserter(causes.shown));
  std::ranges::move(noises(session, causes.shown), std::back_inserter(causes.shown));
  std::ranges::move(sync_mounts(session), std::back_inserter(causes.shown));
  const auto add = [&](std::vector<Diagnosis> found) { std::ranges::move(found, std::back_inserter(causes.shown)); };
  // What one kind of re-test cannot do takes nothing of what the others found.
  const auto attempt = [&](const auto& find) {
    try {
      find();
    } catch (const Error& error) {
      session.part_failed("diagnose", error);
    }
  };
  attempt([&] { try_settings(session, causes.settings); });
  leave_out_explained(causes.settings, causes.suspicions, causes.shown);
  for (const Suspicion& each : take_cheapest(causes.suspicions))
    session.validation.notes.push_back(
        fmt::format("not measured again, and so not counted: {} ({})", each.diagnosis.title, each.run->entry->name));
  attempt([&] { name_settings_of_wrong_data(session); });
  attempt([&] {
    add(confirmed(session, causes.suspicions));
    causes.suspicions.clear();
  });
  attempt([&] { add(violated_rules(session)); });
  attempt([&] { try_forced_algorithms(session, joined(causes.shown), causes.settings); });
  attempt([&] { add_components(session, causes.shown); });
  attempt([&] { add(slow_servers(session)); });
}

// Each MPI has a platform of its own, and all are of the same file systems.
void fold_storage_into_servers(const Session& session, std::vector<Diagnosis>& shown) {
  const auto slow = std::ranges::find(shown, "server.slow", &Diagnosis::id);
  if (slow == shown.end()) return;
  const auto measured =
      std::ranges::find(session.mpis, slow->mpi, [](const MpiResult& each) { return each.mpi->installed.flavour; });
  const hw::Platform platform = hw::read_platform(measured->platform);
  fold_into_servers(directory_of_servers(platform, storage_directory(session).string()), shown);
}

void settle_causes(Session& session, Causes causes) {
  double explained = seconds_beyond_expected(fold_into_causes(causes.settings, causes.shown));
  leave_out_own_threads(session, causes.shown);
  fold_unseen_interference(causes.shown);
  fold_into_splits(causes.shown);
  fold_splits_into_mounts(causes.shown);  // with what was folded into them
  fold_storage_into_servers(session, causes.shown);
  explained += seconds_beyond_expected(causes.shown);
  session.validation.unexplained_s = std::max(0.0, lost_by_the_suite(session) - explained);
  name_first_use(session.validation.observations, causes.shown);
  auto& all = session.validation.diagnoses;
  for (Diagnosis& each : causes.settings) all.push_back(std::move(each));
  for (Diagnosis& each : causes.shown) all.push_back(std::move(each));
  all = joined(std::move(all));
  leave_out_cheap(session);
  set_shares(session);
}

}  // namespace

double planned_seconds_to_diagnose(const Session&) { return planned_seconds_of_retests(); }

void diagnose(Session& session) {
  Causes causes;
  try {
    find_causes(session, causes);
  } catch (const Interrupted&) {
    for (const Suspicion& each : causes.suspicions)
      session.validation.observations.push_back(
          observation_of(each.diagnosis, "the validation was stopped before it was measured again"));
    settle_causes(session, std::move(causes));
    throw;
  }
  settle_causes(session, std::move(causes));
}

}  // namespace plumbline::cli::validate
