// Which broadcast is the fastest here, for which size? Measured in the first run, read from FILE in later ones; from
// then on plumbline_bcast() calls it. One candidate is this program's own.
//
//   mpirun -n 4 fastest [FILE]
#include <mpi.h>
#include <plumbline/choose.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 20, kLargest = 1 << 16 };

// As an implementation looks: like MPI_Bcast. One half comes while the other is passed on, if the library lets it.
static int in_halves(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  MPI_Aint start, extent;
  MPI_Request halves[2];
  const int half = count / 2;
  MPI_Type_get_extent(type, &start, &extent);
  MPI_Ibcast(data, half, type, root, comm, &halves[0]);
  MPI_Ibcast((char*)data + half * extent, count - half, type, root, comm, &halves[1]);
  return MPI_Waitall(2, halves, MPI_STATUSES_IGNORE);
}

static void fail(const plumbline_chooser* chooser, int status) {
  fprintf(stderr, "fastest: %s\n", plumbline_problem(chooser));
  MPI_Abort(MPI_COMM_WORLD, status);
}

// What an earlier run of as many ranks has found, else what is measured now.
static void choose(plumbline_chooser* chooser, const char* file, int rank) {
  const size_t sizes[] = {8, 1024, 16384, kLargest * sizeof(int)};
  int status = plumbline_read_choices(chooser, file);
  if (status == MPI_SUCCESS) {
    if (rank == 0) printf("choices of %s\n", file);
    return;
  }
  if (rank == 0) printf("measuring: %s\n", plumbline_problem(chooser));
  status = plumbline_choose(chooser, PLUMBLINE_BCAST, sizes, sizeof sizes / sizeof *sizes, NULL);
  if (status == MPI_SUCCESS) status = plumbline_write_choices(chooser, file);
  if (status != MPI_SUCCESS) fail(chooser, status);
}

static void print_choices(const plumbline_chooser* chooser) {
  const plumbline_choice* choices;
  const size_t count = plumbline_choices(chooser, PLUMBLINE_BCAST, &choices);
  for (size_t i = 0; i < count; ++i)
    printf("from %7zu B: %-40s %9.2f us, the library's %9.2f us\n", choices[i].bytes, choices[i].name,
           choices[i].seconds * 1e6, choices[i].library_seconds * 1e6);
}

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "broadcasts.txt";
  const plumbline_candidate mine = {.name = "in_halves", .bcast = in_halves};
  plumbline_chooser* chooser;
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (plumbline_make_chooser(MPI_COMM_WORLD, PLUMBLINE_WITH_OURS, &chooser) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (plumbline_add_candidate(chooser, &mine) != MPI_SUCCESS) fail(chooser, 1);
  choose(chooser, file, rank);
  if (rank == 0) print_choices(chooser);

  // The program's work: it broadcasts, and does not ask how.
  int* numbers = calloc(kLargest, sizeof *numbers);
  for (int round = 0; round < kRounds; ++round) {
    const int count = kLargest >> round % 16, root = round % size;
    if (rank == root)
      for (int i = 0; i < count; ++i) numbers[i] = round + i;
    plumbline_bcast(numbers, count, MPI_INT, root, chooser);
    for (int i = 0; i < count; ++i) wrong += numbers[i] != round + i;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d broadcasts to %d ranks, %d numbers wrong\n", kRounds, size, wrong);
  free(numbers);
  plumbline_free_chooser(chooser);
  MPI_Finalize();
  return wrong != 0;
}
