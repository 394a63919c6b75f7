#pragma once
// Control variables that matter for performance, with what they do and the check that they belong to.

#include <span>
#include <string_view>

namespace plumbline::replay::validate {

struct SettingMeaning {
  std::string_view pattern;  // "coll_tuned_*_algorithm": * stands for any characters
  std::string_view check;    // "mpi.collectives.forced"
  std::string_view what;     // "forces the algorithm of a collective"
};

std::span<const SettingMeaning> setting_meanings();

// The first whose pattern fits; nullptr: it does not matter.
const SettingMeaning* meaning_of(std::string_view name);

bool fits(std::string_view name, std::string_view pattern);

}  // namespace plumbline::replay::validate
