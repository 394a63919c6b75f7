#pragma once
// The configuration file of the switch (README.md has the format): JSON to Settings and back.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

// "02:77:00:00:00:01"; nothing when it is no address of one station.
std::optional<Mac> parse_mac(std::string_view text);
std::string format(Mac mac);

// Throws one Error with every problem of the text; `where` names the file.
Settings parse_settings(std::string_view text, const std::string& where);
Settings read_settings(const std::filesystem::path& file);

// What parse_settings reads back to the same.
nlohmann::ordered_json to_json(const Settings& settings);

}  // namespace plumbline::lab
