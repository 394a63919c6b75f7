/* What the MPI wrappers share: the real functions, handles as numbers, and the objects behind the handles. */
#ifndef PLUMBLINE_TRACER_PRELOAD_MPI_SIDE_H
#define PLUMBLINE_TRACER_PRELOAD_MPI_SIDE_H

#include <mpi.h>

#include "plumbline_mpi_table.h" /* generated: enum of function numbers, struct pl_mpi of the real functions */
#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/tables.h"

#pragma GCC visibility push(hidden)

#if defined(OPEN_MPI)
#define PL_FLAVOUR PL_FLAVOUR_OPENMPI
#define PL_LIBRARY_NAME "Open MPI"
#define PL_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define PL_FLAVOUR PL_FLAVOUR_MPICH
#define PL_LIBRARY_NAME "MPICH"
#define PL_HANDLE(handle) ((uint64_t)(uint32_t)(handle))
#endif
/* MPICH 4.0.2 leaves the status of MPI_Isendrecv as it was: nothing can be learnt from it. */
#if defined(OPEN_MPI)
#define PL_REQUEST_ISENDRECV PL_REQUEST_RECV
#else
#define PL_REQUEST_ISENDRECV PL_REQUEST_OTHER
#endif
#define PL_FILE_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

/* Predefined handles. In Open MPI they are addresses inside libmpi, which we do not link: looked up with the functions.
 */
struct pl_constants {
  MPI_Comm comm_world, comm_self, comm_null;
  MPI_Datatype datatype_null, byte;
  MPI_Request request_null;
  MPI_Info info_null;
  MPI_File file_null;
  MPI_Message message_no_proc;
  MPI_Op ops[PL_OPS]; /* from PL_OP_SUM on */
};
extern struct pl_constants pl_constants;
extern struct pl_mpi pl_mpi;

/* real.c: looks all functions up; afterwards the one that was missing can be called. Ends the process with a message if
 * the library has no such function, which no program that was linked can meet. */
void pl_resolve(const char* missing, void* found);
#define PL_REAL(name) \
  (PL_LIKELY(pl_mpi.name != NULL) ? pl_mpi.name : (pl_resolve("PMPI_" #name, (void*)&pl_mpi.name), pl_mpi.name))

/* start_end.c: these have no generated entry */
int pl_wrap_Init(int* argc, char*** argv);
int pl_wrap_Init_thread(int* argc, char*** argv, int required, int* provided);

/* fortran.c: after the functions were looked up; finds the bindings, if the program has any. */
void pl_find_fortran(void);

/* ---- Calls that fail (errors.c) */
uint32_t pl_error_class(int result); /* enum pl_error */
/* The receive has failed, but it has taken a message, which was longer than its buffer: its status is that message's.
 */
int pl_is_truncated(int result);
/* Of a call whose record is still to be done. */
PL_INLINE void pl_note_result(struct pl_call* call, int result) {
  if (PL_UNLIKELY(result != MPI_SUCCESS)) pl_note_error(call->r, call, result);
}
/* Of a record that is done. */
PL_INLINE void pl_note_result_in(struct pl_record* r, int result) {
  if (PL_UNLIKELY(result != MPI_SUCCESS)) pl_note_error(r, NULL, result);
}

/* ---- The frame of a recorded call of MPI. Its record stays mapped from the one to the other, whatever is recorded or
 * defined in between. */
PL_INLINE void pl_hold_call(struct pl_thread* t, const struct pl_call* call) {
  t->outer = call->r;
  pl_note_frame(t);
}
PL_INLINE void pl_begin_call(struct pl_thread* t, struct pl_call* call) {
  pl_start(t, call);
  pl_hold_call(t, call);
}
PL_INLINE void pl_end_call(struct pl_thread* t) {
  t->outer = NULL;
  pl_leave(t);
}

/* ---- Communicators (comms.c) */
struct pl_neighbours { /* in its topology */
  unsigned known, to, from;
};
struct pl_comm {
  uint32_t id;
  int size, rank, peers; /* peers: size of the group that collectives exchange data with (remote if inter) */
  int inter;
  struct pl_neighbours neighbours;
};
extern struct pl_comm pl_comm_world;
extern const struct pl_comm pl_comm_none;
void pl_define_predefined_comms(struct pl_thread* t);
void pl_forget_world_group(void);
/* World ranks of a group's n members; -1 for those of another MPI_COMM_WORLD. */
void pl_world_ranks(MPI_Group group, int n, int* scratch, int* members);
const struct pl_comm* pl_find_comm(struct pl_thread* t, MPI_Comm comm);
/* Defines a communicator that a call has just returned. */
const struct pl_comm* pl_new_comm(struct pl_thread* t, MPI_Comm comm, uint32_t parent);
const struct pl_comm* pl_new_comm_of_group(struct pl_thread* t, MPI_Comm comm, uint32_t parent);
/* Defines one that is still being made as what it is going to be, a duplicate: it cannot be asked yet. */
const struct pl_comm* pl_copy_comm(struct pl_thread* t, MPI_Comm comm, MPI_Comm original, const struct pl_comm* parent);
void pl_forget_comm(uint64_t handle);
extern struct pl_table pl_known_comms; /* by handle */
int pl_look_for_comm(MPI_Comm comm);
/* How often communicators were freed, those of files too: numbers that the library has for them may be others' by now.
 */
extern uint32_t pl_comms_freed;

/* Never NULL. May define the communicator. */
PL_INLINE const struct pl_comm* pl_comm_of(struct pl_thread* t, MPI_Comm comm) {
  return PL_LIKELY(comm == pl_constants.comm_world) ? &pl_comm_world : pl_find_comm(t, comm);
}

/* The latest one that this thread has found to be in no table, and still is not. */
PL_INLINE int pl_comm_is_unknown(const struct pl_thread* t, MPI_Comm comm) {
  return t->unknown_comm.handle == PL_HANDLE(comm) && t->unknown_comm.version == pl_table_version(&pl_known_comms);
}
/* The latest one that it has found in the table, and that still is there. */
PL_INLINE int pl_comm_is_latest(const struct pl_thread* t, MPI_Comm comm) {
  return t->comm.handle == PL_HANDLE(comm) && t->comm.version == pl_table_version(&pl_known_comms) &&
         t->comm.object != 0;
}
/* True where the program has the handle, as far as its calls have told. */
PL_INLINE int pl_comm_is_known(MPI_Comm comm) {
  const struct pl_thread* t = &pl_self;
  if (pl_comm_is_unknown(t, comm)) return 0;
  return comm == pl_constants.comm_world || pl_comm_is_latest(t, comm) || pl_look_for_comm(comm);
}

/* neighbours.c */
struct pl_neighbours pl_ask_neighbours(struct pl_thread* t, MPI_Comm comm, const struct pl_comm* c);
PL_INLINE struct pl_neighbours pl_neighbours_of(struct pl_thread* t, MPI_Comm comm, const struct pl_comm* c) {
  return PL_LIKELY(c->neighbours.known) ? c->neighbours : pl_ask_neighbours(t, comm, c);
}

/* ---- Arguments as the spool has them */
PL_INLINE uint32_t pl_peer(int rank) {
  if (rank == MPI_ANY_SOURCE) return (uint32_t)PL_ANY_SOURCE;
  return rank == MPI_PROC_NULL ? (uint32_t)PL_PROC_NULL : (uint32_t)rank;
}
PL_INLINE uint32_t pl_tag(int tag) { return tag == MPI_ANY_TAG ? (uint32_t)PL_ANY_TAG : (uint32_t)tag; }
PL_INLINE uint32_t pl_root(int root) {
  if (root == MPI_PROC_NULL) return (uint32_t)-2;
  return root == MPI_ROOT ? (uint32_t)-3 : (uint32_t)root;
}

extern uint32_t pl_types_freed; /* how often: a handle may be another type's by now */
uint64_t pl_ask_size(struct pl_thread* t, MPI_Datatype datatype);
PL_INLINE uint64_t pl_size(MPI_Datatype datatype) {
  struct pl_thread* t = &pl_self;
  if (datatype == pl_constants.datatype_null) return 0;
  if (datatype == pl_constants.byte) return 1;
  if (PL_LIKELY(t->type.handle == PL_HANDLE(datatype) &&
                t->type.version == __atomic_load_n(&pl_types_freed, __ATOMIC_ACQUIRE)))
    return t->type.bytes;
  return pl_ask_size(t, datatype);
}
/* Bytes of count elements; 0 for what MPI would refuse. Not looked at where the count says that nothing is there. */
PL_INLINE uint64_t pl_bytes(int64_t count, MPI_Datatype datatype) {
  return count <= 0 ? 0 : (uint64_t)count * pl_size(datatype);
}
/* Likewise, when `known` bytes of `known_count` elements of another type were looked at just before. */
PL_INLINE uint64_t pl_bytes_after(int64_t count, MPI_Datatype datatype, int64_t known_count, MPI_Datatype known_type,
                                  uint64_t known) {
  return count == known_count && datatype == known_type ? known : pl_bytes(count, datatype);
}

/* What MPI_Get_elements_x gives for MPI_BYTE, without a call where the library's mpi.h shows the field. */
PL_INLINE uint64_t pl_status_bytes(const MPI_Status* status) {
#if defined(OPEN_MPI)
  return status->_ucount;
#elif defined(MPICH_NUMVERSION) || defined(I_MPI_NUMVERSION)
  return (uint64_t)(uint32_t)status->count_lo | (uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1) << 32;
#else
  MPI_Count bytes = 0;
  if (pl_mpi.Get_elements_x(status, pl_constants.byte, &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return (uint64_t)bytes;
#endif
}
PL_INLINE uint64_t pl_matched(int result, const MPI_Status* status) {
  if (result != MPI_SUCCESS) return pl_pair((uint32_t)-1, (uint32_t)-1);
  return pl_pair(pl_peer(status->MPI_SOURCE), (uint32_t)status->MPI_TAG);
}

PL_INLINE uint32_t pl_request_id(void) {
  if (PL_UNLIKELY(pl.multithreaded)) return __atomic_add_fetch(&pl.next_request, 1, __ATOMIC_RELAXED);
  return ++pl.next_request;
}
PL_INLINE void pl_keep_posted(int result, MPI_Request request, uint32_t id, enum pl_request_kind kind,
                              struct pl_posted posted) {
  if (result != MPI_SUCCESS || request == pl_constants.request_null) return;
  if (PL_UNLIKELY(pl_self.diverted)) posted = pl_posted_unknown; /* nobody will know how it was posted */
  pl_request_add(PL_HANDLE(request), pl_make_request(id, kind, pl_self.number), posted);
}
PL_INLINE void pl_keep_request(int result, MPI_Request request, uint32_t id, enum pl_request_kind kind) {
  pl_keep_posted(result, request, id, kind, pl_posted_unknown);
}

/* ---- Persistent requests (persistent.c) */
/* The definition of what was made: room for the words of a start, which the caller fills. */
uint64_t* pl_define_persistent(struct pl_thread* t, MPI_Request request, uint16_t function, enum pl_layout layout,
                               enum pl_request_kind kind, unsigned words);
void pl_persistent_defined(struct pl_thread* t, uint64_t* start, unsigned words, uint64_t begin);
void pl_forget_persistent(uint64_t handle);

/* ---- Matched probes (messages.c) */
struct pl_matched_message {
  uint64_t posted; /* source | tag of the probe */
  uint32_t comm;   /* 0: unknown */
};
void pl_keep_message(MPI_Message message, uint64_t posted, uint32_t comm);
struct pl_matched_message pl_take_message(const MPI_Message* message);

/* ---- Files (files.c) */
struct pl_file {
  uint32_t id;
  int sequential; /* opened with MPI_MODE_SEQUENTIAL: it has no individual file pointer */
  uint64_t hints; /* hash of the hints that were last recorded */
};
extern struct pl_table pl_known_files;   /* by handle */
struct pl_file* pl_file_of(MPI_File fh); /* NULL when unknown */
PL_INLINE uint32_t pl_file_id(MPI_File fh) {
  const struct pl_file* file = pl_file_of(fh);
  return file == NULL ? 0 : file->id;
}
uint64_t pl_file_position(MPI_File fh); /* in etypes; UINT64_MAX when there is none */

/* A call inside of which POSIX calls are recorded. */
PL_INLINE void pl_begin_file(struct pl_thread* t, struct pl_call* call) {
  pl_begin_call(t, call);
  pl_set_mode(t, PL_INSIDE_FILE_CALL);
}
PL_INLINE void pl_stamp_file(struct pl_thread* t, struct pl_call* call) {
  pl_stamp(t, call);
  pl_set_mode(t, PL_INSIDE);
}

/* ---- Datatypes (datatypes.c): the id of its tree, defined once per content */
uint32_t pl_datatype_id(struct pl_thread* t, MPI_Datatype datatype);
/* The same for what is moved often: 0 when the type is predefined; known by its handle after the first time. */
uint32_t pl_derived_id(struct pl_thread* t, MPI_Datatype datatype);

#pragma GCC visibility pop

#endif
