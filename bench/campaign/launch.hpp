#pragma once
// The command line that starts the ranks of a run.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/campaign/description.hpp"

namespace plumbline::bench {

// What an MPI needs to be here for.
struct Installed {
  std::string flavour;             // "openmpi"
  std::filesystem::path launcher;  // mpirun.openmpi; empty: there is none
  std::filesystem::path ranks;     // our program, built with this MPI
};

// The program of the ranks lies in PLUMBLINE_RANKS_DIR, or in ../lib/plumbline beside this program.
std::vector<Installed> installed_mpis();

struct Launch {
  std::vector<std::string> command, environment;
};

// `arguments` of the ranks' program. Cores: of this machine.
Launch launch_of(const Installed& mpi, const Layout& layout, std::uint32_t cores, std::vector<std::string> arguments);

// The same under setpriv, where there is one: the launcher, and so the ranks, end when this program is killed.
std::vector<std::string> ending_with_us(std::vector<std::string> command);

}  // namespace plumbline::bench
