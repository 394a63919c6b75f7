#pragma once
// From directories of spools to an archive, with what there is to say about it on stderr (stdout belongs to the
// recorded program).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/files/output.hpp"
#include "tracer/record/launch/stop.hpp"

namespace plumbline::cli {

// What the archive calls what users have named (record/pseudonyms.hpp).
enum class Names { kTrue, kPseudonyms };

// Several MPI programs become several archives: archive, archive.2, .. `stop`: the user stopped the run; who waited for
// whom then is reported too. `jobs`: processes that share the work; 0: as many as there are processors for this one,
// and fewer where the spools are small.
void assemble_spools(const std::vector<std::filesystem::path>& directories, const std::filesystem::path& archive,
                     Overwrite overwrite, Names names = Names::kTrue, const std::optional<record::Stop>& stop = {},
                     std::uint32_t jobs = 0);

}  // namespace plumbline::cli
