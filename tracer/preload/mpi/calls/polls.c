/* What a run of polls does at a gap that is too long for a mere loop. */
#include "tracer/preload/mpi/calls/polls.h"

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

static void count_long_gap(struct pl_thread* t, uint64_t gap) {
  int64_t delay = pl_run_delay(t);
  if (delay < 0) return;
  t->loop.polls->long_gaps += gap;
  t->loop.polls->run_delay = (uint64_t)delay;
}

/* How long the thread may have run in a gap that ends no run. To be taken off a core and put back costs time too. */
static uint64_t most_computed(const struct pl_record* r, uint64_t ran, uint64_t off) {
  uint64_t most = off > ran ? 5 * pl.poll_break : pl.poll_break, part = (r->end - r->begin) / 32;
  if (part > pl.long_gap) part = pl.long_gap;
  return part > most ? part : most;
}

PL_COLD int pl_goes_on_after_gap(struct pl_thread* t, uint64_t now, uint64_t of_a_loop) {
  struct pl_poll_loop* loop = &t->loop;
  const uint64_t gap = now - loop->record->end;
  uint64_t off = gap > pl.poll_check ? time_off_cpu(t, now) : 0;
  if (off > gap) off = gap;
  const uint64_t ran = gap - off;
  if (ran > most_computed(loop->record, ran, off)) {
    loop->keeps_check = gap > pl.poll_check;
    return 0;
  }
  if (loop->polls == NULL) pl_make_run(loop);
  if (ran > loop->polls->longest_gap) loop->polls->longest_gap = ran;
  if (ran > of_a_loop) loop->polls->computed += ran;
  loop->polls->off_cpu += off;
  if (off > pl.long_gap) count_long_gap(t, gap);
  return 1;
}
