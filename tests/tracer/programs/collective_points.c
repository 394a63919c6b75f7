/* Collectives, one call for each kind and size: what a library chooses for each is compared with its tables.
 *
 *   collective_points OPERATIONS BYTES [ROOT]     names and sizes separated by commas; `all`: every operation
 *
 * With `i` before its name (`ibcast`, `iall`) the non-blocking form, which is waited for at once.
 * BYTES are those of one rank's block, whole doubles. In the v-forms rank i has (1 + i % 3) / 2 blocks. Reductions are
 * sums, commutative; those that end in `+` use an operator of the program that is not; allreduce and alltoall that end
 * in
 * `=` are in place. Rank 0 prints a sum over all
 * results, which is the same however the library moves them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, root;
static double *in, *out, total;
static int *counts, *displacements;
static MPI_Op last_wins;
static int starts, is_in_place;
static MPI_Request request;

#define CALL(blocking, starting, ...) \
  (starts ? (starting(__VA_ARGS__, &request), MPI_Wait(&request, MPI_STATUS_IGNORE)) : blocking(__VA_ARGS__))

static void keep_last(void* from, void* to, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((double*)to)[i] = ((double*)to)[i] * 0.5 + ((double*)from)[i];
}

static int part(int of, int count) { return count * (1 + of % 3) / 2; }

static int parts(int count) {
  int sum = 0;
  for (int i = 0; i < ranks; i++) {
    counts[i] = part(i, count);
    displacements[i] = sum;
    sum += counts[i];
  }
  return sum;
}

static void add(const double* values, int n) {
  for (int i = 0; i < n; i++) total += values[i] * (1 + i % 7);
}

/* Of calls that may be in place: the send buffer. */
static const void* sent(int n) {
  if (!is_in_place) return in;
  memcpy(out, in, (size_t)n * sizeof *in);
  return MPI_IN_PLACE;
}

static void barrier(int n, MPI_Op op) { (void)n, (void)op, CALL(MPI_Barrier, MPI_Ibarrier, MPI_COMM_WORLD); }
static void bcast(int n, MPI_Op op) {
  (void)op;
  CALL(MPI_Bcast, MPI_Ibcast, in, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
  add(in, n);
}
static void reduce(int n, MPI_Op op) {
  CALL(MPI_Reduce, MPI_Ireduce, in, out, n, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
  if (rank == root) add(out, n);
}
static void allreduce(int n, MPI_Op op) {
  CALL(MPI_Allreduce, MPI_Iallreduce, sent(n), out, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  add(out, n);
}
static void scan(int n, MPI_Op op) {
  CALL(MPI_Scan, MPI_Iscan, in, out, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  add(out, n);
}
static void exscan(int n, MPI_Op op) {
  CALL(MPI_Exscan, MPI_Iexscan, in, out, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  if (rank > 0) add(out, n);
}
static void gather(int n, MPI_Op op) {
  (void)op;
  CALL(MPI_Gather, MPI_Igather, in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
  if (rank == root) add(out, n * ranks);
}
static void scatter(int n, MPI_Op op) {
  (void)op;
  CALL(MPI_Scatter, MPI_Iscatter, in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
  add(out, n);
}
static void allgather(int n, MPI_Op op) {
  (void)op;
  CALL(MPI_Allgather, MPI_Iallgather, in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, MPI_COMM_WORLD);
  add(out, n * ranks);
}
static void alltoall(int n, MPI_Op op) {
  (void)op;
  CALL(MPI_Alltoall, MPI_Ialltoall, sent(n * ranks), is_in_place ? 0 : n, MPI_DOUBLE, out, n, MPI_DOUBLE,
       MPI_COMM_WORLD);
  add(out, n * ranks);
}
static void reduce_scatter_block(int n, MPI_Op op) {
  CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, in, out, n, MPI_DOUBLE, op, MPI_COMM_WORLD);
  add(out, n);
}
static void reduce_scatter(int n, MPI_Op op) {
  parts(n);
  CALL(MPI_Reduce_scatter, MPI_Ireduce_scatter, in, out, counts, MPI_DOUBLE, op, MPI_COMM_WORLD);
  add(out, counts[rank]);
}
static void gatherv(int n, MPI_Op op) {
  (void)op;
  int all = parts(n);
  CALL(MPI_Gatherv, MPI_Igatherv, in, counts[rank], MPI_DOUBLE, out, counts, displacements, MPI_DOUBLE, root,
       MPI_COMM_WORLD);
  if (rank == root) add(out, all);
}
static void scatterv(int n, MPI_Op op) {
  (void)op;
  parts(n);
  CALL(MPI_Scatterv, MPI_Iscatterv, in, counts, displacements, MPI_DOUBLE, out, counts[rank], MPI_DOUBLE, root,
       MPI_COMM_WORLD);
  add(out, counts[rank]);
}
static void allgatherv(int n, MPI_Op op) {
  (void)op;
  int all = parts(n);
  CALL(MPI_Allgatherv, MPI_Iallgatherv, in, counts[rank], MPI_DOUBLE, out, counts, displacements, MPI_DOUBLE,
       MPI_COMM_WORLD);
  add(out, all);
}

/* Rank i sends part(i + j) to rank j, so that both sides agree. */
static int exchanged(int n) {
  int sum = 0;
  for (int i = 0; i < ranks; i++) {
    counts[i] = part(rank + i, n);
    displacements[i] = sum;
    sum += counts[i];
  }
  return sum;
}
static void alltoallv(int n, MPI_Op op) {
  (void)op;
  int all = exchanged(n);
  CALL(MPI_Alltoallv, MPI_Ialltoallv, in, counts, displacements, MPI_DOUBLE, out, counts, displacements, MPI_DOUBLE,
       MPI_COMM_WORLD);
  add(out, all);
}
static void alltoallw(int n, MPI_Op op) {
  (void)op;
  int all = exchanged(n);
  MPI_Datatype types[ranks];
  for (int i = 0; i < ranks; i++) {
    types[i] = MPI_DOUBLE;
    displacements[i] *= (int)sizeof(double);
  }
  CALL(MPI_Alltoallw, MPI_Ialltoallw, in, counts, displacements, types, out, counts, displacements, types,
       MPI_COMM_WORLD);
  add(out, all);
}

static const struct {
  const char* name;
  void (*run)(int n, MPI_Op op);
  int reduces;
} operations[] = {{"barrier", barrier, 0},
                  {"bcast", bcast, 0},
                  {"reduce", reduce, 1},
                  {"allreduce", allreduce, 1},
                  {"gather", gather, 0},
                  {"scatter", scatter, 0},
                  {"allgather", allgather, 0},
                  {"alltoall", alltoall, 0},
                  {"reduce_scatter", reduce_scatter, 1},
                  {"reduce_scatter_block", reduce_scatter_block, 1},
                  {"scan", scan, 1},
                  {"exscan", exscan, 1},
                  {"gatherv", gatherv, 0},
                  {"scatterv", scatterv, 0},
                  {"allgatherv", allgatherv, 0},
                  {"alltoallv", alltoallv, 0},
                  {"alltoallw", alltoallw, 0}};

static int run_named(const char* name, size_t length, int n) {
  int last = length > 0 ? name[length - 1] : 0, plus = last == '+', found = 0;
  is_in_place = last == '=';
  length -= (size_t)(plus || is_in_place);
  starts = length > 0 && name[0] == 'i';
  name += starts;
  length -= (size_t)starts;
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    int is_this = strlen(operations[i].name) == length && strncmp(name, operations[i].name, length) == 0;
    if (!is_this && !(length == 3 && strncmp(name, "all", 3) == 0)) continue;
    operations[i].run(n, plus && operations[i].reduces ? last_wins : MPI_SUM);
    found = 1;
  }
  return found;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  root = argc > 3 ? atoi(argv[3]) % ranks : 0;
  MPI_Op_create(keep_last, 0, &last_wins);
  size_t largest = 0;
  for (const char* at = argv[2]; *at; at += strcspn(at, ","), at += *at == ',')
    if (strtoul(at, NULL, 10) > largest) largest = strtoul(at, NULL, 10);
  size_t room = (largest / sizeof(double) + 1) * 2 * (size_t)ranks;
  in = calloc(room, sizeof *in);
  out = calloc(room, sizeof *out);
  counts = calloc((size_t)ranks, sizeof *counts);
  displacements = calloc((size_t)ranks, sizeof *displacements);
  if (!in || !out || !counts || !displacements) MPI_Abort(MPI_COMM_WORLD, 3);
  for (size_t i = 0; i < room; i++) in[i] = (double)((i * 7 + (size_t)rank * 13) % 101);
  for (const char* size = argv[2]; *size; size += strcspn(size, ","), size += *size == ',')
    for (const char* at = argv[1]; *at; at += strcspn(at, ","), at += *at == ',')
      if (!run_named(at, strcspn(at, ","), (int)(strtoul(size, NULL, 10) / sizeof(double))))
        MPI_Abort(MPI_COMM_WORLD, 4);
  MPI_Gather(&total, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double all = 0;
  for (int i = 0; i < ranks; i++) all += out[i] * (1 + i);
  if (rank == 0) printf("%.17g\n", all);
  MPI_Op_free(&last_wins);
  MPI_Finalize();
  return 0;
}
