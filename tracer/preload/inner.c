/* Records of inner messages, and the messages that are under way. */
#include "tracer/preload/inner.h"

#include <string.h>

#include "plumbline_mpi_table.h"
#include "tracer/preload/tables.h"

enum { kMessagesAtOnce = 4096 }; /* mapped together */

static struct {
  struct pl_inner_message* free;
  struct pl_lock lock;
  uint32_t next_number;
} inner;

static struct pl_inner_message* more_messages(void) {
  struct pl_inner_message* all = pl_map(kMessagesAtOnce * sizeof *all);
  for (int i = 0; all != NULL && i + 1 < kMessagesAtOnce; ++i) all[i].next = &all[i + 1];
  return all;
}

static struct pl_inner_message* take_message(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&inner.lock);
  struct pl_inner_message* m = inner.free;
  if (PL_UNLIKELY(m == NULL)) m = more_messages();
  if (PL_LIKELY(m != NULL)) {
    inner.free = m->next;
    m->number = ++inner.next_number;
  }
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&inner.lock);
  return m;
}

static void give_message(struct pl_inner_message* m) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&inner.lock);
  m->next = inner.free;
  inner.free = m;
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&inner.lock);
}

void pl_forget_inner(void) { memset(&inner, 0, sizeof inner); }

struct pl_inner_message* pl_inner_post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags, uint32_t context) {
  struct pl_thread* t = &pl_self;
  if (PL_UNLIKELY(t->diversion.on)) return NULL; /* recording goes on, but not yet in this call */
  struct pl_inner_message* m = take_message();
  if (PL_UNLIKELY(m == NULL)) return NULL;
  int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  struct pl_call call = {pl_reserve(t, 3), 0, function, 3};
  call.r->payload[0] = m->peer_tag = peer_tag;
  call.r->payload[1] = m->bytes_flags = bytes_flags;
  call.r->payload[2] = pl_pair(context, m->number);
  pl_start(t, &call);
  m->record = call.r; /* pl_start may have moved it */
  m->function = function;
  m->segment = t->segments;
  m->thread = t->number;
  pl_set_mode(t, mode);
  return m;
}

/* Its record may still be written: it lies in the segment in hand. A segment that is used again is another one; a
 * forked child has the mapping of its parent's, and must not. */
static int is_within_reach(const struct pl_thread* t, const struct pl_inner_message* m) {
  const char* at = (const char*)m->record;
  return pl.writable && t->segment != NULL && at >= t->segment && at < t->segment + PL_SEGMENT_BYTES && t->known &&
         t->segments == m->segment && t->number == m->thread;
}

static PL_COLD void record_end(struct pl_thread* t, const struct pl_inner_message* m, uint64_t peer_tag,
                               uint64_t bytes_flags) {
  int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  struct pl_call call = {pl_reserve(t, 3), 0, PL_F_inner_end, 3};
  call.r->payload[0] = pl_pair(m->number, 0);
  call.r->payload[1] = peer_tag;
  call.r->payload[2] = bytes_flags;
  pl_start(t, &call);
  call.r->end = call.r->begin;
  pl_done(&call);
  pl_set_mode(t, mode);
}

void pl_inner_complete(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags) {
  struct pl_thread* t = &pl_self;
  if (PL_LIKELY(is_within_reach(t, m))) {
    struct pl_record* r = m->record;
    uint64_t now = pl_ticks();
    r->end = now;
    t->time = now;
    r->payload[0] = peer_tag;
    r->payload[1] = bytes_flags;
    pl_publish(r, r->function, r->words, 0, PL_DONE);
  } else if (pl_inner_is_on() && !t->diversion.on) {
    record_end(t, m, peer_tag, bytes_flags);
  }
  give_message(m);
}

void pl_inner_drop(struct pl_inner_message* m) { give_message(m); }

void pl_inner_fail(struct pl_inner_message* m) {
  pl_inner_complete(m, m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48);
}
