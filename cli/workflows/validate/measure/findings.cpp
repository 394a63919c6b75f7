#include "cli/workflows/validate/measure/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Datum;
using replay::validate::Diagnosis;
using replay::validate::Reference;

Reference reference_of(replay::Reference reference) {
  switch (reference) {
    case replay::Reference::kStructure:
      return Reference::kStructure;
    case replay::Reference::kPeers:
      return Reference::kPeers;
    case replay::Reference::kBaseline:
      return Reference::kBaseline;
    default:
      return Reference::kNominal;
  }
}

// Of a run. Runs of the suite are a second long and do one thing all the time, so that small errors of the model add up
// more than in programs; what is counted is no matter of the model.
constexpr double kLeastShareOfRun = 0.03;

bool counts(const replay::Finding& finding) {
  return finding.confidence == replay::Confidence::kCertain || finding.share >= kLeastShareOfRun;
}

// The words are those that replay/diagnose gives its components.
std::string id_of(const replay::Finding& finding) {
  const std::string& component = finding.component;
  if (component.starts_with("aggregators of MPI-IO")) return "io.hints.aggregators";
  if (component.starts_with("MPI-IO")) {
    const bool buffering_is_off = std::ranges::any_of(finding.advice, [](const std::string& line) {
      return line.find("switches collective buffering off") != std::string::npos;
    });
    return buffering_is_off ? "io.hints.collective-buffering" : "io.hints.split";
  }
  if (finding.reference == replay::Reference::kStructure)
    return component.starts_with("algorithm of ") ? "mpi.collective.algorithm" : "io.hints.split";
  if (component.starts_with("rank")) return "rank.slow";
  if (component.starts_with("node ")) return "node.slow";
  if (component.starts_with("storage")) return "storage.slow";
  return "suite.slower";
}

std::vector<Datum> evidence_of(const replay::Finding& finding, const std::string& entry) {
  std::vector<Datum> evidence{{"suite entry", entry, ""}};
  if (!finding.call.empty())
    evidence.push_back({"call", finding.site.empty() ? finding.call : finding.call + " at " + finding.site, ""});
  for (const replay::Evidence& each : finding.evidence)
    evidence.push_back({each.name, fmt::format("{:.4g}", each.value), each.unit == "1" ? "" : each.unit});
  return evidence;
}

// Lines of advice are for both MPIs where they do not name one.
replay::validate::Remedy remedy_of(const replay::Finding& finding) { return {finding.advice, {}, {}}; }

Diagnosis diagnosis_of(const replay::Finding& finding, const std::string& entry, const std::string& mpi) {
  Diagnosis diagnosis;
  diagnosis.id = id_of(finding);
  diagnosis.title = finding.title;
  diagnosis.component = finding.component;
  diagnosis.mpi = mpi;
  diagnosis.reference = reference_of(finding.reference);
  diagnosis.cost_s = finding.cost.seconds();
  diagnosis.cost_is_bound = finding.cost_is_bound;
  diagnosis.cost_basis = finding.basis;
  diagnosis.confidence = finding.confidence;
  diagnosis.samples = finding.operations;
  diagnosis.evidence = evidence_of(finding, entry);
  diagnosis.remedy = remedy_of(finding);
  return diagnosis;
}

std::string id_of(const hw::calibration::Finding& finding) {
  if (finding.component.starts_with("link")) return finding.quantity == "rate" ? "net.link.rate" : "net.latency";
  if (finding.component.starts_with("server")) return "server.slow";
  if (finding.component.starts_with("node")) return "node.slow";
  return finding.quantity == "rate" ? "net.link.rate" : "net.latency";
}

}  // namespace

std::vector<Diagnosis> diagnoses_of(const replay::Report& report, const std::string& entry, const std::string& mpi) {
  std::vector<Diagnosis> diagnoses;
  for (const replay::Finding& finding : report.findings)
    if (counts(finding)) diagnoses.push_back(diagnosis_of(finding, entry, mpi));
  return diagnoses;
}

std::vector<Withheld> withheld_of(const replay::Report& report) {
  std::vector<Withheld> withheld;
  for (const replay::Finding& finding : report.withheld)
    if (counts(finding)) withheld.push_back({id_of(finding), finding.withheld});
  return withheld;
}

double least_share(const Diagnosis& diagnosis) {
  const bool is_of_libraries = replay::validate::is_of_library(diagnosis) || diagnosis.reference == Reference::kRule;
  return is_of_libraries ? kLeastShareOfLibraries : kLeastShare;
}

bool costs_next_to_nothing(const Diagnosis& diagnosis, double suite_s) {
  return diagnosis.cost_s > 0 && !diagnosis.cells_share && diagnosis.cost_s < least_share(diagnosis) * suite_s;
}

void settle_on(const std::string& component, Diagnosis& diagnosis) {
  if (diagnosis.title.starts_with(diagnosis.component))
    diagnosis.title.replace(0, diagnosis.component.size(), component);
  diagnosis.component = component;
  diagnosis.one_of.clear();
}

std::vector<Diagnosis> joined(std::vector<Diagnosis> diagnoses) {
  std::map<std::tuple<std::string, std::string, std::string>, Diagnosis> by_key;
  for (Diagnosis& next : diagnoses) {
    const auto [place, is_new] = by_key.try_emplace({next.id, next.component, next.mpi}, next);
    if (is_new) continue;
    Diagnosis& all = place->second;
    if (!all.origin && next.origin && next.cost_s >= all.cost_s) {  // who has set it is known
      all.origin = next.origin;
      all.title = next.title;
      all.remedy = next.remedy;
    }
    if (next.cost_s > all.cost_s) {  // the costliest one speaks
      std::swap(all.title, next.title);
      std::swap(all.cost_basis, next.cost_basis);
      all.remedy = next.remedy;
      all.confidence = next.confidence;
    }
    all.cost_s += next.cost_s;
    all.samples += next.samples;
    all.p = std::min(all.p, next.p);
    all.evidence.insert(all.evidence.end(), next.evidence.begin(), next.evidence.end());
    all.retests.insert(all.retests.end(), next.retests.begin(), next.retests.end());
  }
  std::vector<Diagnosis> result;
  for (auto& [key, diagnosis] : by_key) result.push_back(std::move(diagnosis));
  std::ranges::stable_sort(result, std::greater<>(), &Diagnosis::cost_s);
  return result;
}

Diagnosis diagnosis_of(const hw::calibration::Finding& finding, const std::string& mpi) {
  Diagnosis diagnosis;
  diagnosis.id = id_of(finding);
  diagnosis.title = hw::calibration::title(finding);
  diagnosis.component = finding.component;
  diagnosis.mpi = mpi;
  diagnosis.reference =
      finding.reference == hw::calibration::Reference::kNominal ? Reference::kNominal : Reference::kPeers;
  const std::string_view sure = hw::calibration::confidence(finding);
  diagnosis.confidence = sure == "certain" ? Confidence::kCertain
                         : sure == "high"  ? Confidence::kHigh
                         : sure == "good"  ? Confidence::kGood
                                           : Confidence::kLow;
  diagnosis.samples = finding.samples;
  diagnosis.p = finding.p;
  diagnosis.evidence = {{"measured " + finding.quantity, fmt::format("{:.4g}", finding.measured), finding.unit},
                        {"expected " + finding.quantity, fmt::format("{:.4g}", finding.expected), finding.unit},
                        {"basis", finding.basis, ""}};
  return diagnosis;
}

replay::validate::Observation observation_of(const Diagnosis& diagnosis, std::string_view why) {
  replay::validate::Observation observation;
  observation.id = diagnosis.id;
  observation.text = fmt::format("{}; {}", diagnosis.title, why);
  observation.component = diagnosis.component;
  observation.places = diagnosis.places;
  observation.rows = diagnosis.evidence;
  return observation;
}

}  // namespace plumbline::cli::validate
