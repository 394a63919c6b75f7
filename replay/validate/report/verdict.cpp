#include "replay/validate/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "replay/compare/result/wording.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {
namespace {

bool is_complete(const Validation& validation) {
  return !validation.interrupted && std::ranges::all_of(validation.stages, &StageTime::complete);
}

bool was_made(const CheckResult& result) {
  return result.state == CheckState::kPassed || result.state == CheckState::kFound ||
         result.state == CheckState::kSuppressed;
}

bool suite_says_nothing(const Validation& validation) {
  return !validation.suite.empty() &&
         std::ranges::none_of(validation.suite, [](const SuiteRun& run) { return run.fault.empty(); });
}

const CheckResult* result_of(const Validation& validation, std::string_view id) {
  const auto found = std::ranges::find(validation.checks, id, &CheckResult::id);
  return found == validation.checks.end() ? nullptr : &*found;
}

// Why nothing can be said where nothing was found; "" where that says something.
std::string why_nothing_can_be_said(const Validation& validation) {
  const CheckResult* suite = result_of(validation, "suite.slower");
  const bool is_withheld = suite != nullptr && suite->state == CheckState::kNotJudged;
  if (std::ranges::none_of(validation.checks, was_made) && !(is_withheld && !suite->reason.empty()))
    return "no check could be made";
  if (suite_says_nothing(validation)) return "no run of the suite was completed";
  if (!is_withheld) return {};
  return suite->reason.empty() ? "in the suite a relevant loss can neither be shown nor excluded" : suite->reason;
}

const Diagnosis* preventing(const Validation& validation) {
  for (const Diagnosis* finding : findings(validation)) {
    const Check* check = find_check(finding->id);
    if (finding->fatal && check != nullptr && check->prevents) return finding;
  }
  return nullptr;
}

// The stage that this machine did not let go on; null: all went as far as they could.
const StageTime* broken_off(const Validation& validation) {
  const auto stage = std::ranges::find_if(validation.stages, &StageTime::cannot_run);
  return stage == validation.stages.end() ? nullptr : &*stage;
}

std::string findings_sentence(const std::vector<const Diagnosis*>& found) {
  // What is slower than in the baseline is lost by the same runs as what other references find.
  double share = 0, since_baseline = 0;
  bool bound = false, fatal = false;
  for (const Diagnosis* finding : found) {
    (finding->reference == Reference::kBaseline ? since_baseline : share) += finding->cost_share;
    bound = bound || finding->cost_is_bound;
    fatal = fatal || finding->fatal;
  }
  share = std::max(share, since_baseline);
  const bool one = found.size() == 1;
  const std::string count = replay::plural(found.size(), "finding");
  if (share > 0)
    return fmt::format("{}: {} {}{} of the suite.", count, one ? "it costs" : "they cost", bound ? "up to " : "",
                       share_text(std::min(share, 1.0)));
  if (fatal) return fmt::format("{}; nothing was measured on top of {}.", count, one ? "it" : "them");
  return fmt::format("{}; what {} cost{} was not measured.", count, one ? "it" : "they", one ? "s" : "");
}

}  // namespace

std::vector<const Diagnosis*> findings(const Validation& validation) {
  std::vector<const Diagnosis*> found;
  for (const Diagnosis& diagnosis : validation.diagnoses)
    if (diagnosis.suppressed_by.empty()) found.push_back(&diagnosis);
  return found;
}

std::size_t suppressed_findings(const Validation& validation) {
  return validation.diagnoses.size() - findings(validation).size();
}

ExitCode exit_code(const Validation& validation) {
  if (preventing(validation) != nullptr) return ExitCode::kCannotRunHere;
  if (!findings(validation).empty()) return ExitCode::kFindings;
  if (broken_off(validation) != nullptr) return ExitCode::kCannotRunHere;
  if (!is_complete(validation) || !why_nothing_can_be_said(validation).empty()) return ExitCode::kTooNoisy;
  return ExitCode::kAsExpected;
}

std::string_view verdict_word(const Validation& validation) {
  switch (exit_code(validation)) {
    case ExitCode::kAsExpected:
      return "no findings";
    case ExitCode::kFindings:
      return "findings";
    case ExitCode::kCannotRunHere:
      return preventing(validation) != nullptr ? "cannot run here" : "broken off";
    default:
      return is_complete(validation) ? "too noisy to tell" : "incomplete";
  }
}

std::string verdict_sentence(const Validation& validation) {
  const std::string incomplete = is_complete(validation)  ? ""
                                 : validation.interrupted ? "Interrupted. "
                                                          : "Incomplete. ";
  if (const Diagnosis* cause = preventing(validation))
    return fmt::format("Cannot run here: {}{}.", cause->title, places_text(cause->places));
  if (const auto found = findings(validation); !found.empty()) return incomplete + findings_sentence(found);
  if (const StageTime* stage = broken_off(validation))
    return fmt::format("Broken off ({}): {}.", stage->name, stage->fault);
  if (!incomplete.empty()) return incomplete + "Of what was measured nothing was found.";
  if (const std::string why = why_nothing_can_be_said(validation); !why.empty())
    return fmt::format("Too noisy to tell: {}.", why);
  const std::size_t suppressed = suppressed_findings(validation);
  return suppressed == 0 ? "No findings." : fmt::format("No findings, but for {} suppressed.", suppressed);
}

}  // namespace plumbline::replay::validate
