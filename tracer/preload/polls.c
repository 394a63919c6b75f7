/* What a run of polls does at a gap that is too long for a mere loop. */
#include "tracer/preload/polls.h"

#include <errno.h>

/* Of the calling thread; 0: not known. */
static uint64_t cpu_time_ns(void) {
  struct timespec now;
  int saved = errno;
  int known = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0;
  errno = saved;
  return known ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec : 0;
}

PL_COLD void pl_check_cpu_time(struct pl_thread* t) {
  t->loop.checked = pl_ticks();
  t->loop.cpu_ns = cpu_time_ns();
  if (t->loop.cpu_ns == 0) t->loop.checked = 0;
}

/* Ticks since the last check in which the thread did not run. It spins in polls: what it did not run was in the gap.
 * 0 when that cannot be told. */
static uint64_t time_off_cpu(struct pl_thread* t, uint64_t now) {
  const uint64_t checked = t->loop.checked, cpu_ns = t->loop.cpu_ns;
  pl_check_cpu_time(t);
  if (checked == 0 || t->loop.checked == 0) return 0;
  const double ticks_per_ns = (double)pl.long_gap / 1e6;
  const uint64_t ran = (uint64_t)((double)(t->loop.cpu_ns - cpu_ns) * ticks_per_ns);
  return now - checked > ran ? now - checked - ran : 0;
}

static void count_computation(struct pl_poll_loop* loop, uint64_t gap) {
  if (loop->polls == NULL) pl_make_run(loop);
  if (gap > loop->polls->longest_gap) loop->polls->longest_gap = gap;
  loop->polls->computed += gap;
}

static void count_time_off_cpu(struct pl_thread* t, uint64_t gap) {
  struct pl_poll_loop* loop = &t->loop;
  if (loop->polls == NULL) pl_make_run(loop);
  loop->polls->off_cpu += gap;
  if (gap <= pl.long_gap) return;
  int64_t delay = pl_run_delay(t);
  if (delay < 0) return;
  loop->polls->long_gaps += gap;
  loop->polls->run_delay = (uint64_t)delay;
}

PL_COLD int pl_goes_on_after_gap(struct pl_thread* t, uint64_t now) {
  struct pl_poll_loop* loop = &t->loop;
  const struct pl_record* r = loop->record;
  const uint64_t gap = now - r->end;
  if (gap <= pl.poll_break || (gap <= pl.long_gap && gap <= (r->end - r->begin) / 32)) {
    count_computation(loop, gap);
    return 1;
  }
  if (gap <= pl.poll_check) return 0;
  if (time_off_cpu(t, now) + pl.poll_break < gap) {
    loop->keeps_check = 1;
    return 0;
  }
  count_time_off_cpu(t, gap);
  return 1;
}
