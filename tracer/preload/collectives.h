/* How many bytes a rank gives to a collective and gets from it, by shape. Arguments that MPI ignores on this rank (by
 * root or MPI_IN_PLACE) are not looked at: programs pass anything there. */
#ifndef PLUMBLINE_TRACER_PRELOAD_COLLECTIVES_H
#define PLUMBLINE_TRACER_PRELOAD_COLLECTIVES_H

#include "tracer/preload/mpi_side.h"

struct pl_side {     /* one direction of a v-collective: bytes per peer = count × size of the type */
  const int* counts; /* NULL: not listed */
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

PL_VOLUME(bcast, int count, MPI_Datatype datatype, int root) {
  if (pl_is_root(c, root))
    v->sent = pl_bytes(count, datatype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(count, datatype);
}

PL_VOLUME(reduce, int count, MPI_Datatype datatype, int root) {
  if (!c->inter || pl_takes_part(c, root)) v->sent = pl_bytes(count, datatype);
  if (pl_is_root(c, root)) v->received = pl_bytes(count, datatype);
}

PL_VOLUME(allreduce, int count, MPI_Datatype datatype) {
  (void)c;
  v->sent = v->received = pl_bytes(count, datatype);
}

/* Nothing arrives at rank 0. */
PL_VOLUME(exscan, int count, MPI_Datatype datatype) {
  v->sent = pl_bytes(count, datatype);
  v->received = c->rank == 0 ? 0 : v->sent;
}

PL_VOLUME(gather, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype,
          int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->received = (uint64_t)c->peers * pl_bytes(recvcount, recvtype);
  if (is_root && sendbuf == MPI_IN_PLACE)
    v->sent = pl_bytes(recvcount, recvtype);
  else if (pl_takes_part(c, root))
    v->sent = pl_bytes(sendcount, sendtype);
}

PL_VOLUME(gatherv, const void* sendbuf, int sendcount, MPI_Datatype sendtype, const int* recvcounts,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->from = (struct pl_side){recvcounts, recvtype, NULL};
  if (is_root && sendbuf == MPI_IN_PLACE)
    v->sent = recvcounts == NULL ? 0 : pl_bytes(recvcounts[c->rank], recvtype);
  else if (pl_takes_part(c, root))
    v->sent = pl_bytes(sendcount, sendtype);
}

PL_VOLUME(scatter, const void* recvbuf, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype,
          int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->sent = (uint64_t)c->peers * pl_bytes(sendcount, sendtype);
  if (is_root && recvbuf == MPI_IN_PLACE)
    v->received = pl_bytes(sendcount, sendtype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(recvcount, recvtype);
}

PL_VOLUME(scatterv, const void* recvbuf, const int* sendcounts, MPI_Datatype sendtype, int recvcount,
          MPI_Datatype recvtype, int root) {
  int is_root = pl_is_root(c, root);
  if (is_root) v->to = (struct pl_side){sendcounts, sendtype, NULL};
  if (is_root && recvbuf == MPI_IN_PLACE)
    v->received = sendcounts == NULL ? 0 : pl_bytes(sendcounts[c->rank], sendtype);
  else if (pl_takes_part(c, root))
    v->received = pl_bytes(recvcount, recvtype);
}

PL_VOLUME(allgather, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype) {
  uint64_t block = pl_bytes(recvcount, recvtype);
  v->sent = sendbuf == MPI_IN_PLACE ? block : pl_bytes(sendcount, sendtype);
  v->received = (uint64_t)c->peers * block;
}

PL_VOLUME(allgatherv, const void* sendbuf, int sendcount, MPI_Datatype sendtype, const int* recvcounts,
          MPI_Datatype recvtype) {
  v->from = (struct pl_side){recvcounts, recvtype, NULL};
  if (sendbuf != MPI_IN_PLACE)
    v->sent = pl_bytes(sendcount, sendtype);
  else if (recvcounts != NULL && c->size > 0)
    v->sent = pl_bytes(recvcounts[c->rank], recvtype);
}

PL_VOLUME(alltoall, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype) {
  v->received = (uint64_t)c->peers * pl_bytes(recvcount, recvtype);
  v->sent = sendbuf == MPI_IN_PLACE ? v->received : (uint64_t)c->peers * pl_bytes(sendcount, sendtype);
}

PL_VOLUME(alltoallv, const void* sendbuf, const int* sendcounts, MPI_Datatype sendtype, const int* recvcounts,
          MPI_Datatype recvtype) {
  (void)c;
  v->from = (struct pl_side){recvcounts, recvtype, NULL};
  v->to = sendbuf == MPI_IN_PLACE ? v->from : (struct pl_side){sendcounts, sendtype, NULL};
}

PL_VOLUME(alltoallw, const void* sendbuf, const int* sendcounts, const MPI_Datatype* sendtypes, const int* recvcounts,
          const MPI_Datatype* recvtypes) {
  (void)c;
  v->from = (struct pl_side){recvcounts, pl_constants.datatype_null, recvtypes};
  v->to = sendbuf == MPI_IN_PLACE ? v->from : (struct pl_side){sendcounts, pl_constants.datatype_null, sendtypes};
}

/* The counts are those of the group that the result is scattered over: the own one. */
PL_VOLUME(reduce_scatter, const int* recvcounts, MPI_Datatype datatype) {
  if (!c->inter) v->to = (struct pl_side){recvcounts, datatype, NULL};
  if (recvcounts != NULL && c->size > 0) v->received = pl_bytes(recvcounts[c->rank], datatype);
}

PL_VOLUME(reduce_scatter_block, int recvcount, MPI_Datatype datatype) {
  v->received = pl_bytes(recvcount, datatype);
  v->sent = (uint64_t)c->size * v->received;
}

/* Peers listed in one direction; none when both lists together would not fit into a record. */
PL_INLINE unsigned pl_listed(const struct pl_comm* c, const struct pl_side* side) {
  return side->counts == NULL || c->peers > (int)(PL_MAX_WORDS - 8) / 2 ? 0 : (unsigned)c->peers;
}

/* Writes the list; returns the sum over all peers, listed or not. */
static inline uint64_t pl_list_side(const struct pl_comm* c, const struct pl_side* side, unsigned listed,
                                    uint64_t* to) {
  uint64_t sum = 0;
  if (side->counts == NULL) return 0;
  uint64_t size = side->types == NULL ? pl_bytes(1, side->type) : 0;
  for (int i = 0; i < c->peers; ++i) {
    uint64_t bytes = 0;
    if (side->counts[i] > 0)
      bytes = side->types == NULL ? (uint64_t)side->counts[i] * size : pl_bytes(side->counts[i], side->types[i]);
    if ((unsigned)i < listed) to[i] = bytes;
    sum += bytes;
  }
  return sum;
}

/* The payload behind [comm | root]. */
PL_INLINE void pl_write_lists(struct pl_call* call, const struct pl_comm* c, const struct pl_volume* v,
                              uint32_t request, unsigned ns, unsigned nr) {
  uint64_t* payload = call->r->payload;
  payload[1] = v->sent + pl_list_side(c, &v->to, ns, payload + 5);
  payload[2] = v->received + pl_list_side(c, &v->from, nr, payload + 5 + ns);
  payload[3] = pl_pair(request, 0);
  payload[4] = pl_pair(ns, nr);
}

#endif
