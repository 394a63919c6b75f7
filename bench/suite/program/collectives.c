// Each collective at a call site of its own, on all ranks.
#include <stdint.h>
#include <stdlib.h>

#include "suite.h"

// `bytes` of each rank's part, as MPI counts it; `in` holds a part of each rank where `all` says so.
typedef struct {
  int bytes, repetitions;
  char *out, *in;
} Parts;

static Parts parts_of(const Run* run, bool all_out, bool all_in) {
  Parts parts = {int_of(run, "bytes"), int_of(run, "repetitions"), NULL, NULL};
  const size_t one = (size_t)parts.bytes, all = one * (size_t)run->ranks;
  parts.out = touched(run, all_out ? all : one);
  parts.in = touched(run, all_in ? all : one);
  fill(parts.out, run->rank, 0, all_out ? all : one);
  return parts;
}

static void free_parts(Parts* parts) {
  free(parts->out);
  free(parts->in);
}

// A root takes each repetition's turn: ranks that only send, or only receive, would run ahead of the others.
static int root_of(const Run* run, int repetition) { return repetition % run->ranks; }

void barrier(Run* run) {
  const int repetitions = int_of(run, "repetitions");
  begin(run);
  for (int i = 0; i < repetitions; ++i) MPI_Barrier(MPI_COMM_WORLD);
  end(run);
}

void bcast(Run* run) {
  Parts parts = parts_of(run, false, false);
  begin(run);
  for (int i = 0; i < parts.repetitions; ++i) {
    const int root = root_of(run, i);
    MPI_Bcast(run->rank == root ? parts.out : parts.in, parts.bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  }
  end(run);
  const int last = root_of(run, parts.repetitions - 1);
  if (run->rank != last) expect(run, parts.in, last, 0, (size_t)parts.bytes, "what the root sent");
  free_parts(&parts);
}

void gather(Run* run) {
  Parts parts = parts_of(run, false, true);
  const size_t one = (size_t)parts.bytes;
  begin(run);
  for (int i = 0; i < parts.repetitions; ++i)
    MPI_Gather(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, root_of(run, i), MPI_COMM_WORLD);
  end(run);
  for (int r = 0; r < run->ranks && run->rank == root_of(run, parts.repetitions - 1); ++r)
    expect(run, parts.in + (size_t)r * one, r, 0, one, "a rank's part");
  free_parts(&parts);
}

void scatter(Run* run) {
  Parts parts = parts_of(run, true, false);
  const size_t one = (size_t)parts.bytes;
  begin(run);
  for (int i = 0; i < parts.repetitions; ++i)
    MPI_Scatter(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, root_of(run, i), MPI_COMM_WORLD);
  end(run);
  expect(run, parts.in, root_of(run, parts.repetitions - 1), (size_t)run->rank * one, one, "the root's part");
  free_parts(&parts);
}

void allgather(Run* run) {
  Parts parts = parts_of(run, false, true);
  const size_t one = (size_t)parts.bytes;
  begin(run);
  for (int i = 0; i < parts.repetitions; ++i)
    MPI_Allgather(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, MPI_COMM_WORLD);
  end(run);
  for (int r = 0; r < run->ranks; ++r) expect(run, parts.in + (size_t)r * one, r, 0, one, "a rank's part");
  free_parts(&parts);
}

void alltoall(Run* run) {
  Parts parts = parts_of(run, true, true);
  const size_t one = (size_t)parts.bytes;
  begin(run);
  for (int i = 0; i < parts.repetitions; ++i)
    MPI_Alltoall(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, MPI_COMM_WORLD);
  end(run);
  for (int r = 0; r < run->ranks; ++r)
    expect(run, parts.in + (size_t)r * one, r, (size_t)run->rank * one, one, "a rank's part");
  free_parts(&parts);
}
