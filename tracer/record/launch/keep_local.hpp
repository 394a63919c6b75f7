#pragma once
// A run over nodes that share no directory: each node's spools stay where they are, and a person brings them together.

#include <filesystem>
#include <string>

#include "tracer/record/launch/runs.hpp"

namespace plumbline::record {

// The first rank on a node says on stderr where the spools of this node will be. Makes the directory.
void say_where_spools_stay(const std::filesystem::path& directory);

// What to do with the spools that stayed in `directory` of several nodes. Empty when the runs found here are complete.
std::string how_to_bring_together(const std::vector<Run>& runs, const std::filesystem::path& directory,
                                  const std::filesystem::path& archive);

}  // namespace plumbline::record
