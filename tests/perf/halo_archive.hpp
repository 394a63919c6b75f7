#pragma once
// The workload halo2d as an archive like those that are recorded: with call sites, and what a receive was posted for.

#include <filesystem>

#include "halo_pattern.hpp"

namespace plumbline::perf {

// Rank r ran on node "n<r>".
void write_halo_archive(const std::filesystem::path& directory, const Halo& halo);

}  // namespace plumbline::perf
