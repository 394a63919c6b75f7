#pragma once
// Removing a directory of spools that are assembled.

#include <filesystem>
#include <string>

namespace plumbline::record {

// A process that outlives the program, as the one that reads the counters of its node, may write there meanwhile: what
// is not empty yet is tried again for a second. Why it is still there; empty: it is gone.
std::string remove_spools(const std::filesystem::path& directory);

}  // namespace plumbline::record
