#pragma once
// Starting a program under the tracer: only the ranks are preloaded, never the launcher.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "tracer/record/launch/child.hpp"
#include "tracer/record/launch/settings.hpp"
#include "tracer/record/launch/stop.hpp"
#include "tracer/spool/format/format.h"

namespace plumbline::record {

// What a command line starts.
enum class Launcher { kOpenMpi, kHydra, kSingleton, kSrun /* of either MPI */ };

struct Preload {
  std::filesystem::path library;  // for the ranks
  std::filesystem::path spool;    // directory
  Settings settings = {};         // what is not set is as inherited
};

// `command` with what hands the preload to the ranks: options of the launcher (in front of every application of an
// MPMD command line). `inherited` is the LD_PRELOAD that the ranks would have had. A singleton's is unchanged: it gets
// its preload through the environment. Not for srun, which knows no such option: with_keeper() (gather.hpp).
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

// The preload library of this installation; of no MPI: the one for programs without. Throws Error (kCannotRunHere) when
// it is not there.
std::filesystem::path preload_library(pl_flavour flavour);

// LD_PRELOAD, PLUMBLINE_SPOOL and the settings for what this process starts. AddressSanitizer insists on being the
// first library, and is told not to; what else ASAN_OPTIONS has stays.
void set_environment(const Preload& preload);

// A path of the library that LD_PRELOAD can hold, which is split at blanks and colons, and in which a `$` begins a name
// of the loader's. Its own, or else that of a link in a temporary directory, which goes with this object.
class LoadablePath {
 public:
  explicit LoadablePath(const std::filesystem::path& library);
  ~LoadablePath();
  LoadablePath(const LoadablePath&) = delete;
  LoadablePath& operator=(const LoadablePath&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_, directory_;
};

// Runs the command with the tracer for its ranks, without keepers, and waits, as run_until_stopped.
Outcome run_recorded(const Command& command, const Launch& launch, const Preload& preload,
                     const StopOptions& options = {});

// The MPI of the rank that this process was started as, by what its launcher left in the environment and by what the
// program needs. Throws Error when neither tells.
pl_flavour flavour_of_rank(const Command& command);

// The path of this executable.
std::string this_program();

// A directory for spools, private to this run: ${TMPDIR:-/tmp}/plumbline-USER-XXXXXX. Held (orphaned_spools.hpp).
std::filesystem::path make_spool_directory();

// A new directory beside the archive, for the spools of all nodes: ARCHIVE.spools-XXXXXX.
std::filesystem::path make_gather_directory(const std::filesystem::path& archive);

}  // namespace plumbline::record
