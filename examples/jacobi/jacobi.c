// Solves the steady heat equation on a long, narrow plate by Jacobi's method, on any number of ranks, and writes the
// plate to one file every so often. The top edge is kept at 1, the other edges at 0.
//
//   mpirun -n 4 jacobi-openmpi [--rows N] [--columns N] [--iterations N] [--every N] [--file NAME]
//                              [--hint key=value]...
//
// Each rank owns a block of the plate and one layer of its neighbours' cells around it:
//
//         . t t t t .        t b  rows of the neighbours above and below
//         l o o o o r        l r  columns of the neighbours left and right
//         l o o o o r        o    own cells
//         . b b b b .
//
// The result does not depend on the number of ranks: each new cell is computed from the same four old ones in the same
// order, and the checksum adds integers.

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kUp, kDown, kLeft, kRight, kSides };
static const int kResidualEvery = 50;  // iterations

struct options {
  int rows, columns;  // of the plate
  int iterations;
  int every;  // iterations between two checkpoints; 0: none
  const char* file;
  MPI_Info hints;
};

struct block {
  MPI_Comm grid;
  int rank;
  int neighbour[kSides];                       // MPI_PROC_NULL at the edge of the plate
  int first_row, first_column, rows, columns;  // own cells, in the whole plate
  int width;                                   // of a stored row: columns + 2
  double *now, *next;
  MPI_Datatype column;     // one column of own cells
  MPI_Datatype own;        // own cells in memory
  MPI_Datatype file_view;  // own cells in the file, where each row is a piece of its own
};

static double* cell(const struct block* b, double* cells, int row, int column) {
  return cells + (size_t)(row + 1) * (size_t)b->width + (column + 1);  // row and column -1 are the upper and left layer
}

static void stop(const char* message) {
  fprintf(stderr, "jacobi: %s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void check(int status, const char* doing) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (status == MPI_SUCCESS) return;
  MPI_Error_string(status, text, &length);
  fprintf(stderr, "jacobi: %s: ", doing);
  stop(text);
}

static void add_hint(MPI_Info hints, const char* text) {
  char key[MPI_MAX_INFO_KEY];
  const char* equals = strchr(text, '=');
  if (!equals || (size_t)(equals - text) >= sizeof key) stop("a hint is key=value");
  memcpy(key, text, (size_t)(equals - text));
  key[equals - text] = 0;
  MPI_Info_set(hints, key, equals + 1);
}

static struct options parse(int argc, char** argv) {
  struct options o = {16384, 32, 200, 25, "jacobi.out", MPI_INFO_NULL};
  MPI_Info_create(&o.hints);
  for (int i = 1; i < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (!value) stop("each option needs a value");
    if (strcmp(name, "--rows") == 0)
      o.rows = atoi(value);
    else if (strcmp(name, "--columns") == 0)
      o.columns = atoi(value);
    else if (strcmp(name, "--iterations") == 0)
      o.iterations = atoi(value);
    else if (strcmp(name, "--every") == 0)
      o.every = atoi(value);
    else if (strcmp(name, "--file") == 0)
      o.file = value;
    else if (strcmp(name, "--hint") == 0)
      add_hint(o.hints, value);
    else
      stop("options: --rows N --columns N --iterations N --every N --file NAME --hint key=value");
  }
  if (o.rows < 1 || o.columns < 1 || o.iterations < 0 || o.every < 0) stop("sizes and counts are positive");
  return o;
}

// Own part of `size` cells: the first of it and how many.
static void share(int size, int parts, int part, int* first, int* count) {
  *first = (int)((int64_t)size * part / parts);
  *count = (int)((int64_t)size * (part + 1) / parts) - *first;
}

static struct block make_block(const struct options* o) {
  struct block b;
  int ranks, parts[2] = {0, 0}, periodic[2] = {0, 0}, place[2];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, parts);
  MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periodic, 1, &b.grid);
  MPI_Comm_rank(b.grid, &b.rank);
  MPI_Cart_coords(b.grid, b.rank, 2, place);
  MPI_Cart_shift(b.grid, 0, 1, &b.neighbour[kUp], &b.neighbour[kDown]);
  MPI_Cart_shift(b.grid, 1, 1, &b.neighbour[kLeft], &b.neighbour[kRight]);
  share(o->rows, parts[0], place[0], &b.first_row, &b.rows);
  share(o->columns, parts[1], place[1], &b.first_column, &b.columns);
  if (b.rows < 1 || b.columns < 1) stop("the plate is too small for so many ranks");
  b.width = b.columns + 2;

  const size_t stored = (size_t)(b.rows + 2) * (size_t)b.width;
  b.now = calloc(stored, sizeof(double));
  b.next = calloc(stored, sizeof(double));
  if (!b.now || !b.next) stop("no memory");
  if (b.neighbour[kUp] == MPI_PROC_NULL)
    for (int j = 0; j < b.columns; ++j) *cell(&b, b.now, -1, j) = *cell(&b, b.next, -1, j) = 1;

  MPI_Type_vector(b.rows, 1, b.width, MPI_DOUBLE, &b.column);
  const int memory[2] = {b.rows + 2, b.width}, mine[2] = {b.rows, b.columns}, corner[2] = {1, 1};
  const int plate[2] = {o->rows, o->columns}, first[2] = {b.first_row, b.first_column};
  MPI_Type_create_subarray(2, memory, mine, corner, MPI_ORDER_C, MPI_DOUBLE, &b.own);
  MPI_Type_create_subarray(2, plate, mine, first, MPI_ORDER_C, MPI_DOUBLE, &b.file_view);
  MPI_Type_commit(&b.column);
  MPI_Type_commit(&b.own);
  MPI_Type_commit(&b.file_view);
  return b;
}

static void free_block(struct block* b) {
  MPI_Type_free(&b->column);
  MPI_Type_free(&b->own);
  MPI_Type_free(&b->file_view);
  MPI_Comm_free(&b->grid);
  free(b->now);
  free(b->next);
}

// Fills the layer around the own cells with the neighbours' cells.
static void exchange(struct block* b) {
  MPI_Request requests[2 * kSides];
  double* const out[kSides] = {cell(b, b->now, 0, 0), cell(b, b->now, b->rows - 1, 0), cell(b, b->now, 0, 0),
                               cell(b, b->now, 0, b->columns - 1)};
  double* const in[kSides] = {cell(b, b->now, -1, 0), cell(b, b->now, b->rows, 0), cell(b, b->now, 0, -1),
                              cell(b, b->now, 0, b->columns)};
  for (int side = 0; side < kSides; ++side) {
    const int is_row = side == kUp || side == kDown;
    const int opposite = side ^ 1;  // the tag says to which side a message travels
    const int count = is_row ? b->columns : 1;
    const MPI_Datatype type = is_row ? MPI_DOUBLE : b->column;
    MPI_Irecv(in[side], count, type, b->neighbour[side], opposite, b->grid, &requests[side]);
    MPI_Isend(out[side], count, type, b->neighbour[side], side, b->grid, &requests[kSides + side]);
  }
  MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);
}

// One step; returns the largest change of an own cell.
static double relax(struct block* b) {
  double largest = 0;
  for (int i = 0; i < b->rows; ++i) {
    const double *up = cell(b, b->now, i - 1, 0), *here = cell(b, b->now, i, 0), *down = cell(b, b->now, i + 1, 0);
    double* new = cell(b, b->next, i, 0);
    for (int j = 0; j < b->columns; ++j) {
      new[j] = 0.25 * ((up[j] + down[j]) + (here[j - 1] + here[j + 1]));
      const double change = fabs(new[j] - here[j]);
      if (change > largest) largest = change;
    }
  }
  double* const old = b->now;
  b->now = b->next;
  b->next = old;
  return largest;
}

// All ranks write their blocks into one file at once.
static void write_checkpoint(const struct block* b, const struct options* o) {
  MPI_File file;
  check(MPI_File_open(b->grid, o->file, MPI_MODE_CREATE | MPI_MODE_WRONLY, o->hints, &file), "open");
  check(MPI_File_set_view(file, 0, MPI_DOUBLE, b->file_view, "native", o->hints), "view");
  check(MPI_File_write_all(file, b->now, 1, b->own, MPI_STATUS_IGNORE), "write");
  check(MPI_File_close(&file), "close");
}

// The bits of all cells, each weighted by its place in the plate.
static uint64_t checksum(const struct block* b, const struct options* o) {
  uint64_t sum = 0, total = 0;
  for (int i = 0; i < b->rows; ++i)
    for (int j = 0; j < b->columns; ++j) {
      uint64_t bits;
      memcpy(&bits, cell(b, b->now, i, j), sizeof bits);
      const uint64_t place = (uint64_t)(b->first_row + i) * (uint64_t)o->columns + (uint64_t)(b->first_column + j);
      sum += bits * (2 * place + 1);
    }
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, b->grid);
  return total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct options o = parse(argc, argv);
  struct block b = make_block(&o);
  double residual = 0;
  for (int iteration = 1; iteration <= o.iterations; ++iteration) {
    exchange(&b);
    const double change = relax(&b);
    if (iteration % kResidualEvery == 0 || iteration == o.iterations)
      MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_MAX, b.grid);
    if (o.every > 0 && iteration % o.every == 0) write_checkpoint(&b, &o);
  }
  const uint64_t sum = checksum(&b, &o);
  if (b.rank == 0)
    printf("%d iterations, residual %.17g, checksum %016llx\n", o.iterations, residual, (unsigned long long)sum);
  MPI_Info_free(&o.hints);
  free_block(&b);
  return MPI_Finalize();
}
