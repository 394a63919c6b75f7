#pragma once
// Man pages from the same table as --help.

#include <CLI/CLI.hpp>
#include <filesystem>

namespace plumbline::cli {

// Writes plumbline.1 and one plumbline-VERB.1 per verb into `directory`, which is made if need be. Returns the exit
// status.
int write_man_pages(const CLI::App& app, const std::filesystem::path& directory);

}  // namespace plumbline::cli
