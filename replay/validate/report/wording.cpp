// Sentences and numbers that all forms of the report have in common.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity.hpp"
#include "base/time_sum.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

std::size_t count_of(const Validation& validation, CheckState state) {
  return static_cast<std::size_t>(std::ranges::count(validation.checks, state, &CheckResult::state));
}

std::string minutes_text(double seconds) {
  if (!(seconds >= 60)) return seconds_text(seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

// "openmpi", "Open MPI 4.1.4" and "mpich" as names; "" of what is neither.
std::string_view name_of_mpi(std::string_view mpi) {
  if (mpi.starts_with("openmpi") || mpi.starts_with("Open MPI")) return "Open MPI";
  if (mpi.starts_with("mpich") || mpi.starts_with("MPICH")) return "MPICH";
  return {};
}

}  // namespace

std::string checked_sentence(const Validation& validation) {
  const std::size_t found = count_of(validation, CheckState::kFound),
                    suppressed = count_of(validation, CheckState::kSuppressed),
                    made = count_of(validation, CheckState::kPassed) + found + suppressed;
  std::string text = fmt::format("{} of {} made", made, replay::plural(validation.checks.size(), "check"));
  if (found > 0) text += fmt::format(", {} found something", found);
  if (suppressed > 0) text += fmt::format(", {} suppressed", suppressed);
  return text;
}

std::string unmade_sentence(const Validation& validation, CheckState state, std::size_t most) {
  std::map<std::string, std::size_t> count_of_reason;
  std::size_t all = 0;
  for (const CheckResult& result : validation.checks)
    if (result.state == state) ++count_of_reason[result.reason.empty() ? "no reason given" : result.reason], ++all;
  if (all == 0) return {};
  std::vector<std::pair<std::string, std::size_t>> reasons(count_of_reason.begin(), count_of_reason.end());
  std::ranges::stable_sort(reasons, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> told;
  std::size_t left = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i < most)
      told.push_back(reasons.size() == 1 ? reasons[i].first
                                         : fmt::format("{}: {}", reasons[i].second, reasons[i].first));
    else
      left += reasons[i].second;
  }
  if (left > 0) told.push_back(fmt::format("{} for other reasons", left));
  return fmt::format("{} {} ({})", all, word(state), fmt::join(told, "; "));
}

std::string time_sentence(const Validation& validation) {
  std::vector<std::string> parts;
  for (const StageTime& stage : validation.stages)
    parts.push_back(
        fmt::format("{} {}{}", stage.name, minutes_text(stage.seconds), stage.complete ? "" : " (incomplete)"));
  return parts.empty() ? "no time" : fmt::format("{}: {}", total_time(validation), fmt::join(parts, ", "));
}

std::string total_time(const Validation& validation) {
  double sum = 0;
  for (const StageTime& stage : validation.stages) sum += stage.seconds;
  return minutes_text(sum);
}

std::string machine_sentence(const Validation& validation) {
  return validation.disturbances.empty() ? "quiet"
                                         : fmt::format("disturbed: {}", fmt::join(validation.disturbances, "; "));
}

std::string cost_sentence(const Diagnosis& diagnosis) {
  const std::string_view up_to = diagnosis.cost_is_bound ? "up to " : "";
  if (!(diagnosis.cost_s > 0) && !(diagnosis.cost_share > 0)) return "its cost was not measured";
  const std::string costs = fmt::format("costs {}{}, {} of the suite", up_to, seconds_text(diagnosis.cost_s),
                                        share_text(diagnosis.cost_share));
  if (!diagnosis.cells_share) return costs;
  return fmt::format("{}; {} where its cells are weighed alike", costs, share_text(*diagnosis.cells_share));
}

std::string places_text(const std::vector<std::string>& places, std::size_t most) {
  if (places.empty()) return {};
  const std::size_t shown = std::min(most, places.size());
  std::string text =
      fmt::format(" at {}", fmt::join(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < places.size()) text += fmt::format(" and {} more", places.size() - shown);
  return text;
}

std::string share_text(double share) {
  const double percent = share * 100;
  return std::abs(percent) >= 9.95 ? fmt::format("{:.0f} %", percent) : fmt::format("{:.1f} %", percent);
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds) || std::abs(seconds) > 1e12) return fmt::format("{} s", seconds);
  return format(time_sum_from_seconds(seconds));
}

std::string datum_text(const Datum& datum) {
  return datum.unit.empty() || datum.unit == "1" ? datum.value : fmt::format("{} {}", datum.value, datum.unit);
}

std::vector<RemedyGroup> remedy_groups(const Remedy& remedy, std::string_view mpi) {
  std::vector<RemedyGroup> groups;
  const std::string_view only = name_of_mpi(mpi);
  if (!remedy.lines.empty()) groups.push_back({"", &remedy.lines});
  if (!remedy.openmpi.empty() && only != "MPICH") groups.push_back({"Open MPI", &remedy.openmpi});
  if (!remedy.mpich.empty() && only != "Open MPI") groups.push_back({"MPICH", &remedy.mpich});
  return groups;
}

}  // namespace plumbline::replay::validate
