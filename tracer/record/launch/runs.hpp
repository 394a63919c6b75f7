#pragma once
// Which spools belong together. What one launcher has started may be several MPI programs: one after the other, or
// spawned by another. Each MPI_COMM_WORLD is a run and becomes an archive.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::record {

struct Run {
  std::vector<std::filesystem::path> spools;  // by rank; the first run has also those that belong to none
  std::uint32_t ranks = 0, world_size = 0;    // with a spool; in all
  std::string program;                        // command line of the first of them
};

// The runs in the order in which they began. Spools are of one run when their processes belong to one job, see a world
// of the same size and are of different ranks; and when none of them had finalized, on the same clock, before another
// was through MPI_Init. A spool that is there twice (a copy) counts once.
std::vector<Run> find_runs(const std::vector<std::filesystem::path>& spools);

// Of the runs that `archive` is asked for, the first gets it, the next get archive.2, archive.3, ..
std::filesystem::path archive_of_run(const std::filesystem::path& archive, std::size_t run);

}  // namespace plumbline::record
