/* dlsym. A program that loads its MPI library by itself (dlopen, then dlsym: plugins, Julia, ctypes) is given our
 * functions in the place of those of the library. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/symbols/lookup.h"

typedef void* lookup(void*, const char*);

/* The C library's: dlvsym is nobody's but its. The names are those of x86-64, and of what came later. */
static lookup* find_real(void) {
  static const char* const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27"};
  static lookup* real;
  for (size_t i = 0; real == NULL && i < sizeof versions / sizeof versions[0]; ++i) {
    void* function = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    memcpy((void*)&real, &function, sizeof function);
  }
  return real;
}

/* A jump, here and below: who looks up decides what RTLD_NEXT is. */
void* pl_dlsym(void* handle, const char* name) { return find_real()(handle, name); }

static int is_of_mpi(const char* name) {
  static const char* const prefixes[] = {"MPI_", "PMPI_", "mpi_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  return 0;
}

/* This library by itself. */
static void* our_handle(void) {
  static void* handle;
  Dl_info info;
  if (handle == NULL && dladdr((void*)&our_handle, &info) != 0 && info.dli_fname != NULL)
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return handle;
}

/* What a failed look-up of ours leaves for dlerror() is not the program's. */
static void* lookup_quietly(void* handle, const char* name) {
  void* found = handle == NULL ? NULL : pl_dlsym(handle, name);
  if (found == NULL) dlerror();
  return found;
}

static PL_NOINLINE void* ours_instead(void* handle, const char* name) {
  void* found = pl_dlsym(handle, name);
  if (found == NULL || !pl_is_of_library(found, lookup_quietly(handle, "PMPI_Init"))) return found;
  void* ours = lookup_quietly(our_handle(), name);
  return ours == NULL ? found : ours;
}

PL_EXPORT void* dlsym(void* handle, const char* name) {
  if (PL_LIKELY(handle == RTLD_DEFAULT || handle == RTLD_NEXT || !is_of_mpi(name))) return find_real()(handle, name);
  pl_load();
  return pl.enabled ? ours_instead(handle, name) : find_real()(handle, name);
}
