/* Records of the calls that a library of MPI makes inside of the program's. */
#include "tracer/preload/inner/inner_calls.h"

#include "plumbline_mpi_table.h"

static int is_test(uint16_t function) {
  return function == PL_F_MPI_Test || function == PL_F_MPI_Testall || function == PL_F_MPI_Testany ||
         function == PL_F_MPI_Testsome || function == PL_F_MPI_Iprobe || function == PL_F_MPI_Improbe;
}

/* ROMIO waits by tests, thousands in one call of the program. */
static int extends_test(const struct pl_thread* t, uint16_t function) {
  const struct pl_record* r = t->poll;
  return r != NULL && r->function == PL_F_inner_call && r->payload[0] == pl_pair(function, 0) && is_test(function);
}

int pl_begin_nested(struct pl_nested* n, uint16_t function) {
  struct pl_thread* t = &pl_self;
  int mode = t->mode;
  if (!pl_inner_is_on() || mode == PL_OUTSIDE) return 0;
  if (t->polling && is_test(function)) return 0; /* part of the program's own poll, of which there may be millions */
  pl_set_mode(t, PL_INSIDE);
  pl_keep_outer(t);
  if (extends_test(t, function)) {
    n->call = (struct pl_call){t->poll, 0, PL_F_inner_call, 1};
  } else {
    n->call = (struct pl_call){pl_reserve(t, 1), 0, PL_F_inner_call, 1};
    n->call.r->payload[0] = pl_pair(function, 0);
    pl_start(t, &n->call);
  }
  n->segment_index = t->segment_index;
  n->segments = t->segments;
  n->offset = (size_t)((const char*)n->call.r - t->segment);
  ++t->nested;
  pl_set_mode(t, mode);
  return 1;
}

/* So much was recorded inside of it that its segment is gone: it is mapped once more. Not where older segments may have
 * given way: then the call stays without an end. */
static PL_COLD void end_far_away(struct pl_nested* n) {
  int error = 0;
  if (pl.apart || !pl.writable) return;
  char* segment = pl_map_segment(n->segment_index, &error);
  if (segment == NULL) return;
  n->call.r = (struct pl_record*)(void*)(segment + n->offset);
  n->call.r->end = pl_ticks();
  pl_done(&n->call);
  pl_unmap(segment, PL_SEGMENT_BYTES);
}

static int is_mapped(const struct pl_thread* t, const struct pl_nested* n) {
  const char* at = (const char*)n->call.r;
  return t->segments == n->segments || (t->held != NULL && at >= t->held && at < t->held + PL_SEGMENT_BYTES);
}

void pl_end_nested(struct pl_nested* n) {
  struct pl_thread* t = &pl_self;
  int mode = t->mode;
  --t->nested;
  pl_set_mode(t, PL_INSIDE);
  if (PL_LIKELY(is_mapped(t, n))) {
    pl_stamp(t, &n->call);
    pl_done(&n->call);
    t->poll = t->cursor == n->call.r->payload + 1 ? n->call.r : NULL;
  } else if (n->offset < PL_SEGMENT_BYTES) { /* else it was thrown away */
    end_far_away(n);
  }
  pl_set_mode(t, mode);
}
