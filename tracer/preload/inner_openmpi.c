/* The messages of Open MPI 4.1, seen where its collectives, OMPIO, ROMIO and one-sided communication post them: in the
 * table of the PML. Matched receives (mprobe, mrecv) are the program's only: nothing in the library uses them.
 * Where it is empty of the library's own headers, it says so (inner_openmpi.h). */
#include "tracer/preload/inner_openmpi.h"

#include "tracer/preload/inner_wish.h"

#if defined(OPEN_MPI)
#if defined(PL_HAS_OPENMPI_INSIDE)

static struct {
  mca_pml_base_module_t *table, real;
  uint32_t job; /* this process's */
} pml;

/* ---- What a message is */

/* The program's own messages have tags from 0 on, and communicators that it has the handles of. */
PL_INLINE int is_inner(int tag, pl_ompi_comm* comm) {
  if (PL_UNLIKELY(!pl_inner_is_on()) && PL_LIKELY(!pl_on_trial)) return 0;
  return (tag < 0 && tag != MPI_ANY_TAG) || !pl_comm_is_known(comm);
}

/* Processes that nothing has been sent to may still be names only (sentinels). */
uint32_t pl_world_rank_in(const pl_ompi_comm* comm, int rank) {
  const ompi_group_t* group = comm->c_remote_group;
  if ((unsigned)rank >= (unsigned)group->grp_proc_count || group->grp_proc_pointers == NULL) return (uint32_t)-1;
  ompi_proc_t* process = group->grp_proc_pointers[rank];
  opal_process_name_t name = ompi_proc_is_sentinel(process) ? ompi_proc_sentinel_to_name((uintptr_t)process)
                                                            : process->super.proc_name;
  return name.jobid == pml.job ? name.vpid : (uint32_t)-1;
}

PL_INLINE struct pl_described of_send(size_t count, pl_ompi_type* type, int to, int tag, mca_pml_base_send_mode_t mode,
                                      pl_ompi_comm* comm) {
  unsigned flags = mode == MCA_PML_BASE_SEND_SYNCHRONOUS ? PL_INNER_SYNCHRONOUS : 0;
  return (struct pl_described){pl_pair(pl_world_rank_in(comm, to), (uint32_t)tag),
                               pl_inner_bytes(count * type->super.size, flags), comm, comm->c_contextid,
                               PL_F_inner_send};
}

PL_INLINE struct pl_described of_receive(size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm) {
  unsigned flags = (from == MPI_ANY_SOURCE ? PL_INNER_ANY_SOURCE : 0) | (tag == MPI_ANY_TAG ? PL_INNER_ANY_TAG : 0);
  uint32_t peer = from == MPI_ANY_SOURCE ? (uint32_t)-1 : pl_world_rank_in(comm, from);
  return (struct pl_described){pl_pair(peer, (uint32_t)tag), pl_inner_bytes(count * type->super.size, flags), comm,
                               comm->c_contextid, PL_F_inner_receive};
}

static struct pl_inner_message* post(const struct pl_described* d) {
  struct pl_inner_message* m = PL_UNLIKELY(pl_on_trial)
                                   ? pl_trial_post(d->function, d->peer_tag, d->bytes_flags, d->context)
                                   : pl_inner_post(d->function, d->peer_tag, d->bytes_flags, d->context);
  if (PL_LIKELY(m != NULL)) m->own[PL_OWN_COMM] = d->comm;
  return m;
}

PL_INLINE void complete(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags) {
  if (PL_UNLIKELY(!pl.internals) && pl_trial_complete(m, peer_tag, bytes_flags)) return;
  pl_inner_complete(m, peer_tag, bytes_flags);
}

static PL_COLD void fail(struct pl_inner_message* m) {
  complete(m, m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48);
}

void pl_complete_by_status(struct pl_inner_message* m, const ompi_status_public_t* status, int error) {
  unsigned flags = (unsigned)(m->bytes_flags >> 48);
  if (PL_UNLIKELY(error != MPI_SUCCESS || status->_cancelled)) return fail(m);
  if (m->function == PL_F_inner_send) return complete(m, m->peer_tag, m->bytes_flags);
  uint64_t peer_tag = m->peer_tag;
  if (flags & (PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG))
    peer_tag = pl_pair(pl_world_rank_in(m->own[PL_OWN_COMM], status->MPI_SOURCE), (uint32_t)status->MPI_TAG);
  complete(m, peer_tag, pl_inner_bytes(status->_ucount, flags));
}

/* ---- Entries of the table */

static int hook_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                      mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  if (PL_LIKELY(!is_inner(tag, comm))) return pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  struct pl_inner_message* m = post(&d);
  int result = pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
  if (PL_UNLIKELY(m == NULL)) return result;
  if (PL_LIKELY(result == OMPI_SUCCESS))
    pl_follow_posted(m, *request);
  else
    fail(m);
  return result;
}

static int hook_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                      pl_ompi_request** request) {
  if (PL_LIKELY(!is_inner(tag, comm))) return pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  struct pl_described d = of_receive(count, type, from, tag, comm);
  struct pl_inner_message* m = post(&d);
  int result = pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  if (PL_UNLIKELY(m == NULL)) return result;
  if (PL_LIKELY(result == OMPI_SUCCESS))
    pl_follow_posted(m, *request);
  else
    fail(m);
  return result;
}

static int hook_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                     mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  if (PL_LIKELY(!is_inner(tag, comm))) return pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  struct pl_inner_message* m = post(&d);
  int result = pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
  if (PL_UNLIKELY(m == NULL)) return result;
  if (PL_LIKELY(result == OMPI_SUCCESS))
    complete(m, m->peer_tag, m->bytes_flags);
  else
    fail(m);
  return result;
}

static int hook_recv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                     ompi_status_public_t* status) {
  if (PL_LIKELY(!is_inner(tag, comm))) return pml.real.pml_recv(buffer, count, type, from, tag, comm, status);
  ompi_status_public_t own = {.MPI_SOURCE = from, .MPI_TAG = tag}, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_described d = of_receive(count, type, from, tag, comm);
  struct pl_inner_message* m = post(&d);
  int result = pml.real.pml_recv(buffer, count, type, from, tag, comm, used);
  if (PL_LIKELY(m != NULL)) pl_complete_by_status(m, used, result);
  return result;
}

/* ---- Persistent requests: those of the linear Alltoall, and of one-sided communication */

static int hook_isend_init(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                           mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  int result = pml.real.pml_isend_init(buffer, count, type, to, tag, mode, comm, request);
  if (result != OMPI_SUCCESS) return result;
  struct pl_described d = {0};
  /* Of a buffered one the library may start another request in its place; it uses none itself. */
  if (is_inner(tag, comm) && mode != MCA_PML_BASE_SEND_BUFFERED) d = of_send(count, type, to, tag, mode, comm);
  pl_describe_request(*request, &d);
  return result;
}

static int hook_irecv_init(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                           pl_ompi_request** request) {
  int result = pml.real.pml_irecv_init(buffer, count, type, from, tag, comm, request);
  if (result != OMPI_SUCCESS) return result;
  struct pl_described d = {0};
  if (is_inner(tag, comm)) d = of_receive(count, type, from, tag, comm);
  pl_describe_request(*request, &d);
  return result;
}

/* One by one, as the library does, so that each begins when it is posted. One that is complete at once tells so before
 * the start returns, and its owner may then have started or freed it. */
static int hook_start(size_t count, pl_ompi_request** requests) {
  if (!pl_inner_is_on()) return pml.real.pml_start(count, requests);
  for (size_t i = 0; i < count; ++i) {
    pl_ompi_request* request = requests[i];
    const struct pl_described* d = request == NULL ? NULL : pl_described_request(request);
    struct pl_inner_message* m = d == NULL ? NULL : post(d);
    if (m != NULL) pl_follow_starting(m, request);
    int result = pml.real.pml_start(1, &requests[i]);
    if (PL_LIKELY(result == OMPI_SUCCESS)) continue;
    if (m != NULL) pl_unfollow(request);
    return result;
  }
  return OMPI_SUCCESS;
}

/* ---- The table */

#define PL_HOOKS(DO) DO(isend) DO(irecv) DO(send) DO(recv) DO(isend_init) DO(irecv_init) DO(start)

int pl_hook_pml(mca_pml_base_module_t* table, uint32_t job) {
#define PL_IS_THERE(name) && table->pml_##name != NULL
  if (!(1 PL_HOOKS(PL_IS_THERE))) return 0;
#undef PL_IS_THERE
  pml.table = table;
  pml.real = *table;
  pml.job = job;
#define PL_REPLACE(name) __atomic_store_n(&table->pml_##name, hook_##name, __ATOMIC_RELEASE);
  PL_HOOKS(PL_REPLACE)
#undef PL_REPLACE
  return 1;
}

/* An entry that somebody else has replaced since then still leads to us. */
void pl_unhook_pml(void) {
  if (pml.table == NULL) return;
#define PL_RESTORE(name) \
  if (pml.table->pml_##name == hook_##name) __atomic_store_n(&pml.table->pml_##name, pml.real.pml_##name, __ATOMIC_RELEASE);
  PL_HOOKS(PL_RESTORE)
#undef PL_RESTORE
  pml.table = NULL;
}

void pl_end_internals(void) {
  pl.internals = 0;
  pl_unhook_pml();
}

#else

static const char* pl_why_no_internals(struct pl_thread* t, char by[128]) {
  (void)t, (void)by;
  return "built without Open MPI's own headers (of 4.1)";
}
void pl_end_internals(void) {}

#endif

void pl_begin_internals(struct pl_thread* t) {
  char by[128] = "";
  int rank = 0;
  enum pl_wish wish = pl_wish_for_internals();
  const char* why_not = wish == PL_WISH_OFF ? "off" : pl_why_no_internals(t, by);
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  pl.internals = why_not == NULL;
  pl_tell_internals(t, wish, rank, why_not, by);
}

#endif
