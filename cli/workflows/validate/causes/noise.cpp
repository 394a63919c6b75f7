#include "cli/workflows/validate/causes/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/workflows/validate/causes/folding.hpp"
#include "cli/workflows/validate/causes/interference.hpp"
#include "cli/workflows/validate/preflight/witnesses.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::kNoise;
using replay::validate::Noise;
using replay::validate::Observation;

Observation* observed(Session& session, const Noise& seen) {
  auto& all = session.validation.observations;
  const auto found = std::ranges::find_if(all, [&](const Observation& each) {
    return each.id == kNoise && (seen.host.empty() ? each.places.empty() : each.component == seen.host);
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<RunLength> runs_with(const Session& session, const Mpi* mpi) {
  std::vector<RunLength> runs;
  for (const SuiteResult& run : session.runs) {
    if (run.mpi != mpi) continue;
    const replay::Totals& totals = run.judged.report.totals;
    runs.push_back({totals.run.seconds(), (totals.run - run.judged.expected).seconds()});
  }
  return runs;
}

}  // namespace

bool is_explained(const Noise& seen, const replay::validate::Validation& validation,
                  const std::vector<node::RankIdentity>& ranks, const std::vector<Diagnosis>& found) {
  const auto takes = [&](const Diagnosis& each) {
    if (each.id != kInterference) return false;
    if (seen.host.empty()) return true;
    return each.places.empty() ? names_processes(each) : std::ranges::count(each.places, seen.host) > 0;
  };
  const auto is_quota = [](const auto& each) { return each.id == "cpu.quota"; };
  return std::ranges::any_of(found, takes) || std::ranges::any_of(validation.diagnoses, is_quota) ||
         std::ranges::any_of(validation.observations, is_quota) || (seen.host.empty() && take_turns(validation, ranks));
}

std::optional<Diagnosis> noise(const Noise& seen, const std::vector<RunLength>& runs) {
  double cost_s = 0, suite_s = 0;
  for (const RunLength& run : runs) {
    cost_s += std::clamp((seen.share - seen.peers) * run.run_s, 0.0, std::max(run.lost_s, 0.0));
    suite_s += run.run_s;
  }
  if (cost_s <= 0 || cost_s < kLeastShare * suite_s) return {};
  Diagnosis diagnosis;
  diagnosis.id = kNoise;
  diagnosis.component = seen.host.empty() ? "processors" : seen.host;
  if (!seen.host.empty()) diagnosis.places = {seen.host};
  diagnosis.reference = seen.host.empty() ? replay::validate::Reference::kWitness : replay::validate::Reference::kPeers;
  diagnosis.cost_s = cost_s;
  diagnosis.cost_is_bound = true;
  diagnosis.cost_basis = fmt::format("{:.1f} % of each run, and no more than it lost", 100 * (seen.share - seen.peers));
  diagnosis.confidence = replay::validate::Confidence::kGood;
  diagnosis.samples = runs.size();
  if (const auto* const check = replay::validate::find_check(kNoise))
    diagnosis.remedy = replay::validate::remedy_of(*check);
  return diagnosis;
}

std::vector<Diagnosis> noises(Session& session, const std::vector<Diagnosis>& found) {
  std::vector<Diagnosis> all;
  for (const Noise& seen : replay::validate::noise_of(timed_interruptions(session))) {
    Observation* const observation = observed(session, seen);
    if (observation == nullptr) continue;
    for (const MpiResult& result : session.mpis) {
      if (is_explained(seen, session.validation, result.ranks, found)) continue;
      std::optional<Diagnosis> one = noise(seen, runs_with(session, result.mpi));
      if (!one) continue;
      one->mpi = result.mpi->installed.flavour;
      one->title = observation->text;
      one->evidence = observation->rows;
      observation->explained = true;
      all.push_back(*std::move(one));
    }
  }
  return all;
}

void fold_unseen_interference(std::vector<Diagnosis>& shown) {
  const auto is_unseen = [](const Diagnosis& each) { return each.id == kInterference && !names_processes(each); };
  const auto is_there = [](const Diagnosis& noise, const Diagnosis& unseen) {
    return noise.id == kNoise && !noise.places.empty() && noise.mpi == unseen.mpi;
  };
  fold_within(shown, [&](const Diagnosis& noise, const Diagnosis& unseen) {
    return is_unseen(unseen) && is_there(noise, unseen) && 2 * noise.cost_s >= unseen.cost_s;
  });
  for (Diagnosis& unseen : shown) {
    if (!is_unseen(unseen)) continue;
    double most_s = 0;
    for (const Diagnosis& noise : shown)
      if (is_there(noise, unseen)) most_s = std::max(most_s, noise.cost_s);
    unseen.cost_s -= most_s;
  }
}

}  // namespace plumbline::cli::validate
