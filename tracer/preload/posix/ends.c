/* How the process leaves, as far as it says so: exit and its relatives, abort, MPI_Abort. What a signal does to it is
 * the business of its parent (tracer/record/launch/ends.hpp); no handler of ours is installed. */
#include <signal.h>
#include <stdlib.h>

#include "tracer/preload/posix/posix.h"

void pl_note_ending(enum pl_ending how, int status) {
  int saved = errno;
  if (pl_is_ours() && (uint32_t)__atomic_load_n(&pl.header->ending, __ATOMIC_RELAXED) != PL_ENDING_MPI_ABORT)
    __atomic_store_n(&pl.header->ending, pl_pair(how, (uint32_t)status), __ATOMIC_RELAXED);
  errno = saved;
}

/* Runs before the handlers that were registered before MPI_Init, and after the others. */
static void at_exit(int status, void* unused) {
  (void)unused;
  pl_note_ending(PL_ENDING_EXIT, status);
}

/* Also tells of a return from main, which calls exit past its name. */
void pl_watch_exit(void) {
  static int watching; /* a forked child has the handler of its parent */
  int saved = errno;
  if (!watching) watching = on_exit(at_exit, NULL) == 0;
  errno = saved;
}

PL_EXPORT void _exit(int status) {
  pl_note_ending(PL_ENDING_FAST_EXIT, status);
  pl_end_recording(PL_END_EXITED);
  for (;;) syscall(SYS_exit_group, status);
}
PL_EXPORT void _Exit(int status) __attribute__((alias("_exit")));

/* The C library leaves from here by a system call of its own. */
PL_EXPORT void quick_exit(int status) {
  pl_note_ending(PL_ENDING_QUICK_EXIT, status);
  if (pl_posix.quick_exit != NULL) pl_posix.quick_exit(status);
  for (;;) syscall(SYS_exit_group, status);
}

static void die_of_abort(void) {
  if (pl_posix.abort != NULL) pl_posix.abort();
  for (;;) syscall(SYS_exit_group, 128 + SIGABRT); /* too early for the C library */
}

PL_EXPORT void abort(void) {
  pl_note_ending(PL_ENDING_ABORT, 0);
  die_of_abort();
  __builtin_unreachable();
}

PL_EXPORT void __assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  pl_note_ending(PL_ENDING_ABORT, 0);
  if (pl_posix.__assert_fail != NULL) pl_posix.__assert_fail(text, file, line, function);
  die_of_abort();
  __builtin_unreachable();
}
