#pragma once
// What would be if: replays of one program with changes to the platform, to hints and to the choice of algorithms.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/task.hpp"
#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "replay/engine/choices.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

struct WhatIf {
  hw::Platform platform;
  replay::Choices choices;
};

// The platform with the settings made, in their order: hint.NAME, collective.OPERATION and library are choices, all
// else is of the platform (docs/reference/settings.md). Throws Error with all that is wrong with any of them.
WhatIf what_if(const hw::Platform& platform, std::span<const hw::Setting> settings);

// The platform of a file. Where that is at fault, what is wrong with those of the settings that need no platform is
// told with it.
hw::Platform read_platform_for(std::span<const hw::Setting> settings, const std::filesystem::path& path);

// Values to try one after the other.
struct Sweep {
  std::string name;
  std::vector<std::string> values;

  bool operator==(const Sweep&) const = default;
};

// "hint.cb_nodes=1..16", "=1..64*2" (each twice the one before), "=64KiB,1MiB". Throws Error (kWrongUse) where it is
// none of these.
Sweep parse_sweep(std::string_view text);

// Every combination of the values, the last sweep's running fastest. Throws Error where there are more than 10,000.
std::vector<std::vector<hw::Setting>> combinations(std::span<const Sweep> sweeps);

// The settings of each outcome: those that hold in all, then those of each combination. Throws Error with all that is
// wrong with any of them on this platform; what several have is told once.
std::vector<std::vector<hw::Setting>> checked_points(const hw::Platform& platform,
                                                     std::span<const hw::Setting> settings,
                                                     std::span<const Sweep> sweeps);

struct Outcome {
  std::vector<hw::Setting> settings;  // of the sweeps
  Duration length;                    // of the free replay as configured
};

struct Outcomes {
  Duration unchanged;                                      // length without any setting
  std::vector<Outcome> outcomes;                           // one without settings where nothing is swept
  std::vector<Column<replay::OperationTimes>> times = {};  // of the last outcome, where they were to be kept
};

struct TryOutOptions {
  double compute = 1;  // factor on recorded compute time
  std::uint64_t seed = 1;
  bool keep_times = false;
  Team team{};  // of the replays
};

// `settings` hold in every outcome. Everything is checked before the first replay.
Outcomes try_out(const replay::Program& program, const hw::Platform& platform, std::span<const hw::Setting> settings,
                 std::span<const Sweep> sweeps, const TryOutOptions& options = {});

}  // namespace plumbline::replay::expect
