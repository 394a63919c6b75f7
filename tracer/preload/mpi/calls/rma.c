/* Windows by numbers of our own, and the groups that synchronise on them. Operations are generated. */
#include "tracer/preload/mpi/calls/rma.h"

#include <string.h>

enum { kMostListed = 100000 }; /* that a record has room for */

static struct pl_table by_handle, by_comm;
static uint32_t next_id = 1;

uint32_t pl_win_id(MPI_Win win) {
  uint64_t id = 0;
  return pl_table_get(&by_handle, PL_HANDLE(win), &id) ? (uint32_t)id : 0;
}

uint32_t pl_new_win(struct pl_thread* t, MPI_Win win, const uint64_t* made) {
  uint64_t begin = pl_ticks();
  uint32_t id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  const struct pl_win_payload win_made = PL_PAYLOAD(made, win);
  pl_table_put(&by_handle, PL_HANDLE(win), id);
  uint64_t* payload = pl_define(t, PL_WORDS_OF(struct pl_def_win_payload));
  PL_FILL(payload, def_win, .window = id, .comm = win_made.comm, .kind = win_made.kind,
          .sequence = (uint32_t)pl_table_add(&by_comm, win_made.comm, 1), .bytes = win_made.bytes,
          .unit = win_made.unit);
  pl_defined(t, payload, PL_DEF_WIN, PL_WORDS_OF(struct pl_def_win_payload), begin);
  return id;
}

int pl_wrap_Win_free(MPI_Win* win) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Win_free)(win);
  uint32_t id = win == NULL ? 0 : pl_win_id(*win);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Win_free, 2, __builtin_return_address(0));
  PL_FILL(call.r->payload, win_sync, .window = id, .rank = -1);
  if (id != 0) pl_table_remove(&by_handle, PL_HANDLE(*win)); /* before the call: another one may get the same handle */
  pl_begin_call(t, &call);
  int result = pl_mpi.Win_free(win);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  pl_end_call(t);
  return result;
}

int pl_wrap_Win_set_name(MPI_Win win, const char* name) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Win_set_name)(win, name);
  uint32_t id = pl_win_id(win);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Win_set_name, 0, __builtin_return_address(0));
  pl_begin_call(t, &call);
  int result = pl_mpi.Win_set_name(win, name);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  if (result == MPI_SUCCESS && id != 0 && name != NULL)
    pl_define_text(t, PL_DEF_WIN_NAME, pl_pair(id, 0), 1, name, strnlen(name, MPI_MAX_OBJECT_NAME), pl_ticks());
  pl_end_call(t);
  return result;
}

/* ---- Groups */

struct pl_ranks pl_ranks_of_group(struct pl_thread* t, MPI_Group group) {
  struct pl_ranks ranks = {NULL, 0};
  int n = 0;
  if (pl_mpi.Group_size(group, &n) != MPI_SUCCESS || n <= 0) return ranks;
  int* buffer = (int*)(void*)pl_thread_buffer(t, 2 * (size_t)n * sizeof(int));
  if (buffer == NULL) return ranks;
  pl_world_ranks(group, n, buffer + n, buffer);
  if (n > kMostListed) pl_lose(1);
  ranks.world = buffer;
  ranks.n = n > kMostListed ? kMostListed : (unsigned)n;
  return ranks;
}

void pl_write_ranks(uint64_t* payload, const struct pl_ranks* ranks) {
  payload[0] = pl_pair(ranks->n, 0);
  if (ranks->n % 2 != 0) payload[1 + ranks->n / 2] = 0;
  if (ranks->n != 0) memcpy(payload + 1, ranks->world, ranks->n * sizeof(int));
}

/* ---- Operators */

uint32_t pl_op(MPI_Op op) {
  for (uint32_t i = PL_OP_SUM; i < PL_OPS; ++i)
    if (op == pl_constants.ops[i]) return i;
  return PL_OP_OTHER;
}
