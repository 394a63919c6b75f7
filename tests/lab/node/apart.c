// How far two cores are from each other: what a cache line takes there and back.
//
// The host of a virtual machine moves its cores: now they share a cache (84 to 134 ns), now not (350 to 434 ns). Every
// frame wakes somebody on another core, so that eight ranks' smallest allreduce takes 12 % longer then, in windows of
// seconds to minutes, and neither the arithmetic of a core nor the clock tells.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kTrips = 100, kBlocks = 200, kWrongUse = 2, kCannotRun = 6 };

static const char kHelp[] =
    "usage: lab-apart CORE CORE\n\n"
    "Prints how many nanoseconds a cache line takes from one core to the other and back, by the fastest tenth of 200\n"
    "blocks of 100 trips. Status: 0; 2 wrong use; 6 a core that this process may not use.\n";

static _Alignas(128) atomic_uint line;

static int stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(0, sizeof cores, &cores);
}

static void wait_for(unsigned value) {
  while (atomic_load_explicit(&line, memory_order_acquire) != value) continue;
}

static void* answer(void* core) {
  if (stay_on(*(int*)core) != 0) exit(kCannotRun);
  for (unsigned trip = 0; trip < kTrips * kBlocks; ++trip) {
    wait_for(2 * trip + 1);
    atomic_store_explicit(&line, 2 * trip + 2, memory_order_release);
  }
  return NULL;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double block(unsigned first) {
  double start = nanoseconds();
  for (unsigned trip = first; trip < first + kTrips; ++trip) {
    atomic_store_explicit(&line, 2 * trip + 1, memory_order_release);
    wait_for(2 * trip + 2);
  }
  return (nanoseconds() - start) / kTrips;
}

static int ascending(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  if (argc != 3) return fputs("lab-apart: two cores are needed; see --help\n", stderr), kWrongUse;
  int here = atoi(argv[1]), there = atoi(argv[2]);
  pthread_t other;
  if (stay_on(here) != 0 || pthread_create(&other, NULL, answer, &there) != 0)
    return fputs("lab-apart: these cores cannot be used\n", stderr), kCannotRun;
  double taken[kBlocks];
  for (unsigned i = 0; i < kBlocks; ++i) taken[i] = block(i * kTrips);
  pthread_join(other, NULL);
  qsort(taken, kBlocks, sizeof taken[0], ascending);
  return printf("%.1f\n", taken[kBlocks / 10]) < 0;
}
