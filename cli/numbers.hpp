#pragma once
// Checks of numbers on the command line that CLI11 does not make: it takes "-1" for a large number without a sign.

#include <CLI/CLI.hpp>
#include <string>

namespace plumbline::cli {

// A whole number from 0 to 2^64 - 1, in digits alone.
CLI::Validator whole_number();

// A number from `least` to `most`; CLI::Range takes what is no number (nan) too.
CLI::Validator number_between(double least, double most);

}  // namespace plumbline::cli
