// Preloaded into the ranks of the laboratory, both MPIs, so that eight or more of them can share two cores.
//
// 1. Waiting instead of spinning. Both libraries poll their sockets without a timeout, for ever. Here a thread that has
//    found nothing twice in a row on the same descriptors, and did nothing in between, waits on these descriptors;
//    arriving data wakes it at once. A program that computes between two tests is not held up. Things that arrive by
//    other ways than these descriptors (shared memory) are seen a wait later: 1 ms, doubled each time up to 16 ms, so
//    that ranks with nothing to do do not wake up a thousand times a second beside those that are measured.
//    PLUMBLINE_LAB_WAIT_US: the first wait, in microseconds (1000); 0 turns waiting off.
//
// 2. MPICH over UCX/TCP hangs in MPI_Finalize. MPICH 4.0.2 closes its endpoints and then enters a barrier of the
//    process manager, a blocking read (ch4/netmod/ucx/ucx_init.c, MPIDI_UCX_mpi_finalize_hook). UCX 1.13 closes an
//    endpoint by an empty PUT of 25 bytes that the peer must acknowledge (uct/tcp/tcp_ep.c, uct_tcp_ep_flush). A peer
//    that already sits in the barrier reads its sockets no more: it never acknowledges, the closer never reaches the
//    barrier. So, once endpoints are being closed, a rank that waits for the process manager goes on serving UCX.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { kEmptyBeforeWait = 2, kDefaultWaitMicroseconds = 1000, kMostDoublings = 4, kMostWorkers = 16 };
enum { kServeMicroseconds = 500, kBusyNanoseconds = 50000 /* a library's progress loop takes some 5 us a turn */ };

static int (*real_poll)(struct pollfd*, nfds_t, int);
static int (*real_epoll_wait)(int, struct epoll_event*, int, int);
static ssize_t (*real_read)(int, void*, size_t);
static long first_wait;  // nanoseconds
static bool waiting;

static void* ucx_workers[kMostWorkers];
static int ucx_worker_count;
static bool closing_endpoints;
static int process_manager = -1;

// The function behind ours. UCX may have been opened privately by a component, where RTLD_NEXT does not see it.
static void* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  void* ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
  return ucp ? dlsym(ucp, name) : NULL;
}

__attribute__((constructor)) static void start(void) {
  int saved = errno;
  real_poll = (int (*)(struct pollfd*, nfds_t, int))next("poll");
  real_epoll_wait = (int (*)(int, struct epoll_event*, int, int))next("epoll_wait");
  real_read = (ssize_t(*)(int, void*, size_t))next("read");
  const char* limit = getenv("PLUMBLINE_LAB_WAIT_US");
  long microseconds = limit ? atol(limit) : kDefaultWaitMicroseconds;
  first_wait = microseconds * 1000;
  waiting = microseconds > 0;
  const char* descriptor = getenv("PMI_FD");
  if (descriptor) process_manager = atoi(descriptor);
  prctl(PR_SET_TIMERSLACK, 1);
  errno = saved;
}

// What this thread polled last and when, and how often in a row it was empty.
static _Thread_local const void* last_set;
static _Thread_local unsigned long last_size;
static _Thread_local unsigned empty_in_a_row;
static _Thread_local long long last_poll;

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static bool should_wait(const void* set, unsigned long size) {
  if (!waiting) return false;
  long long now = nanoseconds();
  if (set != last_set || size != last_size || now - last_poll > kBusyNanoseconds) empty_in_a_row = 0;
  last_set = set;
  last_size = size;
  last_poll = now;
  return ++empty_in_a_row > kEmptyBeforeWait;
}

static void wait_at_most(struct pollfd* descriptors, nfds_t count, long long length) {
  int saved = errno;
  struct timespec longest = {length / 1000000000, length % 1000000000};
  ppoll(descriptors, count, &longest, NULL);
  errno = saved;
}

static void wait_for(struct pollfd* descriptors, nfds_t count) {
  unsigned waits = empty_in_a_row - kEmptyBeforeWait - 1;
  wait_at_most(descriptors, count, (long long)first_wait << (waits < kMostDoublings ? waits : kMostDoublings));
  last_poll = nanoseconds();
}

// Notes what a poll found; returns it.
static int noted(int ready) {
  if (ready != 0) empty_in_a_row = 0;
  return ready;
}

EXPORT int poll(struct pollfd* descriptors, nfds_t count, int timeout) {
  if (!real_poll) start();
  int ready = noted(real_poll(descriptors, count, timeout));
  if (ready != 0 || timeout != 0 || count == 0 || !should_wait(descriptors, count)) return ready;
  wait_for(descriptors, count);
  return noted(real_poll(descriptors, count, 0));
}

EXPORT int epoll_wait(int set, struct epoll_event* events, int count, int timeout) {
  if (!real_epoll_wait) start();
  int ready = noted(real_epoll_wait(set, events, count, timeout));
  if (ready != 0 || timeout != 0 || !should_wait(&real_epoll_wait, (unsigned long)set)) return ready;
  struct pollfd self = {.fd = set, .events = POLLIN};
  wait_for(&self, 1);
  return noted(real_epoll_wait(set, events, count, 0));
}

// UCX: handles are opaque here, status and parameters are passed through.
EXPORT int ucp_worker_create(void* context, const void* parameters, void** worker) {
  static int (*real)(void*, const void*, void**);
  if (!real) real = (int (*)(void*, const void*, void**))next("ucp_worker_create");
  int status = real(context, parameters, worker);
  if (status == 0 && ucx_worker_count < kMostWorkers) ucx_workers[ucx_worker_count++] = *worker;
  return status;
}

EXPORT void ucp_worker_destroy(void* worker) {
  static void (*real)(void*);
  if (!real) real = (void (*)(void*))next("ucp_worker_destroy");
  for (int i = 0; i < ucx_worker_count; ++i)
    if (ucx_workers[i] == worker) ucx_workers[i] = ucx_workers[--ucx_worker_count];
  real(worker);
}

EXPORT void* ucp_disconnect_nb(void* endpoint) {
  static void* (*real)(void*);
  if (!real) real = (void* (*)(void*))next("ucp_disconnect_nb");
  closing_endpoints = true;
  return real(endpoint);
}

static void serve_ucx_until_readable(int descriptor) {
  unsigned (*progress)(void*) = (unsigned (*)(void*))next("ucp_worker_progress");
  struct pollfd manager = {.fd = descriptor, .events = POLLIN};
  bool was_waiting = waiting;
  waiting = false;  // the wait for the process manager paces this loop
  while (progress && real_poll(&manager, 1, 0) == 0) {
    for (int i = 0; i < ucx_worker_count; ++i)
      while (progress(ucx_workers[i]) != 0) {
      }
    wait_at_most(&manager, 1, kServeMicroseconds * 1000);
  }
  waiting = was_waiting;
}

EXPORT ssize_t read(int descriptor, void* buffer, size_t bytes) {
  if (!real_read) start();
  if (closing_endpoints && descriptor == process_manager && ucx_worker_count > 0) serve_ucx_until_readable(descriptor);
  return real_read(descriptor, buffer, bytes);
}
