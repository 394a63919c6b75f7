/* Another layer of the profiling interface, as tools and run-time systems have them: what it changes, the program must
 * see under the tracer too. MPI_Isend sends under tag + 100; MPI_Send is made of other calls; the rest is counted. */
#include <mpi.h>
#include <stdio.h>

static int isends, sends, barriers;

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  ++isends;
  return PMPI_Isend(data, count, type, to, tag + 100, comm, request);
}
int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Request request;
  ++sends;
  int result = MPI_Isend(data, count, type, to, tag, comm, &request);
  return result == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : result;
}
int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}
int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("layer of rank %d: %d isends, %d sends, %d barriers\n", rank, isends, sends, barriers);
  return PMPI_Finalize();
}
