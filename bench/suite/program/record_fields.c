// One field of each record of a shared file, read through a view, as programs read one variable of an array of
// structures. Each rank reads records that its neighbour wrote, the same few requests again and again: what is timed is
// how a request with gaps is made, and not how fast data come from the disk.
#include <stdlib.h>

#include "suite.h"

enum { kRequests = 16 };  // different ones

typedef struct {
  int bytes, piece, pitch, pieces;  // of a request; from one record to the next
  MPI_Offset region;                // of a rank, in bytes of the file
  char path[kPathBytes];
  MPI_File file;
} Fields;

static Fields fields_of(const Run* run) {
  Fields f = {.bytes = int_of(run, "bytes"), .piece = int_of(run, "piece")};
  f.pitch = f.piece + int_of(run, "gap");
  f.pieces = f.bytes / f.piece;
  f.region = (MPI_Offset)kRequests * f.pieces * f.pitch;
  path_of(run, run->cell->name, -1, f.path);
  return f;
}

// Whole records, in one request.
static void write_records(const Run* run, Fields* f) {
  MPI_Status moved;
  char* const region = touched(run, (size_t)f->region);
  fill(region, (Mark){run->rank, 0}, 0, (size_t)f->region);
  check(run, MPI_File_open(MPI_COMM_WORLD, f->path, MPI_MODE_CREATE | MPI_MODE_WRONLY, run->hints, &f->file), "open",
        f->path);
  check_moved(run, MPI_File_write_at_all(f->file, run->rank * f->region, region, (int)f->region, MPI_BYTE, &moved),
              &moved, (int)f->region, "write", f->path);
  check(run, MPI_File_close(&f->file), "close", f->path);
  free(region);
}

static void open_view(const Run* run, Fields* f, int rank) {
  MPI_Datatype field = with_gaps(f->piece, f->pitch);
  check(run, MPI_File_open(MPI_COMM_WORLD, f->path, MPI_MODE_RDONLY, run->hints, &f->file), "open", f->path);
  check(run, MPI_File_set_view(f->file, rank * f->region, MPI_BYTE, field, "native", run->hints), "set the view of",
        f->path);
  MPI_Type_free(&field);
}

static void expect_fields(const Run* run, const Fields* f, const char* data, int rank, int request) {
  for (int i = 0; i < f->pieces; ++i)
    expect(run, data + (size_t)i * (size_t)f->piece, (Mark){rank, 0},
           ((size_t)request * (size_t)f->pieces + (size_t)i) * (size_t)f->pitch, (size_t)f->piece, f->path);
}

void read_fields(Run* run) {
  MPI_Status moved;
  Fields f = fields_of(run);
  if (!fits(run, (size_t)f.region)) return;
  const int right = (run->rank + 1) % run->ranks;
  write_records(run, &f);
  char* const data = touched(run, (size_t)f.bytes);
  open_view(run, &f, right);
  begin(run, int_of(run, "calls"));
  for (int call = 0; more(run, call); ++call) {
    const MPI_Offset place = (MPI_Offset)(call % kRequests) * f.bytes;
    check_moved(run, MPI_File_read_at(f.file, place, data, f.bytes, MPI_BYTE, &moved), &moved, f.bytes, "read", f.path);
  }
  end(run);
  expect_fields(run, &f, data, right, (run->repetitions - 1) % kRequests);
  check(run, MPI_File_close(&f.file), "close", f.path);
  free(data);
  MPI_Barrier(MPI_COMM_WORLD);
  if (run->rank == 0) remove(f.path);
}
