#pragma once
// Checks of numbers on the command line that CLI11 does not make: it takes "-1" for a large number without a sign.

#include <CLI/CLI.hpp>
#include <string>

namespace plumbline::cli {

// A whole number from 0 to 2^64 - 1, in digits alone.
CLI::Validator whole_number();

}  // namespace plumbline::cli
