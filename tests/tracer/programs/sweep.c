/* Stand-in of a transport sweep: a wavefront crosses a grid of ranks from each of its four corners in turn. A rank
 * waits for its two upstream neighbours, computes, and sends downstream; it waits as such codes do, by asking for
 * everything that may come, one after the other, without ever blocking. sweep SWEEPS MICROSECONDS      of computation
 * in the rank where a wavefront begins; the others compute little */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNumbers = 64 };
static double out[2][kNumbers], in[2][kNumbers];

static double compute(double seconds, double value) {
  const double end = MPI_Wtime() + seconds;
  do
    for (int i = 0; i < 200; ++i) value = value * 0.999 + 1.0;
  while (MPI_Wtime() < end);
  return value;
}

/* The neighbour a step along a dimension, MPI_PROC_NULL beyond the edge. */
static int neighbour(MPI_Comm grid, int dimension, int step) {
  int before, after;
  MPI_Cart_shift(grid, dimension, 1, &before, &after);
  return step > 0 ? after : before;
}

/* Until both upstream values are there and those sent before are gone. Returns how often it asked. */
static long wait_for(MPI_Comm grid, const int upstream[2], int tag, MPI_Request sends[2]) {
  int missing = 0, here[2], sent = 0, found;
  long polls = 0;
  for (int d = 0; d < 2; ++d) missing += !(here[d] = upstream[d] == MPI_PROC_NULL);
  while (missing > 0 || !sent) {
    for (int d = 0; d < 2; ++d) {
      if (here[d]) continue;
      MPI_Iprobe(upstream[d], tag + d, grid, &found, MPI_STATUS_IGNORE);
      ++polls;
      if (!found) continue;
      MPI_Recv(in[d], kNumbers, MPI_DOUBLE, upstream[d], tag + d, grid, MPI_STATUS_IGNORE);
      here[d] = 1;
      --missing;
    }
    MPI_Testall(2, sends, &sent, MPI_STATUSES_IGNORE);
    ++polls;
  }
  return polls;
}

int main(int argc, char** argv) {
  const int sweeps = argc > 1 ? atoi(argv[1]) : 4;
  const double work = argc > 2 ? atof(argv[2]) * 1e-6 : 1e-3;
  int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0};
  double value = 0;
  long polls = 0, messages = 0;
  MPI_Comm grid;
  MPI_Request sends[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  for (int i = 0; i < sweeps; ++i) {
    for (int corner = 0; corner < 4; ++corner) {
      const int step[2] = {corner % 2 ? -1 : 1, corner / 2 ? -1 : 1};
      const int upstream[2] = {neighbour(grid, 0, -step[0]), neighbour(grid, 1, -step[1])};
      polls += wait_for(grid, upstream, 10 * corner, sends);
      const int begins = upstream[0] == MPI_PROC_NULL && upstream[1] == MPI_PROC_NULL;
      value = compute(begins ? work : 20e-6, value + in[0][0] + in[1][0]);
      for (int d = 0; d < 2; ++d) {
        const int downstream = neighbour(grid, d, step[d]);
        out[d][0] = value;
        messages += downstream != MPI_PROC_NULL;
        MPI_Isend(out[d], kNumbers, MPI_DOUBLE, downstream, 10 * corner + d, grid, &sends[d]);
      }
    }
  }
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  printf("rank %d: %ld messages sent, %s\n", rank, messages, polls > 0 && value > 0 ? "asked" : "never asked");
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
