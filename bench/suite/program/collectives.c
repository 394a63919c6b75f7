// Each collective at a call site of its own, on all ranks.
#include <stdint.h>
#include <stdlib.h>

#include "suite.h"

// `bytes` of each rank's part, as MPI counts it. A buffer holds one, or one of each rank.
typedef struct {
  int bytes;
  size_t out_bytes;
  char *out, *in;
} Parts;

static Parts parts_of(const Run* run, bool all_out, bool all_in) {
  const size_t one = (size_t)int_of(run, "bytes"), all = one * (size_t)run->ranks;
  Parts parts = {(int)one, all_out ? all : one, NULL, NULL};
  parts.out = touched(run, parts.out_bytes);
  parts.in = touched(run, all_in ? all : one);
  fill(parts.out, (Mark){run->rank, 0}, 0, parts.out_bytes);
  return parts;
}

// The last one that came from `rank`, as number `part` in `in`; it was sent from place `first`.
static void expect_part(const Run* run, const Parts* parts, int rank, int part, size_t first) {
  const size_t one = (size_t)parts->bytes;
  const Mark mark = {rank, run->repetitions - 1};
  expect(run, parts->in + (size_t)part * one, mark, first, one, "what a rank sent");
}

static void free_parts(Parts* parts) {
  free(parts->out);
  free(parts->in);
}

int spreading_root(const Run* run, int repetition) { return run->ranks - 1 - repetition % run->ranks; }
int collecting_root(const Run* run, int repetition) { return repetition % run->ranks; }

void barrier(Run* run) {
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) MPI_Barrier(MPI_COMM_WORLD);
  end(run);
}

void bcast(Run* run) {
  Parts parts = parts_of(run, false, false);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(parts.out, parts.out_bytes, i);
    const int root = spreading_root(run, i);
    MPI_Bcast(run->rank == root ? parts.out : parts.in, parts.bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  }

  end(run);
  const int last = spreading_root(run, run->repetitions - 1);
  if (run->rank != last) expect_part(run, &parts, last, 0, 0);
  free_parts(&parts);
}

void gather(Run* run) {
  if (!fits(run, (size_t)int_of(run, "bytes") * (size_t)run->ranks)) return;
  Parts parts = parts_of(run, false, true);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(parts.out, parts.out_bytes, i);
    MPI_Gather(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, collecting_root(run, i),
               MPI_COMM_WORLD);
  }
  end(run);
  for (int r = 0; r < run->ranks && run->rank == collecting_root(run, run->repetitions - 1); ++r)
    expect_part(run, &parts, r, r, 0);
  free_parts(&parts);
}

void scatter(Run* run) {
  if (!fits(run, (size_t)int_of(run, "bytes") * (size_t)run->ranks)) return;
  Parts parts = parts_of(run, true, false);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(parts.out, parts.out_bytes, i);
    MPI_Scatter(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, spreading_root(run, i),
                MPI_COMM_WORLD);
  }
  end(run);
  expect_part(run, &parts, spreading_root(run, run->repetitions - 1), 0, (size_t)run->rank * (size_t)parts.bytes);
  free_parts(&parts);
}

void allgather(Run* run) {
  if (!fits(run, (size_t)int_of(run, "bytes") * (size_t)run->ranks)) return;
  Parts parts = parts_of(run, false, true);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(parts.out, parts.out_bytes, i);
    MPI_Allgather(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, MPI_COMM_WORLD);
  }
  end(run);
  for (int r = 0; r < run->ranks; ++r) expect_part(run, &parts, r, r, 0);
  free_parts(&parts);
}

void alltoall(Run* run) {
  if (!fits(run, (size_t)int_of(run, "bytes") * (size_t)run->ranks)) return;
  Parts parts = parts_of(run, true, true);
  begin(run, int_of(run, "repetitions"));
  for (int i = 0; more(run, i); ++i) {
    renew(parts.out, parts.out_bytes, i);
    MPI_Alltoall(parts.out, parts.bytes, MPI_BYTE, parts.in, parts.bytes, MPI_BYTE, MPI_COMM_WORLD);
  }
  end(run);
  for (int r = 0; r < run->ranks; ++r) expect_part(run, &parts, r, r, (size_t)run->rank * (size_t)parts.bytes);
  free_parts(&parts);
}
