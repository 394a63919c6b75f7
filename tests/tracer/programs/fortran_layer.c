/* A layer with an entry of Fortran that calls the C interface by its PMPI_ name. */
#include <mpi.h>
#include <stdio.h>

static int barriers;

void mpi_barrier_(MPI_Fint* comm, MPI_Fint* error) {
  ++barriers;
  *error = PMPI_Barrier(PMPI_Comm_f2c(*comm));
}
__attribute__((destructor)) static void tell(void) {
  if (barriers != 0) printf("%d barriers of Fortran\n", barriers);
}
