/* What the files that stand in front of libucp share: MPICH's endpoints and workers, and the check of all that is taken
 * for granted about them. Of UCX only what MPICH does with it is looked at; a program's own use of it passes. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_MPICH_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_MPICH_H

#include "tracer/preload/inner/inner.h"
#include "tracer/preload/inner/mpich/ucp_abi.h"

#pragma GCC visibility push(hidden)

/* The 64 bits that MPICH has UCX match by (MPICH 4.0.2, src/mpid/ch4/netmod/ucx/ucx_types.h, with 16 bits for ranks as
 * configured by default): context 16 | source, its rank in the communicator 16 | tag 32. */
PL_INLINE uint32_t pl_context_of(uint64_t ucp_tag) { return (uint32_t)(ucp_tag >> 48); }
PL_INLINE uint32_t pl_source_of(uint64_t ucp_tag) { return (uint32_t)(ucp_tag >> 32) & 0xffffu; }
PL_INLINE uint32_t pl_tag_of(uint64_t ucp_tag) { return (uint32_t)ucp_tag; }
/* Lowest bit of a context (MPIR_CONTEXT_COLL_OFFSET): the messages of collectives. */
PL_INLINE int pl_is_collective(uint64_t ucp_tag) { return (int)(ucp_tag >> 48 & 1); }

/* peers.c: from MPI_Init on */
void pl_note_worker(void* worker, const char* address, size_t bytes, void* return_address);
void pl_note_endpoint(void* worker, const char* address, void* endpoint, void* return_address);
int pl_is_worker(const void* worker);                /* of MPICH */
const char* pl_settle_endpoints(int rank, int size); /* after MPI_Init; NULL, or why ranks cannot be told */
void pl_define_ways(struct pl_thread* t); /* of endpoints to this rank and to those 1, 2, 4 .. before and behind it */
int pl_is_of_mpich(const void* return_address);

/* When they are settled: endpoint -> rank + 1, never changed. */
extern struct pl_ranks_of_endpoints {
  struct pl_slot* slots;
  size_t capacity;    /* a power of two */
  const void* worker; /* the first one */
} pl_ranks_of_endpoints;
PL_INLINE struct pl_slot* pl_slot_of_endpoint(const void* endpoint) {
  const uint64_t key = (uint64_t)(uintptr_t)endpoint;
  const size_t mask = pl_ranks_of_endpoints.capacity - 1;
  size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & mask;
  struct pl_slot* slots = pl_ranks_of_endpoints.slots;
  while (slots[at].key != 0 && slots[at].key != key) at = (at + 1) & mask;
  return &slots[at];
}
int pl_is_other_endpoint(const void* endpoint);
/* Of MPICH: 1, and whose; -1: of another MPI_COMM_WORLD. */
PL_INLINE int pl_find_endpoint(const void* endpoint, int* rank) {
  const struct pl_slot* slot = pl_slot_of_endpoint(endpoint);
  *rank = (int)slot->value - 1;
  return PL_LIKELY(slot->key != 0) || pl_is_other_endpoint(endpoint);
}

/* told.c */
struct pl_told {
  uint64_t key, mark; /* mark: of the key, as long as no communicator is freed whose context may come again */
  uint32_t freed;
};
enum { PL_TOLD_LATELY = 4096, PL_WORLD_CONTEXTS = 16 };
extern uint64_t pl_told_lately[PL_TOLD_LATELY]; /* marks, by a part of their hash: without a lock */
extern uint32_t pl_comms_freed;
void pl_tell_anew(struct pl_thread* t, struct pl_told told, uint64_t peer, int world_rank);

/* This process sends in `context` as `own_rank` to that world rank; once this is defined. */
PL_INLINE void pl_tell_peer(struct pl_thread* t, uint32_t context, uint32_t own_rank, int world_rank) {
  if (world_rank < 0) return;
  const uint32_t freed = context < PL_WORLD_CONTEXTS ? 0 : __atomic_load_n(&pl_comms_freed, __ATOMIC_RELAXED);
  const uint64_t key = (uint64_t)context << 48 | (uint64_t)own_rank << 32 | (uint64_t)((uint32_t)world_rank + 1);
  const uint64_t mark = key ^ (uint64_t)freed * 0x9E3779B97F4A7C15u;
  const uint64_t* lately = &pl_told_lately[(mark * 0x9E3779B97F4A7C15u) >> 52];
  if (PL_LIKELY(__atomic_load_n(lately, __ATOMIC_RELAXED) == mark)) return;
  pl_tell_anew(t, (struct pl_told){key, mark, freed}, pl_pair(context, own_rank), world_rank);
}

/* mpich.c: what MPICH asked libucp to probe for last, on this thread */
extern struct pl_seen_probe {
  const struct pl_thread* thread; /* whose probes are looked at; NULL: nobody's */
  unsigned seen;
  uint64_t tag, mask;
} pl_seen_probe;

#pragma GCC visibility pop

#endif
