#include "cli/workflows/validate/causes/sync_mounts.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/node/mounts.hpp"
#include "cli/workflows/validate/causes/folding.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::Observation;

bool is_of_mount(std::string_view id) { return id == "fs.mount-options" || id == "fs.nfs-options"; }

// nfs(5): without a cache of attributes writes are synchronous, too.
bool is_synchronous(std::string_view check, std::string_view options) {
  return node::has_option(options, "sync") || (check == "fs.nfs-options" && node::has_option(options, "noac"));
}

// Making, truncating and removing files is synchronous on such a mount as well.
bool may_wait_for_device(replay::OpKind kind) {
  using enum replay::OpKind;
  return kind == kIoWrite || kind == kIoOpen || kind == kIoClose || kind == kIoSync;
}

Diagnosis begun(const Observation& seen, double cost_s, std::uint64_t runs) {
  Diagnosis diagnosis;
  diagnosis.id = seen.id;
  diagnosis.title = seen.text;
  diagnosis.component = seen.component;
  diagnosis.places = seen.places;
  diagnosis.reference = replay::validate::Reference::kWitness;
  diagnosis.cost_s = cost_s;
  diagnosis.cost_is_bound = true;
  diagnosis.cost_basis =
      "all that the suite spends in writing, opening and closing files, on the rank that does so longest";
  diagnosis.confidence = replay::validate::Confidence::kHigh;
  diagnosis.samples = runs;
  diagnosis.evidence = seen.rows;
  if (const auto* const check = replay::validate::find_check(seen.id))
    diagnosis.remedy = replay::validate::remedy_of(*check);
  return diagnosis;
}

}  // namespace

bool waits_for_device(const Observation& observation) {
  return is_of_mount(observation.id) && std::ranges::any_of(observation.rows, [&](const replay::validate::Datum& row) {
           return row.name.ends_with(".options") && is_synchronous(observation.id, row.value);
         });
}

double seconds_with_device(const std::vector<replay::Row>& rows) {
  std::map<std::uint32_t, double> of_rank;
  for (const replay::Row& row : rows)
    if (may_wait_for_device(row.key.kind))
      for (const replay::RankPart& part : row.parts) of_rank[part.rank] += part.observed.seconds();
  double longest = 0;
  for (const auto& [rank, seconds] : of_rank) longest = std::max(longest, seconds);
  return longest;
}

bool is_sync_mount(const Diagnosis& diagnosis) { return is_of_mount(diagnosis.id); }

std::vector<Diagnosis> sync_mounts(Session& session) {
  const std::string directory = storage_directory(session).string();
  std::vector<Diagnosis> found;
  for (Observation& seen : session.validation.observations) {
    if (seen.component != directory || !waits_for_device(seen)) continue;
    for (const MpiResult& result : session.mpis) {
      double cost_s = 0;
      std::uint64_t runs = 0;
      for (const SuiteResult& run : session.runs) {
        const double seconds = run.mpi == result.mpi ? seconds_with_device(run.judged.report.rows) : 0;
        cost_s += seconds;
        runs += seconds > 0 ? 1 : 0;
      }
      if (runs == 0) continue;
      found.push_back(begun(seen, cost_s, runs));
      found.back().mpi = result.mpi->installed.flavour;
      seen.explained = true;
    }
  }
  return found;
}

void fold_splits_into_mounts(std::vector<Diagnosis>& shown) {
  const auto has_written = [](const Diagnosis& split) {
    return std::ranges::any_of(split.evidence, [](const replay::validate::Datum& row) {
      return row.name == "bytes_written" && row.value != "0";
    });
  };
  const auto is_on = [](const Diagnosis& split, const Diagnosis& mount) {
    return is_sync_mount(mount) && mount.mpi == split.mpi &&
           split.component.starts_with("MPI-IO on " + mount.component + "/") && split.cost_s <= mount.cost_s;
  };
  fold_within(shown, [&](const Diagnosis& mount, const Diagnosis& split) {
    return split.id == "io.hints.split" && has_written(split) && is_on(split, mount);
  });
}

}  // namespace plumbline::cli::validate
