/* Vectors of bytes per rank, of v-collectives: the first record with one has it, later ones refer to it. */
#include "tracer/preload/mpi/calls/collectives.h"

/* By key: vector << 34 | check. Keys and checks are two hashes of one content: together they are taken for it. */
static struct pl_table by_content;
static uint32_t vectors;
static uint64_t words;

enum { kCheckBits = 34 };

struct content {
  uint64_t sum, key, check;
};

static struct content look_through(const struct pl_comm* c, const struct pl_side* side) {
  struct content content = {0, 0x9E3779B97F4A7C15u * (uint64_t)(unsigned)c->peers, 0};
  uint64_t size = side->types == NULL ? pl_size(side->type) : 0;
  for (int i = 0; i < c->peers; ++i) {
    uint64_t bytes = pl_side_bytes(side, size, i);
    content.sum += bytes;
    content.key = (content.key ^ bytes) * 0xd6e8feb86659fd93u;
    content.key ^= content.key >> 32;
    content.check = (content.check + bytes + 1) * 0x9E3779B97F4A7C15u;
  }
  content.check >>= 64 - kCheckBits;
  if (content.key == 0) content.key = 1;
  return content;
}

void pl_look_up_vector(const struct pl_comm* c, const struct pl_side* side, struct pl_direction* direction) {
  struct content content = look_through(c, side);
  uint64_t known = 0;
  direction->bytes += content.sum;
  direction->word = PL_MOVED_BYTES | direction->bytes;
  direction->listed = pl_listed(c, side);
  if (direction->listed == 0) return;
  direction->words = direction->listed;
  direction->word = PL_MOVED_LIST | direction->listed;
  if (pl.apart) return; /* the record that has the vector may have to give way */
  int found = pl_table_get(&by_content, content.key, &known);
  if (found && (known & ((1ull << kCheckBits) - 1)) == content.check) {
    direction->words = 0;
    direction->word = PL_MOVED_VECTOR | known >> kCheckBits << 16;
  } else if (!found && __atomic_load_n(&vectors, __ATOMIC_RELAXED) < PL_MOST_VECTORS &&
             __atomic_add_fetch(&words, direction->listed, __ATOMIC_RELAXED) <= PL_MOST_VECTOR_WORDS) {
    uint32_t vector = __atomic_add_fetch(&vectors, 1, __ATOMIC_RELAXED);
    direction->word |= (uint64_t)vector << 16;
    direction->key = content.key;
    direction->check = content.check;
  }
}

static void keep(const struct pl_direction* direction) {
  if (direction->key == 0) return;
  uint64_t vector = (direction->word & (PL_MOVED_VECTOR - 1)) >> 16;
  pl_table_put(&by_content, direction->key, vector << kCheckBits | direction->check);
}

void pl_keep_vectors(const struct pl_moved* m) {
  if (!m->packed) return;
  keep(&m->to);
  keep(&m->from);
}
