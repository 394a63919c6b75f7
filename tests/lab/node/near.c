#define _GNU_SOURCE
#include "near.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { kTrips = 20, kBlocks = 50, kRestNs = 300000 };

static int here, there;
static cpu_set_t before;  // where this thread may be otherwise
static sem_t task, turn_here, turn_there;
static void (*duty)(void);  // of the other thread; read after `task`
static void (*wanted)(void);
static atomic_bool drawn;
static _Alignas(128) atomic_uint line;

static int stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(0, sizeof cores, &cores);
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// The other thread sleeps by the time at which this is over.
static void rest(void) {
  const struct timespec time = {.tv_nsec = kRestNs};
  nanosleep(&time, NULL);
}

static void wait_for(unsigned value) {
  while (atomic_load_explicit(&line, memory_order_acquire) != value) continue;
}

static void answer(void) {
  for (unsigned trip = 0; trip < kTrips * kBlocks; ++trip) {
    wait_for(2 * trip + 1);
    atomic_store_explicit(&line, 2 * trip + 2, memory_order_release);
  }
}

static void take_turns(void) {
  bool last;
  do {
    sem_wait(&turn_there);
    last = atomic_load(&drawn);
    rest();
    sem_post(&turn_here);
  } while (!last);
}

static void do_wanted(void) {
  wanted();
  sem_post(&turn_here);
}

static void* other(void* ready) {
  const bool can = stay_on(there) == 0;
  *(bool*)ready = can;
  sem_post(&turn_here);
  while (can) {
    sem_wait(&task);
    duty();
  }
  return NULL;
}

bool near_start(int core_here, int core_there) {
  here = core_here, there = core_there;
  sem_init(&task, 0, 0);
  sem_init(&turn_here, 0, 0);
  sem_init(&turn_there, 0, 0);
  pthread_t thread;
  bool ready = false;
  if (sched_getaffinity(0, sizeof before, &before) != 0 || stay_on(here) != 0) return false;
  sched_setaffinity(0, sizeof before, &before);
  if (pthread_create(&thread, NULL, other, &ready) != 0) return false;
  pthread_detach(thread);
  sem_wait(&turn_here);
  return ready;
}

static void begin(void (*what)(void)) {
  sched_getaffinity(0, sizeof before, &before);
  stay_on(here);
  duty = what;
  sem_post(&task);
}

static void end(void) { sched_setaffinity(0, sizeof before, &before); }

void near_draw(double seconds) {
  atomic_store(&drawn, false);
  begin(take_turns);
  const double stop = nanoseconds() + seconds * 1e9;
  bool over;
  do {
    over = nanoseconds() >= stop;
    if (over) atomic_store(&drawn, true);
    rest();
    sem_post(&turn_there);
    sem_wait(&turn_here);
  } while (!over);
  end();
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

double near_apart(void) {
  atomic_store(&line, 0);
  begin(answer);
  double taken[kBlocks];
  for (unsigned i = 0; i < kBlocks; ++i) taken[i] = block(i * kTrips);
  end();
  qsort(taken, kBlocks, sizeof taken[0], ascending);
  return taken[kBlocks / 10];
}

void near_there(void (*what)(void)) {
  wanted = what;
  duty = do_wanted;
  sem_post(&task);
  sem_wait(&turn_here);
}
