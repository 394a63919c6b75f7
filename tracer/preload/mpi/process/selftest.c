/* What a record costs: the whole path of a send, without the send. */
#include "tracer/preload/mpi/calls/fast_calls.h"
#include "tracer/preload/mpi/mpi_side.h"

static __attribute__((noinline)) uint64_t record_the_long_way(struct pl_thread* t, void* address) {
  MPI_Comm comm = pl_constants.comm_world;
  MPI_Datatype type = pl_constants.byte;
  t->mode = PL_INSIDE;
  const struct pl_comm* c = pl_comm_of(t, comm);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Send, 3, address);
  call.r->payload[0] = pl_pair(pl_peer(0), pl_tag(0));
  call.r->payload[1] = pl_bytes(1, type);
  call.r->payload[2] = pl_pair(c->id, 0);
  pl_start(t, &call);
  pl_stamp(t, &call);
  pl_done(&call);
  pl_leave(t);
  return call.r->end - call.r->begin;
}

static __attribute__((noinline)) uint64_t record_nothing(struct pl_thread* t) {
  void* address = __builtin_return_address(0);
  struct pl_record* r = pl_short_room_of_call(t);
  if (r == NULL) return record_the_long_way(t, address);
  if (!pl_short_message(t, r, 1, pl_constants.byte, 0, 0, pl_constants.comm_world) ||
      !pl_short_begin_call(t, r, PL_F_MPI_Send, 0, address)) {
    pl_short_give_up(t, r, PL_OUTSIDE);
    return record_the_long_way(t, address);
  }
  pl_short_stamp(t, r);
  pl_short_done(r);
  pl_end_call(t);
  return r->end - r->begin;
}

void pl_self_test(void) { pl_measure_cost(record_nothing); }
