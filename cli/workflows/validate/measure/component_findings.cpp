#include "cli/workflows/validate/measure/component_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "cli/workflows/validate/measure/findings.hpp"
#include "cli/workflows/validate/measure/link_retests.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Confidence;
using replay::validate::Diagnosis;
using replay::validate::Reference;

std::string id_of(const Blamed& blamed) {
  if (blamed.exposed.kind == Exposed::Kind::kFileSystem) return "storage.slow";
  return blamed.exposed.slowness == Slowness::kRate ? "net.link.rate" : "net.latency";
}

std::string value_text(const Blamed& blamed, double value) {
  if (blamed.exposed.slowness == Slowness::kRate)
    return format(BytesPerSecond{static_cast<std::uint64_t>(std::max(value, 1.0))});
  return format(duration_from_seconds(value));
}

std::string title_of(const Blamed& blamed) {
  const bool rate = blamed.exposed.slowness == Slowness::kRate;
  return fmt::format("{} {} {}, where {} is expected", blamed.component, rate ? "delivers" : "takes",
                     value_text(blamed, blamed.fitted), value_text(blamed, blamed.expected));
}

replay::validate::Remedy remedy_for(const std::string& id) {
  const auto* const check = replay::validate::find_check(id);
  return check != nullptr ? replay::validate::remedy_of(*check) : replay::validate::Remedy{};
}

Diagnosis diagnosis_of(const Blamed& blamed, const Blame& blame, const SuiteResult& run) {
  Diagnosis diagnosis;
  diagnosis.id = id_of(blamed);
  diagnosis.title = title_of(blamed);
  diagnosis.component = blamed.component;
  diagnosis.mpi = run.mpi->installed.flavour;
  diagnosis.reference = blamed.exposed.kind == Exposed::Kind::kLink ? Reference::kPeers : Reference::kNominal;
  diagnosis.cost_s = blamed.explained_s;
  diagnosis.cost_basis = "free replays with the component as slow as fits what operations lost";
  diagnosis.confidence = Confidence::kGood;
  diagnosis.samples = blamed.rows;
  diagnosis.evidence = {{"suite entry", run.entry->name, ""},
                        {"lost by it", fmt::format("{:.3f}", blame.lost_s), "s"},
                        {"explained", fmt::format("{:.3f}", blamed.explained_s), "s"}};
  if (diagnosis.id == "net.latency")
    diagnosis.evidence.push_back(latency_beyond_expected(blamed.fitted - blamed.expected));
  diagnosis.remedy = remedy_for(diagnosis.id);
  diagnosis.one_of = blamed.one_of;
  if (!diagnosis.one_of.empty()) diagnosis.one_of.insert(diagnosis.one_of.begin(), blamed.component);
  return diagnosis;
}

// Nobody is accused of being slower than what was never measured.
replay::validate::Observation unmeasured(const Blamed& blamed, const SuiteResult& run) {
  replay::validate::Observation observation;
  observation.id = id_of(blamed);
  observation.text =
      fmt::format("{:.2f} s of {} would fit {} if it {} {}; what it could do was not measured", blamed.explained_s,
                  run.entry->name, blamed.component, blamed.exposed.slowness == Slowness::kRate ? "delivered" : "took",
                  value_text(blamed, blamed.fitted));
  observation.component = blamed.component;
  observation.rows = {{"lost in this run", fmt::format("{:.3f}", run.judged.blame.lost_s), "s"}};
  return observation;
}

// "link n3-s0" of "link n3-s0, from n3".
std::string part_of(const std::string& component) { return component.substr(0, component.find(',')); }

// What the suite blames too is surer by it, and needs no cost of its own.
bool confirms(const Diagnosis& calibrated, std::vector<Diagnosis>& blamed) {
  const auto same = std::ranges::find_if(blamed, [&](const Diagnosis& each) {
    const bool is_named = each.component == part_of(calibrated.component) ||
                          std::ranges::count(each.one_of, part_of(calibrated.component)) > 0;
    return each.id == calibrated.id && each.mpi == calibrated.mpi && is_named;
  });
  if (same == blamed.end()) return false;
  same->component = part_of(calibrated.component);
  same->one_of.clear();
  same->title = calibrated.title;
  same->reference = calibrated.reference;
  same->confidence = std::min(same->confidence, calibrated.confidence);
  same->p = calibrated.p;
  same->evidence.insert(same->evidence.end(), calibrated.evidence.begin(), calibrated.evidence.end());
  return true;
}

// Of what the calibration found, where the suite blames nobody for it.
void add_calibrated(Session& session, const MpiResult& result, std::vector<Diagnosis>& found) {
  if (result.calibrated.empty()) return;
  const hw::Platform platform = hw::read_platform(result.platform);
  for (const hw::calibration::Finding& finding : result.calibrated) {
    Diagnosis diagnosis = validate::diagnosis_of(finding, result.mpi->installed.flavour);
    diagnosis.remedy = remedy_for(diagnosis.id);
    if (confirms(diagnosis, found)) continue;
    session.begin_step(fmt::format("what {} costs", finding.component));
    try {
      if (const auto setting = setting_of(finding))
        diagnosis.cost_s = cost_in_replays(session, *result.mpi, platform, std::array{*setting});
      diagnosis.cost_basis =
          "replays of the suite with the component as measured, and as its class is, where it was observed so long";
    } catch (const Error& error) {
      diagnosis.cost_basis = error.what();
    }
    if (diagnosis.cost_s >= kLeastShare * session.validation.suite_s())
      found.push_back(std::move(diagnosis));
    else
      session.validation.observations.push_back(observation_of(diagnosis, kCostsNothing));
  }
}

}  // namespace

double cost_in_run(Duration observed, Duration expected, Duration with_fault) {
  return std::max(0.0, (std::min(with_fault, observed) - expected).seconds());
}

double cost_in_replays(const Session& session, const Mpi& mpi, const hw::Platform& platform,
                       std::span<const hw::Setting> settings) {
  double cost = 0;
  for (const SuiteResult& run : session.runs) {
    if (run.mpi != &mpi) continue;
    replay::CompileSummary summary;
    const replay::Program program = replay::program_of(run.archive, summary);
    const replay::expect::Outcomes outcomes = replay::expect::try_out(program, platform, settings, {});
    cost += cost_in_run(run.judged.report.totals.run, outcomes.unchanged, outcomes.outcomes.front().length);
  }
  return cost;
}

std::optional<hw::Setting> setting_of(const hw::calibration::Finding& finding) {
  constexpr std::string_view kLink = "link ";
  if (!finding.component.starts_with(kLink)) return {};
  const std::string link = part_of(finding.component).substr(kLink.size());
  if (finding.quantity == "rate")
    return hw::Setting{fmt::format("link.{}.rate", link), fmt::format("{:.0f}B/s", finding.measured)};
  if (finding.quantity == "latency")
    return hw::Setting{fmt::format("link.{}.latency", link), fmt::format("{:.0f}ns", finding.measured)};
  return {};
}

std::vector<Diagnosis> blamed_in(const Judged& judged, const SuiteResult& run) {
  std::vector<Diagnosis> found;
  for (const Blamed& blamed : judged.blame.blamed)
    if (blamed.is_measured) found.push_back(diagnosis_of(blamed, judged.blame, run));
  return found;
}

void add_components(Session& session, std::vector<Diagnosis>& shown) {
  for (const SuiteResult& run : session.runs)
    for (const Blamed& blamed : run.judged.blame.blamed)
      if (!blamed.is_measured) session.validation.observations.push_back(unmeasured(blamed, run));
  shown = joined(std::move(shown));
  for (const MpiResult& result : session.mpis) add_calibrated(session, result, shown);
}

}  // namespace plumbline::cli::validate
