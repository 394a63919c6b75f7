/* The part of `mixed` in C. What it calls by a PMPI_ name it does not want to be seen. */
#include <mpi.h>

void send_in_c(int fortran_comm);
void send_in_c(int fortran_comm) {
  int in, out = 0;
  MPI_Comm comm = MPI_Comm_f2c(fortran_comm);
  MPI_Sendrecv(&out, 2, MPI_SHORT, 0, 77, &in, 2, MPI_SHORT, 0, 77, comm, MPI_STATUS_IGNORE);
  PMPI_Sendrecv(&out, 1, MPI_INT, 0, 78, &in, 1, MPI_INT, 0, 78, comm, MPI_STATUS_IGNORE);
}
