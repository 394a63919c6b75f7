/* Communicators: who is in them, by world rank. Only local inquiries. */
#include <string.h>

#include "tracer/preload/mpi/mpi_side.h"

struct pl_comm pl_comm_world = {.id = PL_COMM_WORLD};
const struct pl_comm pl_comm_none = {.id = PL_COMM_NULL};

uint32_t pl_comms_freed;

struct pl_table pl_known_comms;
static struct pl_table by_members;
static uint32_t next_id = PL_COMM_SELF + 1;
static MPI_Group world_group;
static int have_world_group;

void pl_world_ranks(MPI_Group group, int n, int* scratch, int* members) {
  for (int i = 0; i < n; ++i) scratch[i] = i;
  if (!have_world_group || pl_mpi.Group_translate_ranks(group, n, scratch, world_group, members) != MPI_SUCCESS)
    for (int i = 0; i < n; ++i) members[i] = -1;
  for (int i = 0; i < n; ++i)
    if (members[i] < 0) members[i] = -1;
}

static void translate(MPI_Group group, int n, int* members) {
  int* scratch = pl_map((size_t)n * sizeof(int));
  if (scratch == NULL) return;
  pl_world_ranks(group, n, scratch, members);
  pl_unmap(scratch, (size_t)n * sizeof(int));
}

static void translate_group(int (*group_of)(MPI_Comm, MPI_Group*), MPI_Comm comm, int n, int* members) {
  MPI_Group group;
  if (n == 0 || group_of(comm, &group) != MPI_SUCCESS) return;
  translate(group, n, members);
  pl_mpi.Group_free(&group);
}

/* Ranks make communicators of equal members in one order, which tells them apart, if all of their calls are collective
 * on one communicator; a call over a group may come before such a call on one rank and after it on another. */
#define OF_GROUP (1u << 31)

static void define(struct pl_thread* t, MPI_Comm handle, const struct pl_comm* comm, uint32_t parent, uint32_t made) {
  uint64_t begin = pl_ticks();
  int remote = comm->inter ? comm->peers : 0, all = comm->size + remote;
  size_t bytes = ((size_t)all + 1) * sizeof(int);
  int* members = pl_map(bytes);
  if (members == NULL) return;
  translate_group(pl_mpi.Comm_group, handle, comm->size, members);
  if (comm->inter) translate_group(pl_mpi.Comm_remote_group, handle, remote, members + comm->size);
  uint64_t key = pl_hash(members, (size_t)all * sizeof(int), (uint64_t)comm->size | (uint64_t)made << 32);
  uint32_t sequence = (uint32_t)pl_table_add(&by_members, key, 1) | made;

  size_t listed = ((size_t)all + 1) / 2;
  if (listed > PL_MAX_WORDS - 3) {
    listed = PL_MAX_WORDS - 3;
    pl_lose(1);
  }
  uint64_t* payload = pl_define(t, 3 + (unsigned)listed);
  PL_FILL(payload, def_comm, .comm = comm->id, .parent = parent == PL_COMM_NULL ? 0 : parent,
          .size = (uint32_t)comm->size, .own_rank = (uint32_t)comm->rank, .remote_size = (uint32_t)remote,
          .sequence = sequence);
  memcpy(payload + 3, members, listed * sizeof(uint64_t));
  pl_defined(t, payload, PL_DEF_COMM, 3 + (unsigned)listed, begin);
  pl_unmap(members, bytes);
}

static int describe(MPI_Comm handle, struct pl_comm* comm) {
  if (pl_mpi.Comm_size(handle, &comm->size) != MPI_SUCCESS) return 0;
  if (pl_mpi.Comm_rank(handle, &comm->rank) != MPI_SUCCESS) return 0;
  if (pl_mpi.Comm_test_inter(handle, &comm->inter) != MPI_SUCCESS) return 0;
  comm->peers = comm->size;
  return !comm->inter || pl_mpi.Comm_remote_size(handle, &comm->peers) == MPI_SUCCESS;
}

/* Communicators are never taken from one another's memory: freed ones are not reused, so a reader needs no lock. */
static struct pl_comm* new_entry(void) {
  static struct pl_lock lock;
  static struct pl_comm* chunk;
  static size_t left;
  pl_acquire(&lock);
  if (left == 0) {
    left = 4096 / sizeof(struct pl_comm);
    chunk = pl_map(4096);
  }
  struct pl_comm* entry = chunk == NULL ? NULL : &chunk[--left];
  if (entry == NULL) left = 0;
  pl_release(&lock);
  return entry;
}

static const struct pl_comm* new_comm(struct pl_thread* t, MPI_Comm handle, uint32_t parent, uint32_t made) {
  if (handle == pl_constants.comm_null) return &pl_comm_none;
  struct pl_comm* comm = new_entry();
  if (comm == NULL || !describe(handle, comm)) return &pl_comm_none;
  comm->id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  pl_table_put(&pl_known_comms, PL_HANDLE(handle), (uint64_t)(uintptr_t)comm);
  define(t, handle, comm, parent, made);
  return comm;
}

PL_COLD const struct pl_comm* pl_new_comm(struct pl_thread* t, MPI_Comm handle, uint32_t parent) {
  return new_comm(t, handle, parent, 0);
}

PL_COLD const struct pl_comm* pl_new_comm_of_group(struct pl_thread* t, MPI_Comm handle, uint32_t parent) {
  return new_comm(t, handle, parent, OF_GROUP);
}

PL_COLD const struct pl_comm* pl_copy_comm(struct pl_thread* t, MPI_Comm handle, MPI_Comm original,
                                           const struct pl_comm* parent) {
  uint64_t value = 0;
  int unset = handle == pl_constants.comm_null || handle == pl_constants.comm_world || PL_HANDLE(handle) == 0 ||
              pl_table_get(&pl_known_comms, PL_HANDLE(handle), &value); /* the library sets it later */
  struct pl_comm* comm = unset || parent->id == PL_COMM_NULL ? NULL : new_entry();
  if (comm == NULL) return &pl_comm_none;
  *comm = *parent;
  comm->id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  comm->neighbours = (struct pl_neighbours){0, 0, 0};
  pl_table_put(&pl_known_comms, PL_HANDLE(handle), (uint64_t)(uintptr_t)comm);
  define(t, original, comm, parent->id, 0);
  return comm;
}

const struct pl_comm* pl_find_comm(struct pl_thread* t, MPI_Comm handle) {
  struct pl_found* latest = &pl_self.comm;
  uint64_t value = 0;
  uint32_t version = pl_table_version(&pl_known_comms);
  if (handle == pl_constants.comm_null) return &pl_comm_none;
  if (latest->handle != PL_HANDLE(handle) || latest->version != version || latest->object == 0) {
    if (!pl_table_get(&pl_known_comms, PL_HANDLE(handle), &value)) return pl_new_comm(t, handle, 0);
    *latest = (struct pl_found){PL_HANDLE(handle), (uintptr_t)value, version};
  }
  return (const struct pl_comm*)latest->object;
}

PL_NOINLINE int pl_look_for_comm(MPI_Comm handle) {
  uint64_t value;
  uint32_t version = pl_table_version(&pl_known_comms);
  if (pl_table_get(&pl_known_comms, PL_HANDLE(handle), &value)) return 1;
  pl_self.unknown_comm = (struct pl_found){PL_HANDLE(handle), 0, version};
  return 0;
}

void pl_forget_comm(uint64_t handle) {
  pl_table_remove(&pl_known_comms, handle);
  __atomic_fetch_add(&pl_comms_freed, 1, __ATOMIC_RELAXED);
}

void pl_define_predefined_comms(struct pl_thread* t) {
  static struct pl_comm self = {.id = PL_COMM_SELF};
  have_world_group = pl_mpi.Comm_group(pl_constants.comm_world, &world_group) == MPI_SUCCESS;
  if (describe(pl_constants.comm_world, &pl_comm_world)) define(t, pl_constants.comm_world, &pl_comm_world, 0, 0);
  if (describe(pl_constants.comm_self, &self)) define(t, pl_constants.comm_self, &self, 0, 0);
  pl_table_put(&pl_known_comms, PL_HANDLE(pl_constants.comm_self), (uint64_t)(uintptr_t)&self);
}

void pl_forget_world_group(void) {
  if (have_world_group) pl_mpi.Group_free(&world_group);
  have_world_group = 0;
}
