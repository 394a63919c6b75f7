/* What a record costs: the whole path of a send, without the send. */
#include "tracer/preload/mpi_side.h"

static __attribute__((noinline)) uint64_t record_nothing(struct pl_thread* t) {
  MPI_Comm comm = pl_constants.comm_world;
  MPI_Datatype type = pl_constants.byte;
  t->mode = PL_INSIDE;
  const struct pl_comm* c = pl_comm_of(t, comm);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Send, 3, __builtin_return_address(0));
  call.r->payload[0] = pl_pair(pl_peer(0), pl_tag(0));
  call.r->payload[1] = pl_bytes(1, type);
  call.r->payload[2] = pl_pair(c->id, 0);
  pl_start(t, &call);
  pl_stamp(t, &call);
  pl_done(&call);
  pl_leave(t);
  return call.r->end - call.r->begin;
}

void pl_self_test(void) { pl_measure_cost(record_nothing); }
