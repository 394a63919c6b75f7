/* What the files that stand in front of libucp share: MPICH's endpoints and workers, and the check of all that is taken
 * for granted about them. Of UCX only what MPICH does with it is looked at; a program's own use of it passes. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_MPICH_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_MPICH_H

#include "tracer/preload/inner.h"
#include "tracer/preload/ucp_abi.h"

/* The 64 bits that MPICH has UCX match by (MPICH 4.0.2, src/mpid/ch4/netmod/ucx/ucx_types.h, with 16 bits for ranks as
 * configured by default): context 16 | source, its rank in the communicator 16 | tag 32. */
PL_INLINE uint32_t pl_context_of(uint64_t ucp_tag) { return (uint32_t)(ucp_tag >> 48); }
PL_INLINE uint32_t pl_source_of(uint64_t ucp_tag) { return (uint32_t)(ucp_tag >> 32) & 0xffffu; }
PL_INLINE uint32_t pl_tag_of(uint64_t ucp_tag) { return (uint32_t)ucp_tag; }
/* Lowest bit of a context (MPIR_CONTEXT_COLL_OFFSET): the messages of collectives. */
PL_INLINE int pl_is_collective(uint64_t ucp_tag) { return (int)(ucp_tag >> 48 & 1); }

/* inner_mpich_peers.c: from MPI_Init on */
void pl_note_worker(void* worker, const char* address, size_t bytes, void* return_address);
void pl_note_endpoint(void* worker, const char* address, void* endpoint, void* return_address);
int pl_is_worker(const void* worker);                  /* of MPICH */
int pl_find_endpoint(const void* endpoint, int* rank); /* of MPICH: 1, and whose; -1: of another MPI_COMM_WORLD */
const char* pl_settle_endpoints(int rank, int size);   /* after MPI_Init; NULL, or why ranks cannot be told */
int pl_is_of_mpich(const void* return_address);

/* inner_mpich_told.c: this process sends in `context` as `own_rank` to that world rank; once this is defined. */
void pl_tell_peer(struct pl_thread* t, uint32_t context, uint32_t own_rank, int world_rank);

/* inner_mpich.c: what MPICH asked libucp to probe for last, on this thread */
extern struct pl_seen_probe {
  const struct pl_thread* thread; /* whose probes are looked at; NULL: nobody's */
  unsigned seen;
  uint64_t tag, mask;
} pl_seen_probe;

#endif
