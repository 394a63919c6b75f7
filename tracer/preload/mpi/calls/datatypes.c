/* Datatypes of file views and one-sided operations, as trees of what constructed them. */
#include <string.h>

#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"

static struct pl_table by_content, derived_by_handle;
static uint32_t next_id = 1;

enum { kDeepest = 64 };

static enum pl_combiner combiner_of(int combiner) {
  switch (combiner) {
    case MPI_COMBINER_NAMED:
      return PL_TYPE_NAMED;
    case MPI_COMBINER_DUP:
      return PL_TYPE_DUP;
    case MPI_COMBINER_CONTIGUOUS:
      return PL_TYPE_CONTIGUOUS;
    case MPI_COMBINER_VECTOR:
      return PL_TYPE_VECTOR;
    case MPI_COMBINER_HVECTOR:
      return PL_TYPE_HVECTOR;
    case MPI_COMBINER_INDEXED:
      return PL_TYPE_INDEXED;
    case MPI_COMBINER_HINDEXED:
      return PL_TYPE_HINDEXED;
    case MPI_COMBINER_INDEXED_BLOCK:
      return PL_TYPE_INDEXED_BLOCK;
    case MPI_COMBINER_HINDEXED_BLOCK:
      return PL_TYPE_HINDEXED_BLOCK;
    case MPI_COMBINER_STRUCT:
      return PL_TYPE_STRUCT;
    case MPI_COMBINER_SUBARRAY:
      return PL_TYPE_SUBARRAY;
    case MPI_COMBINER_DARRAY:
      return PL_TYPE_DARRAY;
    case MPI_COMBINER_RESIZED:
      return PL_TYPE_RESIZED;
    default:
      return PL_TYPE_OTHER;
  }
}

/* Constants of the library among the integers become numbers that do not depend on it. */
static void normalise(enum pl_combiner combiner, int* integers, int n) {
  if ((combiner == PL_TYPE_SUBARRAY || combiner == PL_TYPE_DARRAY) && n > 0)
    integers[n - 1] = integers[n - 1] == MPI_ORDER_FORTRAN ? 1 : 0;
  if (combiner != PL_TYPE_DARRAY || n < 3 || n < 4 * integers[2] + 4) return;
  int dimensions = integers[2], *distributions = integers + 3 + dimensions, *arguments = distributions + dimensions;
  for (int i = 0; i < dimensions; ++i) {
    int kind = distributions[i];
    distributions[i] = kind == MPI_DISTRIBUTE_BLOCK ? 1 : kind == MPI_DISTRIBUTE_CYCLIC ? 2 : 0;
    if (arguments[i] == MPI_DISTRIBUTE_DFLT_DARG) arguments[i] = -1;
  }
}

struct pl_contents {
  int integers, addresses, types;
  int* integer;
  MPI_Aint* address;
  MPI_Datatype* type;
  uint64_t* words; /* the payload under construction */
  size_t bytes;    /* of the one mapping that holds all of it */
};

static int map_contents(struct pl_contents* c) {
  size_t n = (size_t)c->integers, a = (size_t)c->addresses, k = (size_t)c->types;
  size_t words = 6 + n + a + k + (k + 1) / 2 + a + (n + 1) / 2;
  c->bytes = (words + 8) * sizeof(uint64_t);
  c->words = pl_map(c->bytes);
  if (c->words == NULL) return 0;
  c->address = (MPI_Aint*)(void*)(c->words + 6 + n + a + (k + 1) / 2);
  c->type = (MPI_Datatype*)(void*)(c->address + a);
  c->integer = (int*)(void*)(c->type + k);
  return 1;
}

static uint32_t define_type(struct pl_thread* t, MPI_Datatype datatype, int depth);

enum { kLarge = -1 }; /* as combiner: made with large counts */

/* The combiner, and how much of contents there is. Of a type that was made with large counts nothing more is asked: as
 * MPI 3 asks it is an error, which ends most programs. */
static int envelope(MPI_Datatype datatype, struct pl_contents* c) {
  int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  if (pl_mpi.Type_get_envelope_c != NULL) {
    pl_mpi.Type_get_envelope_c(datatype, &integers, &addresses, &counts, &types, &combiner);
    c->integers = (int)integers;
    c->addresses = (int)addresses;
    c->types = (int)types;
    return counts > 0 ? kLarge : combiner;
  }
#endif
  pl_mpi.Type_get_envelope(datatype, &c->integers, &c->addresses, &c->types, &combiner);
  return combiner;
}

/* The types that contents hands out are the caller's to free, unless they are named. */
static void free_type(MPI_Datatype* type) {
  struct pl_contents c = {0};
  int combiner = envelope(*type, &c);
  int ours = combiner == kLarge || (combiner != MPI_COMBINER_NAMED && combiner_of(combiner) != PL_TYPE_OTHER);
  if (ours) pl_library.Type_free(type);
}

static uint32_t define_words(struct pl_thread* t, uint64_t* words, size_t n, uint64_t begin) {
  uint64_t id = 0, key = pl_hash(words, n * sizeof(uint64_t), 1);
  if (pl_table_get(&by_content, key, &id)) return (uint32_t)id;
  id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  pl_table_put(&by_content, key, id);
  words[0] |= id;
  if (n > PL_MAX_WORDS) { /* too large for a record: size and extent only */
    words[0] = pl_pair((uint32_t)id, PL_TYPE_OTHER);
    words[4] = words[5] = 0;
    n = 6;
    pl_lose(1);
  }
  uint64_t* payload = pl_define(t, (unsigned)n);
  memcpy(payload, words, n * sizeof(uint64_t));
  pl_defined(t, payload, PL_DEF_DATATYPE, (unsigned)n, begin);
  return (uint32_t)id;
}

/* Children first, so that they are defined before their parent. */
static size_t fill_contents(struct pl_thread* t, struct pl_contents* c, enum pl_combiner combiner, int depth) {
  uint64_t* at = c->words + 6;
  normalise(combiner, c->integer, c->integers);
  for (int i = 0; i < c->integers; ++i) *at++ = (uint64_t)(int64_t)c->integer[i];
  for (int i = 0; i < c->addresses; ++i) *at++ = (uint64_t)(int64_t)c->address[i];
  for (int i = 0; i < c->types; ++i) {
    uint64_t child = define_type(t, c->type[i], depth + 1);
    at[i / 2] |= i % 2 == 0 ? child : child << 32;
  }
  return (size_t)(at - c->words) + ((size_t)c->types + 1) / 2;
}

static uint32_t define_type(struct pl_thread* t, MPI_Datatype datatype, int depth) {
  uint64_t begin = pl_ticks();
  struct pl_contents c = {0};
  MPI_Count size = 0, lower = 0, extent = 0;
  int raw = envelope(datatype, &c);
  pl_mpi.Type_size_x(datatype, &size);
  pl_mpi.Type_get_extent_x(datatype, &lower, &extent);
  enum pl_combiner combiner = depth < kDeepest ? combiner_of(raw) : PL_TYPE_OTHER;
  if (combiner == PL_TYPE_NAMED || combiner == PL_TYPE_OTHER) c.integers = c.addresses = c.types = 0;
  if (!map_contents(&c)) return 0;
  if (c.types > 0) pl_mpi.Type_get_contents(datatype, c.integers, c.addresses, c.types, c.integer, c.address, c.type);
  size_t n = fill_contents(t, &c, combiner, depth);
  for (int i = 0; i < c.types; ++i) free_type(&c.type[i]);
  c.words[0] = pl_pair(0, (uint32_t)combiner);
  c.words[1] = (uint64_t)size;
  c.words[2] = (uint64_t)lower;
  c.words[3] = (uint64_t)extent;
  c.words[4] = pl_pair((uint32_t)c.integers, (uint32_t)c.addresses);
  c.words[5] = pl_pair((uint32_t)c.types, 0);
  uint32_t id = define_words(t, c.words, n, begin);
  pl_unmap(c.words, c.bytes);
  return id;
}

uint32_t pl_datatype_id(struct pl_thread* t, MPI_Datatype datatype) {
  return datatype == pl_constants.datatype_null ? 0 : define_type(t, datatype, 0);
}

/* A freed type's handle may come again for another one, so MPI_Type_free is watched. */
uint32_t pl_derived_id(struct pl_thread* t, MPI_Datatype datatype) {
  uint64_t known = 0;
  struct pl_contents c = {0};
  if (PL_LIKELY(pl_table_get(&derived_by_handle, PL_HANDLE(datatype), &known))) return (uint32_t)known;
  uint32_t id = envelope(datatype, &c) == MPI_COMBINER_NAMED ? 0 : pl_datatype_id(t, datatype);
  pl_table_put(&derived_by_handle, PL_HANDLE(datatype), id);
  return id;
}

uint32_t pl_types_freed = 1;

PL_NOINLINE uint64_t pl_ask_size(struct pl_thread* t, MPI_Datatype datatype) {
  MPI_Count size = 0;
  uint32_t version = __atomic_load_n(&pl_types_freed, __ATOMIC_ACQUIRE);
  if (pl_mpi.Type_size_x(datatype, &size) != MPI_SUCCESS || size <= 0) return 0;
  t->type = (struct pl_sized){PL_HANDLE(datatype), (uint64_t)size, version};
  return (uint64_t)size;
}

/* Leaves no record. Also inside of other calls (of an attribute's delete function): the handle is free in any case. */
int pl_wrap_Type_free(MPI_Datatype* datatype) {
  if (derived_by_handle.used != 0 && datatype != NULL) pl_table_remove(&derived_by_handle, PL_HANDLE(*datatype));
  __atomic_fetch_add(&pl_types_freed, 1, __ATOMIC_RELEASE); /* before the call: another thread may get the handle */
  return PL_REAL(Type_free)(datatype);
}
