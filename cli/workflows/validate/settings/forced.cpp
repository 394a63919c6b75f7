#include "cli/workflows/validate/settings/forced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::cli::validate {
namespace {

namespace schedules = replay::collectives::schedules;
using replay::validate::Diagnosis;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

// What stands between both; empty where it does not begin and end like this.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  if (text.size() < begin.size() + end.size() || !text.starts_with(begin) || !text.ends_with(end)) return {};
  return text.substr(begin.size(), text.size() - begin.size() - end.size());
}

}  // namespace

std::string forced_collective(std::string_view setting) {
  const std::string_view by_openmpi = between(setting, "coll_tuned_", "_algorithm");
  const std::string name =
      by_openmpi.empty() ? in_lower_case(between(setting, "MPIR_CVAR_", "_INTRA_ALGORITHM")) : std::string(by_openmpi);
  const auto operation = schedules::operation_named(name);
  return operation && schedules::blocking_form(*operation) == *operation ? name : "";
}

std::string operation_of(const Diagnosis& diagnosis) {
  constexpr std::string_view kBefore = "algorithm of MPI_";
  if (!diagnosis.component.starts_with(kBefore)) return {};
  return in_lower_case(std::string_view(diagnosis.component).substr(kBefore.size()));
}

bool is_of_collective(const Diagnosis& shown, std::string_view collective) {
  if (collective.empty()) return false;
  return (shown.id.starts_with("rule.") ? shown.component : operation_of(shown)) == collective;
}

const Diagnosis* costliest_of(const std::vector<Diagnosis>& shown, std::string_view collective, std::string_view mpi) {
  const Diagnosis* costliest = nullptr;
  for (const Diagnosis& each : shown) {
    if (each.mpi != mpi || !is_of_collective(each, collective)) continue;
    if (costliest == nullptr || each.cost_s > costliest->cost_s) costliest = &each;
  }
  return costliest;
}

void take_cost(Diagnosis& setting, const Diagnosis& shown) {
  setting.cost_s = shown.cost_s;
  setting.cost_is_bound = true;
  setting.cells_share.reset();
  setting.cost_basis =
      fmt::format("what {} says of the collective, in calls of which {}", shown.id, setting.cost_basis);
}

std::vector<std::string> cells_of_collective(const bench::CellKinds& kinds, std::string_view collective,
                                             const std::vector<std::uint64_t>& blocks) {
  const auto kind = std::ranges::find(kinds, collective, &bench::CellKind::name);
  if (kind == kinds.end() || std::ranges::count(kind->parameters, "bytes", &bench::CellParameter::name) == 0) return {};
  std::vector<std::string> cells;
  for (const std::uint64_t bytes : blocks) cells.push_back(fmt::format("{}:bytes={}", collective, bytes));
  return cells;
}

}  // namespace plumbline::cli::validate
