/* Whether what mpich.c takes for granted holds for this MPICH and this libucp. By what can be seen in this
 * process: a rank that is not traced would answer nobody.
 *
 * MPI_Iprobe takes no message and waits for none. What it has UCX look for shows the layout of a tag, and that messages
 * with a rank go through libucp at all (with shared memory of MPICH's own those of the node do not). */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/inner/internals_mode.h"
#include "tracer/preload/inner/mpich/mpich.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"

static const char kTags[] = "its messages have other tags than those of MPICH 4.0";

static uint64_t tag_of(int source, int tag) { return (uint64_t)(uint32_t)source << 32 | (uint32_t)tag; }

static int probe(int source, int tag) {
  int flag = 0;
  pl_seen_probe.seen = 0;
  return pl_library.Iprobe(source, tag, pl_constants.comm_world, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         pl_seen_probe.seen != 0;
}

/* A message of any source, of any tag: the bits that are not compared are those of source and tag. */
static const char* check_masks(void) {
  if (!probe(MPI_ANY_SOURCE, MPI_ANY_TAG)) return "not all of its messages go through libucp";
  uint64_t compared = pl_seen_probe.mask;
  return pl_context_of(compared) == 0xffff && pl_source_of(compared) == 0 && (compared & 1) == 0 ? NULL : kTags;
}

static const char* check_source(int source) {
  static const int tags[] = {0x2a5, 0x155aaa5};
  for (int i = 0; i < 2; ++i) {
    if (!probe(source, tags[i])) return "not all of its messages go through libucp";
    if (pl_seen_probe.tag != tag_of(source, tags[i])) return kTags; /* context 0 */
    if (pl_source_of(pl_seen_probe.mask) != 0xffff || (pl_seen_probe.mask & 1) == 0) return kTags;
  }
  return NULL;
}

/* Ranks near by are on the same node, and some are not. */
static const char* check_messages(int rank, int size) {
  const char* reason = check_masks();
  for (int distance = 1; distance < size && reason == NULL; distance *= 2) {
    reason = check_source((rank + distance) % size);
    if (reason == NULL) reason = check_source((rank - distance + size) % size);
  }
  return reason;
}

static int name_library(char* to, size_t bytes) {
  void (*ask)(unsigned*, unsigned*, unsigned*) = NULL;
  unsigned major = 0, minor = 0, release = 0;
  void* function = pl_mpi_symbol("ucp_get_version");
  if (function == NULL) function = pl_loaded_symbol("libucp.so.0", "ucp_get_version");
  if (function == NULL) return 0;
  memcpy((void*)&ask, (void*)&function, sizeof function);
  ask(&major, &minor, &release);
  char *limit = to + bytes, *at = pl_put_number(pl_put_text(to, limit, "libucp "), limit, major);
  at = pl_put_number(pl_put_text(at, limit, "."), limit, minor);
  pl_put_number(pl_put_text(at, limit, "."), limit, release);
  return major == 1;
}

/* Of one rank no message leaves the library for libucp, so nothing can be looked at. */
static const char* why_not(int rank, int size) {
  const char* reason = pl_settle_endpoints(rank, size);
  if (reason != NULL || size == 1) return reason;
  pl_seen_probe.thread = &pl_self;
  reason = check_messages(rank, size);
  pl_seen_probe.thread = NULL;
  return reason;
}

void pl_begin_internals(struct pl_thread* t) {
  int rank = -1, size = -1;
  char name[64] = "libucp";
  enum pl_internals_mode mode = pl_internals_asked();
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  pl_mpi.Comm_size(pl_constants.comm_world, &size);
  const char* reason = mode == PL_INTERNALS_MODE_OFF ? "off" : why_not(rank, size);
  if (!name_library(name, sizeof name) && reason == NULL) reason = "this libucp is not of version 1";
  pl.internals = reason == NULL;
  pl_tell_internals(t, mode, rank, reason, name);
  if (pl.internals) pl_define_ways(t);
}

void pl_end_internals(void) { pl.internals = 0; }
