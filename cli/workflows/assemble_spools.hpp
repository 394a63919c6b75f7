#pragma once
// From a directory of spools to an archive, with what there is to say about it on stderr (stdout belongs to the
// recorded program).

#include <filesystem>

#include "base/output.hpp"

namespace plumbline::cli {

// What the archive calls what users have named (record/pseudonyms.hpp).
enum class Names { kTrue, kPseudonyms };

void assemble_spools(const std::filesystem::path& directory, const std::filesystem::path& archive, Overwrite overwrite,
                     Names names = Names::kTrue);

}  // namespace plumbline::cli
