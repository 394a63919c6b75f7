#pragma once
// A program file in the place of a recording.

#include <filesystem>

#include "cli/workflows/view/observed.hpp"

namespace plumbline::cli::view {

// Of a model (`plumbline predict --to-program`) as it runs on the platform, with the first seed. Of a recording, as it
// was observed. Throws Error.
Observed open_program(const std::filesystem::path& path, const std::filesystem::path& platform);

}  // namespace plumbline::cli::view
