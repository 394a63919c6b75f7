#pragma once
// How ranks are started on this machine, or in this allocation, with each MPI.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/campaign/description.hpp"
#include "bench/campaign/launch.hpp"
#include "cli/workflows/validate/session/options.hpp"

namespace plumbline::cli::validate {

struct Mpi {
  bench::Installed installed;
  std::filesystem::path suite;  // our suite, built with it
  bench::Layout layout;         // all ranks
};

struct Site {
  std::vector<Mpi> mpis;
  std::uint32_t cores = 1;         // of this node, that this process may use
  std::vector<std::string> hosts;  // as asked for; empty: this one, or whatever the launcher says
  std::string launcher_from;       // "the environment of Slurm", "--launcher", "--hosts FILE", "this machine"
  std::vector<std::string> notes;  // what a reader has to know of it
};

// Throws Error: an MPI that is not installed (kCannotRunHere), a file of hosts that cannot be read or is empty.
Site find_site(const Options& options);

// Why srun does not start the ranks in a Slurm job of several nodes, to be asked where it does not; else nothing.
std::vector<std::string> notes_of_slurm();

// The hosts of a file: a name and, if given, slots on each line; '#' begins a comment. Throws one Error with all lines
// at fault. `per_node` is raised to the slots that all have in common.
std::vector<std::string> parse_hosts(const std::string& text, const std::string& name, std::uint32_t& per_node);

// Command and environment that start `program` with its arguments on all ranks.
bench::Launch launch_on(const Site& site, const Mpi& mpi, const std::filesystem::path& program,
                        std::vector<std::string> arguments);

}  // namespace plumbline::cli::validate
