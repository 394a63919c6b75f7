#pragma once
// What-if runs of what was opened.

#include <filesystem>

#include "base/memory/scratch.hpp"
#include "cli/workflows/view/options.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::cli::view {

// Where there is a platform: `plumbline replay` of the same archive on it. `opened` must stay where it is.
void set_what_ifs(viewer::Opened& opened, const Options& options, const std::filesystem::path& platform,
                  const Scratch& scratch);

}  // namespace plumbline::cli::view
