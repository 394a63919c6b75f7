/* Recording a program without MPI, a file server for one: POSIX calls from the start of the program to its end, and
 * each process that it forks or executes by itself. The library of this name has no MPI in it (CMakeLists.txt). */
#include <pthread.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/posix/posix.h"

/* There are no Fortran bindings to look through. */
__thread uint64_t pl_fortran_caller __attribute__((tls_model("initial-exec")));
int pl_in_fortran_binding(uint64_t address) {
  (void)address;
  return 0;
}

static __attribute__((noinline)) uint64_t record_the_long_way(struct pl_thread* t, void* address) {
  t->mode = PL_INSIDE;
  struct pl_call call = pl_prepare(t, PL_F_pwrite, 3, address);
  for (unsigned i = 0; i < 3; ++i) call.r->payload[i] = i;
  pl_start(t, &call);
  pl_stamp(t, &call);
  pl_done(&call);
  pl_leave(t);
  return call.r->end - call.r->begin;
}

static __attribute__((noinline)) uint64_t record_nothing(struct pl_thread* t) {
  void* address = __builtin_return_address(0);
  struct pl_record* r = pl_short_room(t, PL_OUTSIDE);
  if (r == NULL) return record_the_long_way(t, address);
  for (unsigned i = 0; i < PL_SHORT_WORDS; ++i) r->payload[i] = i;
  if (!pl_short_begin(t, r, PL_F_pwrite, PL_PACKED, address)) {
    pl_short_give_up(t, r, PL_OUTSIDE);
    return record_the_long_way(t, address);
  }
  pl_short_end_on(t, PL_OUTSIDE, r, 0);
  return r->end - r->begin;
}

static void define_functions(struct pl_thread* t) {
  for (uint16_t f = 1; f < PL_F_COUNT; ++f) {
    const char* name = pl_function_names[f];
    if (name == NULL) continue; /* of MPI */
    pl_define_text(t, PL_DEF_FUNCTION, pl_pair(f, pl_function_layouts[f]), 1, name, strlen(name), pl_ticks());
  }
}

static void start(void) {
  if (pl_open_spool(PL_FLAVOUR_NONE, "") != 0) return;
  struct pl_thread* t = &pl_self;
  pl_set_mode(t, PL_INSIDE);
  pl_begin_node();
  define_functions(t);
  pl_define_modules(t);
  pl_announce_open_files(t, PL_F_open_at_start);
  pl_measure_cost(record_nothing);
  pl_begin_recording(-1, -1, 1);
  pl_leave(t);
}

/* A child gets a spool of its own. Its parent's is still mapped in it, but nothing points there any more. */
static void in_child(void) {
  int saved = errno;
  if (pl_forget_recording()) {
    pl_forget_sites();
    pl_forget_paths();
    pl_forget_maps();
    pl_forget_asynchronous();
    start();
  }
  errno = saved;
}

/* Behind the real functions, the patterns of paths and the clock. */
__attribute__((constructor(103))) static void start_with_program(void) {
  int saved = errno;
  start();
  if (pl.header != NULL) pthread_atfork(NULL, NULL, in_child);
  errno = saved;
}
