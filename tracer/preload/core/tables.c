#include "tracer/preload/core/tables.h"

#include <sched.h>
#include <string.h>

#include "tracer/preload/core/preload.h"

struct pl_requests pl_requests;

void pl_acquire(struct pl_lock* lock) {
  for (unsigned turns = 0; __atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0; ++turns)
    if (turns > 100) sched_yield();
}

static inline size_t home_of(uint64_t key, size_t capacity) {
  return (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (capacity - 1);
}

uint64_t pl_hash(const void* bytes, size_t length, uint64_t seed) {
  const unsigned char* at = bytes;
  uint64_t hash = seed ^ 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; ++i) hash = (hash ^ at[i]) * 0x100000001b3u;
  hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
  return hash == 0 ? 1 : hash;
}

/* ---- Handles with one value */

static struct pl_slot* find(struct pl_table* table, uint64_t key) {
  if (table->capacity == 0) return NULL;
  size_t at = home_of(key, table->capacity);
  while (table->slots[at].key != 0 && table->slots[at].key != key) at = (at + 1) & (table->capacity - 1);
  return &table->slots[at];
}

static int grow(struct pl_table* table) {
  if (2 * (table->used + 1) < table->capacity) return 1;
  struct pl_table larger = *table;
  larger.capacity = table->capacity == 0 ? 256 : 2 * table->capacity;
  larger.slots = pl_map(larger.capacity * sizeof(struct pl_slot));
  if (larger.slots == NULL) return 0;
  for (size_t i = 0; i < table->capacity; ++i)
    if (table->slots[i].key != 0) *find(&larger, table->slots[i].key) = table->slots[i];
  pl_unmap(table->slots, table->capacity * sizeof(struct pl_slot));
  table->slots = larger.slots;
  table->capacity = larger.capacity;
  return 1;
}

int pl_table_get(struct pl_table* table, uint64_t key, uint64_t* value) {
  pl_acquire(&table->lock);
  struct pl_slot* slot = find(table, key);
  int found = key != 0 && slot != NULL && slot->key == key;
  if (found) *value = slot->value;
  pl_release(&table->lock);
  return found;
}

uint64_t pl_table_add(struct pl_table* table, uint64_t key, uint64_t step) {
  uint64_t before = 0;
  pl_acquire(&table->lock);
  if (key != 0 && grow(table)) {
    struct pl_slot* slot = find(table, key);
    if (slot->key == 0) ++table->used;
    slot->key = key;
    before = slot->value;
    slot->value += step;
  }
  pl_release(&table->lock);
  return before;
}

void pl_table_put(struct pl_table* table, uint64_t key, uint64_t value) {
  pl_acquire(&table->lock);
  if (key != 0 && grow(table)) {
    struct pl_slot* slot = find(table, key);
    if (slot->key == 0) ++table->used;
    slot->key = key;
    slot->value = value;
    __atomic_store_n(&table->version, table->version + 1, __ATOMIC_RELEASE);
  }
  pl_release(&table->lock);
}

void pl_table_remove(struct pl_table* table, uint64_t key) {
  pl_acquire(&table->lock);
  struct pl_slot* slot = find(table, key);
  if (key != 0 && slot != NULL && slot->key == key) {
    size_t mask = table->capacity - 1, hole = (size_t)(slot - table->slots);
    for (size_t at = (hole + 1) & mask; table->slots[at].key != 0; at = (at + 1) & mask) {
      size_t home = home_of(table->slots[at].key, table->capacity);
      if (((at - home) & mask) < ((at - hole) & mask)) continue; /* it lies at or behind its home: stays */
      table->slots[hole] = table->slots[at];
      hole = at;
    }
    table->slots[hole] = (struct pl_slot){0, 0};
    --table->used;
    __atomic_store_n(&table->version, table->version + 1, __ATOMIC_RELEASE);
  }
  pl_release(&table->lock);
}

/* ---- Requests: no lock unless the program may call MPI from several threads at a time */

static inline void lock_requests(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&pl_requests.lock);
}
static inline void unlock_requests(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&pl_requests.lock);
}

static inline struct pl_request_slot* find_request(struct pl_request_slot* slots, size_t capacity, uint64_t key) {
  size_t at = home_of(key, capacity);
  while (slots[at].key != 0 && slots[at].key != key) at = (at + 1) & (capacity - 1);
  return &slots[at];
}

static PL_COLD int grow_slots(void) {
  struct pl_requests* table = &pl_requests;
  size_t capacity = table->capacity == 0 ? 1024 : 2 * table->capacity;
  struct pl_request_slot* slots = pl_map(capacity * sizeof *slots);
  if (slots == NULL) return 0;
  for (size_t i = 0; i < table->capacity; ++i)
    if (table->slots[i].key != 0) *find_request(slots, capacity, table->slots[i].key) = table->slots[i];
  pl_unmap(table->slots, table->capacity * sizeof *slots);
  table->slots = slots;
  table->capacity = capacity;
  return 1;
}

static PL_COLD int grow_nodes(void) {
  struct pl_requests* table = &pl_requests;
  uint32_t capacity = table->node_capacity == 0 ? 1024 : 2 * table->node_capacity;
  struct pl_request_node* nodes = pl_map(capacity * sizeof *nodes);
  if (nodes == NULL) return 0;
  if (table->nodes != NULL) memcpy(nodes, table->nodes, table->node_count * sizeof *nodes);
  pl_unmap(table->nodes, table->node_capacity * sizeof *nodes);
  if (table->node_count == 0) table->node_count = 1; /* 0: none */
  table->nodes = nodes;
  table->node_capacity = capacity;
  return 1;
}

static inline uint32_t take_node(void) {
  struct pl_requests* table = &pl_requests;
  uint32_t node = table->free_node;
  if (node != 0) {
    table->free_node = table->nodes[node].following;
    return node;
  }
  if (PL_UNLIKELY(table->node_count >= table->node_capacity) && !grow_nodes()) return 0;
  return table->node_count++;
}

/* A slot and a node for one more request; NULL: no memory. The node is not linked yet. */
static inline struct pl_request_slot* make_room(uint64_t handle, pl_request request, struct pl_posted posted,
                                                uint32_t* node) {
  struct pl_requests* table = &pl_requests;
  int room = 2 * (table->used + 1) < table->capacity || grow_slots();
  *node = room ? take_node() : 0;
  if (*node == 0) return NULL;
  table->nodes[*node] = (struct pl_request_node){request, posted, 0};
  struct pl_request_slot* slot = find_request(table->slots, table->capacity, handle);
  if (slot->key == 0) {
    *slot = (struct pl_request_slot){handle, 0, 0, 0, 0};
    ++table->used;
  }
  return slot;
}

void pl_request_add(uint64_t handle, pl_request request, struct pl_posted posted) {
  uint32_t node = 0;
  if (handle == 0) return;
  lock_requests();
  struct pl_request_slot* slot = make_room(handle, request, posted, &node);
  if (slot != NULL) {
    if (slot->first == 0)
      slot->first = node;
    else
      pl_requests.nodes[slot->last].following = node;
    slot->last = node;
  }
  unlock_requests();
}

void pl_requests_put_back(const uint64_t* handles, unsigned n, const pl_request* taken,
                          const struct pl_posted* posted) {
  while (n > 0 && taken[n - 1] == 0) --n;
  if (n == 0) return;
  lock_requests();
  for (unsigned i = n; i > 0; --i) { /* to the front, so backwards */
    uint32_t node = 0;
    if (taken[i - 1] == 0) continue;
    struct pl_request_slot* slot = make_room(handles[i - 1], taken[i - 1], posted[i - 1], &node);
    if (slot == NULL) continue;
    pl_requests.nodes[node].following = slot->first;
    if (slot->first == 0) slot->last = node;
    slot->first = node;
  }
  unlock_requests();
}

void pl_requests_find(const uint64_t* handles, unsigned n, pl_request* found) {
  struct pl_requests* table = &pl_requests;
  lock_requests();
  uint32_t round = ++table->round;
  for (unsigned i = 0; i < n; ++i) {
    found[i] = 0;
    if (handles[i] == 0 || table->capacity == 0) continue;
    struct pl_request_slot* slot = find_request(table->slots, table->capacity, handles[i]);
    if (slot->key == 0) continue;
    uint32_t node = slot->round == round ? slot->next : slot->first;
    slot->round = round;
    slot->next = node == 0 ? 0 : table->nodes[node].following;
    if (node != 0) found[i] = table->nodes[node].request;
  }
  unlock_requests();
}

static void erase_slot(struct pl_request_slot* slot) {
  struct pl_requests* table = &pl_requests;
  size_t mask = table->capacity - 1, hole = (size_t)(slot - table->slots);
  for (size_t at = (hole + 1) & mask; table->slots[at].key != 0; at = (at + 1) & mask) {
    size_t home = home_of(table->slots[at].key, table->capacity);
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    table->slots[hole] = table->slots[at];
    hole = at;
  }
  table->slots[hole].key = 0;
  --table->used;
}

/* `before`: the node in front of it, 0 at the front. */
static inline pl_request unlink_node(struct pl_request_slot* slot, uint32_t before, uint32_t node,
                                     struct pl_posted* posted) {
  struct pl_requests* table = &pl_requests;
  struct pl_request_node* left = &table->nodes[node];
  pl_request request = left->request;
  *posted = left->posted;
  if (before == 0)
    slot->first = left->following;
  else
    table->nodes[before].following = left->following;
  if (slot->last == node) slot->last = before;
  left->following = table->free_node;
  table->free_node = node;
  if (slot->first == 0) erase_slot(slot);
  return request;
}

static inline pl_request take_from(struct pl_request_slot* slot, uint32_t owner, struct pl_posted* posted) {
  const struct pl_request_node* nodes = pl_requests.nodes;
  uint32_t before = 0, node = slot->first;
  while (node != 0 && nodes[node].request >> 34 != owner) {
    before = node;
    node = nodes[node].following;
  }
  return node != 0 ? unlink_node(slot, before, node, posted) : unlink_node(slot, 0, slot->first, posted);
}

void pl_requests_take(const uint64_t* handles, unsigned n, uint32_t owner, pl_request* taken,
                      struct pl_posted* posted) {
  struct pl_requests* table = &pl_requests;
  lock_requests();
  for (unsigned i = 0; i < n; ++i) {
    taken[i] = 0;
    if (handles[i] == 0 || table->capacity == 0) continue;
    struct pl_request_slot* slot = find_request(table->slots, table->capacity, handles[i]);
    if (slot->key != 0) taken[i] = take_from(slot, owner, &posted[i]);
  }
  unlock_requests();
}

enum pl_request_kind pl_request_remove(uint64_t handle, uint32_t id, struct pl_posted* posted) {
  struct pl_requests* table = &pl_requests;
  enum pl_request_kind kind = PL_REQUEST_UNKNOWN;
  if (id == 0 || handle == 0) return kind;
  lock_requests();
  struct pl_request_slot* slot = table->capacity == 0 ? NULL : find_request(table->slots, table->capacity, handle);
  if (slot != NULL && slot->key == handle) {
    uint32_t before = 0, node = slot->first;
    while (node != 0 && pl_id_of_request(table->nodes[node].request) != id) {
      before = node;
      node = table->nodes[node].following;
    }
    if (node != 0) kind = pl_kind_of_request(unlink_node(slot, before, node, posted));
  }
  unlock_requests();
  return kind;
}
