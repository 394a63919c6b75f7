// A wavefront: ranks share the columns of a grid whose cells need their left, upper and upper left neighbours, so each
// row goes through all ranks in turn, one number at a time: as in sweeps of transport codes, and in the synchronisation
// kernel of the Parallel Research Kernels. The last cell goes back to the first, and the next iteration begins with it.
//
//   mpirun -n 4 wavefront-openmpi [ROWS [COLUMNS [ITERATIONS]]]
//
// Cells of the upper row and the left column are their distance from the corner; all others are left + upper − upper
// left. So the last one is ITERATIONS (ROWS + COLUMNS − 2), on any number of ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRow, kCorner };  // tags

struct strip {
  int rank, ranks;
  int rows, columns, first, width;  // of the grid; own columns, and one more of the rank before
  double* cells;
};

static double* cell(const struct strip* s, int row, int column) {
  return s->cells + (size_t)row * (size_t)s->width + column;
}

static struct strip begin(int rows, int columns) {
  struct strip s = {.rows = rows, .columns = columns};
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  const int last = (int)((long long)columns * (s.rank + 1) / s.ranks);
  s.first = (int)((long long)columns * s.rank / s.ranks) - (s.rank > 0);
  s.width = last - s.first;
  s.cells = rows > 1 && columns >= 2 * s.ranks ? calloc((size_t)rows * (size_t)s.width, sizeof(double)) : NULL;
  if (!s.cells) {
    fprintf(stderr, "wavefront: needs two rows, two columns for each rank, and memory for them\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int j = 0; j < s.width; ++j) *cell(&s, 0, j) = s.first + j;
  for (int i = 0; i < rows && s.rank == 0; ++i) *cell(&s, i, 0) = i;
  return s;
}

// Row by row: the first own cell waits for the rank before, the last one lets the rank behind go on.
static void sweep(const struct strip* s) {
  for (int i = 1; i < s->rows; ++i) {
    if (s->rank > 0) MPI_Recv(cell(s, i, 0), 1, MPI_DOUBLE, s->rank - 1, kRow, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = 1; j < s->width; ++j)
      *cell(s, i, j) = *cell(s, i, j - 1) + *cell(s, i - 1, j) - *cell(s, i - 1, j - 1);
    if (s->rank < s->ranks - 1) MPI_Send(cell(s, i, s->width - 1), 1, MPI_DOUBLE, s->rank + 1, kRow, MPI_COMM_WORLD);
  }
}

// The last cell, with its sign changed, becomes the first one.
static void hand_back(const struct strip* s) {
  double corner = -*cell(s, s->rows - 1, s->width - 1);
  if (s->ranks > 1 && s->rank == s->ranks - 1) MPI_Send(&corner, 1, MPI_DOUBLE, 0, kCorner, MPI_COMM_WORLD);
  if (s->ranks > 1 && s->rank == 0)
    MPI_Recv(&corner, 1, MPI_DOUBLE, s->ranks - 1, kCorner, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (s->rank == 0) *cell(s, 0, 0) = corner;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rows = argc > 1 ? atoi(argv[1]) : 400, columns = argc > 2 ? atoi(argv[2]) : 8000;
  const int iterations = argc > 3 ? atoi(argv[3]) : 10;
  struct strip s = begin(rows, columns);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    sweep(&s);
    hand_back(&s);
  }
  if (s.rank == s.ranks - 1) {
    const double found = *cell(&s, rows - 1, s.width - 1), expected = (double)iterations * (rows + columns - 2);
    printf("%d rows, %d columns, %d iterations: the last cell is %.0f, %s\n", rows, columns, iterations, found,
           found == expected ? "as it must be" : "which is wrong");
  }
  free(s.cells);
  return MPI_Finalize();
}
