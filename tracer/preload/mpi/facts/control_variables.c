/* How the MPI library is set up: its control variables, read once through the tools interface (MPI_T). Only those that
 * decide how messages, collectives and files are handled: what a user sets otherwise shows in the environment anyhow.
 * Not for Open MPI (mca_variables.c).
 *
 * The interface stays initialised. MPICH 4.0.2 frees its tables with the last MPI_T_finalize and does not make them
 * again: a program that used MPI_T after ours would crash. With ours outstanding its own calls, balanced in themselves,
 * never are the last. It is initialised for many threads, because the first one decides. */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"

#if !defined(OPEN_MPI)

enum { kNameBytes = 256, kValueBytes = 2048 };

/* The tools interface is no part of the table of wrapped functions: nothing stands in front of it. */
static struct {
  int (*init_thread)(int, int*);
  int (*cvar_get_num)(int*);
  int (*cvar_get_info)(int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*);
  int (*cvar_handle_alloc)(int, void*, MPI_T_cvar_handle*, int*);
  int (*cvar_handle_free)(MPI_T_cvar_handle*);
  int (*cvar_read)(MPI_T_cvar_handle, void*);
} tools;

static int find(const char* name, void* function) {
  void* symbol = pl_mpi_symbol(name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int find_tools(void) {
  return find("PMPI_T_init_thread", &tools.init_thread) && find("PMPI_T_cvar_get_num", &tools.cvar_get_num) &&
         find("PMPI_T_cvar_get_info", &tools.cvar_get_info) &&
         find("PMPI_T_cvar_handle_alloc", &tools.cvar_handle_alloc) &&
         find("PMPI_T_cvar_handle_free", &tools.cvar_handle_free) && find("PMPI_T_cvar_read", &tools.cvar_read);
}

enum interest { kNone, kUnlessZero, kAlways };

static enum interest interest_in(const char* name) {
  static const char* const exact[] = {"MPIR_CVAR_NETMOD",  "MPIR_CVAR_DEVICE_COLLECTIVES", "MPIR_CVAR_ASYNC_PROGRESS",
                                      "MPIR_CVAR_NOLOCAL", "MPIR_CVAR_ENABLE_HCOLL",       NULL};
  static const char* const parts[] = {"EAGER", "RNDV", "MSG_SIZE", "MIN_PROCS", NULL};
  static const char* const algorithms[] = {"MPIR_CVAR_", "_ALGORITHM"};
  for (const char* const* one = exact; *one != NULL; ++one)
    if (strcmp(name, *one) == 0) return kAlways;
  for (const char* const* one = parts; *one != NULL; ++one)
    if (strstr(name, *one) != NULL) return kAlways;
  size_t length = strlen(name), end = strlen(algorithms[1]);
  int is_one = strncmp(name, algorithms[0], strlen(algorithms[0])) == 0 && length > end &&
               strcmp(name + length - end, algorithms[1]) == 0;
  return is_one ? kUnlessZero : kNone;
}

/* The value as text, by the size of an element: a text, a truth value, an int, a long. 0: not to be told. */
static int put_value(char* to, char* limit, const void* value, uint64_t element, int count) {
  union {
    const void* any;
    const char* text;
    const int32_t* narrow;
    const int64_t* wide;
  } at = {value};
  if (element == 1 && count == 1 && (unsigned char)at.text[0] < 2) return pl_put_number(to, limit, at.text[0]) != to;
  if (element == 1) return pl_put_text(to, limit, at.text) != to;
  if (count == 1 && element == 4) return pl_put_number(to, limit, at.narrow[0]) != to;
  if (count == 1 && element == 8) return pl_put_number(to, limit, at.wide[0]) != to;
  return 0;
}

static void define_variable(struct pl_thread* t, int index, const char* name, MPI_Datatype type, enum interest wanted) {
  uint64_t value[kValueBytes / 8];
  char key[kNameBytes + 8], text[kValueBytes], *limit = key + sizeof key;
  MPI_T_cvar_handle handle;
  int count = 0;
  if (tools.cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) return;
  uint64_t element = pl_bytes(1, type);
  memset(value, 0, sizeof value);
  int known = count > 0 && element > 0 && (uint64_t)count <= (sizeof value - 1) / element &&
              tools.cvar_read(handle, value) == MPI_SUCCESS &&
              put_value(text, text + sizeof text, value, element, count);
  tools.cvar_handle_free(&handle);
  if (!known || (wanted == kUnlessZero && strcmp(text, "0") == 0)) return;
  pl_put_text(pl_put_text(key, limit, "cvar."), limit, name);
  pl_define_meta(t, key, text);
}

static void define_variables(struct pl_thread* t) {
  int variables = 0;
  if (tools.cvar_get_num(&variables) != MPI_SUCCESS) return;
  for (int i = 0; i < variables; ++i) {
    char name[kNameBytes];
    int length = sizeof name, none = 0, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    name[0] = '\0';
    if (tools.cvar_get_info(i, name, &length, &verbosity, &type, &enumeration, NULL, &none, &bind, &scope) !=
        MPI_SUCCESS)
      continue; /* of a component that was closed */
    name[sizeof name - 1] = '\0';
    enum interest wanted = bind == MPI_T_BIND_NO_OBJECT ? interest_in(name) : kNone;
    if (wanted != kNone) define_variable(t, i, name, type, wanted);
  }
}

void pl_define_control_variables(struct pl_thread* t) {
  int provided = 0;
  if (!find_tools() || tools.init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return;
  define_variables(t);
}

void pl_define_file_variables(struct pl_thread* t) { (void)t; /* MPICH has all of them from the beginning */ }

#endif
