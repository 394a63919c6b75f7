/* What the MPI library does inside of its calls: the messages of collectives, of MPI-IO and of one-sided communication.
 *
 * A hook (inner_openmpi.c: the tables of the PML; inner_mpich.c: libucp) sees a message posted and completed and says
 * so here. It decides what is the library's own; what the program posts itself is recorded as its call. Nothing here
 * calls MPI. A message is one record (PL_LAYOUT_INNER_MESSAGE): 48 bytes. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_H

#include "tracer/preload/preload.h"
#include "tracer/preload/tables.h"

/* A message under way; of the recorder until it is complete or dropped. */
struct pl_inner_message {
  struct pl_record* record;
  uint32_t thread, segment; /* where the record lies: the thread's how manieth segment */
  uint32_t number;
  uint16_t function;
  uint64_t peer_tag, bytes_flags; /* as posted: the first two words of its record */
  struct pl_inner_message* next;  /* of those that are free */
  void* own[4];                   /* the hook's; of those only the first before it is kept */
};

/* True when inner messages are recorded here and now. */
PL_INLINE int pl_inner_is_on(void) { return pl.internals && pl.recording && !pl_self.lent; }

PL_INLINE uint64_t pl_inner_bytes(uint64_t bytes, unsigned flags) {
  return (bytes & PL_INNER_BYTES) | (uint64_t)flags << 48;
}

/* A message is about to be posted. `function`: PL_F_inner_send or PL_F_inner_receive; peer, tag, bytes, flags, context:
 * as in PL_LAYOUT_INNER_MESSAGE. NULL: it is not recorded. To be called right before the library's function. */
PL_INLINE struct pl_inner_message* pl_inner_post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags,
                                                 uint32_t context);

/* It is complete: now, on whatever thread of the process, inside of any call or of none. m is given back. */
PL_INLINE void pl_inner_complete(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags);

/* It was not posted after all, by an error: its record is marked PL_INNER_FAILED. m is given back. */
void pl_inner_fail(struct pl_inner_message* m);

/* Nobody will learn of its completion: its record stays begun. m is given back. */
void pl_inner_drop(struct pl_inner_message* m);

/* Before a process forks for good, or forgets its recording. */
void pl_forget_inner(void);

/* start_end.c: after MPI_Init has returned and before anything is recorded, and before MPI_Finalize is called. Each
 * flavour has its own. They set pl.internals, and define the facts `internals` (`on`, or why they are off) and
 * `internals.by` (`pml ob1`, `libucp 1.13.1`). */
void pl_begin_internals(struct pl_thread* t);
void pl_end_internals(void);

/* ---- The hot path. A message that is complete before its function returns need not be kept: it is begun and ended in
 * place, and neither taken from those that are free nor given back. */

struct pl_inner_pool {
  struct pl_inner_message* free;
  struct pl_lock lock;
};
extern struct pl_inner_pool pl_inner_pool;
extern uint32_t pl_inner_number;              /* the latest one */
struct pl_inner_message* pl_inner_more(void); /* to be called with the lock, when none is free; may be NULL */
void pl_inner_record_end(struct pl_thread* t, uint32_t number, uint64_t peer_tag, uint64_t bytes_flags);

/* 0: it is not recorded. m is of the caller, and not in use. */
PL_INLINE int pl_inner_begin(struct pl_inner_message* m, uint16_t function, uint64_t peer_tag, uint64_t bytes_flags,
                             uint32_t context) {
  struct pl_thread* t = &pl_self;
  if (PL_UNLIKELY(t->diversion.on)) return 0; /* recording goes on, but not yet in this call */
  int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  struct pl_call call = {pl_reserve(t, 3), 0, function, 3};
  m->number =
      PL_UNLIKELY(pl.multithreaded) ? __atomic_add_fetch(&pl_inner_number, 1, __ATOMIC_RELAXED) : ++pl_inner_number;
  call.r->payload[0] = m->peer_tag = peer_tag;
  call.r->payload[1] = m->bytes_flags = bytes_flags;
  call.r->payload[2] = pl_pair(context, m->number);
  pl_start(t, &call);
  m->record = call.r; /* pl_start may have moved it */
  m->function = function;
  m->segment = t->segments;
  m->thread = t->number;
  pl_set_mode(t, mode);
  return 1;
}

PL_INLINE void pl_inner_write_end(struct pl_thread* t, const struct pl_inner_message* m, uint64_t peer_tag,
                                  uint64_t bytes_flags) {
  struct pl_record* r = m->record;
  uint64_t now = pl_ticks();
  r->end = now;
  t->time = now;
  r->payload[0] = peer_tag;
  r->payload[1] = bytes_flags;
  pl_publish(r, m->function, 3, 0, PL_DONE);
}

/* Of a message that this thread has begun in the same call. */
PL_INLINE void pl_inner_end(const struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags) {
  struct pl_thread* t = &pl_self;
  if (PL_LIKELY(t->segments == m->segment))
    pl_inner_write_end(t, m, peer_tag, bytes_flags);
  else
    pl_inner_record_end(t, m->number, peer_tag, bytes_flags);
}

/* It was begun and is not complete yet: kept in a place of the recorder's. NULL: there is none, it stays begun. */
PL_INLINE struct pl_inner_message* pl_inner_keep(const struct pl_inner_message* begun) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&pl_inner_pool.lock);
  struct pl_inner_message* m = pl_inner_pool.free;
  if (PL_UNLIKELY(m == NULL)) m = pl_inner_more();
  if (PL_LIKELY(m != NULL)) {
    pl_inner_pool.free = m->next;
    m->record = begun->record;
    m->thread = begun->thread;
    m->segment = begun->segment;
    m->number = begun->number;
    m->function = begun->function;
    m->peer_tag = begun->peer_tag;
    m->bytes_flags = begun->bytes_flags;
    m->own[0] = begun->own[0];
  }
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&pl_inner_pool.lock);
  return m;
}

PL_INLINE void pl_inner_give(struct pl_inner_message* m) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&pl_inner_pool.lock);
  m->next = pl_inner_pool.free;
  pl_inner_pool.free = m;
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&pl_inner_pool.lock);
}

PL_INLINE struct pl_inner_message* pl_inner_post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags,
                                                 uint32_t context) {
  struct pl_inner_message begun;
  begun.own[0] = NULL;
  return pl_inner_begin(&begun, function, peer_tag, bytes_flags, context) ? pl_inner_keep(&begun) : NULL;
}

/* Its record may still be written: it lies in the segment in hand. A segment that is used again is another one; a
 * forked child has the mapping of its parent's, and must not. */
PL_INLINE int pl_inner_is_within_reach(const struct pl_thread* t, const struct pl_inner_message* m) {
  uintptr_t at = (uintptr_t)m->record - (uintptr_t)t->segment;
  return pl.writable && t->segment != NULL && at < PL_SEGMENT_BYTES && t->known && t->segments == m->segment &&
         t->number == m->thread;
}

PL_INLINE void pl_inner_complete(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags) {
  struct pl_thread* t = &pl_self;
  if (PL_LIKELY(pl_inner_is_within_reach(t, m)))
    pl_inner_write_end(t, m, peer_tag, bytes_flags);
  else
    pl_inner_record_end(t, m->number, peer_tag, bytes_flags);
  pl_inner_give(m);
}

#endif
