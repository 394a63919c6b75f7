#pragma once
// Findings and observations as parts of the page.

#include <string>

#include "replay/validate/validation.hpp"

namespace plumbline::viewer {

// A card for each finding that counts, numbered; then those that are suppressed. "" where there are none.
std::string finding_cards(const validate::Validation& validation);
std::string suppressed_table(const validate::Validation& validation);

// Those that no finding explains first.
std::string observation_tables(const validate::Validation& validation);

}  // namespace plumbline::viewer
