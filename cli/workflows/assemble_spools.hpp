#pragma once
// From directories of spools to an archive, with what there is to say about it on stderr (stdout belongs to the
// recorded program).

#include <filesystem>
#include <vector>

#include "base/output.hpp"

namespace plumbline::cli {

// Several MPI programs become several archives: archive, archive.2, ..
void assemble_spools(const std::vector<std::filesystem::path>& directories, const std::filesystem::path& archive,
                     Overwrite overwrite);

}  // namespace plumbline::cli
