#pragma once
// The report as JSON: report.schema.json. Keys in a fixed order; times in seconds, and in whole picoseconds (.._ps)
// where they are compared or added up.

#include <nlohmann/json.hpp>
#include <string>

#include "replay/report/report.hpp"

namespace plumbline::replay {

nlohmann::ordered_json to_json(const Report& report);

// A whole number; beyond 106 days, where JSON readers lose digits anyway, the nearest that a double holds.
nlohmann::ordered_json picoseconds_json(TimeSum sum);

// Indented, with a newline at the end: what `plumbline compare --json` writes.
std::string json_text(const Report& report);

}  // namespace plumbline::replay
