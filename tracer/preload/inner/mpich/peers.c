/* Whose an endpoint of MPICH is.
 *
 * MPICH 4.0.2 makes them during MPI_Init (src/mpid/ch4/netmod/ucx/ucx_init.c): first one for each rank in order,
 * between the first workers; then, with several workers (MPIR_CVAR_CH4_NUM_VCIS), for each own worker, each rank, each
 * of that rank's workers one, without that first pair. With MPIR_CVAR_CH4_ROOTS_ONLY_PMI the order is another one. No
 * rank is asked, because one that is not traced would not answer. Instead the order is checked: an endpoint leads to a
 * worker of this process exactly where it should be one of this rank. */
#include <link.h>
#include <string.h>

#include "tracer/preload/inner/mpich/mpich.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"

enum { kMostWorkers = 64, kIdentity = 48 /* bytes of an address that tell workers apart */, kMostLookedAt = 64 };

struct made {
  void* endpoint;
  uint32_t of_self; /* it leads to a worker of this process */
};

static struct {
  struct pl_lock lock;
  struct {
    const void* worker;
    char address[kIdentity];
    size_t bytes;
  } own[kMostWorkers];
  unsigned workers;
  struct made* made; /* during MPI_Init, in order */
  size_t count, room;
  struct pl_table others; /* endpoint -> 1: made later, to other MPI_COMM_WORLDs */
  int settled, overflow;
  void* looked_at[kMostLookedAt]; /* endpoints to ranks near by and far away */
  unsigned looked_at_count;
  uintptr_t code, code_bytes; /* of MPICH */
} peers;

struct pl_ranks_of_endpoints pl_ranks_of_endpoints;

/* ---- The code of MPICH */

static int find_code(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  (void)data;
  uintptr_t function = (uintptr_t)pl_library.Init;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || function - begin >= part->p_memsz) continue;
    peers.code = begin;
    peers.code_bytes = part->p_memsz;
    return 1;
  }
  return 0;
}

int pl_is_of_mpich(const void* return_address) {
  if (peers.code_bytes == 0 && pl_library.Init != NULL) dl_iterate_phdr(find_code, NULL);
  return (uintptr_t)return_address - peers.code < peers.code_bytes;
}

/* ---- What is made */

void pl_note_worker(void* worker, const char* address, size_t bytes, void* return_address) {
  if (!pl.writable || peers.settled || !pl_is_of_mpich(return_address)) return;
  if (peers.workers == kMostWorkers) {
    peers.overflow = 1;
    return;
  }
  if (bytes > kIdentity) bytes = kIdentity;
  memcpy(peers.own[peers.workers].address, address, bytes);
  peers.own[peers.workers].bytes = bytes;
  peers.own[peers.workers++].worker = worker;
}

/* Byte by byte: that address may be shorter than ours, but then it differs before its end. */
static int is_own(const char* address) {
  for (unsigned w = 0; w < peers.workers; ++w) {
    size_t same = 0;
    while (same < peers.own[w].bytes && address[same] == peers.own[w].address[same]) ++same;
    if (same == peers.own[w].bytes && same != 0) return 1;
  }
  return 0;
}

static int has_room(void) {
  if (peers.count < peers.room) return 1;
  size_t room = peers.room == 0 ? 4096 : 2 * peers.room;
  struct made* larger = pl_map(room * sizeof *larger);
  if (larger == NULL) return 0;
  if (peers.count != 0) memcpy(larger, peers.made, peers.count * sizeof *larger);
  pl_unmap(peers.made, peers.room * sizeof *larger);
  peers.made = larger;
  peers.room = room;
  return 1;
}

void pl_note_endpoint(void* worker, const char* address, void* endpoint, void* return_address) {
  if (!pl.writable || !pl_is_of_mpich(return_address)) return;
  if (peers.settled) {
    if (pl_is_worker(worker)) pl_table_put(&peers.others, (uint64_t)(uintptr_t)endpoint, 1);
  } else if (address != NULL && has_room()) {
    peers.made[peers.count++] = (struct made){endpoint, (uint32_t)is_own(address)};
  } else {
    peers.overflow = 1;
  }
}

int pl_is_worker(const void* worker) {
  for (unsigned w = 0; w < peers.workers; ++w)
    if (peers.own[w].worker == worker) return 1;
  return 0;
}

/* ---- Whose they are */

/* Of the i-th that was made. */
static int rank_of(size_t i, size_t size) {
  size_t workers = peers.workers;
  if (i < size) return (int)i;
  size_t later = i - size, of_first = size * (workers - 1);
  if (later < of_first) return (int)(later / (workers - 1));
  return (int)((later - of_first) % (size * workers) / workers);
}

static int keep_ranks(size_t size) {
  size_t capacity = 64;
  while (capacity < 3 * peers.count) capacity *= 2;
  pl_ranks_of_endpoints.slots = pl_map(capacity * sizeof(struct pl_slot));
  if (pl_ranks_of_endpoints.slots == NULL) return 0;
  pl_ranks_of_endpoints.capacity = capacity;
  pl_ranks_of_endpoints.worker = peers.own[0].worker;
  for (size_t i = 0; i < peers.count; ++i)
    *pl_slot_of_endpoint(peers.made[i].endpoint) =
        (struct pl_slot){(uint64_t)(uintptr_t)peers.made[i].endpoint, (uint64_t)rank_of(i, size) + 1};
  return 1;
}

/* Those that were made first are one for each rank. */
static void look_at(size_t rank) {
  if (peers.looked_at_count < kMostLookedAt) peers.looked_at[peers.looked_at_count++] = peers.made[rank].endpoint;
}

static void look_at_some(size_t rank, size_t size) {
  look_at(rank);
  for (size_t distance = 1; distance < size; distance *= 2) {
    look_at((rank + distance) % size);
    look_at((rank + size - distance) % size);
  }
}

static const char* why_not(size_t rank, size_t size) {
  if (peers.workers == 0 || peers.count == 0) return "the messages of this MPICH do not go through libucp";
  if (peers.overflow) return "it has more workers or endpoints of UCX than can be followed";
  if (peers.count != size * peers.workers * peers.workers) return "its endpoints of UCX are not one for each rank";
  for (size_t i = 0; i < peers.count; ++i)
    if (peers.made[i].of_self != ((size_t)rank_of(i, size) == rank))
      return "its endpoints of UCX are not in the order of ranks";
  return keep_ranks(size) ? NULL : "no memory";
}

const char* pl_settle_endpoints(int rank, int size) {
  const char* reason = why_not((size_t)rank, (size_t)size);
  if (reason == NULL) look_at_some((size_t)rank, (size_t)size);
  pl_unmap(peers.made, peers.room * sizeof *peers.made);
  peers.made = NULL;
  peers.count = peers.room = 0;
  peers.settled = 1;
  return reason;
}

/* ---- What is told of them */

void pl_define_ways(struct pl_thread* t) {
  char ways[1536] = "";
  for (unsigned i = 0; i < peers.looked_at_count; ++i) pl_add_ucx_way(peers.looked_at[i], ways, ways + sizeof ways);
  if (ways[0] != '\0') pl_define_meta(t, "ucx.ways", ways);
}

PL_COLD int pl_is_other_endpoint(const void* endpoint) {
  uint64_t value = 0;
  return pl_table_get(&peers.others, (uint64_t)(uintptr_t)endpoint, &value);
}
