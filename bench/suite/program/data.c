// Memory, data that can be checked, time, and the end of all ranks.
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

void stop(const Run* run, int status, const char* format, ...) {
  va_list rest;
  fprintf(stderr, "plumbline-suite: rank %d: %s: ", run->rank, run->cell->name);
  va_start(rest, format);
  vfprintf(stderr, format, rest);
  va_end(rest);
  fputc('\n', stderr);
  remove_directory(run->directory);
  MPI_Abort(MPI_COMM_WORLD, status);
  exit(status);
}

long value_of(const Run* run, const char* name) {
  for (int i = 0; i < kMostParameters && run->cell->parameters[i].name; ++i)
    if (strcmp(run->cell->parameters[i].name, name) == 0) return run->values[i];
  stop(run, 70, "asks for its parameter '%s', which the table does not have", name);
}

int int_of(const Run* run, const char* name) { return (int)value_of(run, name); }

void begin(Run* run) {
  MPI_Barrier(MPI_COMM_WORLD);
  run->began = MPI_Wtime();
}

void end(Run* run) { run->seconds = MPI_Wtime() - run->began; }

void* touched(const Run* run, size_t bytes) {
  enum { kPage = 4096, kNeverSent = 0xee };
  void* memory;
  if (posix_memalign(&memory, kPage, bytes ? bytes : 1))
    stop(run, kCannotRunHere, "no memory for %zu bytes; ask for smaller sizes", bytes);
  memset(memory, kNeverSent, bytes);
  return memory;
}

static inline unsigned char pattern(long owner, size_t place) {
  return (unsigned char)((size_t)owner * 131u + place * 7u + (place >> 8));
}

void fill(void* data, long owner, size_t first, size_t bytes) {
  unsigned char* const to = data;
  for (size_t i = 0; i < bytes; ++i) to[i] = pattern(owner, first + i);
}

void expect(const Run* run, const void* data, long owner, size_t first, size_t bytes, const char* what) {
  const unsigned char* const from = data;
  for (size_t i = 0; i < bytes; ++i)
    if (from[i] != pattern(owner, first + i))
      stop(run, kWrongData, "byte %zu of %s is %d, not %d", i, what, from[i], pattern(owner, first + i));
}
