#define _GNU_SOURCE
#include "tracer_floors.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const size_t kWindow = 64u << 20;
static char name[4096];
static int file = -1, use_tsc;
static size_t windows;
static char* window;
static uint64_t *cursor, *limit;

double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline uint64_t stamp(void) {
#if defined(__x86_64__)
  if (use_tsc) return __builtin_ia32_rdtsc();
#endif
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int says(const char* path, const char* word) {
  static char text[8192];
  FILE* from = fopen(path, "r");
  size_t n = from == NULL ? 0 : fread(text, 1, sizeof text - 1, from);
  if (from != NULL) fclose(from);
  text[n] = '\0';
  return strstr(text, word) != NULL;
}

void open_floors(const char* directory) {
  use_tsc = says("/proc/cpuinfo", " constant_tsc") && says("/proc/cpuinfo", " nonstop_tsc");
  snprintf(name, sizeof name, "%s/floor", directory);
  file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) abort();
}

void close_floors(void) {
  if (window != NULL) munmap(window, kWindow);
  close(file);
  unlink(name);
}

void prepare_floors(void) {
  if (window != NULL && (size_t)(limit - cursor) >= 6 * (kFloorB + kFloorC)) return;
  if (window != NULL) munmap(window, kWindow);
  off_t at = (off_t)(windows++ * kWindow);
  if (fallocate(file, 0, at, (off_t)kWindow) != 0) abort();
  window = mmap(NULL, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, at);
  if (window == MAP_FAILED) abort();
#ifdef MADV_POPULATE_WRITE
  madvise(window, kWindow, MADV_POPULATE_WRITE);
#endif
  cursor = (uint64_t*)(void*)window;
  limit = cursor + kWindow / sizeof(uint64_t);
}

/* The call that is not there: the stamps and the stores on either side of it stay apart. */
static inline void no_call(void) { __asm__ volatile("" ::: "memory"); }

void floor_a(void) {
  static uint64_t memory[4 * 512];
  for (uint64_t i = 0; i < kFloorA; ++i) {
    uint64_t* at = memory + 4 * (i % 512);
    at[0] = stamp();
    at[2] = i;
    no_call();
    at[1] = stamp();
    at[3] = i;
    no_call();
  }
}

void floor_b(void) {
  uint64_t* at = cursor;
  for (uint64_t i = 0; i < kFloorB; ++i, at += 6) {
    at[0] = stamp();
    at[2] = at[3] = i;
    no_call();
    at[1] = stamp();
    at[4] = at[5] = i;
    no_call();
  }
  cursor = at;
}

/* The compiler may know neither what a pointer leads to nor what is behind it. */
#define UNKNOWN __attribute__((noinline, noclone, noipa))

static UNKNOWN void library_function(const void* message) { (void)message; }
static UNKNOWN void completed(uint64_t* record) {
  record[2] = stamp();
  record[3] = record[4] = 2;
  __atomic_store_n(&record[0], 2, __ATOMIC_RELEASE);
}
static void (*volatile to_library)(const void* message) = library_function;
static void (*volatile to_callback)(uint64_t* record) = completed;

static UNKNOWN void posted(const void* message) {
  uint64_t* record = cursor;
  record[3] = record[4] = record[5] = 1;
  record[1] = stamp();
  __atomic_store_n(&record[0], 1, __ATOMIC_RELEASE);
  cursor = record + 6;
  to_library(message);
}

void floor_c(void) {
  for (uint64_t i = 0; i < kFloorC; ++i) {
    uint64_t* record = cursor;
    posted(record);
    to_callback(record);
  }
}
