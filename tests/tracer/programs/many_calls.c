/* usage: many_calls N [writes]    N calls on each rank, as fast as they go: writes of 8 bytes, messages to itself and
 * around a ring, and sums over all ranks; or writes alone. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void message(int to, int from) {
  char out[8] = {0}, in[8];
  MPI_Sendrecv(out, 8, MPI_CHAR, to, 0, in, 8, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, size, fd;
  char name[32];
  long i, n = atol(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(name, sizeof name, "many.%d", rank);
  fd = open(name, O_CREAT | O_WRONLY, 0644);
  for (i = 0; i < n; ++i) {
    const int kind = argc > 2 ? 0 : i % 4;
    if (kind == 0 && pwrite(fd, "eight...", 8, i % 1000 * 8) != 8) MPI_Abort(MPI_COMM_WORLD, 1);
    if (kind == 1) message(rank, rank);
    if (kind == 2) message((rank + 1) % size, (rank + size - 1) % size);
    if (kind == 3) {
      int sum;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  close(fd);
  MPI_Finalize();
  return 0;
}
