// One file that all ranks share, accessed on the four levels of Thakur, Gropp and Lusk ("A case for using MPI's derived
// datatypes to improve I/O performance", 1998): 0 independent and contiguous, 1 collective and contiguous, 2
// independent and through a view with gaps, 3 collective and through that view.
//
// The file is `calls` stripes, each of `bytes` of every rank: on levels 0 and 1 in one piece, on levels 2 and 3 dealt
// out in pieces of `piece` bytes. What each call writes carries its number.
#include <stdlib.h>
#include <string.h>

#include "suite.h"

typedef struct {
  int level, bytes, calls;
  char path[kPathBytes];
  char* buffer;
  MPI_File file;
  MPI_Datatype pieces;  // levels 2 and 3
} Access;

static Access access_of(const Run* run, int level) {
  Access a = {
      .level = level, .bytes = int_of(run, "bytes"), .calls = int_of(run, "calls"), .pieces = MPI_DATATYPE_NULL};
  path_of(run, run->cell->name, -1, a.path);
  a.buffer = touched(run, (size_t)a.bytes);
  if (level < 2) return a;
  const int piece = int_of(run, "piece");
  a.pieces = with_gaps(piece, (MPI_Aint)piece * run->ranks);
  return a;
}

static void free_access(const Run* run, Access* a) {
  if (a->pieces != MPI_DATATYPE_NULL) MPI_Type_free(&a->pieces);
  free(a->buffer);
  MPI_Barrier(MPI_COMM_WORLD);
  if (run->rank == 0) remove(a->path);
}

// Through the view of `rank`.
static void open_access(const Run* run, Access* a, int mode, int rank) {
  check(run, MPI_File_open(MPI_COMM_WORLD, a->path, mode, run->hints, &a->file), "open", a->path);
  if (a->level >= 2) {
    const MPI_Offset first = (MPI_Offset)int_of(run, "piece") * rank;
    check(run, MPI_File_set_view(a->file, first, MPI_BYTE, a->pieces, "native", run->hints), "set the view of",
          a->path);
  }
}

static void close_access(const Run* run, Access* a) { check(run, MPI_File_close(&a->file), "close", a->path); }

// Where the bytes of `rank` are, as the view in force counts.
static MPI_Offset place_of(const Run* run, const Access* a, int call, int rank) {
  if (a->level >= 2) return (MPI_Offset)call * a->bytes;
  return ((MPI_Offset)call * run->ranks + rank) * a->bytes;
}

static void expect_call(const Run* run, const Access* a, int call, int rank) {
  expect(run, a->buffer, (Mark){rank, call}, 0, (size_t)a->bytes, a->path);
}

// Each level has a call site of its own.
static int write_once(Access* a, MPI_Offset place, MPI_Status* moved) {
  switch (a->level) {
    case 0:
      return MPI_File_write_at(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    case 1:
      return MPI_File_write_at_all(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    case 2:
      return MPI_File_write_at(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    default:
      return MPI_File_write_at_all(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
  }
}

static int read_once(Access* a, MPI_Offset place, MPI_Status* moved) {
  switch (a->level) {
    case 0:
      return MPI_File_read_at(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    case 1:
      return MPI_File_read_at_all(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    case 2:
      return MPI_File_read_at(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
    default:
      return MPI_File_read_at_all(a->file, place, a->buffer, a->bytes, MPI_BYTE, moved);
  }
}

// What the right neighbour wrote last, from the closed file.
static void verify_written(const Run* run, Access* a) {
  const int right = (run->rank + 1) % run->ranks, last = run->repetitions - 1;
  open_access(run, a, MPI_MODE_RDONLY, right);
  check(run, MPI_File_read_at(a->file, place_of(run, a, last, right), a->buffer, a->bytes, MPI_BYTE, MPI_STATUS_IGNORE),
        "read", a->path);
  expect_call(run, a, last, right);
  close_access(run, a);
}

static void write_levels(Run* run, int level) {
  MPI_Status moved;
  Access a = access_of(run, level);
  fill(a.buffer, (Mark){run->rank, 0}, 0, (size_t)a.bytes);
  open_access(run, &a, MPI_MODE_CREATE | MPI_MODE_WRONLY, run->rank);
  begin(run, a.calls);
  for (int call = 0; more(run, call); ++call) {
    renew(a.buffer, (size_t)a.bytes, call);
    const int status = write_once(&a, place_of(run, &a, call, run->rank), &moved);
    check_moved(run, status, &moved, a.bytes, "write", a.path);
  }
  end(run);
  close_access(run, &a);
  verify_written(run, &a);
  free_access(run, &a);
}

// So that there is something to read: written collectively, whatever the level, and as much as the budget allows.
static void write_for_reading(Run* run, Access* a) {
  MPI_Status moved;
  fill(a->buffer, (Mark){run->rank, 0}, 0, (size_t)a->bytes);
  open_access(run, a, MPI_MODE_CREATE | MPI_MODE_WRONLY, run->rank);
  begin(run, a->calls);
  for (int call = 0; more(run, call); ++call) {
    renew(a->buffer, (size_t)a->bytes, call);
    const int status =
        MPI_File_write_at_all(a->file, place_of(run, a, call, run->rank), a->buffer, a->bytes, MPI_BYTE, &moved);
    check_moved(run, status, &moved, a->bytes, "write", a->path);
  }
  close_access(run, a);
}

static void read_levels(Run* run, int level) {
  MPI_Status moved;
  Access a = access_of(run, level);
  const int right = (run->rank + 1) % run->ranks;
  write_for_reading(run, &a);
  open_access(run, &a, MPI_MODE_RDONLY, right);
  memset(a.buffer, 0, (size_t)a.bytes);
  begin(run, run->repetitions);
  for (int call = 0; more(run, call); ++call) {
    const int status = read_once(&a, place_of(run, &a, call, right), &moved);
    check_moved(run, status, &moved, a.bytes, "read", a.path);
  }
  end(run);
  expect_call(run, &a, run->repetitions - 1, right);
  close_access(run, &a);
  free_access(run, &a);
}

void write_level0(Run* run) { write_levels(run, 0); }
void write_level1(Run* run) { write_levels(run, 1); }
void write_level2(Run* run) { write_levels(run, 2); }
void write_level3(Run* run) { write_levels(run, 3); }
void read_level0(Run* run) { read_levels(run, 0); }
void read_level1(Run* run) { read_levels(run, 1); }
void read_level2(Run* run) { read_levels(run, 2); }
void read_level3(Run* run) { read_levels(run, 3); }
