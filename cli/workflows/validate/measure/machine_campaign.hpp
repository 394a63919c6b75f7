#pragma once
// The campaign that a platform is made of (examples/machine.toml), in the time of a level.

#include <filesystem>
#include <string>

#include "bench/campaign/description.hpp"
#include "cli/workflows/validate/session/options.hpp"

namespace plumbline::cli::validate {

struct MachineCampaign {
  std::string mpi;       // "openmpi", "mpich"
  bench::Layout layout;  // all ranks
  Level level = Level::kDefault;
  std::filesystem::path directory;  // whose storage is measured
  double write_rate = 0;            // of one client there, B/s; 0: not known
};

// TOML. Between nodes every layout is measured once: a rank on each node, and two where there are as many.
std::string text_of(const MachineCampaign& campaign);

// TOML: what single file servers deliver, by the largest accesses of the level. The rate of one client is not looked
// at.
std::string servers_text(const MachineCampaign& campaign);

// What one client writes to stable storage in the directory, B/s, from at most `most` bytes; 0 where it cannot write.
double write_rate(const std::filesystem::path& directory, std::uint64_t most);

}  // namespace plumbline::cli::validate
