/* Where the Fortran bindings are: which calls of PMPI_ functions are theirs, and the functions behind our entries. */
#include "tracer/preload/mpi/symbols/fortran.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/symbols/lookup.h"

__thread uint64_t pl_fortran_caller __attribute__((tls_model("initial-exec")));

enum { kMostLibraries = 8 };

struct libraries {
  unsigned count;
  struct library {
    uint64_t begin, end; /* of its code */
    char path[512];
  } library[kMostLibraries];
};

/* Those whose code may call for the program; added to when a module of an interpreter brings them along later. */
static struct {
  struct pl_lock lock;
  unsigned count;
  struct {
    uint64_t begin, end;
  } code[kMostLibraries];
} bindings;

int pl_in_fortran_binding(uint64_t address) {
  unsigned count = __atomic_load_n(&bindings.count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; ++i)
    if (address >= bindings.code[i].begin && address < bindings.code[i].end) return 1;
  return 0;
}

/* ---- The libraries */

static int list_library(struct dl_phdr_info* object, size_t size, void* list) {
  struct libraries* found = list;
  (void)size;
  if (found->count == kMostLibraries || object->dlpi_name == NULL || !pl_is_binding_file(object->dlpi_name)) return 0;
  struct library* library = &found->library[found->count];
  if (strlen(object->dlpi_name) >= sizeof library->path) return 0;
  library->begin = library->end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    library->begin = object->dlpi_addr + part->p_vaddr;
    library->end = library->begin + part->p_memsz;
  }
  pl_put_text(library->path, library->path + sizeof library->path, object->dlpi_name);
  if (library->end != 0) ++found->count;
  return 0;
}

static void publish(const struct libraries* found) {
  pl_acquire(&bindings.lock);
  for (unsigned i = 0; i < found->count && bindings.count < kMostLibraries; ++i) {
    const struct library* library = &found->library[i];
    if (pl_in_fortran_binding(library->begin)) continue;
    bindings.code[bindings.count].begin = library->begin;
    bindings.code[bindings.count].end = library->end;
    __atomic_store_n(&bindings.count, bindings.count + 1, __ATOMIC_RELEASE);
  }
  pl_release(&bindings.lock);
}

/* ---- Who in them calls for the program */

static void set_gate(struct pl_gate* gate, uint64_t begin, uint64_t bytes) {
  gate->begin = begin;
  __atomic_store_n(&gate->bytes, bytes, __ATOMIC_RELEASE); /* until then nothing is in it */
}

static void gate_of_all(struct pl_gate* gate, const struct libraries* found) {
  uint64_t begin = UINT64_MAX, end = 0;
  for (unsigned i = 0; i < found->count; ++i) {
    if (found->library[i].begin < begin) begin = found->library[i].begin;
    if (found->library[i].end > end) end = found->library[i].end;
  }
  set_gate(gate, begin, end - begin);
}

/* 1: the library has such a function, and it may pass now. */
static int gate_of_caller(struct pl_gate* gate, const struct library* library, void* handle, const char* caller) {
  Dl_info info;
  const ElfW(Sym)* symbol = NULL;
  void* function = pl_dlsym(handle, caller);
  uint64_t begin = (uint64_t)(uintptr_t)function;
  if (function == NULL || begin < library->begin || begin >= library->end) return 0;
  if (dladdr1(function, &info, (void**)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) return 0;
  if (info.dli_saddr != function) return 0;
  set_gate(gate, begin, symbol->st_size);
  return 1;
}

static void set_gates(const struct libraries* found) {
  struct pl_gate* gates = pl_layer_count == 0 ? pl_gates : pl_binding_gates;
  void* handles[kMostLibraries];
  for (unsigned i = 0; i < found->count; ++i) handles[i] = dlopen(found->library[i].path, RTLD_LAZY | RTLD_NOLOAD);
  for (unsigned f = 0; f < pl_bound_count; ++f) {
    const char* const* callers = pl_bound[f].callers;
    int done = 0;
    if (callers[0] == NULL) gate_of_all(&gates[f], found);
    for (unsigned c = 0; c < 2 && callers[c] != NULL && !done; ++c)
      for (unsigned i = 0; i < found->count && !done; ++i)
        if (handles[i] != NULL) done = gate_of_caller(&gates[f], &found->library[i], handles[i], callers[c]);
  }
  for (unsigned i = 0; i < found->count; ++i)
    if (handles[i] != NULL) dlclose(handles[i]);
}

static void find_bindings(void) {
  struct libraries found;
  found.count = 0;
  dl_iterate_phdr(list_library, &found);
  if (found.count <= __atomic_load_n(&bindings.count, __ATOMIC_ACQUIRE)) return;
  set_gates(&found);
  publish(&found);
}

int pl_is_past_layers(unsigned number, const void* return_address) {
  const struct pl_gate* binding = &pl_binding_gates[number];
  if ((uint64_t)(uintptr_t)return_address - binding->begin < __atomic_load_n(&binding->bytes, __ATOMIC_ACQUIRE))
    return 1;
  return pl_self.mode == PL_OUTSIDE && pl_is_layer(return_address);
}

/* Where calls go on that the gates do not know to be the program's. */
static void set_next(void) {
  for (unsigned f = 0; f < pl_bound_count; ++f) {
    void (*real)(void) = NULL;
    memcpy((void*)&real, (const char*)&pl_library + pl_bound[f].offset, sizeof real);
    if (real != NULL && pl_layer_count != 0) real = pl_bound[f].outer;
    if (real != NULL) __atomic_store_n(&pl_gates[f].next, real, __ATOMIC_RELEASE);
  }
}

/* What the gates know is known to pl_is_past_layers() from now on. */
static void open_gates(void) {
  if (pl_layer_count == 0) return;
  for (unsigned f = 0; f < pl_bound_count; ++f) {
    if (pl_gates[f].bytes == 0) continue;
    set_gate(&pl_binding_gates[f], pl_gates[f].begin, pl_gates[f].bytes);
    __atomic_store_n(&pl_gates[f].bytes, 0, __ATOMIC_RELEASE);
  }
}

void pl_find_fortran(void) {
  set_next();
  open_gates();
  find_bindings();
}

static void resolve_pmpi(unsigned f) {
  int saved = errno;
  pl_resolve(pl_bound[f].name, (char*)&pl_library + pl_bound[f].offset);
  errno = saved;
}

#if defined(__x86_64__)

/* ---- The functions behind our entries */

/* Of the library that would have been called without us; else of a binding that is nobody's but its module's. */
static void* real_entry(const char* name) {
  void* function = pl_dlsym(RTLD_NEXT, name);
  if (function != NULL) return function;
  struct libraries found;
  found.count = 0;
  dl_iterate_phdr(list_library, &found);
  for (unsigned i = 0; i < found.count && function == NULL; ++i) {
    void* handle = dlopen(found.library[i].path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) continue;
    function = pl_dlsym(handle, name);
    dlclose(handle);
  }
  return function;
}

static void missing(const char* name) {
  char line[256], *limit = line + sizeof line, *at = pl_put_text(line, limit, "plumbline: no loaded library has ");
  at = pl_put_text(pl_put_text(at, limit, name), limit, ", which the program calls\n");
  pl_sys_write(2, line, (size_t)(at - line));
  abort();
}

/* Where entries go that do not know yet where to go on, number in r11: asks, with the registers of arguments saved. */
__asm__(
    ".pushsection .text\n.hidden pl_fortran_first, pl_fortran_resolve\n.globl pl_fortran_first\n"
    ".type pl_fortran_first, @function\n.p2align 4\npl_fortran_first:\n.cfi_startproc\n"
    "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
    "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\nsubq $192, %rsp\n"
    "movq %rdi, (%rsp)\nmovq %rsi, 8(%rsp)\nmovq %rdx, 16(%rsp)\nmovq %rcx, 24(%rsp)\n"
    "movq %r8, 32(%rsp)\nmovq %r9, 40(%rsp)\nmovq %rax, 48(%rsp)\nmovq %r10, 56(%rsp)\n"
    "movups %xmm0, 64(%rsp)\nmovups %xmm1, 80(%rsp)\nmovups %xmm2, 96(%rsp)\nmovups %xmm3, 112(%rsp)\n"
    "movups %xmm4, 128(%rsp)\nmovups %xmm5, 144(%rsp)\nmovups %xmm6, 160(%rsp)\nmovups %xmm7, 176(%rsp)\n"
    "movl %r11d, %edi\ncall pl_fortran_resolve\nmovq %rax, %r11\n"
    "movq (%rsp), %rdi\nmovq 8(%rsp), %rsi\nmovq 16(%rsp), %rdx\nmovq 24(%rsp), %rcx\n"
    "movq 32(%rsp), %r8\nmovq 40(%rsp), %r9\nmovq 48(%rsp), %rax\nmovq 56(%rsp), %r10\n"
    "movups 64(%rsp), %xmm0\nmovups 80(%rsp), %xmm1\nmovups 96(%rsp), %xmm2\nmovups 112(%rsp), %xmm3\n"
    "movups 128(%rsp), %xmm4\nmovups 144(%rsp), %xmm5\nmovups 160(%rsp), %xmm6\nmovups 176(%rsp), %xmm7\n"
    "leave\n.cfi_def_cfa %rsp, 8\njmp *%r11\n"
    ".cfi_endproc\n.size pl_fortran_first, .-pl_fortran_first\n.popsection");

/* A layer may have entries of Fortran only. */
static void take_for_layer(void* function) {
  Dl_info info;
  if (pl_is_layer(function) || dladdr(function, &info) == 0 || info.dli_fname == NULL ||
      pl_is_binding_file(info.dli_fname))
    return;
  if (pl_library.Init == NULL) resolve_pmpi(0);
  if (!pl_add_layer(function)) return;
  set_next();
  open_gates();
}

/* Entries PMPI_ try again. */
__attribute__((used)) void (*pl_fortran_resolve(unsigned number))(void);
void (*pl_fortran_resolve(unsigned number))(void) {
  int saved = errno;
  void (*next)(void) = NULL;
  if (number < pl_fortran_first_number) {
    resolve_pmpi(number);
    next = pl_bound[number].entry;
  } else {
    const char* name = pl_fortran_names[number - pl_fortran_first_number];
    void* function = real_entry(name);
    if (function == NULL) missing(name);
    find_bindings();
    take_for_layer(function);
    memcpy((void*)&next, &function, sizeof next);
    __atomic_store_n(&pl_fortran_next[number - pl_fortran_first_number], next, __ATOMIC_RELEASE);
  }
  errno = saved;
  return next;
}

#else

void (*pl_fortran_next_of(unsigned number))(void) {
  if (PL_UNLIKELY(pl_gates[number].next == NULL)) resolve_pmpi(number);
  return pl_gates[number].next;
}

#endif
