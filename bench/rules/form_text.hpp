#pragma once
// Which form of an operation was measured, in words.

#include <string>

#include "bench/rules/series.hpp"

namespace plumbline::bench {

// ", Moore 3D, in random order", " among all ranks"; empty for what is as it is by default.
std::string text_of_form(const RuleSettings& settings);

}  // namespace plumbline::bench
