#pragma once
// Programs in a readable text form, for golden tests and for experiments by hand (docs/internals/program-text.md).

#include <filesystem>
#include <string>

#include "replay/program/program.hpp"

namespace plumbline::replay {

// Parses the text and compiles it into `file`. Error: "two_ranks.txt:7: …".
Program parse_program(const std::string& text, const std::string& name_for_messages, const std::filesystem::path& file);

// The same form, one operation a line, with observed times.
std::string to_text(const Program& program);

}  // namespace plumbline::replay
