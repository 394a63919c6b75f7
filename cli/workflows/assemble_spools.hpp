#pragma once
// From a directory of spools to an archive, with what there is to say about it on stderr (stdout belongs to the
// recorded program).

#include <filesystem>
#include <vector>

#include "base/output.hpp"

namespace plumbline::cli {

// `joined`: further directories, of what was recorded beside the program.
void assemble_spools(const std::filesystem::path& directory, const std::vector<std::filesystem::path>& joined,
                     const std::filesystem::path& archive, Overwrite overwrite);

}  // namespace plumbline::cli
