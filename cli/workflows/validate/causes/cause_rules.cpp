#include "cli/workflows/validate/causes/cause_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string_view>

#include "cli/workflows/validate/causes/folding.hpp"
#include "cli/workflows/validate/causes/interference.hpp"
#include "cli/workflows/validate/causes/sync_mounts.hpp"
#include "cli/workflows/validate/settings/forced.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;

constexpr std::size_t kMostSuspicions = 8;

// A setting that costs something is the cause of what the suite and the rules show of the same thing.
struct Cause {
  std::string_view setting, shown;  // ids; what ends with '.' stands for all that begin like it
  std::string_view component = {};  // that is among those of the setting; empty: any
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
    Cause{"mpi.setting.changed", "cpu.interference", kProgressThreads},
};

bool is_shown_by(std::string_view id, std::string_view pattern) {
  return pattern.ends_with('.') ? id.starts_with(pattern) : id == pattern;
}

}  // namespace

bool is_caused_by(const Diagnosis& shown, const Diagnosis& setting) {
  if (!shown.mpi.empty() && shown.mpi != setting.mpi) return false;
  if (shown.id == kInterference && names_processes(shown)) return false;
  if (const std::string collective = forced_collective(setting.component); !collective.empty())
    return is_of_collective(shown, collective);
  return std::ranges::any_of(kCauses, [&](const Cause& cause) {
    return cause.setting == setting.id && is_shown_by(shown.id, cause.shown) &&
           (cause.component.empty() || setting.component.find(cause.component) != std::string::npos);
  });
}

std::vector<Diagnosis> fold_into_causes(std::vector<Diagnosis>& settings, std::vector<Diagnosis>& shown) {
  return fold_into(settings, shown,
                   [](const Diagnosis& setting, const Diagnosis& each) { return is_caused_by(each, setting); });
}

double seconds_beyond_expected(const std::vector<Diagnosis>& shown) {
  double seconds = 0;
  for (const Diagnosis& each : shown)
    if (each.reference != replay::validate::Reference::kRule && !is_sync_mount(each)) seconds += each.cost_s;
  return seconds;
}

void leave_out_explained(const std::vector<Diagnosis>& settings, std::vector<Suspicion>& suspicions,
                         std::vector<Diagnosis>& shown) {
  std::erase_if(suspicions, [&](Suspicion& suspicion) {
    const bool explained = std::ranges::any_of(
        settings, [&](const Diagnosis& setting) { return is_caused_by(suspicion.diagnosis, setting); });
    if (explained) shown.push_back(std::move(suspicion.diagnosis));
    return explained;
  });
}

void leave_out_lost(std::vector<LossyNetwork>& networks, std::vector<Suspicion>& suspicions,
                    std::map<std::string, std::string>& not_judged) {
  for (LossyNetwork& network : networks)
    std::erase_if(suspicions, [&](const Suspicion& suspicion) {
      const Diagnosis& suspected = suspicion.diagnosis;
      if (std::ranges::count(network.explained, suspicion.run) == 0 || !may_be_of_lost_segments(suspected))
        return false;
      network.diagnosis.evidence.push_back({suspected.id, suspected.title, ""});
      not_judged.try_emplace(suspected.id, fmt::format("segments were lost in {}", suspicion.run->entry->name));
      return true;
    });
}

std::vector<Suspicion> take_cheapest(std::vector<Suspicion>& suspicions) {
  std::ranges::stable_sort(suspicions, std::greater<>(), [](const Suspicion& s) { return s.diagnosis.cost_s; });
  std::vector<Suspicion> cheapest;
  if (suspicions.size() <= kMostSuspicions) return cheapest;
  const auto first = suspicions.begin() + kMostSuspicions;
  std::move(first, suspicions.end(), std::back_inserter(cheapest));
  suspicions.erase(first, suspicions.end());
  return cheapest;
}

}  // namespace plumbline::cli::validate
