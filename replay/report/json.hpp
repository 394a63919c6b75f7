#pragma once
// The report as JSON: report.schema.json. Keys in a fixed order; times in seconds, and in whole picoseconds (.._ps)
// where they are compared or added up.

#include <nlohmann/json.hpp>
#include <string>

#include "replay/report/report.hpp"

namespace plumbline::replay {

nlohmann::ordered_json to_json(const Report& report);

// Indented, with a newline at the end: what `plumbline compare --json` writes.
std::string json_text(const Report& report);

}  // namespace plumbline::replay
