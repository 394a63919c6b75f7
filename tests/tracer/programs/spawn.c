/* Spawns one process of itself and takes a number from it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, number = 4711;
  MPI_Comm parent, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Send(&number, 1, MPI_INT, 0, 1, parent);
    MPI_Comm_disconnect(&parent);
  } else {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    if (rank == 0) {
      number = 0;
      MPI_Recv(&number, 1, MPI_INT, 0, 1, children, MPI_STATUS_IGNORE);
      printf("the child says %d\n", number);
    }
    MPI_Comm_disconnect(&children);
  }
  MPI_Finalize();
  return 0;
}
