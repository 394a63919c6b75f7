#pragma once
// Colours of a terminal, and words that several parts of the text have in common.

#include <string>
#include <string_view>

#include "replay/diagnose/finding.hpp"

namespace plumbline::replay {

enum class Paint { kBold = 1, kRed = 31, kGreen = 32, kYellow = 33 };

// The text itself where there is no colour.
std::string painted(std::string_view text, Paint paint, bool color);

// "costs the busiest rank 1.8 s (18.0 % of the run)", "costs up to .."
std::string cost_text(const Finding& finding);

}  // namespace plumbline::replay
