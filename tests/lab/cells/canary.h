// How fast a core is just now, by two small pieces of work timed by the thread's CPU clock, so that they tell what the
// core can do and not who else ran on it. A virtual machine's core is at times up to half as fast, for tenths of
// seconds to minutes, because its sibling belongs to somebody else: who computes there slows the arithmetic, who waits
// for memory most of the time hardly does, and takes the caches that siblings share.
#pragma once
#include <stdbool.h>

typedef struct {
  double us;        // of some 50 us of arithmetic; EPYC 25, beside a busy sibling 28 to 42
  double cache_ns;  // a load from the second-level cache; EPYC 4.1 to 4.8, beside one that fills it 5.3 to 17
} Canary;

// On the core of the calling thread; takes 0.2 ms. One thread at a time.
Canary canary(void);

// Likewise on the core of the switch (moved.h); all 0 where that is not known.
Canary canary_at_switch(void);

// Whether one of the two takes longer than the limit's; a limit of 0 is none.
bool is_slow(Canary taken, Canary limit);

// What a tenth of many tries reach here: not the least, for moments after a pause a core runs faster than it can go on.
Canary canary_at_full_speed(void);
