/* How many bytes a rank gives to a collective and gets from it, by shape. Arguments that MPI ignores on this rank (by
 * root or MPI_IN_PLACE) are not looked at: programs pass anything there. */
#ifndef PLUMBLINE_TRACER_PRELOAD_COLLECTIVES_H
#define PLUMBLINE_TRACER_PRELOAD_COLLECTIVES_H

#include "tracer/preload/mpi/mpi_side.h"

/* An array of counts: int, or MPI_Count in the _c functions. */
struct pl_counts {
  const void* at; /* NULL: none */
  int large;
};
PL_INLINE struct pl_counts pl_int_counts(const int* at) { return (struct pl_counts){at, 0}; }
PL_INLINE struct pl_counts pl_large_counts(const MPI_Count* at) { return (struct pl_counts){at, 1}; }
#define PL_COUNTS(array) _Generic((array), const int* : pl_int_counts, const MPI_Count* : pl_large_counts)(array)
PL_INLINE int64_t pl_count(struct pl_counts counts, int i) {
  return counts.large ? (int64_t)((const MPI_Count*)counts.at)[i] : ((const int*)counts.at)[i];
}

struct pl_side {           /* one direction of a v-collective: bytes per peer = count × size of the type */
  struct pl_counts counts; /* none: not listed */
  MPI_Datatype type;
  const MPI_Datatype* types; /* of Alltoallw, else NULL */
};
struct pl_volume {
  uint64_t sent, received;
  struct pl_side to, from;
};

PL_INLINE int pl_is_root(const struct pl_comm* c, int root) { return c->inter ? root == MPI_ROOT : root == c->rank; }
/* In an intercommunicator: a rank of the other group than the root's. */
PL_INLINE int pl_takes_part(const struct pl_comm* c, int root) {
  return !c->inter || (root != MPI_PROC_NULL && root != MPI_ROOT);
}

#define PL_VOLUME(shape, ...) \
  PL_INLINE void pl_volume_##shape(struct pl_volume* v, const struct pl_comm* c, __VA_ARGS__)

PL_INLINE void pl_volume_barrier(struct pl_volume* v, const struct pl_comm* c) { (void)v, (void)c; }

PL_VOLUME(bcast, int64_t count, MPI_Datatype datatype, int root) {
  if (pl_is_root(c, root))
    v->sent = pl_bytes(count, datatype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(count, datatype);
}

PL_VOLUME(reduce, int64_t count, MPI_Datatype datatype, int root) {
  if (!c->inter || pl_takes_part(c, root)) v->sent = pl_bytes(count, datatype);
  if (pl_is_root(c, root)) v->received = pl_bytes(count, datatype);
}

PL_VOLUME(allreduce, int64_t count, MPI_Datatype datatype) {
  (void)c;
  v->sent = v->received = pl_bytes(count, datatype);
}

/* Nothing arrives at rank 0. */
PL_VOLUME(exscan, int64_t count, MPI_Datatype datatype) {
  v->sent = pl_bytes(count, datatype);
  v->received = c->rank == 0 ? 0 : v->sent;
}

PL_VOLUME(gather, const void* sendbuf, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->received = (uint64_t)c->peers * pl_bytes(recvcount, recvtype);
  if (is_root && sendbuf == MPI_IN_PLACE)
    v->sent = pl_bytes(recvcount, recvtype);
  else if (pl_takes_part(c, root))
    v->sent = pl_bytes(sendcount, sendtype);
}

PL_VOLUME(gatherv, const void* sendbuf, int64_t sendcount, MPI_Datatype sendtype, struct pl_counts recvcounts,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->from = (struct pl_side){recvcounts, recvtype, NULL};
  if (is_root && sendbuf == MPI_IN_PLACE)
    v->sent = recvcounts.at == NULL ? 0 : pl_bytes(pl_count(recvcounts, c->rank), recvtype);
  else if (pl_takes_part(c, root))
    v->sent = pl_bytes(sendcount, sendtype);
}

PL_VOLUME(scatter, const void* recvbuf, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->sent = (uint64_t)c->peers * pl_bytes(sendcount, sendtype);
  if (is_root && recvbuf == MPI_IN_PLACE)
    v->received = pl_bytes(sendcount, sendtype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(recvcount, recvtype);
}

PL_VOLUME(scatterv, const void* recvbuf, struct pl_counts sendcounts, MPI_Datatype sendtype, int64_t recvcount,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->to = (struct pl_side){sendcounts, sendtype, NULL};
  if (is_root && recvbuf == MPI_IN_PLACE)
    v->received = sendcounts.at == NULL ? 0 : pl_bytes(pl_count(sendcounts, c->rank), sendtype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(recvcount, recvtype);
}

PL_VOLUME(allgather, const void* sendbuf, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount,
          MPI_Datatype recvtype) {
  uint64_t block = pl_bytes(recvcount, recvtype);
  v->sent = sendbuf == MPI_IN_PLACE ? block : pl_bytes(sendcount, sendtype);
  v->received = (uint64_t)c->peers * block;
}

PL_VOLUME(allgatherv, const void* sendbuf, int64_t sendcount, MPI_Datatype sendtype, struct pl_counts recvcounts,
          MPI_Datatype recvtype) {
  v->from = (struct pl_side){recvcounts, recvtype, NULL};
  if (sendbuf != MPI_IN_PLACE)
    v->sent = pl_bytes(sendcount, sendtype);
  else if (recvcounts.at != NULL && c->size > 0)
    v->sent = pl_bytes(pl_count(recvcounts, c->rank), recvtype);
}

PL_VOLUME(alltoall, const void* sendbuf, int64_t sendcount, MPI_Datatype sendtype, int64_t recvcount,
          MPI_Datatype recvtype) {
  v->received = (uint64_t)c->peers * pl_bytes(recvcount, recvtype);
  v->sent = sendbuf == MPI_IN_PLACE ? v->received : (uint64_t)c->peers * pl_bytes(sendcount, sendtype);
}

PL_VOLUME(alltoallv, const void* sendbuf, struct pl_counts sendcounts, MPI_Datatype sendtype,
          struct pl_counts recvcounts, MPI_Datatype recvtype) {
  (void)c;
  v->from = (struct pl_side){recvcounts, recvtype, NULL};
  v->to = sendbuf == MPI_IN_PLACE ? v->from : (struct pl_side){sendcounts, sendtype, NULL};
}

PL_VOLUME(alltoallw, const void* sendbuf, struct pl_counts sendcounts, const MPI_Datatype* sendtypes,
          struct pl_counts recvcounts, const MPI_Datatype* recvtypes) {
  (void)c;
  v->from = (struct pl_side){recvcounts, pl_constants.datatype_null, recvtypes};
  v->to = sendbuf == MPI_IN_PLACE ? v->from : (struct pl_side){sendcounts, pl_constants.datatype_null, sendtypes};
}

/* The counts are those of the group that the result is scattered over: the own one. */
PL_VOLUME(reduce_scatter, struct pl_counts recvcounts, MPI_Datatype datatype) {
  if (!c->inter) v->to = (struct pl_side){recvcounts, datatype, NULL};
  if (recvcounts.at != NULL && c->size > 0) v->received = pl_bytes(pl_count(recvcounts, c->rank), datatype);
}

PL_VOLUME(reduce_scatter_block, int64_t recvcount, MPI_Datatype datatype) {
  v->received = pl_bytes(recvcount, datatype);
  v->sent = (uint64_t)c->size * v->received;
}

/* Peers listed in one direction; none when both lists together would not fit into a record. */
PL_INLINE unsigned pl_listed(const struct pl_comm* c, const struct pl_side* side) {
  return side->counts.at == NULL || c->peers > (int)(PL_MAX_WORDS - 8) / 2 ? 0 : (unsigned)c->peers;
}

/* ---- The packed shape of COLLECTIVE (end of format.h), for what would take more than three words otherwise */

/* One direction: the sum of the bytes, or a vector of them. */
struct pl_direction {
  uint64_t bytes, word; /* word: enum of PL_MOVED_.. and its value */
  uint64_t key, check;  /* of a list that is new and may be referred to from now on */
  unsigned listed;      /* peers; 0: only the sum is told */
  unsigned words;       /* written into this record */
};
struct pl_moved {
  struct pl_direction to, from;
  uint32_t comm, root, request;
  int packed;
};

/* vectors.c: whether the list of bytes is to be written, or has been. */
void pl_look_up_vector(const struct pl_comm* c, const struct pl_side* side, struct pl_direction* direction);
/* Others may refer to the lists of this record, which is in the spool. */
void pl_keep_vectors(const struct pl_moved* m);

PL_INLINE uint64_t pl_side_bytes(const struct pl_side* side, uint64_t size, int i) {
  int64_t count = pl_count(side->counts, i);
  if (count <= 0) return 0;
  return side->types == NULL ? (uint64_t)count * size : pl_bytes(count, side->types[i]);
}

PL_INLINE struct pl_direction pl_direction_of(const struct pl_comm* c, const struct pl_side* side, uint64_t bytes) {
  struct pl_direction direction = {.bytes = bytes, .word = PL_MOVED_BYTES | bytes};
  if (side->counts.at != NULL) pl_look_up_vector(c, side, &direction);
  return direction;
}

PL_INLINE struct pl_moved pl_moved_by(const struct pl_comm* c, const struct pl_volume* v, uint32_t root,
                                      uint32_t request) {
  struct pl_moved m = {.comm = c->id, .root = root, .request = request};
  m.to = pl_direction_of(c, &v->to, v->sent);
  m.from = pl_direction_of(c, &v->from, v->received);
  m.packed = ((m.to.bytes | m.from.bytes) >> PL_MOVED_BITS) == 0;
  return m;
}
PL_INLINE unsigned pl_moved_words(const struct pl_moved* m) {
  return m->packed ? 3 + m->to.words + m->from.words : 5 + m->to.listed + m->from.listed;
}

static inline void pl_write_vector(uint64_t* to, const struct pl_side* side, unsigned n) {
  uint64_t size = n == 0 || side->types != NULL ? 0 : pl_size(side->type);
  for (unsigned i = 0; i < n; ++i) to[i] = pl_side_bytes(side, size, (int)i);
}

static inline void pl_write_wide_moved(uint64_t* payload, const struct pl_moved* m, const struct pl_volume* v) {
  payload[0] = pl_pair(m->comm, m->root);
  payload[1] = m->to.bytes;
  payload[2] = m->from.bytes;
  payload[3] = pl_pair(m->request, 0);
  payload[4] = pl_pair(m->to.listed, m->from.listed);
  pl_write_vector(payload + 5, &v->to, m->to.listed);
  pl_write_vector(payload + 5 + m->to.listed, &v->from, m->from.listed);
}

static inline void pl_write_moved(struct pl_call* call, const struct pl_moved* m, const struct pl_volume* v) {
  uint64_t* payload = call->r->payload;
  if (PL_LIKELY(m->packed)) {
    payload[0] = pl_pair(m->root, m->request);
    payload[1] = m->to.word | (uint64_t)(m->comm & 0xffff) << 48;
    payload[2] = m->from.word | (uint64_t)(m->comm >> 16) << 48;
    pl_write_vector(payload + 3, &v->to, m->to.words);
    pl_write_vector(payload + 3 + m->to.words, &v->from, m->from.words);
    pl_pack(call);
  } else {
    pl_write_wide_moved(payload, m, v);
  }
}

/* ---- Neighbourhood collectives: a block for each neighbour */
struct pl_blocks {
  uint64_t equal; /* bytes of each, where they are equal */
  struct pl_side each;
};
PL_INLINE struct pl_blocks pl_blocks_equal(int64_t count, MPI_Datatype type) {
  return (struct pl_blocks){.equal = pl_bytes(count, type)};
}
PL_INLINE struct pl_blocks pl_blocks_listed(struct pl_counts counts, MPI_Datatype type) {
  return (struct pl_blocks){.each = {counts, type, NULL}};
}
PL_INLINE struct pl_blocks pl_blocks_of_types(struct pl_counts counts, const MPI_Datatype* types) {
  return (struct pl_blocks){.each = {counts, pl_constants.datatype_null, types}};
}

PL_INLINE uint64_t pl_block_bytes(const struct pl_blocks* blocks, int i) {
  const struct pl_side* each = &blocks->each;
  if (each->counts.at == NULL) return blocks->equal;
  return pl_bytes(pl_count(each->counts, i), each->types == NULL ? each->type : each->types[i]);
}

/* The payload behind [comm | request]. */
PL_INLINE void pl_write_blocks(uint64_t* payload, const struct pl_neighbours* n, const struct pl_blocks* to,
                               const struct pl_blocks* from) {
  payload[1] = pl_pair(n->to, n->from);
  for (unsigned i = 0; i < n->to; ++i) payload[2 + i] = pl_block_bytes(to, (int)i);
  for (unsigned i = 0; i < n->from; ++i) payload[2 + n->to + i] = pl_block_bytes(from, (int)i);
}

#endif
