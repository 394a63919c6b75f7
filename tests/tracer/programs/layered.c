/* Three messages each way that a layer (layer.c) sends under other tags, and two barriers. */
#include <mpi.h>
#include <stdio.h>

/* As a program, and as an extension module of an interpreter (local_main.c). */
int run(void);
int main(void) { return run(); }
int run(void) {
  int rank, out = 1, in = 0, tags = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) {
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    tags += status.MPI_TAG;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 0) MPI_Send(&out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&in, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  if (rank == 1) tags += status.MPI_TAG;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("tags of rank %d: %d\n", rank, tags);
  MPI_Finalize();
  return 0;
}
