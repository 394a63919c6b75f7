// A number travels round a ring of ranks; each adds its own.
//   mpirun -n 4 ring-openmpi [ROUNDS]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

  long carried = rank, received = 0;
  for (int i = 0; i < rounds * ranks; ++i) {
    MPI_Sendrecv(&carried, 1, MPI_LONG, right, 0, &received, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    carried = received + rank;
  }
  if (rank == 0) printf("%d rounds of %d ranks: %ld\n", rounds, ranks, carried);
  return MPI_Finalize();
}
