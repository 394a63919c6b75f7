#include "cli/workflows/validate/causes/rule_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "bench/rules/proposals.hpp"
#include "bench/rules/retest.hpp"
#include "cli/workflows/validate/causes/rule_costs.hpp"
#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/retests.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::Retest;

constexpr double kRetestSeconds = 8;
constexpr std::size_t kMostEvidence = 4;  // outcomes that are told

// All violated outcomes of one rule under one MPI.
struct Violation {
  const bench::Rule* rule = nullptr;
  const MpiResult* result = nullptr;
  const bench::RuleOutcome* worst = nullptr;
  std::vector<const bench::RuleOutcome*> outcomes;
};

std::vector<Violation> violations_of(const MpiResult& result) {
  std::vector<Violation> violations;
  for (const bench::RuleSummary& summary : result.verdict.summaries) {
    if (!summary.violated || !summary.worst) continue;
    auto found = std::ranges::find(violations, summary.rule, &Violation::rule);
    if (found == violations.end()) found = violations.insert(found, {summary.rule, &result, nullptr, {}});
    const bench::RuleOutcome& worst = result.verdict.outcomes[*summary.worst];
    if (found->worst == nullptr || worst.ratio / worst.allowed > found->worst->ratio / found->worst->allowed)
      found->worst = &worst;
  }
  for (Violation& violation : violations)
    for (const bench::RuleOutcome& outcome : result.verdict.outcomes)
      if (outcome.rule == violation.rule && outcome.violated) violation.outcomes.push_back(&outcome);
  return violations;
}

// The suspects' cells twice more, each in starts of its own.
std::vector<bench::Campaign> measure_again(Session& session, const MpiResult& result,
                                           const std::vector<bench::Suspect>& suspects) {
  std::vector<bench::Campaign> again;
  const std::string& flavour = result.mpi->installed.flavour;
  for (std::uint32_t time = 1; time <= kRetests; ++time) {
    bench::RulesCampaign options = rules_campaign_on(session, result);
    options.seed = time + 1;
    const auto file = session.directory / fmt::format("rules-again-{}-{}.h5", time, flavour);
    session.begin_step(fmt::format("rules again, {}", flavour));
    again.push_back(run_campaign(session, bench::retest_text(suspects, options), "rules again", file, kRetestSeconds));
  }
  return again;
}

double cost_of(const Session& session, const Violation& violation) {
  const MpiResult& result = *violation.result;
  return cost_in_suite(session.runs, *result.mpi, losses_of(result.verdict, *violation.rule, violation.worst->mpi));
}

Retest retest_of(const Violation& violation, const bench::RuleRetest& again) {
  Retest retest{violation.worst->of_fast, "s", violation.worst->fast_s, again.fast_s, again.slow_s, again.persists};
  return retest;
}

Diagnosis diagnosis_of(const Violation& violation) {
  const bench::RuleOutcome& worst = *violation.worst;
  Diagnosis diagnosis;
  diagnosis.id = violation.rule->id;
  diagnosis.title = fmt::format("this does not hold: {}", violation.rule->text);
  diagnosis.component = worst.operation;
  diagnosis.mpi = worst.mpi;
  diagnosis.reference = replay::validate::Reference::kRule;
  diagnosis.cost_basis =
      "the calls of the suite, each at the loss of the nearest size that was measured, and at most what it took above "
      "the other way";
  diagnosis.confidence = worst.q <= 0.001 ? Confidence::kHigh : Confidence::kGood;
  diagnosis.samples = worst.fast.size();
  diagnosis.p = worst.q;
  for (const bench::RuleOutcome* outcome : violation.outcomes)
    if (diagnosis.evidence.size() < kMostEvidence)
      diagnosis.evidence.push_back({outcome->of_fast, bench::text_of(*outcome), ""});
  const bench::Proposal proposal = bench::proposal_for(worst);
  auto& lines = worst.mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich;
  lines = proposal.lines;
  if (!proposal.why.empty()) diagnosis.remedy.lines = {proposal.why};
  return diagnosis;
}

void note_not_judged(Session& session, const MpiResult& result) {
  for (const bench::RuleSummary& summary : result.verdict.summaries)
    if (!summary.not_judged.empty()) session.not_judged.try_emplace(std::string(summary.rule->id), summary.not_judged);
}

// A rule of which the campaign has no measurement at all was not asked for: one node has no network.
void note_not_measured(Session& session, const MpiResult& result) {
  for (const bench::Rule& rule : bench::rules())
    if (std::ranges::none_of(result.verdict.summaries, [&](const auto& s) { return s.rule == &rule; }))
      session.could_not_run.try_emplace(std::string(rule.id),
                                        "this machine has no two nodes, or too few ranks, for it");
}

}  // namespace

std::vector<Diagnosis> violated_rules(Session& session) {
  std::vector<Diagnosis> costly;
  for (const MpiResult& result : session.mpis) {
    if (result.verdict.summaries.empty()) continue;
    note_not_judged(session, result);
    note_not_measured(session, result);
    const std::vector<Violation> violations = violations_of(result);
    if (violations.empty()) continue;
    std::vector<bench::Suspect> suspects;
    for (const Violation& violation : violations) suspects.push_back(bench::suspect_of(*violation.worst));
    const std::vector<bench::Campaign> again = measure_again(session, result, suspects);
    for (std::size_t i = 0; i < violations.size(); ++i) {
      Diagnosis diagnosis = diagnosis_of(violations[i]);
      const bench::RuleRetest retest = bench::retest_of(suspects[i], again);
      diagnosis.retests = {retest_of(violations[i], retest)};
      diagnosis.cost_s = cost_of(session, violations[i]);
      if (!retest.persists)
        session.validation.observations.push_back(observation_of(diagnosis, "measured again, it did"));
      else if (diagnosis.cost_s < kLeastShare * session.validation.suite_s())
        session.validation.observations.push_back(observation_of(diagnosis, kCostsNothing));
      else
        costly.push_back(std::move(diagnosis));
    }
  }
  return costly;
}

}  // namespace plumbline::cli::validate
