/* MPI_Pcontrol: recording off and on. While it is off `recording` is 0, so that a program pays no more than for not
 * being recorded. Only calls that make, complete or free what later records may refer to go through their wrappers all
 * the same (generate.py, keeps_tables). What these write is thrown away, but definitions reach the spool. */
#include "tracer/preload/core/limits.h"
#include "tracer/preload/mpi/mpi_side.h"

static int record_level(struct pl_thread* t, int level, int goes_on, void* address) {
  struct pl_call call = pl_prepare(t, PL_F_MPI_Pcontrol, 1, address);
  PL_FILL(call.r->payload, pcontrol, .level = level, .on = (uint32_t)goes_on);
  pl_begin_call(t, &call);
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
  pl_end_call(t);
  return result;
}

/* From Fortran. The bindings of Open MPI jump to PMPI_Pcontrol, so that no return address tells whom they call for;
 * there is nothing to convert. */
PL_EXPORT void mpi_pcontrol_(const int* level) { MPI_Pcontrol(*level); }
PL_EXPORT void mpi_pcontrol__(const int* level) { MPI_Pcontrol(*level); }
PL_EXPORT void mpi_pcontrol_f08_(const int* level) { MPI_Pcontrol(*level); }
