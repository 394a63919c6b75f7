/* An extension module of an interpreter: it, and with it libmpi, is loaded with RTLD_LOCAL. */
#include <mpi.h>
#include <stddef.h>

int run(void);
int run(void) {
  int in, out = 0;
  MPI_Init(NULL, NULL);
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
