#pragma once
// As much of JSON schema as report.schema.json uses, so that the check needs no other tool.

#include <nlohmann/json.hpp>
#include <string>

namespace plumbline::replay {

// What of `value` does not fit the schema in `schema_file`, one line a fault; "" when all fits.
std::string schema_faults(const nlohmann::json& value, const std::string& schema_file);

}  // namespace plumbline::replay
