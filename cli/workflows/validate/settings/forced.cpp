#include "cli/workflows/validate/settings/forced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
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
  return by_openmpi.empty() ? in_lower_case(between(setting, "MPIR_CVAR_", "_INTRA_ALGORITHM"))
                            : std::string(by_openmpi);
}

bool is_of_collective(const Diagnosis& shown, std::string_view collective) {
  if (collective.empty()) return false;
  if (shown.id.starts_with("rule.")) return shown.component == collective;
  return shown.id == "mpi.collective.algorithm" &&
         in_lower_case(shown.component) == fmt::format("algorithm of mpi_{}", collective);
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
  setting.cost_is_bound = shown.cost_is_bound;
  setting.cells_share.reset();
  setting.cost_basis = fmt::format("as of {}: {}; by {}", shown.id, shown.cost_basis, setting.cost_basis);
}

std::vector<std::string> cells_of_collective(const bench::CellKinds& kinds, std::string_view collective) {
  constexpr std::array kBytes{"8", "1KiB", "16KiB", "256KiB"};  // as rules are measured at
  const auto kind = std::ranges::find(kinds, collective, &bench::CellKind::name);
  if (kind == kinds.end() || std::ranges::count(kind->parameters, "bytes", &bench::CellParameter::name) == 0) return {};
  std::vector<std::string> cells;
  for (const char* bytes : kBytes) cells.push_back(fmt::format("{}:bytes={}", collective, bytes));
  return cells;
}

}  // namespace plumbline::cli::validate
