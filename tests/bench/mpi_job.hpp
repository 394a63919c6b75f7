#pragma once
// MPI jobs that tests start.

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "tests/support/command.hpp"

namespace plumbline::test {

struct MpiJob {
  std::string flavour;  // "openmpi", "mpich"
  int ranks = 2;
  int seconds = 110;  // then it is ended

  bool is_openmpi() const { return flavour == "openmpi"; }
};

inline void PrintTo(const MpiJob& job, std::ostream* out) { *out << job.flavour << ' ' << job.ranks; }

// The command line before the program. Ranks beyond the cores give them away (which MPICH cannot); others keep them, as
// every wait would take a time slice on a busy machine. None is bound to a core: another test may be at work there.
inline std::string launcher_of(const MpiJob& job) {
  return fmt::format(
      "OMPI_MCA_mpi_yield_when_idle={:d} timeout {} {} -n {}", job.ranks > 2, job.seconds,
      job.is_openmpi() ? "mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none" : "mpirun.mpich",
      job.ranks);
}

// `program`: with its arguments.
inline CommandResult run_job(const MpiJob& job, const std::string& program) {
  constexpr int kToEnd = 10;  // seconds that an ended job may take
  return run_command(launcher_of(job) + " " + program, ".", job.seconds + kToEnd);
}

}  // namespace plumbline::test
