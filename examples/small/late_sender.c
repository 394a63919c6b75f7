// Rank 0 computes before it sends; the others are ready early and wait in their receives.
//   mpirun -n 3 late_sender-openmpi [MILLISECONDS]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double compute(double seconds) {
  const double begin = MPI_Wtime();
  double x = 1;
  while (MPI_Wtime() - begin < seconds)
    for (int i = 0; i < 1000; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double seconds = (argc > 1 ? atof(argv[1]) : 20) / 1000;
  double data[128] = {0};
  for (int step = 0; step < 10; ++step) {
    if (rank == 0) {
      data[0] = compute(seconds) > 0 ? step + 1 : 0;
      for (int to = 1; to < ranks; ++to) MPI_Send(data, 128, MPI_DOUBLE, to, step, MPI_COMM_WORLD);
    } else {
      MPI_Recv(data, 128, MPI_DOUBLE, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  double sum = 0;
  MPI_Reduce(&data[0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("10 steps of %d ranks: %g\n", ranks, sum);
  return MPI_Finalize();
}
