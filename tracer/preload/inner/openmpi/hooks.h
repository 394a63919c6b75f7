/* What the hooks into Open MPI 4.1 share: openmpi.c replaces entries of the PML's table (the library sends and
 * receives everything through it), requests.h follows requests to their completion, and
 * trial.c decides whether this library is built as the headers say. Without the library's own headers, or
 * with those of another series, only a stub is left. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_HOOKS_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_HOOKS_H

#include "tracer/preload/inner/inner.h"
#include "tracer/preload/mpi/mpi_side.h"

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION == 4 && OMPI_MINOR_VERSION == 1 && UINTPTR_MAX > 0xffffffffu
#if __has_include(<ompi/mca/pml/pml.h>)
#define PL_HAS_OPENMPI_INSIDE
#include <ompi_config.h>

#include <ompi/communicator/communicator.h>
#include <ompi/datatype/ompi_datatype.h>
#include <ompi/group/group.h>
#include <ompi/mca/pml/pml.h>
#include <ompi/proc/proc.h>
#include <ompi/request/request.h>

#pragma GCC visibility push(hidden)

typedef struct ompi_communicator_t pl_ompi_comm;
typedef struct ompi_datatype_t pl_ompi_type;
typedef struct ompi_request_t pl_ompi_request;

/* openmpi.c */
int pl_hook_pml(mca_pml_base_module_t* table, uint32_t job); /* 0: not all entries are there */
void pl_unhook_pml(void);

/* What a hook keeps in a message. */
enum pl_own { PL_OWN_COMM, PL_OWN_REQUEST, PL_OWN_CALLBACK, PL_OWN_FREE };
/* A message that is about to be posted; of a persistent request, what starting it means. */
struct pl_described {
  uint64_t peer_tag, bytes_flags;
  pl_ompi_comm* comm;
  uint32_t context;
  uint16_t function; /* 0: it is none of the library's own */
};

/* trial.c. While a trial is on, it is told of the messages instead of the recorder; their records are
 * nowhere. */
#define PL_PLACE_OF_TRIAL UINT64_MAX
const char* pl_why_no_internals(int known_ones, char by[128]); /* hooks the PML; NULL: it is hooked */
extern int pl_on_trial;
int pl_trial_begin(struct pl_described described); /* its number; -1: there are too many */
void pl_trial_end(uint32_t number, uint64_t peer_tag, uint64_t bytes_flags);

#pragma GCC visibility pop

#endif
#endif
#endif
