#include "cli/workflows/validate/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "cli/workflows/validate/component_findings.hpp"
#include "cli/workflows/validate/findings.hpp"
#include "cli/workflows/validate/job.hpp"
#include "cli/workflows/validate/lossy_network.hpp"
#include "cli/workflows/validate/retests.hpp"
#include "cli/workflows/validate/rule_findings.hpp"
#include "cli/workflows/validate/rule_layouts.hpp"
#include "cli/workflows/validate/server_findings.hpp"
#include "cli/workflows/validate/setting_trials.hpp"
#include "cli/workflows/validate/wrong_data_causes.hpp"

namespace plumbline::cli::validate {
namespace {

using plumbline::validate::Diagnosis;

constexpr std::size_t kMostSuspicions = 8;

// A setting that costs something is the cause of what the suite and the rules show of the same thing.
struct Cause {
  std::string_view setting, shown;  // ids; what ends with '.' stands for all that begin like it
};
constexpr std::array kCauses{
    Cause{"mpi.collectives.forced", "mpi.collective.algorithm"},
    Cause{"mpi.collectives.forced", "rule."},
    Cause{"io.hints.file", "io.hints."},
    Cause{"io.hints.file", "storage.slow"},
    Cause{"io.hints.file", "rule.collective-io"},
    Cause{"io.ompio.lock-algorithm", "storage.slow"},
    Cause{"mpi.transport.no-shared-memory", "rule."},
    Cause{"mpi.transport.no-shared-memory", "suite.slower"},
    Cause{"mpi.transport.no-single-copy", "rule."},
    Cause{"mpi.transport.no-single-copy", "suite.slower"},
    Cause{"mpi.eager-limit", "rule."},
    Cause{"mpi.eager-limit", "suite.slower"},
    Cause{"mpi.setting.changed", "suite.slower"},
};

bool is_shown_by(std::string_view id, std::string_view pattern) {
  return pattern.ends_with('.') ? id.starts_with(pattern) : id == pattern;
}

bool is_caused_by(const Diagnosis& shown, const Diagnosis& setting) {
  if (!shown.mpi.empty() && shown.mpi != setting.mpi) return false;
  return std::ranges::any_of(
      kCauses, [&](const Cause& cause) { return cause.setting == setting.id && is_shown_by(shown.id, cause.shown); });
}

// What a setting causes becomes its evidence.
void fold_into_causes(std::vector<Diagnosis>& settings, std::vector<Diagnosis>& shown) {
  std::erase_if(shown, [&](const Diagnosis& each) {
    const auto cause = std::ranges::find_if(settings, [&](const Diagnosis& s) { return is_caused_by(each, s); });
    if (cause == settings.end()) return false;
    cause->evidence.push_back({each.id, each.title, ""});
    return true;
  });
}

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

// The costliest are measured again, and the others are told.
void keep_costliest(Session& session, std::vector<Suspicion>& suspicions) {
  std::ranges::stable_sort(suspicions, std::greater<>(), [](const Suspicion& s) { return s.diagnosis.cost_s; });
  if (suspicions.size() > kMostSuspicions) {
    for (std::size_t i = kMostSuspicions; i < suspicions.size(); ++i)
      session.validation.notes.push_back(fmt::format("not measured again, and so not counted: {} ({})",
                                                     suspicions[i].diagnosis.title, suspicions[i].run->entry->name));
    suspicions.resize(kMostSuspicions);
  }
}

// What the settings explain needs no re-test of its own.
void leave_out_explained(const std::vector<Diagnosis>& settings, std::vector<Suspicion>& suspicions,
                         std::vector<Diagnosis>& shown) {
  std::erase_if(suspicions, [&](Suspicion& suspicion) {
    const bool explained = std::ranges::any_of(
        settings, [&](const Diagnosis& setting) { return is_caused_by(suspicion.diagnosis, setting); });
    if (explained) shown.push_back(std::move(suspicion.diagnosis));
    return explained;
  });
}

// What costs next to nothing is told, and is no finding. What was read and not timed has no cost to go by.
void leave_out_cheap(Session& session) {
  auto& diagnoses = session.validation.diagnoses;
  const double least = kLeastShare * session.validation.suite_s();
  std::erase_if(diagnoses, [&](const Diagnosis& each) {
    const bool is_cheap = each.cost_s > 0 && each.cost_s < least;
    if (is_cheap) session.validation.observations.push_back(observation_of(each, kCostsNothing));
    return is_cheap;
  });
}

void set_shares(Session& session) {
  const double suite = session.validation.suite_s();
  double explained = 0, lost = 0;
  for (Diagnosis& each : session.validation.diagnoses) {
    each.cost_share = suite > 0 ? std::min(1.0, each.cost_s / suite) : 0;
    explained += each.cost_s;
  }
  for (const SuiteResult& run : session.runs)
    lost += run.judged.report.totals.lost().seconds() / std::max(1U, run.judged.report.totals.ranks);
  session.validation.unexplained_s = std::max(0.0, lost - explained);
}

// What a run loses where segments are lost looks like slow links, slow files and slow ranks, a different one each time.
// What was counted and not timed is no matter of lost segments.
void leave_out_lost(Session& session, std::vector<LossyNetwork>& networks, std::vector<Suspicion>& suspicions) {
  for (LossyNetwork& network : networks)
    std::erase_if(suspicions, [&](const Suspicion& suspicion) {
      const Diagnosis& suspected = suspicion.diagnosis;
      if (std::ranges::count(network.explained, suspicion.run) == 0 || !may_be_of_lost_segments(suspected))
        return false;
      network.diagnosis.evidence.push_back({suspected.id, suspected.title, ""});
      session.not_judged.try_emplace(suspected.id, fmt::format("segments were lost in {}", suspicion.run->entry->name));
      return true;
    });
}

struct Causes {
  std::vector<Diagnosis> settings, shown;
  std::vector<Suspicion> suspicions;  // of the suite, to be measured again
};

void find_causes(Session& session, Causes& causes) {
  causes.suspicions = suspicions_of(session);
  std::vector<LossyNetwork> networks = lossy_networks(session);
  leave_out_lost(session, networks, causes.suspicions);
  for (LossyNetwork& each : networks) causes.shown.push_back(std::move(each.diagnosis));
  const auto add = [&](std::vector<Diagnosis> found) { std::ranges::move(found, std::back_inserter(causes.shown)); };
  // What one kind of re-test cannot do takes nothing of what the others found.
  const auto attempt = [&](const auto& find) {
    try {
      find();
    } catch (const Error& error) {
      session.part_failed("diagnose", error);
    }
  };
  attempt([&] { causes.settings = try_settings(session); });
  leave_out_explained(causes.settings, causes.suspicions, causes.shown);
  keep_costliest(session, causes.suspicions);
  attempt([&] { name_settings_of_wrong_data(session); });
  attempt([&] {
    add(confirmed(session, causes.suspicions));
    causes.suspicions.clear();
  });
  attempt([&] { add(violated_rules(session)); });
  attempt([&] { add_components(session, causes.shown); });
  attempt([&] { add(slow_servers(session)); });
}

void settle_causes(Session& session, Causes causes) {
  fold_into_causes(causes.settings, causes.shown);
  fold_into_splits(causes.shown);
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
