#pragma once
// Opens the recording that is shown, and watches it.

#include <filesystem>

#include "cli/workflows/view/observed.hpp"
#include "viewer/server/watch.hpp"

namespace plumbline::cli::view {

// `path`: what may be an archive, or a program file; of one of a model, what it does on `platform`. Error where it is
// an expected one, or nothing of it can be read; where `whole`, also where not all of it can be.
Observed open_observed(const std::filesystem::path& path, bool whole = false,
                       const std::filesystem::path& platform = {});

viewer::WatchedArchive watched(const std::filesystem::path& name, const std::filesystem::path& anchor);

}  // namespace plumbline::cli::view
