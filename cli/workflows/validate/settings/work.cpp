#include "cli/workflows/validate/settings/work.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/settings/short_cells.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Observation;

// Where the network or the storage is slow, cells that are short elsewhere take minutes: they get an eighth of the
// time of the suite, as they make an eighth of its repetitions.
double seconds_of_trial(const bench::Suite& suite) {
  constexpr double kPart = 8, kLeast = 0.75;
  double seconds = 0;
  for (const bench::SuiteEntry& entry : suite.entries)
    if (!entry.cells.empty()) seconds += entry.seconds;
  return std::max(kLeast, seconds / kPart);
}

// A quota of the control group, and processes that were seen to have the processors of ranks.
bool ranks_are_stopped(const Session& session) {
  return std::ranges::any_of(session.validation.observations, [](const Observation& seen) {
    return seen.id == "cpu.quota" || (seen.id == "cpu.interference" && !seen.rows.empty());
  });
}

}  // namespace

// A library of fast networks (mtl) is used by one component for messages (pml): without one of the two settings the
// other one keeps both.
std::vector<SettingUnit> units_of(const SettingUnit& settings) {
  std::vector<SettingUnit> units;
  SettingUnit* messages = nullptr;
  for (Observation* setting : settings) {
    const bool is_of_messages = setting->component == "pml" || setting->component == "mtl";
    if (is_of_messages && messages != nullptr) {
      messages->push_back(setting);
      continue;
    }
    units.reserve(settings.size());  // so that `messages` stays where it is
    units.push_back({setting});
    if (is_of_messages) messages = &units.back();
  }
  return units;
}

std::string names_of(const SettingUnit& settings) {
  std::string names;
  for (const Observation* setting : settings) names += (names.empty() ? "" : ", ") + setting->component;
  return names;
}

TwinWork work_of_trial(const Session& session) {
  TwinWork work;
  work.arguments = {"--directory", storage_directory(session).string()};
  work.seconds = seconds_of_trial(session.suite);
  work.typical = ranks_are_stopped(session);
  work.least = 3;  // pairs make the sample, and not repetitions
  const std::vector<std::string> cells = short_cells(session.suite, session.cell_kinds);
  work.arguments.insert(work.arguments.end(), cells.begin(), cells.end());
  return work;
}

}  // namespace plumbline::cli::validate
