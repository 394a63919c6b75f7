#pragma once
// A validation as JSON (validation.schema.json), and read back: what --resume and --baseline go by. What a validation
// comes to (verdict, lengths) is written too, for programs that read nothing else, and worked out anew when it is read.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

inline constexpr int kJsonVersion = 1;

nlohmann::ordered_json to_json(const Validation& validation);

// Indented, with a newline at the end.
std::string json_text(const Validation& validation);

// `name`: of the file, for messages. Members that it does not know are left alone. Throws Error at the line where it is
// no JSON, and at the member ("report.json: diagnoses[3].cost_s") that is missing or of another type.
Validation from_json(std::string_view text, const std::string& name);

}  // namespace plumbline::replay::validate
