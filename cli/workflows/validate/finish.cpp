#include "cli/workflows/validate/finish.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "base/files/output.hpp"
#include "base/files/text_file.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"
#include "replay/validate/report/baseline.hpp"
#include "replay/validate/report/json.hpp"
#include "replay/validate/report/junit.hpp"
#include "replay/validate/report/suppress.hpp"
#include "viewer/report/html_report.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Check;
using replay::validate::CheckResult;
using replay::validate::CheckState;
using replay::validate::Stage;

bool is_wanted(const Session& session, const Check& check) {
  const auto& only = session.options.only;
  return only.empty() || std::ranges::any_of(only, [&](const std::string& id) { return matches(id, check.id); });
}

std::string_view stage_of(const Check& check) {
  switch (check.stage) {
    case Stage::kPreFlight:
    case Stage::kWitness:
      return "pre-flight";
    case Stage::kRule:
      return "measure";
    default:
      return "diagnose";
  }
}

bool is_complete(const Session& session, std::string_view stage) {
  const auto& stages = session.validation.stages;
  const auto found = std::ranges::find(stages, stage, &replay::validate::StageTime::name);
  return found != stages.end() && found->complete;
}

// Why a check says nothing; empty: it was made.
std::string unmade(const Session& session, const Check& check) {
  const std::string id(check.id);
  if (const auto found = session.could_not_run.find(id); found != session.could_not_run.end()) return found->second;
  const std::string_view stage = stage_of(check);
  if (!is_complete(session, stage)) {
    const auto fault = session.stage_faults.find(std::string(stage));
    if (fault != session.stage_faults.end()) return fault->second.what();
    return fmt::format("{} was not completed", stage);
  }
  if (check.stage == Stage::kSuite && session.runs.empty()) return "no run of the suite could be replayed";
  return {};
}

CheckResult result_of(const Session& session, const Check& check) {
  CheckResult result{.id = std::string(check.id)};
  const auto not_judged = session.not_judged.find(result.id);
  if (std::string reason = unmade(session, check); !reason.empty()) {
    result.state = CheckState::kCouldNotRun;
    result.reason = std::move(reason);
  } else if (not_judged != session.not_judged.end()) {
    result.state = CheckState::kNotJudged;
    result.reason = not_judged->second;
  }
  return result;
}

}  // namespace

void settle_checks(Session& session) {
  replay::validate::Validation& validation = session.validation;
  for (const MpiResult& result : session.mpis)
    validation.observations.insert(validation.observations.end(), result.observations.begin(),
                                   result.observations.end());
  for (const Check& check : replay::validate::catalogue())
    if (is_wanted(session, check)) validation.checks.push_back(result_of(session, check));
  std::erase_if(validation.diagnoses, [&](const replay::validate::Diagnosis& diagnosis) {
    const Check* const check = replay::validate::find_check(diagnosis.id);
    return check != nullptr && !is_wanted(session, *check);
  });
  if (!session.options.baseline.empty()) {
    const std::string name = session.options.baseline.string();
    const auto before =
        replay::validate::from_json(read_text_file(session.options.baseline, "name a report.json"), name);
    replay::validate::hold_against_baseline(validation, before, name);
  }
  if (!session.options.suppress.empty()) {
    const std::string name = session.options.suppress.string();
    replay::validate::suppress(validation,
                               replay::validate::parse_suppressions(
                                   read_text_file(session.options.suppress, "name a file of lines ID # why"), name),
                               name);
  }
  replay::validate::sort_diagnoses(validation);
  replay::validate::mark_found_checks(validation);
}

void write_faces(const Session& session) {
  const auto& validation = session.validation;
  write_file(session.directory / "report.json", replay::validate::json_text(validation), Overwrite::kYes);
  write_file(session.directory / "junit.xml", replay::validate::junit_text(validation), Overwrite::kYes);
  std::vector<viewer::NamedReport> reports;
  for (const SuiteResult& run : session.runs)
    reports.emplace_back(fmt::format("{} ({})", run.entry->name, run.mpi->installed.flavour), &run.judged.report);
  write_file(session.directory / "report.html", viewer::html_report(validation, reports), Overwrite::kYes);
}

}  // namespace plumbline::cli::validate
