/* One-sided communication: windows, and what the generated wrappers say of operations on them. */
#ifndef PLUMBLINE_TRACER_PRELOAD_RMA_H
#define PLUMBLINE_TRACER_PRELOAD_RMA_H

#include "tracer/preload/mpi/mpi_side.h"

/* Of a window that a call has just made; `made`: the payload of its record. Defines it. */
uint32_t pl_new_win(struct pl_thread* t, MPI_Win win, const uint64_t* made);
uint32_t pl_win_id(MPI_Win win); /* 0: unknown */

uint32_t pl_op(MPI_Op op); /* enum pl_op */

PL_INLINE uint32_t pl_assertion(int assertion) {
  uint32_t ours = 0;
  if (PL_LIKELY(assertion == 0)) return 0;
  if ((assertion & MPI_MODE_NOCHECK) != 0) ours |= PL_ASSERT_NOCHECK;
  if ((assertion & MPI_MODE_NOSTORE) != 0) ours |= PL_ASSERT_NOSTORE;
  if ((assertion & MPI_MODE_NOPUT) != 0) ours |= PL_ASSERT_NOPUT;
  if ((assertion & MPI_MODE_NOPRECEDE) != 0) ours |= PL_ASSERT_NOPRECEDE;
  if ((assertion & MPI_MODE_NOSUCCEED) != 0) ours |= PL_ASSERT_NOSUCCEED;
  return ours;
}
PL_INLINE uint32_t pl_lock_type(int type) { return type == MPI_LOCK_SHARED ? PL_LOCK_SHARED : PL_LOCK_EXCLUSIVE; }

/* A buffer, or the part of a window that an operation is about. */
struct pl_data {
  uint64_t bytes;
  uint32_t type; /* 0: predefined */
};
PL_INLINE struct pl_data pl_data_of(struct pl_thread* t, int64_t count, MPI_Datatype datatype) {
  struct pl_data data = {pl_bytes(count, datatype), 0};
  if (data.bytes != 0 && datatype != pl_constants.byte) data.type = pl_derived_id(t, datatype);
  return data;
}

/* The members of a group, until the thread's next call. */
struct pl_ranks {
  const int* world; /* ranks in MPI_COMM_WORLD; -1: of another one */
  unsigned n;
};
struct pl_ranks pl_ranks_of_group(struct pl_thread* t, MPI_Group group);
void pl_write_ranks(uint64_t* payload, const struct pl_ranks* ranks);

#endif
