#pragma once
// Findings and observations as parts of the page.

#include <string>

#include "replay/validate/validation.hpp"

namespace plumbline::viewer {

// A card for each finding that counts, numbered; then those that are suppressed. "" where there are none.
std::string finding_cards(const replay::validate::Validation& validation);
std::string suppressed_table(const replay::validate::Validation& validation);

// Those that no finding explains first.
std::string observation_tables(const replay::validate::Validation& validation);

}  // namespace plumbline::viewer
