/* Packed payloads (end of format.h) of messages, probes and file accesses: what fits into three words is written so. */
#ifndef PLUMBLINE_TRACER_PRELOAD_PACKED_H
#define PLUMBLINE_TRACER_PRELOAD_PACKED_H

#include "tracer/preload/mpi/mpi_side.h"

/* What has matched, in the place of what was posted. */
PL_INLINE uint32_t pl_met(uint32_t posted, uint32_t matched) {
  return posted == (uint32_t)-1 ? matched | PL_WAS_ANY : matched;
}
/* source | tag. MPI_PROC_NULL stays as posted. */
PL_INLINE uint64_t pl_met_pair(uint64_t posted, const MPI_Status* status) {
  if (pl_low(posted) == (uint32_t)PL_PROC_NULL) return posted;
  return pl_pair(pl_met(pl_low(posted), (uint32_t)status->MPI_SOURCE),
                 pl_met((uint32_t)(posted >> 32), (uint32_t)status->MPI_TAG));
}

/* ---- RECV, PROBE */

PL_INLINE void pl_write_meeting(uint64_t* payload, uint64_t posted, uint64_t bytes, uint32_t comm) {
  payload[0] = posted;
  payload[1] = bytes;
  payload[2] = pl_pair(comm, 0);
}
PL_INLINE void pl_begin_meeting(struct pl_call* call, uint64_t posted, uint64_t bytes, uint32_t comm) {
  pl_write_meeting(call->r->payload, posted, bytes, comm);
  pl_pack(call);
}
PL_INLINE void pl_end_receive(struct pl_call* call, int result, const MPI_Status* status) {
  uint64_t* payload = call->r->payload;
  if (PL_LIKELY(result == MPI_SUCCESS) || pl_is_truncated(result)) {
    payload[0] = pl_met_pair(payload[0], status);
    payload[1] = pl_status_bytes(status);
  } else {
    payload[1] = 0;
    payload[2] |= 1ull << 32;
  }
}
PL_INLINE void pl_write_found(uint64_t* payload, int found, const MPI_Status* status) {
  if (!found) return;
  payload[0] = pl_met_pair(payload[0], status);
  payload[1] = pl_status_bytes(status);
  payload[2] |= 1ull << 63;
}
PL_INLINE void pl_end_found(struct pl_call* call, int found, const MPI_Status* status) {
  pl_write_found(call->r->payload, found, status);
}

/* ---- SENDRECV */

struct pl_exchange {
  uint64_t sent, room;
  uint32_t dest, sendtag, source, recvtag, comm;
};

#define PL_RANK_BITS 24
#define PL_RANK_MASK ((1u << PL_RANK_BITS) - 1)

/* True when a rank, any or none, can be told from one that any was posted for. */
PL_INLINE int pl_rank_fits(uint32_t rank) { return rank + 2 < 1u << (PL_RANK_BITS - 1); }
PL_INLINE int pl_exchange_fits(const struct pl_exchange* e) {
  return ((e->sent | e->room) >> 32 | e->comm >> 16) == 0 && pl_rank_fits(e->dest) && pl_rank_fits(e->source);
}
PL_INLINE unsigned pl_exchange_words(const struct pl_exchange* e) { return pl_exchange_fits(e) ? 3 : 6; }

PL_INLINE uint64_t pl_ranks(uint32_t dest, uint32_t source, uint32_t comm) {
  return (uint64_t)(dest & PL_RANK_MASK) | (uint64_t)(source & PL_RANK_MASK) << PL_RANK_BITS |
         (uint64_t)comm << (2 * PL_RANK_BITS);
}

PL_INLINE void pl_begin_exchange(struct pl_call* call, const struct pl_exchange* e) {
  uint64_t* payload = call->r->payload;
  if (PL_LIKELY(call->words == 3)) {
    payload[0] = pl_pair(e->sendtag, e->recvtag);
    payload[1] = pl_pair((uint32_t)e->sent, (uint32_t)e->room);
    payload[2] = pl_ranks(e->dest, e->source, e->comm);
    pl_pack(call);
  } else {
    payload[0] = pl_pair(e->dest, e->sendtag);
    payload[1] = e->sent;
    payload[2] = pl_pair(e->comm, 0);
    payload[3] = pl_pair(e->source, e->recvtag);
    payload[4] = e->room;
    payload[5] = 0;
  }
}

/* Where the source, the tag or both were any: which they were. */
static PL_COLD void pl_end_open_exchange(uint64_t* payload, const MPI_Status* status) {
  uint32_t source = (uint32_t)(payload[2] >> PL_RANK_BITS) & PL_RANK_MASK;
  if (source == ((uint32_t)PL_PROC_NULL & PL_RANK_MASK)) return;
  pl_set_high(&payload[0], pl_met((uint32_t)(payload[0] >> 32), (uint32_t)status->MPI_TAG));
  if (source != ((uint32_t)PL_ANY_SOURCE & PL_RANK_MASK)) return;
  payload[2] &= ~((uint64_t)PL_RANK_MASK << PL_RANK_BITS);
  payload[2] |= pl_ranks(0, (uint32_t)status->MPI_SOURCE | 1u << (PL_RANK_BITS - 1), 0);
}

/* Nothing has been received. */
static PL_COLD void pl_end_failed_exchange(uint64_t* payload) {
  pl_set_high(&payload[0], (uint32_t)-1);
  pl_set_high(&payload[1], 0);
  payload[2] |= pl_ranks(0, (uint32_t)-1, 0);
}

static PL_COLD void pl_end_wide_exchange(uint64_t* payload, int result, const MPI_Status* status) {
  const int received = result == MPI_SUCCESS || pl_is_truncated(result);
  payload[4] = received ? pl_status_bytes(status) : 0;
  payload[5] = pl_matched(received ? MPI_SUCCESS : result, status);
}

/* By what it was begun with: nothing else has to be kept over the call. */
PL_INLINE void pl_end_exchange(struct pl_call* call, int result, const MPI_Status* status) {
  uint64_t* payload = call->r->payload;
  if (PL_UNLIKELY(call->words != 3)) {
    pl_end_wide_exchange(payload, result, status);
  } else if (PL_UNLIKELY(result != MPI_SUCCESS) && !pl_is_truncated(result)) {
    pl_end_failed_exchange(payload);
  } else {
    const uint64_t any_source = (uint64_t)((uint32_t)PL_ANY_SOURCE & PL_RANK_MASK) << PL_RANK_BITS;
    const uint64_t source = payload[2] & (uint64_t)PL_RANK_MASK << PL_RANK_BITS;
    pl_set_high(&payload[1], (uint32_t)pl_status_bytes(status));
    if (PL_UNLIKELY(source == any_source || (uint32_t)(payload[0] >> 32) == (uint32_t)PL_ANY_TAG))
      pl_end_open_exchange(payload, status);
  }
}

/* ---- FILE_ACCESS */

struct pl_accessing {
  uint64_t offset, asked;
  uint32_t file, flags, request;
};

PL_INLINE unsigned pl_access_words(const struct pl_accessing* a) {
  return (a->asked >> 32 | a->file >> 24) == 0 ? 3 : 5;
}
PL_INLINE uint64_t pl_access_word(const struct pl_accessing* a, uint32_t flags, uint32_t half) {
  return pl_pair(a->file | flags << 24, half);
}

PL_INLINE void pl_begin_access(struct pl_call* call, const struct pl_accessing* a) {
  uint64_t* payload = call->r->payload;
  payload[1] = a->offset;
  payload[2] = a->asked;
  if (PL_LIKELY(call->words == 3)) {
    payload[0] = pl_access_word(a, a->flags, a->request);
    pl_pack(call);
  } else {
    payload[0] = pl_pair(a->file, a->flags);
    payload[3] = 0;
    payload[4] = pl_pair(a->request, 0);
  }
}

static PL_COLD void pl_end_failed_packed_access(uint64_t* payload) {
  payload[0] |= (uint64_t)PL_ACCESS_FAILED << 24;
  if ((payload[0] >> 24 & PL_ACCESS_NONBLOCKING) == 0) pl_set_high(&payload[0], 0);
}
static PL_COLD void pl_end_failed_access(struct pl_call* call) {
  uint64_t* payload = call->r->payload;
  if (call->words == 3) {
    pl_end_failed_packed_access(payload);
  } else {
    payload[0] |= (uint64_t)PL_ACCESS_FAILED << 32;
    payload[3] = 0;
  }
}

/* `done`: of a blocking call. By what it was begun with: nothing else has to be kept over the call. */
PL_INLINE void pl_end_access(struct pl_call* call, uint32_t flags, int result, uint64_t done) {
  uint64_t* payload = call->r->payload;
  if (PL_UNLIKELY(result != MPI_SUCCESS))
    pl_end_failed_access(call);
  else if (PL_UNLIKELY(call->words != 3))
    payload[3] = done;
  else if ((flags & PL_ACCESS_NONBLOCKING) == 0)
    pl_set_high(&payload[0], (uint32_t)done);
}

#endif
