/* Records of inner messages, and the messages that are under way: what is rare of it. */
#include "tracer/preload/inner/inner.h"

#include <string.h>

#include "plumbline_mpi_table.h"

enum { kMessagesAtOnce = 4096 }; /* mapped together */

struct pl_inner_pool pl_inner_pool;

PL_COLD struct pl_inner_message* pl_inner_more(void) {
  struct pl_inner_message* all = pl_map(kMessagesAtOnce * sizeof *all);
  for (int i = 0; all != NULL && i + 1 < kMessagesAtOnce; ++i) all[i].next = &all[i + 1];
  return all;
}

void pl_forget_inner(void) { memset(&pl_inner_pool, 0, sizeof pl_inner_pool); }

PL_COLD void pl_inner_record_end(uint32_t number, uint64_t peer_tag, uint64_t bytes_flags) {
  struct pl_thread* t = &pl_self;
  if (!pl_inner_is_on() || t->diverted) return;
  int mode = t->mode;
  pl_set_mode(t, PL_INSIDE);
  struct pl_call call = {pl_reserve(t, 3), 0, PL_F_inner_end, 3};
  call.r->payload[0] = pl_pair(number, 0);
  call.r->payload[1] = peer_tag;
  call.r->payload[2] = bytes_flags;
  pl_start(t, &call);
  call.r->end = call.r->begin;
  pl_done(&call);
  pl_set_mode(t, mode);
}
