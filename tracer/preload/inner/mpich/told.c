/* PL_DEF_INNER_PEER: a receiver knows the rank of a sender in the communicator of a context only. The sender, which
 * knows both, tells once for each receiver and context; and again when a communicator was freed since, because its
 * context may be another one's by now. Those of MPI_COMM_WORLD stay. */
#include "tracer/preload/inner/mpich/mpich.h"
#include "tracer/preload/mpi/mpi_side.h"

uint64_t pl_told_lately[PL_TOLD_LATELY];
static struct pl_table told; /* key -> freed communicators, + 1 */

static void define(struct pl_thread* t, uint64_t peer, int world_rank) {
  uint64_t begin = pl_ticks();
  uint64_t* payload = pl_define(t, PL_WORDS_OF(struct pl_def_inner_peer_payload));
  PL_FILL(payload, def_inner_peer, .context = pl_low(peer), .own_rank = (uint32_t)(peer >> 32),
          .receiver = (uint32_t)world_rank);
  pl_defined(t, payload, PL_DEF_INNER_PEER, PL_WORDS_OF(struct pl_def_inner_peer_payload), begin);
}

/* Inside of the tracer, so that what it does itself is not recorded. */
PL_COLD void pl_tell_anew(struct pl_thread* t, struct pl_told one, uint64_t peer, int world_rank) {
  uint64_t known = 0;
  const int mode = t->mode;
  __atomic_store_n(&pl_told_lately[(one.mark * 0x9E3779B97F4A7C15u) >> 52], one.mark, __ATOMIC_RELAXED);
  pl_set_mode(t, PL_INSIDE);
  if (!pl_table_get(&told, one.key, &known) || known != (uint64_t)one.freed + 1) {
    pl_table_put(&told, one.key, (uint64_t)one.freed + 1);
    define(t, peer, world_rank);
  }
  pl_set_mode(t, mode);
}
