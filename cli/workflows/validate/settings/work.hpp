#pragma once
// Which settings are tried together, and what is run with and without them.

#include <string>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "cli/workflows/validate/session/twins.hpp"

namespace plumbline::cli::validate {

using SettingUnit = std::vector<replay::validate::Observation*>;  // settings that are tried together only

std::vector<SettingUnit> units_of(const SettingUnit& settings);

std::string names_of(const SettingUnit& settings);  // "pml, mtl"

// The suite's short cells, in an eighth of the suite's time; without the change and the number of pairs.
TwinWork work_of_trial(const Session& session);

}  // namespace plumbline::cli::validate
