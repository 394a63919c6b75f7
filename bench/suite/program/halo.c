// A five-point stencil on a plate that a grid of ranks shares: each step exchanges the edges with up to four neighbours
// and computes; every tenth step adds something up over all ranks.
//
// The cells begin as a plane (7 x + 3 y), of which the mean of four neighbours is the middle, and each step adds one.
// So every cell is known at every step, exactly, and an edge that came late or from the wrong rank shows.
#include <stdlib.h>

#include "suite.h"

enum { kUp, kDown, kLeft, kRight, kSides };
enum { kSumEvery = 10 };

typedef struct {
  MPI_Comm grid;
  MPI_Datatype column;
  int neighbour[kSides];  // MPI_PROC_NULL at the edge of the plate
  long first_row, first_column;
  int side;
  double *now, *next;  // (side + 2) x (side + 2): own cells and one layer around them
} Block;

static double* at(const Block* b, double* cells, int row, int column) {
  return cells + (size_t)(row + 1) * (size_t)(b->side + 2) + (size_t)(column + 1);
}

static double plane(const Block* b, int row, int column, long step) {
  return (double)(7 * (b->first_row + row) + 3 * (b->first_column + column) + step);
}

static Block make_block(const Run* run) {
  Block b = {.side = int_of(run, "side")};
  int parts[2] = {0, 0}, periodic[2] = {0, 0}, place[2];
  MPI_Dims_create(run->ranks, 2, parts);
  MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periodic, 0, &b.grid);
  MPI_Cart_coords(b.grid, run->rank, 2, place);
  MPI_Cart_shift(b.grid, 0, 1, &b.neighbour[kUp], &b.neighbour[kDown]);
  MPI_Cart_shift(b.grid, 1, 1, &b.neighbour[kLeft], &b.neighbour[kRight]);
  b.first_row = (long)place[0] * b.side;
  b.first_column = (long)place[1] * b.side;
  MPI_Type_vector(b.side, 1, b.side + 2, MPI_DOUBLE, &b.column);
  MPI_Type_commit(&b.column);
  const size_t stored = (size_t)(b.side + 2) * (size_t)(b.side + 2) * sizeof(double);
  b.now = touched(run, stored);
  b.next = touched(run, stored);
  for (int i = -1; i <= b.side; ++i)
    for (int j = -1; j <= b.side; ++j) *at(&b, b.now, i, j) = *at(&b, b.next, i, j) = plane(&b, i, j, 0);
  return b;
}

static void exchange_edges(Block* b) {
  const int last = b->side - 1, beyond = b->side;
  double* const out[kSides] = {at(b, b->now, 0, 0), at(b, b->now, last, 0), at(b, b->now, 0, 0),
                               at(b, b->now, 0, last)};
  double* const in[kSides] = {at(b, b->now, -1, 0), at(b, b->now, beyond, 0), at(b, b->now, 0, -1),
                              at(b, b->now, 0, beyond)};
  MPI_Request requests[2 * kSides];
  for (int k = 0; k < kSides; ++k) {
    const bool is_row = k == kUp || k == kDown;
    const int count = is_row ? b->side : 1, opposite = k ^ 1;  // the tag says to which side a message travels
    const MPI_Datatype type = is_row ? MPI_DOUBLE : b->column;
    MPI_Irecv(in[k], count, type, b->neighbour[k], opposite, b->grid, &requests[k]);
    MPI_Isend(out[k], count, type, b->neighbour[k], k, b->grid, &requests[kSides + k]);
  }
  MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);
}

// At the edge of the plate there is no neighbour to send the layer.
static void set_edge_of_plate(Block* b, long step) {
  for (int k = 0; k < b->side; ++k) {
    if (b->neighbour[kUp] == MPI_PROC_NULL) *at(b, b->now, -1, k) = plane(b, -1, k, step);
    if (b->neighbour[kDown] == MPI_PROC_NULL) *at(b, b->now, b->side, k) = plane(b, b->side, k, step);
    if (b->neighbour[kLeft] == MPI_PROC_NULL) *at(b, b->now, k, -1) = plane(b, k, -1, step);
    if (b->neighbour[kRight] == MPI_PROC_NULL) *at(b, b->now, k, b->side) = plane(b, k, b->side, step);
  }
}

static void relax(Block* b) {
  for (int i = 0; i < b->side; ++i) {
    const double *up = at(b, b->now, i - 1, 0), *here = at(b, b->now, i, 0), *down = at(b, b->now, i + 1, 0);
    double* next = at(b, b->next, i, 0);
    for (int j = 0; j < b->side; ++j) next[j] = 0.25 * ((up[j] + down[j]) + (here[j - 1] + here[j + 1])) + 1;
  }
  double* const old = b->now;
  b->now = b->next;
  b->next = old;
}

static void expect_plane(const Run* run, const Block* b, long step) {
  for (int i = 0; i < b->side; ++i)
    for (int j = 0; j < b->side; ++j)
      if (*at(b, b->now, i, j) != plane(b, i, j, step))
        stop(run, kWrongData, "row %d, column %d of the block is %g after %ld steps, not %g", i, j,
             *at(b, b->now, i, j), step, plane(b, i, j, step));
}

void halo(Run* run) {
  Block b = make_block(run);
  begin(run, int_of(run, "steps"));
  for (int step = 0; more(run, step); ++step) {
    exchange_edges(&b);
    set_edge_of_plate(&b, step);
    relax(&b);
    double sum = *at(&b, b.now, 0, 0), total = 0;
    if (step % kSumEvery == kSumEvery - 1) MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, b.grid);
  }
  end(run);
  expect_plane(run, &b, run->repetitions);
  MPI_Type_free(&b.column);
  MPI_Comm_free(&b.grid);
  free(b.now);
  free(b.next);
}
