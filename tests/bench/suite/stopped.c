// Loaded before a program: every STOPPED_EVERYth barrier takes STOPPED_FOR microseconds more, as where something has
// the processor of a rank for a moment.
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static long number_in(const char* variable) {
  const char* const text = getenv(variable);
  return text ? atol(text) : 0;
}

__attribute__((visibility("default"))) int MPI_Barrier(MPI_Comm comm) {
  static long calls;
  const long every = number_in("STOPPED_EVERY");
  if (every > 0 && ++calls % every == 0) usleep((useconds_t)number_in("STOPPED_FOR"));
  return PMPI_Barrier(comm);
}
