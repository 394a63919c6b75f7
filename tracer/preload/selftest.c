/* What a record costs, measured in this process: the whole path of a send, without the send, into scratch memory. */
#include <string.h>

#include "tracer/preload/mpi_side.h"

enum { kBatches = 15, kRecords = 64, kScratchWords = 64 * 1024 };

static __attribute__((noinline)) uint64_t record_nothing(struct pl_thread* t, MPI_Comm comm, MPI_Datatype type) {
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

static uint64_t median(uint64_t* values, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && values[k] < values[k - 1]; --k) {
      uint64_t swap = values[k];
      values[k] = values[k - 1];
      values[k - 1] = swap;
    }
  return values[n / 2];
}

void pl_self_test(void) {
  uint64_t inside[kBatches], whole[kBatches], scratch_bytes = kScratchWords * sizeof(uint64_t);
  struct pl_thread scratch;
  uint64_t* memory = pl_map(scratch_bytes);
  if (memory == NULL) return;
  memset(memory, 0, scratch_bytes); /* pages are there, as those of a segment are */
  memset(&scratch, 0, sizeof scratch);
  scratch.cursor = memory;
  scratch.limit = memory + kScratchWords;
  for (int batch = 0; batch < kBatches; ++batch) {
    uint64_t sum = 0, begin = pl_ticks();
    scratch.time = begin;
    for (int i = 0; i < kRecords; ++i) sum += record_nothing(&scratch, pl_constants.comm_world, pl_constants.byte);
    whole[batch] = (pl_ticks() - begin) / kRecords;
    inside[batch] = sum / kRecords;
  }
  pl_unmap(memory, scratch_bytes);
  uint64_t in = median(inside, kBatches), all = median(whole, kBatches);
  pl.header->cost_inside_ticks = in;
  pl.header->cost_outside_ticks = all > in ? all - in : 0;
}
