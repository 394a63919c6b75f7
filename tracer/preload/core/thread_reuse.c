/* Threads that come and go. A thread that begins takes the location of one that has ended, and the rest of its segment:
 * otherwise each of a thousand short-lived threads would cost a segment and be a location of its own. Their records
 * cannot overlap, because the one has ended before the other began. */
#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/tables.h"

enum { kMostLeft = 256 };

static struct pl_left {
  uint32_t number, segments;
  uint64_t *cursor, *limit;
  char* segment;
} left[kMostLeft];
static unsigned count;
static struct pl_lock lock;

/* Not the location of the thread that called MPI_Init: it speaks for the rank. */
int pl_leave_behind(const struct pl_thread* t) {
  const char* at = (const char*)t->cursor;
  int in_segment = t->segment != NULL && at >= t->segment && at <= t->segment + PL_SEGMENT_BYTES; /* not discarding */
  if (!pl.writable || !in_segment || t->number == 0) return 0;
  if (pl.apart) return 0; /* its segment may have to give way */
  pl_acquire(&lock);
  int room = count < kMostLeft;
  if (room) left[count++] = (struct pl_left){t->number, t->segments, t->cursor, t->limit, t->segment};
  pl_release(&lock);
  return room;
}

int pl_take_over(struct pl_thread* t) {
  pl_acquire(&lock);
  int any = count != 0;
  if (any) {
    const struct pl_left* last = &left[--count];
    t->number = last->number;
    t->segments = last->segments;
    t->cursor = last->cursor;
    t->limit = last->limit;
    t->segment = last->segment;
  }
  pl_release(&lock);
  return any;
}

void pl_forget_reusable_threads(void) {
  lock.held = 0;
  count = 0;
}
