#ifndef PLUMBLINE_BASE_TEAM_SHIM_SHIM_H
#define PLUMBLINE_BASE_TEAM_SHIM_SHIM_H
// What base/team needs of MPI. The command links no MPI: it loads libplumbline-team-<flavour>.so, which does. Errors of
// MPI end the whole job, as MPI_ERRORS_ARE_FATAL says, so that nothing here fails.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// All talk in MPI_COMM_WORLD, and one thread calls. Counts of MPI are `int`, so long buffers travel in pieces of
// `piece` bytes: at most INT_MAX, and the same at both ends.
struct pl_team_mpi {
  void (*start)(int* rank, int* size);
  void (*end)(void);
  void (*abort)(int status);  // ends all processes

  // `size` bytes of each, by rank. Who waits here for long does not keep its processor busy, so each other function is
  // to be called when all are known to be about to call it.
  void (*all_gather)(const void* own, int size, void* all);

  void (*broadcast)(void* bytes, uint64_t size, int root, uint64_t piece);
  void (*send)(const void* bytes, uint64_t size, int to, uint64_t piece);
  void (*receive)(void* bytes, uint64_t size, int from, uint64_t piece);
};

// The one symbol of the library.
#define PL_TEAM_SYMBOL "pl_team_functions"
const struct pl_team_mpi* pl_team_functions(void);

#ifdef __cplusplus
}
#endif

#endif
