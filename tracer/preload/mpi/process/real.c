/* Finding the functions of the MPI library that the program brought along. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/symbols/lookup.h"

struct pl_mpi pl_mpi;
struct pl_constants pl_constants;

/* A library that an interpreter has loaded for itself (RTLD_LOCAL) is not among the next ones. Those of other flavours
 * come last: nothing is recorded of them, but the program must run. */
static void* loaded_library(void) {
  static const char* const names[] = {
#if defined(OPEN_MPI)
    "libmpi.so.40",
    "libmpi.so.80",
    "libmpi.so",
    "libmpich.so.12",
    "libmpi.so.12",
    "libmpich.so"
#else
    "libmpich.so.12",
    "libmpi.so.12",
    "libmpich.so",
    "libmpi.so",
    "libmpi.so.40",
    "libmpi.so.80"
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    void* library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) return library;
  }
  return NULL;
}

void* pl_mpi_symbol(const char* name) {
  void* symbol = pl_dlsym(RTLD_NEXT, name);
  void* library = symbol == NULL ? loaded_library() : NULL;
  return library == NULL ? symbol : pl_dlsym(library, name);
}

void* pl_loaded_symbol(const char* library, const char* name) {
  void* loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  return loaded == NULL ? NULL : pl_dlsym(loaded, name);
}

static void find_constants(void* library) {
#if defined(OPEN_MPI)
#define PL_OBJECT(field, type, symbol)                       \
  pl_constants.field = (type)pl_dlsym(RTLD_DEFAULT, symbol); \
  if (pl_constants.field == NULL && library != NULL) pl_constants.field = (type)pl_dlsym(library, symbol)
  PL_OBJECT(comm_world, MPI_Comm, "ompi_mpi_comm_world");
  PL_OBJECT(comm_self, MPI_Comm, "ompi_mpi_comm_self");
  PL_OBJECT(comm_null, MPI_Comm, "ompi_mpi_comm_null");
  PL_OBJECT(datatype_null, MPI_Datatype, "ompi_mpi_datatype_null");
  PL_OBJECT(byte, MPI_Datatype, "ompi_mpi_byte");
  PL_OBJECT(request_null, MPI_Request, "ompi_request_null");
  PL_OBJECT(info_null, MPI_Info, "ompi_mpi_info_null");
  PL_OBJECT(file_null, MPI_File, "ompi_mpi_file_null");
  PL_OBJECT(message_no_proc, MPI_Message, "ompi_message_no_proc");
  PL_OBJECT(ops[PL_OP_SUM], MPI_Op, "ompi_mpi_op_sum");
  PL_OBJECT(ops[PL_OP_REPLACE], MPI_Op, "ompi_mpi_op_replace");
  PL_OBJECT(ops[PL_OP_NO_OP], MPI_Op, "ompi_mpi_op_no_op");
  PL_OBJECT(ops[PL_OP_MIN], MPI_Op, "ompi_mpi_op_min");
  PL_OBJECT(ops[PL_OP_MAX], MPI_Op, "ompi_mpi_op_max");
  PL_OBJECT(ops[PL_OP_PROD], MPI_Op, "ompi_mpi_op_prod");
  PL_OBJECT(ops[PL_OP_LAND], MPI_Op, "ompi_mpi_op_land");
  PL_OBJECT(ops[PL_OP_BAND], MPI_Op, "ompi_mpi_op_band");
  PL_OBJECT(ops[PL_OP_LOR], MPI_Op, "ompi_mpi_op_lor");
  PL_OBJECT(ops[PL_OP_BOR], MPI_Op, "ompi_mpi_op_bor");
  PL_OBJECT(ops[PL_OP_LXOR], MPI_Op, "ompi_mpi_op_lxor");
  PL_OBJECT(ops[PL_OP_BXOR], MPI_Op, "ompi_mpi_op_bxor");
  PL_OBJECT(ops[PL_OP_MINLOC], MPI_Op, "ompi_mpi_op_minloc");
  PL_OBJECT(ops[PL_OP_MAXLOC], MPI_Op, "ompi_mpi_op_maxloc");
#else
  (void)library;
  pl_constants = (struct pl_constants){MPI_COMM_WORLD,
                                       MPI_COMM_SELF,
                                       MPI_COMM_NULL,
                                       MPI_DATATYPE_NULL,
                                       MPI_BYTE,
                                       MPI_REQUEST_NULL,
                                       MPI_INFO_NULL,
                                       MPI_FILE_NULL,
                                       MPI_MESSAGE_NO_PROC,
                                       .ops = {[PL_OP_SUM] = MPI_SUM,
                                               [PL_OP_REPLACE] = MPI_REPLACE,
                                               [PL_OP_NO_OP] = MPI_NO_OP,
                                               [PL_OP_MIN] = MPI_MIN,
                                               [PL_OP_MAX] = MPI_MAX,
                                               [PL_OP_PROD] = MPI_PROD,
                                               [PL_OP_LAND] = MPI_LAND,
                                               [PL_OP_BAND] = MPI_BAND,
                                               [PL_OP_LOR] = MPI_LOR,
                                               [PL_OP_BOR] = MPI_BOR,
                                               [PL_OP_LXOR] = MPI_LXOR,
                                               [PL_OP_BXOR] = MPI_BXOR,
                                               [PL_OP_MINLOC] = MPI_MINLOC,
                                               [PL_OP_MAXLOC] = MPI_MAXLOC}};
#endif
}

PL_COLD void pl_resolve(const char* missing, void* found) {
  int saved = errno;
  void* library = loaded_library();
  find_constants(library);
  pl_find_functions(pl_dlsym(RTLD_NEXT, "PMPI_Init") == NULL ? library : NULL);
  pl_find_fortran();
  void* function = NULL;
  memcpy(&function, found, sizeof function);
  if (function == NULL) {
    char line[256], *limit = line + sizeof line;
    char* at = pl_put_text(pl_put_text(line, limit, "plumbline: no loaded library of " PL_LIBRARY_NAME " has "), limit,
                           missing);
    at = pl_put_text(at, limit, "; this tracer belongs to another MPI than the program\n");
    pl_sys_write(2, line, (size_t)(at - line));
    abort();
  }
  errno = saved;
}
