/* Finding the other layers of the profiling interface (layers.h), once, when the functions of MPI are looked up. */
#include "tracer/preload/mpi/symbols/layers.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/symbols/lookup.h"

struct pl_mpi pl_layers, pl_library;
__thread int pl_past_layers __attribute__((tls_model("initial-exec")));

enum { kMostLayers = 8, kMostCandidates = 16, kNames = 1024 };

struct code {
  uint64_t begin, end; /* of the mappings of an object that may be executed */
};

/* Added to under no lock: the functions are looked up once, before there are other threads that call MPI. */
static struct layer {
  struct code code;
  const char* file;
  int hides; /* it is in front of us */
  char names[kNames];
} layers[kMostLayers];
int pl_layer_count;

static int within(const struct code* code, const void* address) {
  return (uint64_t)(uintptr_t)address - code->begin < code->end - code->begin;
}

int pl_is_layer(const void* return_address) {
  for (int i = 0; i < pl_layer_count; ++i)
    if (within(&layers[i].code, return_address)) return 1;
  return 0;
}

/* ---- Objects */

static void read_code(const struct dl_phdr_info* object, struct code* code) {
  code->begin = code->end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    uint64_t begin = object->dlpi_addr + part->p_vaddr;
    if (code->end == 0) code->begin = begin;
    code->end = begin + part->p_memsz;
  }
}

struct wanted {
  const void* address;
  struct code code;
  const char* file;
};

static int is_object_of(struct dl_phdr_info* object, size_t size, void* data) {
  struct wanted* wanted = data;
  (void)size;
  read_code(object, &wanted->code);
  wanted->file = object->dlpi_name;
  return within(&wanted->code, wanted->address);
}

static struct layer* layer_at(const void* address, int hides) {
  for (int i = 0; i < pl_layer_count; ++i)
    if (within(&layers[i].code, address)) return &layers[i];
  struct wanted wanted = {.address = address};
  if (pl_layer_count == kMostLayers || dl_iterate_phdr(is_object_of, &wanted) == 0) return NULL;
  struct layer* layer = &layers[pl_layer_count];
  layer->code = wanted.code;
  layer->file = wanted.file;
  layer->hides = hides;
  __atomic_store_n(&pl_layer_count, pl_layer_count + 1, __ATOMIC_RELEASE);
  return layer;
}

static void add_name(struct layer* layer, const char* name) {
  char *limit = layer->names + kNames, *end = layer->names + strlen(layer->names);
  if (end != layer->names) end = pl_put_text(end, limit, " ");
  pl_put_text(end, limit, name);
}

/* ---- Where the MPI library is nobody's but that of a module which was loaded for itself: what such a module finds in
 * its own scope, in front of the library. */

static struct {
  unsigned count;
  void* handle[kMostCandidates];
  struct code code[kMostCandidates];
} candidates;

struct names {
  unsigned count;
  const char* name[512];
  struct code code[512];
};

static int list_object(struct dl_phdr_info* object, size_t size, void* data) {
  struct names* found = data;
  (void)size;
  if (found->count == sizeof found->name / sizeof found->name[0]) return 1;
  if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0') return 0;
  found->name[found->count] = object->dlpi_name;
  read_code(object, &found->code[found->count++]);
  return 0;
}

static void find_candidates(const struct code* ours) {
  static struct names objects;
  objects.count = candidates.count = 0;
  dl_iterate_phdr(list_object, &objects);
  for (unsigned i = 0; i < objects.count && candidates.count < kMostCandidates; ++i) {
    void* handle = dlopen(objects.name[i], RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) continue;
    const void* library = pl_dlsym(handle, "PMPI_Init");
    if (library == NULL || within(&objects.code[i], library) || within(ours, (void*)(uintptr_t)objects.code[i].begin)) {
      dlclose(handle);
      continue;
    }
    candidates.handle[candidates.count] = handle;
    candidates.code[candidates.count++] = objects.code[i];
  }
}

static void forget_candidates(void) {
  for (unsigned i = 0; i < candidates.count; ++i) dlclose(candidates.handle[i]);
  candidates.count = 0;
}

static void* defined_by_candidate(const char* name) {
  for (unsigned i = 0; i < candidates.count; ++i) {
    void* function = pl_dlsym(candidates.handle[i], name);
    if (function != NULL && within(&candidates.code[i], function)) return function;
  }
  return NULL;
}

/* ---- Functions */

static void put(struct pl_mpi* table, size_t offset, void* function) {
  memcpy((char*)table + offset, &function, sizeof function);
}

/* The next one after ours. The library's own has the same address by both names, or lies in the same object. */
static void* next_layer(const char* name, void* own, const struct code* library, void* handle) {
  void* next = handle == NULL ? pl_dlsym(RTLD_NEXT, name) : defined_by_candidate(name);
  return next == own || (next != NULL && within(library, next)) ? NULL : next;
}

static void look_in_front(const char* name, const struct code* ours) {
  const void* first = pl_dlsym(RTLD_DEFAULT, name);
  if (first == NULL || within(ours, first)) return;
  struct layer* layer = layer_at(first, 1);
  if (layer != NULL && layer->hides) add_name(layer, name);
}

/* The same of its entry of Fortran, where that is ours too. */
static void look_at_fortran_in_front(const char* name, const struct code* ours) {
#if defined(__x86_64__)
  char entry[128];
  size_t n = strlen(name);
  if (n + 2 > sizeof entry) return;
  for (size_t i = 0; i < n; ++i) entry[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
  entry[n] = '_';
  entry[n + 1] = '\0';
  look_in_front(entry, ours);
#else
  (void)name;
  (void)ours;
#endif
}

static void find_layers_of(const struct pl_mpi_function* function, void* own, const struct code* library,
                           const struct code* ours, void* handle) {
  const char* name = function->name + 1; /* MPI_ */
  look_in_front(name, ours);
  look_at_fortran_in_front(name, ours);
  void* next = next_layer(name, own, library, handle);
  struct layer* layer = next == NULL ? NULL : layer_at(next, 0);
  if (layer == NULL || layer->hides) return;
  add_name(layer, name);
  put(&pl_layers, function->offset, next);
  put(&pl_mpi, function->offset, function->through);
}

void pl_find_functions(void* library) {
  struct wanted ours = {.address = (const void*)(uintptr_t)&pl_find_functions}, owner = {0};
  dl_iterate_phdr(is_object_of, &ours);
  owner.address = library == NULL ? pl_dlsym(RTLD_NEXT, "PMPI_Init") : pl_dlsym(library, "PMPI_Init");
  if (owner.address == NULL || dl_iterate_phdr(is_object_of, &owner) == 0) owner.code = (struct code){0, 0};
  if (library != NULL) find_candidates(&ours.code);
  for (size_t i = 0; i < pl_mpi_function_count; ++i) {
    const struct pl_mpi_function* function = &pl_mpi_functions[i];
    void* own = library == NULL ? pl_dlsym(RTLD_NEXT, function->name) : pl_dlsym(library, function->name);
    put(&pl_library, function->offset, own);
    put(&pl_mpi, function->offset, own);
    if (own != NULL && function->through != NULL) find_layers_of(function, own, &owner.code, &ours.code, library);
  }
  forget_candidates();
}

int pl_add_layer(const void* function) {
  struct wanted owner = {.address = (const void*)(uintptr_t)pl_library.Init};
  if (owner.address == NULL || dl_iterate_phdr(is_object_of, &owner) == 0 || within(&owner.code, function)) return 0;
  return layer_at(function, 0) != NULL;
}

int pl_is_binding_file(const char* path) {
  static const char* const names[] = {"libmpi_mpifh.", "libmpi_usempif08.", "libmpichfort.", "libmpifort."};
  const char* slash = strrchr(path, '/');
  const char* name = slash == NULL ? path : slash + 1;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (strncmp(name, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

int pl_is_of_library(const void* function, const void* init) {
  struct wanted owner = {.address = init};
  if (init != NULL && dl_iterate_phdr(is_object_of, &owner) != 0 && within(&owner.code, function)) return 1;
  owner.address = function;
  return dl_iterate_phdr(is_object_of, &owner) != 0 && pl_is_binding_file(owner.file);
}

void pl_define_layers(struct pl_thread* t) {
  for (int i = 0; i < pl_layer_count; ++i) {
    char text[kNames + 512], *limit = text + sizeof text;
    const int is_program = layers[i].file == NULL || layers[i].file[0] == '\0';
    char* at = pl_put_text(text, limit, is_program ? "the program" : layers[i].file);
    pl_put_text(pl_put_text(at, limit, ": "), limit, layers[i].names);
    pl_define_meta(t, layers[i].hides ? "mpi.layer_in_front" : "mpi.layer", text);
  }
}
