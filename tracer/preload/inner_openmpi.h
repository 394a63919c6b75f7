/* What the hooks into Open MPI 4.1 share: inner_openmpi.c replaces entries of the PML's table (the library sends and
 * receives everything through it), inner_openmpi_requests.c follows requests to their completion, and
 * inner_openmpi_trial.c decides whether this library is built as the headers say. Without the library's own headers, or
 * with those of another series, only a stub is left. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_H

#include "tracer/preload/inner.h"
#include "tracer/preload/mpi_side.h"

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

typedef struct ompi_communicator_t pl_ompi_comm;
typedef struct ompi_datatype_t pl_ompi_type;
typedef struct ompi_request_t pl_ompi_request;

/* inner_openmpi.c */
int pl_hook_pml(mca_pml_base_module_t* table, uint32_t job); /* 0: not all entries are there */
void pl_unhook_pml(void);
uint32_t pl_world_rank_in(const pl_ompi_comm* comm, int rank); /* (uint32_t)-1: of another job, or unknown */
/* As complete as its status says. m is given back. */
void pl_complete_by_status(struct pl_inner_message* m, const ompi_status_public_t* status, int error);

/* What a hook keeps in a message. */
enum pl_own { PL_OWN_COMM, PL_OWN_REQUEST, PL_OWN_CALLBACK, PL_OWN_FREE };

/* inner_openmpi_requests.c */
void pl_follow_posted(struct pl_inner_message* m, pl_ompi_request* request);   /* the library has just made it */
void pl_follow_starting(struct pl_inner_message* m, pl_ompi_request* request); /* it is about to be started */
void pl_unfollow(pl_ompi_request* request);                                    /* it was not started: an error */
/* What starting a persistent request means. */
struct pl_described {
  uint64_t peer_tag, bytes_flags;
  pl_ompi_comm* comm;
  uint32_t context;
  uint16_t function; /* 0: it is none of the library's own */
};
void pl_describe_request(const pl_ompi_request* request, const struct pl_described* described);
const struct pl_described* pl_described_request(const pl_ompi_request* request); /* or NULL */

/* inner_openmpi_trial.c: a message posted and completed while nothing is recorded is part of a trial, or of nothing. */
const char* pl_why_no_internals(struct pl_thread* t, char by[128]); /* hooks the PML; NULL: it is hooked */
extern int pl_on_trial;
struct pl_inner_message* pl_trial_post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags, uint32_t context);
int pl_trial_complete(const struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags); /* 0: not of one */

#endif
#endif
#endif
