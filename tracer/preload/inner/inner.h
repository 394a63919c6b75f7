/* What the MPI library does inside of its calls: the messages of collectives, of MPI-IO and of one-sided communication.
 *
 * A hook (openmpi/openmpi.c: the tables of the PML; mpich/mpich.c: libucp) sees a message posted and completed and says
 * so here. It decides what is the library's own; what the program posts itself is recorded as its call. Nothing here
 * calls MPI. A message is one record (PL_LAYOUT_INNER_MESSAGE): 48 bytes. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_H

#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/tables.h"

#pragma GCC visibility push(hidden)

/* A message under way; of the recorder until it is complete or dropped. */
struct pl_inner_message {
  struct pl_record* record;
  uint64_t place;                 /* where the record lies: pl_thread's when it was begun */
  uint64_t peer_tag, bytes_flags; /* as posted: the first two words of its record */
  uint32_t number;
  uint16_t function;
  struct pl_inner_message* next; /* of those that are free */
  void* own[4];                  /* the hook's */
};

/* True when inner messages are recorded here and now. */
PL_INLINE int pl_inner_is_on(void) { return pl.internals && pl.recording && !pl_self.lent; }

PL_INLINE uint64_t pl_inner_bytes(uint64_t bytes, unsigned flags) {
  return (bytes & PL_INNER_BYTES) | (uint64_t)flags << 48;
}

/* Before a process forks for good, or forgets its recording. */
void pl_forget_inner(void);

/* start_end.c: after MPI_Init has returned and before anything is recorded, and before MPI_Finalize is called. Each
 * flavour has its own. They set pl.internals, and define the facts `internals` (`on`, or why they are off) and
 * `internals.by` (`pml ob1`, `libucp 1.13.1`). */
void pl_begin_internals(struct pl_thread* t);
void pl_end_internals(void);

/* ---- The hot path. A message goes through these:
 *
 * pl_inner_new       a place for it, of the recorder. One that is complete before its function returns needs none: the
 *                    hook may have it on its stack.
 * pl_inner_begin     it is about to be posted: right before the library's function.
 * pl_inner_keep      it was on the stack and is not complete yet.
 * pl_inner_write_end, pl_inner_write_other_end
 *                    it is complete now, on whatever thread, inside of any call or of none, and its record is at hand
 *                    (pl_inner_is_here, pl_inner_is_within_reach);
 * pl_inner_record_end   or it is not.
 * pl_inner_give      the place back; alone: nobody will learn of its completion, its record stays begun. */

extern struct pl_inner_pool {
  struct pl_inner_message* free;
  struct pl_lock lock;
  uint32_t number; /* of the latest message */
} pl_inner_pool;
struct pl_inner_message* pl_inner_more(void); /* to be called with the lock, when none is free; may be NULL */
/* Its end, where its record is out of reach. */
void pl_inner_record_end(uint32_t number, uint64_t peer_tag, uint64_t bytes_flags);

PL_INLINE struct pl_inner_message* pl_inner_new(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&pl_inner_pool.lock);
  struct pl_inner_message* m = pl_inner_pool.free;
  if (PL_UNLIKELY(m == NULL)) m = pl_inner_more();
  if (PL_LIKELY(m != NULL)) pl_inner_pool.free = m->next;
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&pl_inner_pool.lock);
  return m;
}

PL_INLINE void pl_inner_give(struct pl_inner_message* m) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&pl_inner_pool.lock);
  m->next = pl_inner_pool.free;
  pl_inner_pool.free = m;
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&pl_inner_pool.lock);
}

/* NULL: there is no memory for it, so it stays begun. */
PL_INLINE struct pl_inner_message* pl_inner_keep(const struct pl_inner_message* begun) {
  struct pl_inner_message* m = pl_inner_new();
  if (PL_LIKELY(m != NULL)) *m = *begun;
  return m;
}

PL_INLINE uint32_t pl_inner_number(void) {
  if (PL_UNLIKELY(pl.multithreaded)) return __atomic_add_fetch(&pl_inner_pool.number, 1, __ATOMIC_RELAXED);
  return ++pl_inner_pool.number;
}

/* `function`: PL_F_inner_send or PL_F_inner_receive; peer, tag, bytes, flags, context: as in PL_LAYOUT_INNER_MESSAGE.
 * 0: it is not recorded. */
PL_INLINE int pl_inner_begin(struct pl_inner_message* m, uint16_t function, uint64_t peer_tag, uint64_t bytes_flags,
                             uint32_t context) {
  struct pl_thread* t = &pl_self;
  if (PL_UNLIKELY(t->diverted)) return 0; /* recording goes on, but not yet in this call */
  int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  struct pl_call call = {pl_reserve(t, 3), 0, function, 3};
  const uint32_t number = pl_inner_number();
  m->function = function;
  m->number = number;
  call.r->payload[0] = m->peer_tag = peer_tag;
  call.r->payload[1] = m->bytes_flags = bytes_flags;
  call.r->payload[2] = pl_pair(context, number);
  pl_start(t, &call);
  m->record = call.r; /* pl_start may have moved it */
  m->place = t->place;
  pl_set_mode(t, mode);
  return 1;
}

/* Its record may still be written: it lies in the segment in hand. A segment that is used again is another one. */
PL_INLINE int pl_inner_is_here(const struct pl_thread* t, const struct pl_inner_message* m) {
  return t->place == m->place;
}
/* Likewise, after other calls: a forked child has the mapping of its parent's, and must not. */
PL_INLINE int pl_inner_is_within_reach(const struct pl_thread* t, const struct pl_inner_message* m) {
  return pl.writable && pl_inner_is_here(t, m);
}

/* It is complete as it was posted, or as it is then said. */
PL_INLINE void pl_inner_write_end(struct pl_thread* t, const struct pl_inner_message* m) {
  uint64_t now = pl_ticks();
  m->record->end = now;
  t->time = now;
  pl_publish(m->record, m->function, 3, 0, PL_DONE);
}
PL_INLINE void pl_inner_write_other_end(struct pl_thread* t, const struct pl_inner_message* m, uint64_t peer_tag,
                                        uint64_t bytes_flags) {
  uint64_t now = pl_ticks();
  m->record->end = now;
  t->time = now;
  m->record->payload[0] = peer_tag;
  m->record->payload[1] = bytes_flags;
  pl_publish(m->record, m->function, 3, 0, PL_DONE);
}

/* ---- The fast path: without a call of ours, so that the compiler needs no room for what would have to outlive it.
 * Whatever is out of the ordinary (threads, another clock, a full segment, a long gap, recording that is off, ..) takes
 * the slow path, through the functions above. */

/* The record of a message has room. */
PL_INLINE int pl_inner_has_room(const struct pl_thread* t) {
  return (size_t)((char*)t->limit - (char*)t->cursor) >= (PL_HEAD_WORDS + 3 + PL_SPARE_WORDS) * sizeof(uint64_t);
}
PL_INLINE int pl_inner_is_plain(const struct pl_thread* t) {
  return pl.internals == PL_INTERNALS_PLAIN && pl.recording && (t->lent | (int)t->diverted) == 0;
}

/* As pl_inner_begin(), where pl_inner_is_plain(), at the time `now`: read first (pl_tsc_here), because the processor
 * waits for all that stands in front of it, and does what stands behind it beside the library's work. 0: there was a
 * long gap, or there is no room; nothing has been written. */
PL_INLINE int pl_inner_begin_plainly(struct pl_thread* t, struct pl_inner_message* m, uint64_t now, uint16_t function,
                                     uint64_t peer_tag, uint64_t bytes_flags, uint32_t context) {
  const int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  const int goes = now - t->time <= pl.long_gap && pl_inner_has_room(t);
  if (PL_LIKELY(goes)) {
    struct pl_record* r = (struct pl_record*)(void*)t->cursor;
    const uint32_t number = ++pl_inner_pool.number;
    r->payload[0] = peer_tag;
    r->payload[1] = bytes_flags;
    r->payload[2] = pl_pair(context, number);
    r->begin = now;
    pl_publish(r, function, 3, 0, PL_BEGUN);
    t->cursor = r->payload + 3;
    t->time = now;
    t->poll = NULL;
    pl_fetch_ahead(t->cursor);
    m->record = r;
    m->place = t->place;
    m->peer_tag = peer_tag;
    m->bytes_flags = bytes_flags;
    m->number = number;
    m->function = function;
  }
  pl_set_mode(t, mode);
  return goes;
}

/* As pl_inner_write_end(), of a message that was begun plainly. */
PL_INLINE void pl_inner_end_plainly(struct pl_thread* t, struct pl_record* r, uint64_t now, uint16_t function) {
  r->end = now;
  t->time = now;
  pl_publish(r, function, 3, 0, PL_DONE);
}

#pragma GCC visibility pop

#endif
