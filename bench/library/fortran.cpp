// What plumbline_bench.f90 calls: communicators are numbers there, in both directions.

#include <cstddef>

#include "bench/library/plumbline/bench.h"

namespace {

struct FortranOperation {
  const char* name;
  int (*initialise)(void* state, MPI_Fint comm, std::size_t bytes);
  int (*execute)(void* state, MPI_Fint comm);
  int (*finalise)(void* state, MPI_Fint comm);
  void* state;
};

const FortranOperation& of(void* state) { return *static_cast<const FortranOperation*>(state); }

int initialise(void* state, MPI_Comm comm, std::size_t bytes) {
  return of(state).initialise(of(state).state, MPI_Comm_c2f(comm), bytes);
}

int execute(void* state, MPI_Comm comm) { return of(state).execute(of(state).state, MPI_Comm_c2f(comm)); }

int finalise(void* state, MPI_Comm comm) { return of(state).finalise(of(state).state, MPI_Comm_c2f(comm)); }

}  // namespace

extern "C" PLUMBLINE_BENCH_API int plumbline_measure_fortran(MPI_Fint comm, FortranOperation* operation,
                                                             std::size_t bytes, const plumbline_settings* settings,
                                                             plumbline_measured* measured) {
  const plumbline_operation own = {operation->name, operation->initialise != nullptr ? initialise : nullptr,
                                   operation->execute != nullptr ? execute : nullptr,
                                   operation->finalise != nullptr ? finalise : nullptr, operation};
  return plumbline_measure(MPI_Comm_f2c(comm), &own, bytes, settings, measured);
}
