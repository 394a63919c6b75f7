/* MPI_Pcontrol: recording off and on. While it is off `recording` is 0, so that a program pays no more than for not
 * being recorded. Only calls that make, complete or free what later records may refer to go through their wrappers all
 * the same (generate.py, keeps_tables). What these write is thrown away, but definitions reach the spool. */
#include "tracer/preload/limits.h"
#include "tracer/preload/mpi_side.h"

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
    d->on = 1;
  }
  pl_leave(t);
  return d->scratch != NULL;
}

PL_COLD void pl_undivert(void) {
  struct pl_thread* t = &pl_self;
  pl_set_mode(t, PL_INSIDE);
  t->diversion.on = 0;
  pl_exchange_diversion(t);
  t->time = t->diversion.time;
  t->poll = NULL;
  pl_leave(t);
}

static int record_level(struct pl_thread* t, int level, int goes_on, void* address) {
  struct pl_call call = pl_prepare(t, PL_F_MPI_Pcontrol, 1, address);
  call.r->payload[0] = pl_pair((uint32_t)level, (uint32_t)goes_on);
  pl_start(t, &call);
  int result = PL_REAL(Pcontrol)(level);
  pl_stamp(t, &call);
  pl_done(&call);
  return result;
}

static int switch_off(struct pl_thread* t, int level, void* address) {
  int result = record_level(t, level, 0, address);
  pl.paused = pl.writable; /* first: an entry that sees neither would not keep the tables */
  pl.recording = 0;
  return result;
}

/* Descriptors have come and gone meanwhile: those that are open are announced again. */
void pl_go_on(struct pl_thread* t) {
  pl_announce_open_files(t, PL_F_open_at_start);
  pl.recording = pl.writable;
  pl.paused = 0;
  if (!pl.writable) pl.recording = 0; /* it was stopped in this moment */
}

static int switch_on(struct pl_thread* t, int level, void* address) {
  int result = record_level(t, level, 1, address);
  pl_go_on(t);
  return result;
}

/* Level 0: off; 1: on; 2: on as before, since nothing needs to be flushed; others mean nothing to us. */
PL_EXPORT int MPI_Pcontrol(const int level, ...) {
  struct pl_thread* t = pl.recording || pl.paused ? pl_enter() : NULL;
  if (t == NULL) return PL_REAL(Pcontrol)(level);
  void* address = __builtin_return_address(0);
  int result;
  if (pl_window_decides(level))
    result = PL_REAL(Pcontrol)(level);
  else if (level == 0 && pl.recording)
    result = switch_off(t, level, address);
  else if (level == 1 && pl.paused)
    result = switch_on(t, level, address);
  else if (pl.recording)
    result = record_level(t, level, 1, address);
  else
    result = PL_REAL(Pcontrol)(level);
  pl_leave(t);
  return result;
}

/* From Fortran. The bindings of Open MPI jump to PMPI_Pcontrol, so that no return address tells whom they call for;
 * there is nothing to convert. */
PL_EXPORT void mpi_pcontrol_(const int* level) { MPI_Pcontrol(*level); }
PL_EXPORT void mpi_pcontrol__(const int* level) { MPI_Pcontrol(*level); }
PL_EXPORT void mpi_pcontrol_f08_(const int* level) { MPI_Pcontrol(*level); }
