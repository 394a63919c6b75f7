#pragma once
// Campaign <-> HDF5. The form is docs/reference/measurements.md: tables /runs and /cells, every text a number in
// /words.

#include <filesystem>

#include "base/files/output.hpp"
#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// Whole or not at all.
void write_campaign(const Campaign& campaign, const std::filesystem::path& path, Overwrite overwrite);

// Throws Error when the file is missing, truncated, damaged or not one of ours.
Campaign read_campaign(const std::filesystem::path& path);

// Whether an HDF5 file says that it is one. Throws Error where it cannot be read.
bool is_campaign(const std::filesystem::path& path);

}  // namespace plumbline::bench
