#pragma once
// How MPI was set up in a recorded run, and by whom, as the archive tells.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "replay/validate/preflight/control_variables.hpp"

namespace plumbline::cli::validate {

// Control variables of the MPI library and what its surroundings set (MPIR_CVAR_*, UCX_*, ROMIO_HINTS), of the first
// rank of each run of one suite. A library tells of a component when it opens it, of those for files with the first
// file: so the first run that tells of a variable counts. The line of a file is looked up where the file can be read
// here. Throws Error where there is no archive.
std::vector<replay::validate::ControlVariable> settings_of(std::span<const std::filesystem::path> archives,
                                                           const std::string& mpi);

// Whether removal_of() can do it: it is in our own surroundings, or in a line of a file that is known.
bool can_be_removed(const replay::validate::Observation& setting);

// What removes settings from the surroundings of a program, as changes for run_twins(): variables go, and files are
// read without their lines. `directory`: where copies of such files are written.
std::vector<std::string> removal_of(const std::vector<const replay::validate::Observation*>& settings,
                                    const std::filesystem::path& directory);

// For people: "unset ROMIO_HINTS", "remove line 3 of /etc/romio-hints". Of a setting whose origin is known.
std::string text_of_removal(const replay::validate::Observation& setting);

}  // namespace plumbline::cli::validate
