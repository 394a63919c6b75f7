#pragma once
// Findings of a comparison as parts of the page.

#include <string>

#include "replay/report/report.hpp"

namespace plumbline::viewer {

// A card for each finding, numbered, with its evidence and its advice. "" where there are none.
std::string comparison_cards(const replay::Report& report);

// Findings that are not stated, and why. "" where there are none.
std::string comparison_withheld(const replay::Report& report);

}  // namespace plumbline::viewer
