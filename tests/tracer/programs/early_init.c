/* A library that calls MPI_Init when it is loaded, as run-time systems do; initialised before the preloaded ones. */
#include <mpi.h>
#include <stddef.h>

__attribute__((constructor)) static void start(void) { MPI_Init(NULL, NULL); }
void early_barrier(void);
void early_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
