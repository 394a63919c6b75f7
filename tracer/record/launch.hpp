#pragma once
// Starting a program under the tracer: only the ranks are preloaded, never the launcher.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracer/spool/format.h"

namespace plumbline::record {

using Command = std::vector<std::string>;

// What a command line starts.
enum class Launcher { kOpenMpi, kHydra, kSingleton };

struct Preload {
  std::filesystem::path library;  // for the ranks
  std::filesystem::path spool;    // directory
};

// `command` with what hands the preload to the ranks: options of the launcher (in front of every application of an
// MPMD command line). `inherited` is the LD_PRELOAD that the ranks would have had. A singleton's is unchanged: it gets
// its preload through the environment.
Command with_preload(Launcher launcher, const Command& command, const Preload& preload,
                     const std::string& inherited = {});

struct Launch {
  Launcher launcher = Launcher::kSingleton;
  pl_flavour flavour = PL_FLAVOUR_NONE;
};

// Finds out what command[0] is: asks a launcher for its version, looks into a program for the MPI library it needs.
// Throws Error when it is neither, saying what else can be done.
Launch recognise(const Command& command);

// The MPI that a program needs by its dynamic section, and those of the libraries it needs; nothing when none does, or
// when the file is no ELF program.
std::optional<pl_flavour> mpi_of_program(const std::filesystem::path& program);

// The file that a shell would run for a name; empty when there is none.
std::filesystem::path find_program(const std::string& name);

// The preload library of this installation. Throws Error (kCannotRunHere) when it is not there.
std::filesystem::path preload_library(pl_flavour flavour);

struct ProgramEnd {
  int status = 0;  // exit status; 128 + signal as shells have it
  int signal = 0;  // that ended it, or 0
};

// Runs the command with the tracer for its ranks and waits. INT and TERM go on to it; input and output are its own.
ProgramEnd run_recorded(const Command& command, const Launch& launch, const Preload& preload);

// `mpirun … plumbline record --rank -- app`: becomes the program of one rank, with the tracer. Returns only by Error.
[[noreturn]] void become_rank(const Command& command, const std::filesystem::path& spool);

// A directory for spools, private to this run: ${TMPDIR:-/tmp}/plumbline-USER-XXXXXX.
std::filesystem::path make_spool_directory();

}  // namespace plumbline::record
