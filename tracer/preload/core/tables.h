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
  uint32_t version; /* of its content */
};
/* For a thread that remembers what it has found. A handle that comes from another thread comes with its version. */
static inline uint32_t pl_table_version(const struct pl_table* table) {
  return __atomic_load_n(&table->version, __ATOMIC_ACQUIRE);
}
int pl_table_get(struct pl_table* table, uint64_t key, uint64_t* value); /* 1: found */
void pl_table_put(struct pl_table* table, uint64_t key, uint64_t value);
void pl_table_remove(struct pl_table* table, uint64_t key);
/* Adds `step` to the value of `key` (0 when new) and returns what it was. */
uint64_t pl_table_add(struct pl_table* table, uint64_t key, uint64_t step);

uint64_t pl_hash(const void* bytes, size_t length, uint64_t seed);

/* Requests. A library may hand out one handle for many finished requests (MPICH's light-weight requests, Open MPI's
 * empty one), so a handle has a queue of ids. */
enum pl_request_kind { PL_REQUEST_UNKNOWN = 0, PL_REQUEST_OTHER, PL_REQUEST_RECV, PL_REQUEST_FILE };
/* What the table knows of a request, in one word: id | kind << 32 | owner << 34; 0: nothing. The owner is the number of
 * the thread that posted it: it tells apart requests that share a handle. */
typedef uint64_t pl_request;
static inline pl_request pl_make_request(uint32_t id, enum pl_request_kind kind, uint32_t owner) {
  return (uint64_t)id | (uint64_t)kind << 32 | (uint64_t)owner << 34;
}
static inline uint32_t pl_id_of_request(pl_request request) { return (uint32_t)request; }
static inline enum pl_request_kind pl_kind_of_request(pl_request request) {
  return (enum pl_request_kind)(request >> 32 & 3);
}
/* What a receive (source | tag, bytes of its buffer) or a file access (bytes) was posted with: of its completion only
 * what differs is written. */
/* Completing it tells of a message or a file access. */
static inline int pl_has_status(pl_request request) {
  return pl_kind_of_request(request) == PL_REQUEST_RECV || pl_kind_of_request(request) == PL_REQUEST_FILE;
}
struct pl_posted {
  uint64_t peer, bytes;
};
static const struct pl_posted pl_posted_unknown = {UINT64_MAX, UINT64_MAX}; /* differs from everything */
struct pl_requests {
  struct pl_request_slot {
    uint64_t key;
    uint32_t first, last, next, round; /* next: to be listed by the call in progress, if `round` is that call's */
  } * slots;
  size_t capacity, used;
  struct pl_request_node {
    pl_request request;
    struct pl_posted posted;
    uint32_t following;
  } * nodes;
  uint32_t node_capacity, node_count, free_node, round;
  struct pl_lock lock;
};
extern struct pl_requests pl_requests;

void pl_request_add(uint64_t handle, pl_request request, struct pl_posted posted);
/* The requests of one call, in order. Handle 0 (none) and unknown ones: 0. */
void pl_requests_find(const uint64_t* handles, unsigned n, pl_request* found);
/* The same, and they leave the table: before a call that may complete them, because afterwards another thread's request
 * may have got the handle. Of requests that share a handle those of `owner` come first. */
void pl_requests_take(const uint64_t* handles, unsigned n, uint32_t owner, pl_request* taken, struct pl_posted* posted);
/* Those that were taken and are still there (not 0) return to where they were. */
void pl_requests_put_back(const uint64_t* handles, unsigned n, const pl_request* taken, const struct pl_posted* posted);
/* Forgets one; tells its kind, and what it was posted with. */
enum pl_request_kind pl_request_remove(uint64_t handle, uint32_t id, struct pl_posted* posted);

#endif
