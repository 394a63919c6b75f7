/* Where the records of a thread go while recording is off (pause.c): into scratch memory, but definitions to the spool.
 */
#include "tracer/preload/posix/posix.h"

void pl_exchange_diversion(struct pl_thread* t) {
  struct pl_diversion* d = &t->diversion;
  uint64_t *cursor = t->cursor, *limit = t->limit;
  t->cursor = d->cursor;
  t->limit = d->limit;
  d->cursor = cursor;
  d->limit = limit;
}

PL_COLD int pl_divert(void) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return 0;
  struct pl_diversion* d = &t->diversion;
  if (d->scratch == NULL) {
    d->scratch = pl_map(PL_LARGEST * sizeof(uint64_t));
    pl_end_with_thread(t);
  }
  if (d->scratch != NULL) {
    d->cursor = d->scratch;
    d->limit = d->scratch + PL_LARGEST;
    d->time = t->time;
    pl_exchange_diversion(t);
    t->time = pl_ticks(); /* no long gap: its run delay is not wanted */
    t->poll = NULL;
    t->diverted = 1;
  }
  pl_leave(t);
  return d->scratch != NULL;
}

PL_COLD void pl_undivert(void) {
  struct pl_thread* t = &pl_self;
  pl_set_mode(t, PL_INSIDE);
  t->diverted = 0;
  pl_exchange_diversion(t);
  t->time = t->diversion.time;
  t->type.version = 0; /* inside of this call types may have been freed unseen */
  t->poll = NULL;
  pl_leave(t);
}

/* Descriptors have come and gone meanwhile: those that are open are announced again. */
void pl_go_on(struct pl_thread* t) {
  pl_announce_open_files(t, PL_F_open_at_start);
  pl.recording = pl.writable;
  pl.paused = 0;
  if (!pl.writable) pl.recording = 0; /* it was stopped in this moment */
}
