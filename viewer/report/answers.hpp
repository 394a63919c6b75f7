#pragma once
// What the server would answer, for a file that has no server.

#include <compare>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

// Of an endpoint below /api/v1, with its query. null where the server refuses, as it does what a run does not have.
nlohmann::ordered_json answer_of(Opened& opened, const std::string& path);

// As it may stand in an element <script>: on one line, and without "<".
std::string script_text(const nlohmann::ordered_json& json);

// Strips [first, last] of a level of the observed (0) or the free run (1).
struct StripRange {
  std::uint8_t source = 0;
  unsigned level = 0;
  std::uint32_t first = 0, last = 0;

  auto operator<=>(const StripRange&) const = default;
};

// Those of some lanes as the server sends them, by gzip, in base64.
std::string strips_text(Opened& opened, const StripRange& range, const std::vector<std::uint32_t>& lanes);

}  // namespace plumbline::viewer
