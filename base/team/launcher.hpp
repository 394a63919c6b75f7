#pragma once
// What a launcher of MPI tells a process that it has started.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace plumbline {

enum class Mpi { kOpenMpi, kMpich };

std::string_view name_of(Mpi mpi);     // "Open MPI"
std::string_view flavour_of(Mpi mpi);  // "openmpi", as names of our libraries end

// The processes of one launch, as one of them sees them.
struct LauncherProcesses {
  Mpi mpi = Mpi::kOpenMpi;
  std::uint32_t rank = 0, size = 1;
  bool operator==(const LauncherProcesses&) const = default;
};

using Environment = std::function<const char*(const char* name)>;  // null where it is not set

// Nothing where there are no others: without a launcher, in a launch of one process, and where the user wants none
// (PLUMBLINE_TEAM=off). Throws Error (kWrongUse) for another value of PLUMBLINE_TEAM.
std::optional<LauncherProcesses> launcher_processes(const Environment& environment);

}  // namespace plumbline
