/* The fast path (fast_path.h) of messages and file accesses: what their records hold, where nothing has to be asked.
 * The ranks and tags that it takes are ordinary ones: what matches is what was posted. */
#ifndef PLUMBLINE_TRACER_PRELOAD_SHORT_CALLS_H
#define PLUMBLINE_TRACER_PRELOAD_SHORT_CALLS_H

#include "tracer/preload/core/fast_path.h"
#include "tracer/preload/mpi/calls/packed.h"
#include "tracer/preload/mpi/mpi_side.h"

/* ---- What is at hand */

/* The number of a communicator; 0: it is neither MPI_COMM_WORLD nor the latest. */
PL_INLINE uint32_t pl_short_comm(const struct pl_thread* t, MPI_Comm comm) {
  if (PL_LIKELY(comm == pl_constants.comm_world)) return PL_COMM_WORLD;
  return pl_comm_is_latest(t, comm) ? ((const struct pl_comm*)t->comm.object)->id : 0;
}
/* 0: it is not the latest file. */
PL_INLINE uint32_t pl_short_file(const struct pl_thread* t, MPI_File fh) {
  if (PL_UNLIKELY(t->file.handle != PL_FILE_HANDLE(fh) || t->file.version != pl_table_version(&pl_known_files) ||
                  t->file.object == 0))
    return 0;
  return ((const struct pl_file*)t->file.object)->id;
}
/* 0: it is neither the latest type nor MPI_BYTE. */
PL_INLINE uint64_t pl_short_size(const struct pl_thread* t, MPI_Datatype datatype) {
  if (PL_LIKELY(t->type.handle == PL_HANDLE(datatype) &&
                t->type.version == __atomic_load_n(&pl_types_freed, __ATOMIC_ACQUIRE)))
    return t->type.bytes;
  return datatype == pl_constants.byte;
}

/* ---- Messages. What writes the words of a record returns 0 where it takes the slow path. */

PL_INLINE int pl_short_message(const struct pl_thread* t, struct pl_record* r, int count, MPI_Datatype datatype,
                               int rank, int tag, MPI_Comm comm) {
  const uint32_t id = pl_short_comm(t, comm);
  const uint64_t size = pl_short_size(t, datatype);
  if (PL_UNLIKELY((count | rank | tag) < 0 || id == 0 || size == 0)) return 0;
  r->payload[0] = pl_pair((uint32_t)rank, (uint32_t)tag);
  r->payload[1] = (uint64_t)count * size;
  r->payload[2] = id;
  return 1;
}

PL_INLINE void pl_short_end_receive(struct pl_record* r, int result, const MPI_Status* status) {
  const int received = PL_LIKELY(result == MPI_SUCCESS) || pl_is_truncated(result);
  r->payload[1] = received ? pl_status_bytes(status) : 0;
  if (PL_UNLIKELY(!received)) r->payload[2] |= 1ull << 32;
}

/* By halves, each from the register or the place on the stack that it came in. */
PL_INLINE int pl_short_exchange(const struct pl_thread* t, struct pl_record* r, int sendcount, MPI_Datatype sendtype,
                                int dest, int sendtag, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                                MPI_Comm comm) {
  if (PL_UNLIKELY((sendcount | recvcount | recvtag) < 0 || (uint32_t)(dest | source) >> (PL_RANK_BITS - 2) != 0 ||
                  recvtype != sendtype))
    return 0;
  pl_set_halves(&r->payload[0], (uint32_t)sendtag, (uint32_t)recvtag);
  const uint64_t size = pl_short_size(t, sendtype), sent = (uint64_t)sendcount * size,
                 room = recvcount == sendcount ? sent : (uint64_t)recvcount * size;
  const uint32_t id = pl_short_comm(t, comm);
  if (PL_UNLIKELY(size == 0 || id == 0 || ((sent | room) >> 32 | id >> 16) != 0)) return 0;
  r->payload[1] = sent | room << 32;
  r->payload[2] = (uint32_t)dest | (uint64_t)source << PL_RANK_BITS | (uint64_t)id << (2 * PL_RANK_BITS);
  return 1;
}

PL_INLINE void pl_short_end_exchange(struct pl_record* r, int result, const MPI_Status* status) {
  if (PL_LIKELY(result == MPI_SUCCESS) || pl_is_truncated(result))
    pl_set_high(&r->payload[1], (uint32_t)pl_status_bytes(status));
  else
    pl_end_failed_exchange(r->payload);
}

/* ---- Blocking file accesses at an offset */

PL_INLINE int pl_short_access(const struct pl_thread* t, struct pl_record* r, MPI_File fh, MPI_Offset offset, int count,
                              MPI_Datatype datatype, uint32_t flags) {
  const uint32_t id = pl_short_file(t, fh);
  const uint64_t size = pl_short_size(t, datatype), asked = (uint64_t)count * size;
  if (PL_UNLIKELY(count < 0 || id == 0 || size == 0 || (asked >> 32 | id >> 24) != 0)) return 0;
  r->payload[0] = id | flags << 24;
  r->payload[1] = (uint64_t)offset;
  r->payload[2] = asked;
  return 1;
}

PL_INLINE void pl_short_end_access(struct pl_record* r, int result, uint64_t done) {
  if (PL_LIKELY(result == MPI_SUCCESS))
    pl_set_high(&r->payload[0], (uint32_t)done);
  else
    pl_end_failed_packed_access(r->payload);
}

/* ---- The frame of a call of MPI, and of one inside of which POSIX calls are recorded */

PL_INLINE struct pl_record* pl_short_room_of_call(struct pl_thread* t) {
  if (PL_UNLIKELY(t->mode != PL_OUTSIDE) && !pl_leave_left_call(t)) return NULL;
  return pl_short_room(t, PL_OUTSIDE);
}
PL_INLINE int pl_short_begin_call(struct pl_thread* t, struct pl_record* r, uint16_t function, uint32_t packed,
                                  void* return_address) {
  if (PL_UNLIKELY(!pl_short_begin(t, r, function, packed, return_address))) return 0;
  t->outer = r;
  pl_note_frame(t);
  return 1;
}
PL_INLINE int pl_short_begin_file(struct pl_thread* t, struct pl_record* r, uint16_t function, uint32_t packed,
                                  void* return_address) {
  if (PL_UNLIKELY(!pl_short_begin_call(t, r, function, packed, return_address))) return 0;
  pl_set_mode(t, PL_INSIDE_FILE_CALL);
  return 1;
}
PL_INLINE void pl_short_stamp_file(struct pl_thread* t, struct pl_record* r) {
  pl_short_stamp(t, r);
  pl_set_mode(t, PL_INSIDE);
}

#endif
