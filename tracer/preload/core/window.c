/* PLUMBLINE_WINDOW: only a stretch of time is recorded. Before and after it recording is off as MPI_Pcontrol switches
 * it off, and costs as little.
 *
 * No clock is read for its sake where calls are recorded. That it has begun is seen after a call that is not recorded;
 * that it has ended, at the first gap of a millisecond or the next segment. What was recorded in between is later than
 * the end in the spool's header, and a reader leaves it out. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/preload/core/limits.h"

static struct {
  uint64_t from; /* ticks */
  volatile int has_ended;
  volatile int unwanted; /* by the program: it has called MPI_Pcontrol(0) */
} window;

static void define_switch(struct pl_thread* t, int on) {
  uint64_t begin = pl_ticks();
  uint64_t* payload = pl_define(t, 1);
  PL_FILL(payload, def_switch, .on = (uint32_t)on);
  pl_defined(t, payload, PL_DEF_SWITCH, 1, begin);
}

static uint64_t ticks_after_init(uint64_t ns) { return pl.header->initialized.ticks + pl_ticks_of(ns); }

void pl_begin_window(struct pl_thread* t) {
  if (pl_limits.window == NULL || !pl.writable) return;
  pl_define_meta(t, "window", pl_limits.window);
  window.from = ticks_after_init(pl_limits.from);
  pl.window_end = ticks_after_init(pl_limits.to);
  pl.header->window_end = pl.window_end;
  if (pl_limits.from == 0) return;
  define_switch(t, 0);
  pl.paused = pl.writable; /* as MPI_Pcontrol does it */
  pl.recording = 0;
  pl.awaited = 1;
}

void pl_end_window(void) {
  window.has_ended = 1;
  pl.awaited = 0;
  pl.paused = pl.writable;
  pl.recording = 0;
}

static void open_window(struct pl_thread* t, uint64_t now) {
  if (__atomic_exchange_n(&pl.awaited, 0, __ATOMIC_ACQ_REL) == 0) return; /* another thread was first */
  if (now >= pl.window_end) {
    window.has_ended = 1;
  } else if (!window.unwanted) {
    pl_read_run_delay(t, now, now); /* what was waited before is not asked for */
    t->time = now;
    define_switch(t, 1);
    pl_go_on(t);
  }
}

PL_COLD void pl_look_at_window(void) {
  uint64_t now = pl_ticks();
  if (now < window.from || syscall(SYS_getpid) != pl.pid) return; /* a child of vfork is not whom we wait for */
  int saved = errno;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return;
  open_window(t, now);
  pl_leave(t);
  errno = saved;
}

int pl_window_decides(int level) {
  if (pl_limits.window == NULL || (level != 0 && level != 1)) return 0;
  window.unwanted = level == 0;
  return pl.awaited || window.has_ended;
}
