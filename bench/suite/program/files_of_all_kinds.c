// Files of each rank, small and odd requests, data that is read again, and data that is to be on the device.
#include <stdlib.h>
#include <string.h>

#include "suite.h"

typedef struct {
  int bytes, calls;
  char path[kPathBytes];
  char* buffer;
  MPI_File file;
} Own;

static void open_own(const Run* run, Own* own, MPI_Comm comm, int mode) {
  check(run, MPI_File_open(comm, own->path, mode, run->hints, &own->file), "open", own->path);
}

static void close_own(const Run* run, Own* own) { check(run, MPI_File_close(&own->file), "close", own->path); }

// A file of the rank alone, or one of all.
static Own own_of(const Run* run, bool alone) {
  Own own = {.bytes = int_of(run, "bytes"), .calls = int_of(run, "calls")};
  path_of(run, run->cell->name, alone ? run->rank : -1, own.path);
  own.buffer = touched(run, (size_t)own.bytes);
  fill(own.buffer, (Mark){run->rank, 0}, 0, (size_t)own.bytes);
  return own;
}

static void free_own(Own* own, bool remove_it) {
  free(own->buffer);
  MPI_Barrier(MPI_COMM_WORLD);
  if (remove_it) remove(own->path);
}

// Each rank writes its own file, and reads that of its neighbour.
void own_files(Run* run) {
  MPI_Status moved;
  Own own = own_of(run, true);
  open_own(run, &own, MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  begin(run, own.calls);
  for (int i = 0; more(run, i); ++i)
    check_moved(run, MPI_File_write(own.file, own.buffer, own.bytes, MPI_BYTE, &moved), &moved, own.bytes, "write",
                own.path);
  close_own(run, &own);
  MPI_Barrier(MPI_COMM_WORLD);
  const int right = (run->rank + 1) % run->ranks;
  Own other = own;
  path_of(run, run->cell->name, right, other.path);
  open_own(run, &other, MPI_COMM_SELF, MPI_MODE_RDONLY);
  for (int i = 0; i < run->repetitions; ++i)
    check_moved(run, MPI_File_read(other.file, own.buffer, own.bytes, MPI_BYTE, &moved), &moved, own.bytes, "read",
                other.path);
  end(run);
  expect(run, own.buffer, (Mark){right, 0}, 0, (size_t)own.bytes, other.path);
  close_own(run, &other);
  free_own(&own, true);
}

// Where request `i` of a rank begins: each rank has a region of its own, no request begins at a whole block, and there
// is a gap behind each.
static MPI_Offset odd_place(const Own* own, int rank, int i) {
  const MPI_Offset pitch = own->bytes + own->bytes / 2 + 13;
  return 77 + (MPI_Offset)rank * own->calls * pitch + i * pitch;
}

void small_writes(Run* run) {
  MPI_Status moved;
  Own own = own_of(run, false);
  const int right = (run->rank + 1) % run->ranks;
  open_own(run, &own, MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  begin(run, own.calls);
  for (int i = 0; more(run, i); ++i)
    check(
        run,
        MPI_File_write_at(own.file, odd_place(&own, run->rank, i), own.buffer, own.bytes, MPI_BYTE, MPI_STATUS_IGNORE),
        "write", own.path);
  end(run);
  close_own(run, &own);
  open_own(run, &own, MPI_COMM_WORLD, MPI_MODE_RDONLY);
  check_moved(
      run,
      MPI_File_read_at(own.file, odd_place(&own, right, run->repetitions - 1), own.buffer, own.bytes, MPI_BYTE, &moved),
      &moved, own.bytes, "read", own.path);
  expect(run, own.buffer, (Mark){right, 0}, 0, (size_t)own.bytes, own.path);
  close_own(run, &own);
  free_own(&own, run->rank == 0);
}

// The whole region of the rank in one request.
static void write_region(const Run* run, Own* own) {
  MPI_Status moved;
  const MPI_Offset first = odd_place(own, run->rank, 0), beyond = odd_place(own, run->rank + 1, 0);
  char* const region = touched(run, (size_t)(beyond - first));
  for (int i = 0; i < own->calls; ++i)
    memcpy(region + (odd_place(own, run->rank, i) - first), own->buffer, (size_t)own->bytes);
  open_own(run, own, MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  check_moved(run, MPI_File_write_at(own->file, first, region, (int)(beyond - first), MPI_BYTE, &moved), &moved,
              (int)(beyond - first), "write", own->path);
  close_own(run, own);
  free(region);
}

void small_reads(Run* run) {
  MPI_Status moved;
  Own own = own_of(run, false);
  const int right = (run->rank + 1) % run->ranks;
  write_region(run, &own);
  open_own(run, &own, MPI_COMM_WORLD, MPI_MODE_RDONLY);
  begin(run, own.calls);
  for (int i = 0; more(run, i); ++i)
    check_moved(run, MPI_File_read_at(own.file, odd_place(&own, right, i), own.buffer, own.bytes, MPI_BYTE, &moved),
                &moved, own.bytes, "read", own.path);
  end(run);
  expect(run, own.buffer, (Mark){right, 0}, 0, (size_t)own.bytes, own.path);
  close_own(run, &own);
  free_own(&own, run->rank == 0);
}

// The neighbour's data, again and again: once it has come it is in a cache, where there is one.
void reread(Run* run) {
  MPI_Status moved;
  Own own = own_of(run, false);
  const int right = (run->rank + 1) % run->ranks;
  open_own(run, &own, MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  check_moved(
      run, MPI_File_write_at_all(own.file, (MPI_Offset)run->rank * own.bytes, own.buffer, own.bytes, MPI_BYTE, &moved),
      &moved, own.bytes, "write", own.path);
  close_own(run, &own);
  open_own(run, &own, MPI_COMM_WORLD, MPI_MODE_RDONLY);
  begin(run, own.calls);
  for (int i = 0; more(run, i); ++i)
    check_moved(run, MPI_File_read_at(own.file, (MPI_Offset)right * own.bytes, own.buffer, own.bytes, MPI_BYTE, &moved),
                &moved, own.bytes, "read", own.path);
  end(run);
  expect(run, own.buffer, (Mark){right, 0}, 0, (size_t)own.bytes, own.path);
  close_own(run, &own);
  free_own(&own, run->rank == 0);
}

// Each write is to be on the device before the next one, as databases and careful checkpoints want it.
void synced_writes(Run* run) {
  MPI_Status moved;
  Own own = own_of(run, true);
  open_own(run, &own, MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR);
  begin(run, own.calls);
  for (int i = 0; more(run, i); ++i) {
    check_moved(run, MPI_File_write_at(own.file, (MPI_Offset)i * own.bytes, own.buffer, own.bytes, MPI_BYTE, &moved),
                &moved, own.bytes, "write", own.path);
    check(run, MPI_File_sync(own.file), "sync", own.path);
  }
  end(run);
  check_moved(run, MPI_File_read_at(own.file, 0, own.buffer, own.bytes, MPI_BYTE, &moved), &moved, own.bytes, "read",
              own.path);
  expect(run, own.buffer, (Mark){run->rank, 0}, 0, (size_t)own.bytes, own.path);
  close_own(run, &own);
  free_own(&own, true);
}
