/* The fast path of a record: no call of ours is on it, so that the compiler keeps nothing for what would have to
 * outlive one, and what is looked up is at hand or not. Most calls go this way. Whatever is out of the ordinary (a site
 * that is new, another clock, a full segment, a long gap, a handle that was not the latest, ..) takes the slow path,
 * which writes the same: the frame of preload.h. */
#ifndef PLUMBLINE_TRACER_PRELOAD_SHORT_WAY_H
#define PLUMBLINE_TRACER_PRELOAD_SHORT_WAY_H

#include "tracer/preload/core/preload.h"

#define PL_SHORT_WORDS 3u
#define PL_SHORT_ROOM ((PL_HEAD_WORDS + PL_SHORT_WORDS + PL_SPARE_WORDS) * sizeof(uint64_t))

/* Room for it, and nothing else is recorded by this thread until it begins or is given up. NULL: there is none at hand.
 * The words of its payload are written as soon as they are known: what is kept in registers for later ends up on the
 * stack, and reading it from there in another width costs more than all the rest. */
PL_INLINE struct pl_record* pl_short_room(struct pl_thread* t, int outer) {
  if (PL_UNLIKELY(!pl.use_tsc)) return NULL;
  pl_set_mode(t, PL_INSIDE);
  uint64_t* at = t->cursor;
  if (PL_LIKELY((size_t)((char*)t->limit - (char*)at) >= PL_SHORT_ROOM)) return (struct pl_record*)(void*)at;
  pl_set_mode(t, outer);
  return NULL;
}

/* It takes the slow path after all. Behind the last record all is zero. */
PL_INLINE void pl_short_give_up(struct pl_thread* t, struct pl_record* r, int outer) {
  for (unsigned i = 0; i < PL_SHORT_WORDS; ++i) r->payload[i] = 0;
  pl_set_mode(t, outer);
}

/* The head, begun; `packed`: PL_PACKED or 0. 0: the site is new. */
PL_INLINE uint64_t pl_short_head(void* return_address, uint16_t function, uint32_t packed) {
  const uint64_t address = (uint64_t)(uintptr_t)return_address, slot = pl_slot_of_site(address);
  const uint32_t of_first_slot = packed | 1u << 2 | PL_BEGUN;
  if (PL_UNLIKELY(__atomic_load_n(&pl_sites.address[slot], __ATOMIC_RELAXED) != address)) return 0;
  return (function | PL_SHORT_WORDS << 16 | (uint64_t)of_first_slot << 32) + (slot << (2 + 32));
}

/* The call begins now. 0: there was a long gap, or the site is new. The processor does not read its clock before all
 * that stands in front of it is done, but goes on with the call while the site is looked up behind it. */
PL_INLINE int pl_short_begin(struct pl_thread* t, struct pl_record* r, uint16_t function, uint32_t packed,
                             void* return_address) {
  const uint64_t now = pl_tsc_here();
  if (PL_UNLIKELY(now - t->time > pl.long_gap)) return 0;
  const uint64_t head = pl_short_head(return_address, function, packed);
  if (PL_UNLIKELY(head == 0)) return 0;
  r->begin = now;
  __atomic_store_n((uint64_t*)(void*)r, head, __ATOMIC_RELEASE);
  t->cursor = r->payload + PL_SHORT_WORDS;
  t->time = now;
  t->poll = NULL;
  pl_fetch_ahead(t->cursor);
  return 1;
}

/* The call has ended. */
PL_INLINE void pl_short_stamp(struct pl_thread* t, struct pl_record* r) {
  const uint64_t now = pl_tsc();
  r->end = now;
  t->time = now;
}
PL_INLINE void pl_short_done(struct pl_record* r) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
  r->site_state ^= PL_BEGUN ^ PL_DONE;
}

#endif
