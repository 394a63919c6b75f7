#pragma once
// Opens the recording that is shown, and watches it.

#include <filesystem>

#include "base/team/shared_work.hpp"
#include "cli/workflows/view/observed.hpp"
#include "cli/workflows/view/options.hpp"
#include "viewer/server/watch.hpp"

namespace plumbline::cli::view {

// An archive, or a program file; of one of a model, what it does on the platform. Error where it is an expected one, or
// nothing of it can be read; where the options say so, also where not all of it can be. `workers` compile it.
Observed open_observed(const Options& options, Workers* workers);

viewer::WatchedArchive watched(const std::filesystem::path& name, const std::filesystem::path& anchor);

}  // namespace plumbline::cli::view
