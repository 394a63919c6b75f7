#include "canary.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "moved.h"

enum { kSteps = 40000, kTries = 2000 };
// 256 KiB: half of a small second-level cache, eight times a first-level one.
enum { kLines = 4096, kWordsOfALine = 8 };

static double thread_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

// Six chains that do not wait for each other: enough for all units of the core. Beside another guest's work on its
// sibling half of them took 15 to 20 us, not 13; one chain, which waits more than it works, 10.8 and not 10.1.
static void arithmetic(void) {
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  for (uint64_t i = 0; i < kSteps; i++) {
    a += b ^ i, c += d ^ i, e += f ^ i;
    b += 3, d += 5, f += 7;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));  // keeps every step as it is
  }
}

typedef struct {
  _Alignas(64) uint32_t next[kLines][kWordsOfALine * 2];  // of each line the first word: the line that follows
  bool ready;
} Ring;

static Ring ring_here, ring_at_switch;  // else the lines would have to come from the other core each time

// One circle through all lines in random order (Sattolo's algorithm; xorshift64), so that no line can be foretold.
static void make(Ring* ring) {
  static uint32_t order[kLines];
  uint64_t random = 88172645463325252u;
  for (uint32_t i = 0; i < kLines; i++) order[i] = i;
  for (uint32_t i = kLines - 1; i > 0; i--) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    uint32_t other = (uint32_t)(random % i), line = order[i];
    order[i] = order[other], order[other] = line;
  }
  for (uint32_t i = 0; i < kLines; i++) ring->next[order[i]][0] = order[(i + 1) % kLines];
  ring->ready = true;
}

static double lesser(double a, double b) { return a < b ? a : b; }

// The faster of two: the first one finds cold caches.
static double time_arithmetic(void) {
  double least = 1e9;
  for (int try = 0; try < 2; try++) {
    double start = thread_microseconds();
    arithmetic();
    least = lesser(least, thread_microseconds() - start);
  }
  return least;
}

// Lines are brought in one after the other, which is fast, and then looked up at random, twice.
static double time_cache(Ring* ring) {
  if (!ring->ready) make(ring);
  uint32_t at = 0;
  for (int i = 0; i < kLines; i++) at |= ring->next[i][0];
  double least = 1e9;
  for (int try = 0; try < 2; try++) {
    double start = thread_microseconds();
    for (int i = 0; i < kLines; i++) at = ring->next[at % kLines][0];
    __asm__ volatile("" : "+r"(at));  // somebody needs it
    least = lesser(least, thread_microseconds() - start);
  }
  return least * 1e3 / kLines;
}

static Canary measure(Ring* ring) { return (Canary){time_arithmetic(), time_cache(ring)}; }

Canary canary(void) { return measure(&ring_here); }

static Canary found_at_switch;

static void measure_at_switch(void) { found_at_switch = measure(&ring_at_switch); }

Canary canary_at_switch(void) {
  found_at_switch = (Canary){0};
  on_core_of_switch(measure_at_switch);
  return found_at_switch;
}

static bool exceeds(double value, double limit) { return limit > 0 && value > limit; }

bool is_slow(Canary taken, Canary limit) {
  return exceeds(taken.us, limit.us) || exceeds(taken.cache_ns, limit.cache_ns);
}

static int ascending(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

Canary canary_at_full_speed(void) {
  static double us[kTries], cache_ns[kTries];
  for (int i = 0; i < kTries; i++) {
    Canary taken = canary();
    us[i] = taken.us, cache_ns[i] = taken.cache_ns;
  }
  qsort(us, kTries, sizeof us[0], ascending);
  qsort(cache_ns, kTries, sizeof cache_ns[0], ascending);
  return (Canary){us[kTries / 10], cache_ns[kTries / 10]};
}
