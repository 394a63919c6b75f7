#pragma once
// Outcomes of a sweep, for people and for programs.

#include <string>

#include "replay/expect/what_if.hpp"

namespace plumbline::cli {

// A row per outcome: values, length, and how much longer or shorter than the unchanged run. The shortest is marked.
std::string outcome_table(const replay::expect::Outcomes& outcomes);

// {"unchanged_ps": …, "outcomes": [{"settings": {NAME: VALUE}, "length_ps": …}]}, one object, with a line feed.
std::string outcome_json(const replay::expect::Outcomes& outcomes);

}  // namespace plumbline::cli
