// Memory, data that can be checked, time, and the end of all ranks.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

void wait_until_forwarded(void) {
  enum { kUntilForwarded = 200 * 1000 };  // microseconds
  usleep(kUntilForwarded);
}

void stop(const Run* run, int status, const char* format, ...) {
  char text[2 * kPathBytes];
  va_list rest;
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  fprintf(stderr, "plumbline-suite: rank %d: %s: %s%s\n", run->rank, run->cell->name,
          status == kWrongData ? "wrong data: " : "", text);
  wait_until_forwarded();
  remove_directory(run->directory);  // at the last moment: other ranks would say that it is not there
  MPI_Abort(MPI_COMM_WORLD, status);
  exit(status);
}

long value_of(const Run* run, const char* name) {
  for (int i = 0; i < kMostParameters && run->cell->parameters[i].name; ++i)
    if (strcmp(run->cell->parameters[i].name, name) == 0) return run->values[i];
  stop(run, 70, "asks for its parameter '%s', which the table does not have", name);
}

int int_of(const Run* run, const char* name) { return (int)value_of(run, name); }

void begin(Run* run, int repetitions) {
  run->repetitions = repetitions;
  run->blocks.count = 0;
  run->blocks.repetitions = run->ranks;
  MPI_Barrier(MPI_COMM_WORLD);
  run->began = run->blocks.began = MPI_Wtime();
}

static void merge(Blocks* blocks) {
  for (int i = 0; i < kMostBlocks / 2; ++i) blocks->seconds[i] = blocks->seconds[2 * i] + blocks->seconds[2 * i + 1];
  blocks->count = kMostBlocks / 2;
  blocks->repetitions *= 2;
}

// Of a rank that has done `done` repetitions.
static void end_block(Blocks* blocks, int done) {
  if (done == 0 || done % blocks->repetitions != 0) return;
  const double now = MPI_Wtime();
  blocks->seconds[blocks->count++] = now - blocks->began;
  blocks->began = now;
  if (blocks->count == kMostBlocks) merge(blocks);
}

// How many are likely to be done in the budget, by what the slowest rank took for `done`.
static void plan(Run* run, int done) {
  double mine = MPI_Wtime() - run->began, slowest;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const double likely = slowest > 0 ? done * (run->budget / slowest) : run->repetitions;
  // Beyond the next look that one plans better: of three repetitions one may have waited for its core.
  if (likely < run->repetitions && likely < 10.0 * done) run->repetitions = likely > done ? (int)likely : done;
}

bool more(Run* run, int i) {
  end_block(&run->blocks, i);
  int look = i;
  while (look % 10 == 0 && look > run->least) look /= 10;
  if (look == run->least && run->budget > 0) plan(run, i);
  return i < run->repetitions;
}

void end(Run* run) { run->seconds = MPI_Wtime() - run->began; }

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double typical_seconds(const Run* run) {
  enum { kFew = 5 };
  const Blocks* const blocks = &run->blocks;
  if (blocks->count < kFew) return run->seconds;
  double sorted[kMostBlocks];
  memcpy(sorted, blocks->seconds, (size_t)blocks->count * sizeof *sorted);
  qsort(sorted, (size_t)blocks->count, sizeof *sorted, by_value);
  const double median = (sorted[(blocks->count - 1) / 2] + sorted[blocks->count / 2]) / 2;
  return median * run->repetitions / blocks->repetitions;
}

bool fits(Run* run, size_t bytes) {
  const size_t most = (size_t)256 << 20;
  if (bytes > most)
    snprintf(run->skipped, sizeof run->skipped, "it needs %zu MiB on each rank, and has %zu", bytes >> 20, most >> 20);
  return bytes <= most;
}

void* touched(const Run* run, size_t bytes) {
  enum { kPage = 4096, kNeverSent = 0xee };
  void* memory;
  if (posix_memalign(&memory, kPage, bytes ? bytes : 1))
    stop(run, kCannotRunHere, "no memory for %zu bytes; ask for smaller sizes", bytes);
  memset(memory, kNeverSent, bytes);
  return memory;
}

enum { kLine = 64 };  // bytes of a cache line on most processors

static inline unsigned char pattern(Mark mark, size_t place) {
  if (place % kLine < sizeof mark.number) return (unsigned char)((unsigned)mark.number >> (8 * (place % kLine)));
  return (unsigned char)((size_t)mark.owner * 131u + place * 7u + (place >> 8));
}

void fill(void* data, Mark mark, size_t first, size_t bytes) {
  unsigned char* const to = data;
  for (size_t i = 0; i < bytes; ++i) to[i] = pattern(mark, first + i);
}

void renew(void* data, size_t bytes, int number) {
  unsigned char* const to = data;
  unsigned char text[sizeof number];
  size_t i = 0;
  for (size_t k = 0; k < sizeof number; ++k) text[k] = pattern((Mark){0, number}, k);
  for (; i + sizeof text <= bytes; i += kLine) memcpy(to + i, text, sizeof text);
  if (i < bytes) memcpy(to + i, text, bytes - i);
}

void expect(const Run* run, const void* data, Mark mark, size_t first, size_t bytes, const char* what) {
  const unsigned char* const from = data;
  for (size_t i = 0; i < bytes; ++i)
    if (from[i] != pattern(mark, first + i))
      stop(run, kWrongData, "byte %zu of %s is %d, not %d", i, what, from[i], pattern(mark, first + i));
}
