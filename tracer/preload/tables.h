/* Tables from handles to ids: open addressing in anonymous memory of their own, never the host's heap. */
#ifndef PLUMBLINE_TRACER_PRELOAD_TABLES_H
#define PLUMBLINE_TRACER_PRELOAD_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* A spin lock, for the few places where threads of the host meet; nothing that could block is done under it. */
struct pl_lock {
  int held;
};
void pl_acquire(struct pl_lock* lock);
static inline void pl_release(struct pl_lock* lock) { __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE); }

/* Key 0 cannot be stored. Calls lock by themselves. */
struct pl_slot {
  uint64_t key, value;
};
struct pl_table {
  struct pl_slot* slots;
  size_t capacity, used; /* capacity: a power of two, or 0 */
  struct pl_lock lock;
};
int pl_table_get(struct pl_table* table, uint64_t key, uint64_t* value); /* 1: found */
void pl_table_put(struct pl_table* table, uint64_t key, uint64_t value);
void pl_table_remove(struct pl_table* table, uint64_t key);
/* Adds `step` to the value of `key` (0 when new) and returns what it was. */
uint64_t pl_table_add(struct pl_table* table, uint64_t key, uint64_t step);

uint64_t pl_hash(const void* bytes, size_t length, uint64_t seed);

/* Requests. A library may hand out one handle for many finished requests (MPICH's light-weight requests, Open MPI's
 * empty one), so a handle has a queue of ids. */
enum pl_request_kind { PL_REQUEST_UNKNOWN = 0, PL_REQUEST_OTHER, PL_REQUEST_RECV, PL_REQUEST_FILE };
struct pl_requests {
  struct pl_request_slot {
    uint64_t key;
    uint32_t first, last, next, round; /* next: to be listed by the call in progress, if `round` is that call's */
  } * slots;
  size_t capacity, used;
  struct pl_request_node {
    uint32_t id, following;
    uint32_t kind;
  } * nodes;
  uint32_t node_capacity, node_count, free_node, round;
  struct pl_lock lock;
};
extern struct pl_requests pl_requests;

void pl_request_add(uint64_t handle, uint32_t id, enum pl_request_kind kind);
/* Ids of the requests of one call, in order; handle 0 (none) and unknown ones: 0. */
void pl_request_list(const uint64_t* handles, unsigned n, uint64_t* packed_ids);
/* Forgets one; tells its kind. */
enum pl_request_kind pl_request_remove(uint64_t handle, uint32_t id);

#endif
