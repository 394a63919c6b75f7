/* PL_DEF_INNER_PEER: a receiver knows the rank of a sender in the communicator of a context only. The sender, which
 * knows both, tells once for each receiver and context; and again when a communicator was freed since, because its
 * context may be another one's by now. Those of MPI_COMM_WORLD stay. */
#include "tracer/preload/inner_mpich.h"
#include "tracer/preload/mpi_side.h"

enum { kLately = 4096, kWorldContexts = 16 };

static struct {
  uint64_t lately[kLately]; /* keys, by a part of their hash: without a lock */
  struct pl_table all;      /* key -> freed communicators, + 1 */
} told;

static PL_COLD void define(struct pl_thread* t, uint64_t key, uint32_t freed, uint64_t peer, int world_rank) {
  uint64_t known = 0;
  if (pl_table_get(&told.all, key, &known) && known == (uint64_t)freed + 1) return;
  pl_table_put(&told.all, key, (uint64_t)freed + 1);
  uint64_t begin = pl_ticks();
  uint64_t* payload = pl_define(t, 2);
  payload[0] = peer;
  payload[1] = pl_pair((uint32_t)world_rank, 0);
  pl_defined(t, payload, PL_DEF_INNER_PEER, 2, begin);
}

void pl_tell_peer(struct pl_thread* t, uint32_t context, uint32_t own_rank, int world_rank) {
  if (world_rank < 0) return;
  uint32_t freed = context < kWorldContexts ? 0 : __atomic_load_n(&pl_comms_freed, __ATOMIC_RELAXED);
  uint64_t key = (uint64_t)context << 48 | (uint64_t)own_rank << 32 | (uint64_t)((uint32_t)world_rank + 1);
  uint64_t mark = key ^ (uint64_t)freed * 0x9E3779B97F4A7C15u;
  uint64_t* lately = &told.lately[(mark * 0x9E3779B97F4A7C15u) >> 52];
  if (PL_LIKELY(__atomic_load_n(lately, __ATOMIC_RELAXED) == mark)) return;
  __atomic_store_n(lately, mark, __ATOMIC_RELAXED);
  define(t, key, freed, pl_pair(context, own_rank), world_rank);
}
