/* Calls of MPI that a library of MPI makes by PMPI_ names inside of the program's (generate_fortran.py makes the
 * entries), and what holds for all that is recorded inside of a call. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_CALLS_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_CALLS_H

#include "tracer/preload/inner/inner.h"

/* Before anything is written inside of the program's call: its record is going to be ended, so the segment in which it
 * lies must stay. That is the current one as long as nothing was written inside; pl_enter() forgets it. */
PL_INLINE void pl_keep_outer(struct pl_thread* t) {
  if (PL_UNLIKELY(t->outer == NULL)) t->outer = (struct pl_record*)(void*)t->segment;
}

struct pl_nested {
  struct pl_call call;
  uint64_t segment_index; /* where its record lies, */
  uint32_t segments;      /* the thread's how manieth segment that is, */
  size_t offset;          /* and where in it */
};

/* 0: it is not inside of a recorded call, or not to be recorded; then there is no end. A run of the same test or probe
 * with nothing in between is one record. */
int pl_begin_nested(struct pl_nested* n, uint16_t function);
void pl_end_nested(struct pl_nested* n);

#endif
