// How far two cores are from each other: what a cache line takes there and back. And draws them together.
//
// The host of a virtual machine moves its cores: now they share a cache (55 to 142 ns), now not (342 to 434 ns; EPYC).
// Every frame wakes somebody on another core, so that eight ranks' smallest allreduce takes 12 % longer then, in
// windows of seconds to minutes, and neither the arithmetic of a core nor the clock tells. It takes them apart while
// both are busy; and cores that are kept awake are busy to the host. A core that sleeps and is woken by the other one
// is put near that again: the host is a Linux, to which they are threads (wake_affine(), kernel/sched/fair.c).
#pragma once
#include <stdbool.h>

// Starts the other thread, which sleeps on the core `there` until it is needed. Once in a program. False: these cores
// cannot be used.
bool near_start(int here, int there);

// Nanoseconds, by the fastest tenth of 50 blocks of 20 trips. The calling thread is on `here` meanwhile.
double near_apart(void);

// The cores wake each other from sleep for so long.
void near_draw(double seconds);

// Has the other thread do this on the core `there`; the calling thread waits.
void near_there(void (*what)(void));
