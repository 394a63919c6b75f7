#include "base/team/launcher.hpp"

#include <fmt/format.h>

#include <charconv>
#include <initializer_list>
#include <string>

#include "base/error.hpp"

namespace plumbline {
namespace {

std::optional<std::uint32_t> number(const char* text) {
  if (text == nullptr) return {};
  const std::string_view digits = text;
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

bool is_wanted(const char* team) {
  if (team == nullptr || *team == '\0') return true;
  if (team == std::string_view("off")) return false;
  throw Error("PLUMBLINE_TEAM", fmt::format("there is no value '{}'", team),
              "off: this process works alone, although a launcher has started others", ExitCode::kWrongUse);
}

}  // namespace

std::string_view name_of(Mpi mpi) { return mpi == Mpi::kOpenMpi ? "Open MPI" : "MPICH"; }

std::string_view flavour_of(Mpi mpi) { return mpi == Mpi::kOpenMpi ? "openmpi" : "mpich"; }

std::optional<LauncherProcesses> launcher_processes(const Environment& environment) {
  struct Launcher {
    Mpi mpi;
    const char* rank;
    std::initializer_list<const char*> sizes;  // the first that is set
  };
  static const Launcher launchers[] = {
      {Mpi::kOpenMpi, "OMPI_COMM_WORLD_RANK", {"OMPI_COMM_WORLD_SIZE"}},
      {Mpi::kMpich, "PMI_RANK", {"PMI_SIZE"}},  // Hydra; srun --mpi=pmi2
      // srun --mpi=pmix. A shell inside an allocation is a step of one process, and the others are of the allocation.
      {Mpi::kOpenMpi, "PMIX_RANK", {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"}},
  };
  if (!is_wanted(environment("PLUMBLINE_TEAM"))) return {};
  for (const Launcher& launcher : launchers) {
    const auto rank = number(environment(launcher.rank));
    if (!rank) continue;
    for (const char* name : launcher.sizes)
      if (const auto size = number(environment(name))) {
        if (*size <= 1 || *rank >= *size) return {};
        return LauncherProcesses{launcher.mpi, *rank, *size};
      }
  }
  return {};
}

}  // namespace plumbline
