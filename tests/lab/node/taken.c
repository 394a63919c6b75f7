// How much of their time cores are taken away from programs: by the kernel, by others, by the host of a virtual
// machine. The control of what `plumbline validate` says of it, with nothing of its own: every core that this process
// may use reads the clock in a loop, and what passes between two readings beyond 10 us was taken.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "duration.h"

enum { kWrongUse = 2, kCannotRun = 6 };

static const char kHelp[] =
    "usage: lab-taken TIME\n\n"
    "Computes on each core that it may use for TIME (such as 1s), and prints the share of it that was taken away, a "
    "core\n"
    "a line: its number, and 0 to 1. Status: 0; 2 wrong use; 6 a core cannot be used.\n";

static long long duration_ns;
static const long long kLeast = 10 * 1000;  // ns: a clock interrupt of a real machine takes less

struct core {
  pthread_t thread;
  int number;
  bool was_there;
  long long taken_ns;
};

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void* look(void* argument) {
  struct core* core = argument;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core->number, &only);
  core->was_there = sched_setaffinity(0, sizeof only, &only) == 0;
  long long before = now(), end = before + duration_ns;
  while (before < end) {
    long long after = now();
    if (after - before >= kLeast) core->taken_ns += after - before;
    before = after;
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  duration_ns = argc == 2 ? nanoseconds_of(argv[1]) : 0;
  if (duration_ns <= 0) return fputs("lab-taken: a time is needed; see --help\n", stderr), kWrongUse;
  static struct core cores[CPU_SETSIZE];
  cpu_set_t usable;
  int count = 0;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return kCannotRun;
  for (int number = 0; number < CPU_SETSIZE; ++number)
    if (CPU_ISSET(number, &usable)) cores[count++].number = number;
  for (int i = 0; i < count; ++i)
    if (pthread_create(&cores[i].thread, NULL, look, &cores[i]) != 0) return kCannotRun;
  for (int i = 0; i < count; ++i) pthread_join(cores[i].thread, NULL);
  for (int i = 0; i < count; ++i) {
    if (!cores[i].was_there) return kCannotRun;
    printf("%d %.5f\n", cores[i].number, (double)cores[i].taken_ns / (double)duration_ns);
  }
  return 0;
}
