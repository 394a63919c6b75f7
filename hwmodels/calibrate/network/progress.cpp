#include "hwmodels/calibrate/network/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kHidden = 0.5;
constexpr double kCostsCpu = 1.1;

std::string_view name_of(Progress progress) {
  switch (progress) {
    case Progress::kInCalls:
      return "in calls";
    case Progress::kThread:
      return "by a thread";
    case Progress::kHardware:
      break;
  }
  return "by hardware";
}

}  // namespace

double hidden(double alone, double computing, double together) {
  const double shorter = std::min(alone, computing);
  return shorter > 0 ? std::clamp((alone + computing - together) / shorter, 0.0, 1.0) : 0;
}

Progress progress_of(const Overlap& overlap) {
  if (hidden(overlap.alone, overlap.computing, overlap.together) < kHidden) return Progress::kInCalls;
  return overlap.together > kCostsCpu * std::max(overlap.alone, overlap.computing) ? Progress::kThread
                                                                                   : Progress::kHardware;
}

Progress fit_progress(const Structure& structure, const Observations& observations, PairKind kind,
                      std::vector<std::string>& notes) {
  const char* const where = kind == PairKind::kInside ? "inside of nodes" : "between nodes";
  const auto curve = [&](const char* part) { return centre_of_kind(structure, observations, "progress", part, kind); };
  const Curve alone = curve("alone"), computing = curve("computing"), together = curve("together"),
              tested = curve("tested");
  if (alone.empty() || computing.empty() || together.empty()) {
    notes.push_back(fmt::format("progress {} was not measured: taken as in calls, the default", where));
    return Progress::kInCalls;
  }
  const double size = static_cast<double>(together.rbegin()->first);
  const Overlap overlap{value_at(alone, size), value_at(computing, size), value_at(together, size),
                        tested.empty() ? 0 : value_at(tested, size)};
  const Progress progress = progress_of(overlap);
  const std::string with_tests =
      tested.empty()
          ? ""
          : fmt::format(", with tests {}", format_percent(hidden(overlap.alone, overlap.computing, overlap.tested)));
  notes.push_back(fmt::format(
      "progress {} is {}: {} of a transfer of {:.0f} B is hidden behind computation{}", where, name_of(progress),
      format_percent(hidden(overlap.alone, overlap.computing, overlap.together)), size, with_tests));
  return progress;
}

}  // namespace plumbline::hw::calibration
