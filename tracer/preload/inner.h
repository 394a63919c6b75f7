/* What the MPI library does inside of its calls: the messages of collectives, of MPI-IO and of one-sided communication.
 *
 * A hook (inner_openmpi.c: the tables of the PML; inner_mpich.c: libucp) sees a message posted and completed and says so
 * here. It decides what is the library's own; what the program posts itself is recorded as its call. Nothing here calls
 * MPI. A message is one record (PL_LAYOUT_INNER_MESSAGE): 48 bytes. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_H

#include "tracer/preload/preload.h"

/* A message under way; of the recorder until it is complete or dropped. */
struct pl_inner_message {
  struct pl_record* record;
  uint32_t thread, segment; /* where the record lies: the thread's how manieth segment */
  uint32_t number;
  uint16_t function;
  uint64_t peer_tag, bytes_flags; /* as posted: the first two words of its record */
  void* own[4];                   /* the hook's */
  struct pl_inner_message* next;  /* of those that are free */
};

/* True when inner messages are recorded here and now. */
PL_INLINE int pl_inner_is_on(void) { return pl.internals && pl.recording && !pl_self.lent; }

PL_INLINE uint64_t pl_inner_bytes(uint64_t bytes, unsigned flags) {
  return (bytes & PL_INNER_BYTES) | (uint64_t)flags << 48;
}

/* A message is about to be posted. `function`: PL_F_inner_send or PL_F_inner_receive; peer, tag, bytes, flags, context:
 * as in PL_LAYOUT_INNER_MESSAGE. NULL: it is not recorded. To be called right before the library's function. */
struct pl_inner_message* pl_inner_post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags, uint32_t context);

/* It is complete: now, on whatever thread of the process, inside of any call or of none. m is given back. */
void pl_inner_complete(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags);

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

#endif
