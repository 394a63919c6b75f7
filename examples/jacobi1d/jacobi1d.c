// Jacobi iteration on a grid cut into strips of rows, one for each rank: the example of Grove and Coddington,
// "Communication Benchmarking and Performance Modelling of MPI Programs on Cluster Computers" (2005), figure 5, as a
// program that runs and as a model in its comments, which `plumbline predict` reads:
//
//   mpirun -n 4 jacobi1d-openmpi [ITERATIONS [COLUMNS [ROWS [WAITED]]]]
//   plumbline predict jacobi1d.c -p cluster.xml -n 1..64 --set point=0.4ns
//
// Beyond the paper, even ranks look whether there is a rank behind them, so that any number of ranks will do, and every
// rank has the same number of rows, ROWS / ranks. The program prints how long a point takes on this machine, which is
// the constant `point`; 49 ns is what it took on the paper's. With WAITED a rank computes nothing but sleeps for so
// many nanoseconds a point: ranks that share a core then take as long as if each had one.

#define _GNU_SOURCE  // clock_nanosleep

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

// PEVPM Constant iterations = 1000
// PEVPM Constant xsize = 256
// PEVPM Constant rows = 256
// PEVPM Constant point = 49ns
static int iterations = 1000, xsize = 256, rows = 256;
static double waited = 0;  // ns

static float* row(float* grid, int number) { return grid + (size_t)number * (size_t)xsize; }

static void sleep_for(double ns) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const long long at = until.tv_nsec + (long long)ns;
  until.tv_sec += at / 1000000000;
  until.tv_nsec = at % 1000000000;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
  }
}

static void compute(float* grid, float* next, int own) {
  if (waited > 0) {
    sleep_for(waited * own * (xsize - 2));
    return;
  }
  for (int j = 1; j <= own; ++j)
    for (int k = 1; k < xsize - 1; ++k)
      row(next, j)[k] = 0.25f * (row(grid, j)[k - 1] + row(grid, j - 1)[k] + row(grid, j)[k + 1] + row(grid, j + 1)[k]);
}

static void send_row(float* from, int to) { MPI_Send(from, xsize, MPI_FLOAT, to, 0, MPI_COMM_WORLD); }
static void receive_row(float* into, int from) {
  MPI_Recv(into, xsize, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// The whole iteration stands in one function, because a model goes by the order of its lines. Even ranks send first,
// odd ones receive first, so that no send waits for another one. Returns the time that this rank computed.
static double iterate(float* grid, float* griddash, int own, int procnum, int numprocs) {
  double computing = 0;
  // PEVPM Loop iterations = iterations
  // PEVPM {
  for (int i = 0; i < iterations; ++i) {
    // PEVPM Runon c1 = procnum%2 == 0
    // PEVPM &     c2 = procnum%2 != 0
    // PEVPM {
    if (procnum % 2 == 0) {
      // PEVPM Runon c1 = procnum != 0
      // PEVPM {
      // PEVPM Message type = MPI_Send
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum
      // PEVPM &       to = procnum-1
      if (procnum != 0) send_row(row(grid, 1), procnum - 1);
      // PEVPM }
      // PEVPM Runon c1 = procnum != numprocs-1
      // PEVPM {
      if (procnum != numprocs - 1) {
        // PEVPM Message type = MPI_Send
        // PEVPM &       size = xsize*sizeof(float)
        // PEVPM &       from = procnum
        // PEVPM &       to = procnum+1
        send_row(row(grid, own), procnum + 1);
        // PEVPM Message type = MPI_Recv
        // PEVPM &       size = xsize*sizeof(float)
        // PEVPM &       from = procnum+1
        // PEVPM &       to = procnum
        receive_row(row(grid, own + 1), procnum + 1);
      }
      // PEVPM }
      // PEVPM Runon c1 = procnum != 0
      // PEVPM {
      // PEVPM Message type = MPI_Recv
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum-1
      // PEVPM &       to = procnum
      if (procnum != 0) receive_row(row(grid, 0), procnum - 1);
      // PEVPM }
    }
    // PEVPM }
    // PEVPM {
    else {
      // PEVPM Runon c1 = procnum != numprocs-1
      // PEVPM {
      // PEVPM Message type = MPI_Recv
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum+1
      // PEVPM &       to = procnum
      if (procnum != numprocs - 1) receive_row(row(grid, own + 1), procnum + 1);
      // PEVPM }
      // PEVPM Message type = MPI_Recv
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum-1
      // PEVPM &       to = procnum
      receive_row(row(grid, 0), procnum - 1);
      // PEVPM Message type = MPI_Send
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum
      // PEVPM &       to = procnum-1
      send_row(row(grid, 1), procnum - 1);
      // PEVPM Runon c1 = procnum != numprocs-1
      // PEVPM {
      // PEVPM Message type = MPI_Send
      // PEVPM &       size = xsize*sizeof(float)
      // PEVPM &       from = procnum
      // PEVPM &       to = procnum+1
      if (procnum != numprocs - 1) send_row(row(grid, own), procnum + 1);
      // PEVPM }
    }
    // PEVPM }
    const double before = MPI_Wtime();
    // PEVPM Serial time = point*(xsize-2)*(rows/numprocs)
    compute(grid, griddash, own);
    computing += MPI_Wtime() - before;
    float* const old = grid;
    grid = griddash;
    griddash = old;
  }
  // PEVPM }
  return computing;
}

int main(int argc, char** argv) {
  int procnum, numprocs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
  MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
  if (argc > 1) iterations = atoi(argv[1]);
  if (argc > 2) xsize = atoi(argv[2]);
  if (argc > 3) rows = atoi(argv[3]);
  if (argc > 4) waited = atof(argv[4]);
  prctl(PR_SET_TIMERSLACK, 1);  // ns; else the kernel may let it sleep for 50 us more
  const int own = rows / numprocs;
  if (iterations < 1 || xsize < 3 || own < 1) {
    if (procnum == 0) fprintf(stderr, "jacobi1d: at least one iteration, 3 columns and a row for each rank\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  float* grid = calloc((size_t)(own + 2) * (size_t)xsize, sizeof *grid);
  float* next = calloc((size_t)(own + 2) * (size_t)xsize, sizeof *next);
  if (!grid || !next) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int k = 0; k < xsize; ++k) row(grid, 0)[k] = row(next, 0)[k] = procnum == 0 ? 1 : 0;

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const double computing = iterate(grid, next, own, procnum, numprocs);
  const double took = MPI_Wtime() - begin;
  if (procnum == 0)
    printf("%d ranks: %.6f s, of which rank 0 computed %.6f s: %.3f ns a point\n", numprocs, took, computing,
           1e9 * computing / ((double)iterations * (xsize - 2) * own));
  free(grid);
  free(next);
  return MPI_Finalize();
}
