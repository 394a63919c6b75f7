/* More MPICH ranks than cores: UCX polls, so that a rank that waits keeps its core for a whole time slice. Preloaded
   into the plain and the recorded runs alike, this gives the core away after an empty round of progress. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (!progress) progress = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned done = progress(worker);
  if (done == 0) sched_yield();
  return done;
}
