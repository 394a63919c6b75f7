#pragma once
// `plumbline validate`: is this machine as fast as it can be, and if not, why.

#include "cli/workflows/validate/session/options.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// Runs all stages, writes report.json, report.html and junit.xml into the directory, and returns what was found.
// Stopped by the user, it reports what is there. Throws Error: what makes a validation impossible or its options wrong.
replay::validate::Validation run(const Options& options);

// What `plumbline validate` would do, for --dry-run: a line for each step with the time it is planned to take.
std::vector<std::string> steps_of(const Options& options);

}  // namespace plumbline::cli::validate
