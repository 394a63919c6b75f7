#pragma once
// What is swept: numbers of processes and values of the model's constants, every combination a point.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/platform/settings/settings.hpp"
#include "replay/model/compile/instance.hpp"

namespace plumbline::cli::predict {

struct Point {
  std::uint32_t ranks = 1;
  std::vector<replay::model::Setting> settings;  // of every constant that was given, in their order
};

struct Sweeps {
  std::vector<Point> points;           // the number of processes runs fastest
  std::vector<std::string> constants;  // that were given, in their order
  std::vector<std::string> swept;      // those with several values
  std::vector<hw::Setting> platform;   // what was set of the platform, of hints and of algorithms
};

// "xsize=128 n=2": of what is swept, at one point.
std::string swept_text(const Sweeps& sweeps, const Point& point);

// "8"; "2..64": each twice the one before; "2..54*3"; "2,6,12". Throws Error (kWrongUse).
std::vector<std::uint32_t> ranks_of(std::string_view text);

// A name with a dot, and `library`, is of the platform (docs/reference/settings.md); others are constants of the model,
// with a list of expressions. Throws Error (kWrongUse).
Sweeps sweeps_of(std::string_view ranks, const std::vector<std::string>& settings);

}  // namespace plumbline::cli::predict
