#pragma once
// Findings that a site knows and accepts: a file of lines "ID [COMPONENT] # REASON". COMPONENT is a pattern of the
// shell
// ("cable n3-*"); without it all findings of that check are meant. Empty lines and those that begin with # say nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

struct Suppression {
  std::string id, component, reason;  // component, reason: may be empty
  std::uint32_t line = 0;             // from 1

  bool operator==(const Suppression&) const = default;
};

// `name`: of the file, for messages. Throws Error with every line whose id no check has.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& name);

// Marks what the lines fit, by its component or by all of its places, and notes lines that fit nothing: they may be
// taken out, or hide something later. Of several lines the first counts.
void suppress(Validation& validation, const std::vector<Suppression>& suppressions, const std::string& name);

}  // namespace plumbline::replay::validate
