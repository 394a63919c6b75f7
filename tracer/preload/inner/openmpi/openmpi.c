/* The messages of Open MPI 4.1, seen where its collectives, OMPIO, ROMIO and one-sided communication post them: in the
 * table of the PML. Matched receives (mprobe, mrecv) are the program's only: nothing in the library uses them.
 * Built without the library's own headers it only says so (hooks.h). */
#include "tracer/preload/inner/openmpi/hooks.h"

#include "tracer/preload/inner/internals_mode.h"
#include "tracer/preload/inner/openmpi/messages.h"
#include "tracer/preload/inner/openmpi/requests.h"

#if defined(OPEN_MPI)
#if defined(PL_HAS_OPENMPI_INSIDE)

static struct { mca_pml_base_module_t *table, real; } pml;

/* The library has returned a request, or an error. What is complete may be a request that many share: it is not
 * touched. */
PL_INLINE int is_at_once(int result, const pl_ompi_request* request) {
  return result != OMPI_SUCCESS || REQUEST_COMPLETE(request);
}
PL_INLINE void end_at_once(const struct pl_inner_message* m, int result, const pl_ompi_request* request) {
  if (PL_LIKELY(result == OMPI_SUCCESS))
    end_by_status(m, is_here(m), &request->req_status, request->req_status.MPI_ERROR);
  else
    end_failed(m, is_here(m));
}

/* By its value, so that the message of a send that is complete at once needs no place in memory. */
static PL_NOINLINE void keep_and_follow(struct pl_inner_message begun, pl_ompi_request* request) {
  struct pl_inner_message* m = pl_inner_keep(&begun);
  if (m != NULL) follow_posted(m, request);
}

static PL_NOINLINE int end_of_isend(struct pl_inner_message m, int result, pl_ompi_request* request) {
  if (is_at_once(result, request))
    end_at_once(&m, result, request);
  else
    keep_and_follow(m, request);
  return result;
}

static PL_NOINLINE int end_of_irecv(struct pl_inner_message* m, int result, pl_ompi_request* request) {
  if (!is_at_once(result, request)) {
    follow_posted(m, request);
  } else {
    end_at_once(m, result, request);
    pl_inner_give(m);
  }
  return result;
}

static PL_NOINLINE int end_of_send(struct pl_inner_message m, int result) {
  if (result == OMPI_SUCCESS)
    end_as_posted(&m, is_here(&m));
  else
    end_failed(&m, is_here(&m));
  return result;
}

/* ---- The slow path. The program's own messages only pass: each has its recording in a function of its own. */

static PL_NOINLINE int record_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                    mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_inner_message m;
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  int begun = begin(&m, &d), result = pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
  return PL_LIKELY(begun) ? end_of_isend(m, result, *request) : result;
}
static PL_NOINLINE int any_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                 mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  if (is_inner(tag, comm)) return record_isend(buffer, count, type, to, tag, mode, comm, request);
  return pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
}

static PL_NOINLINE int record_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag,
                                    pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_inner_message* m = pl_inner_new();
  struct pl_described d = of_receive(count, type, from, tag, comm);
  if (PL_UNLIKELY(m == NULL || !begin(m, &d))) {
    if (m != NULL) pl_inner_give(m);
    return pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  }
  int result = pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  return end_of_irecv(m, result, *request);
}
static PL_NOINLINE int any_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                                 pl_ompi_request** request) {
  if (is_inner(tag, comm)) return record_irecv(buffer, count, type, from, tag, comm, request);
  return pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
}

static PL_NOINLINE int record_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                   mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  struct pl_inner_message m;
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  int begun = begin(&m, &d), result = pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
  return PL_LIKELY(begun) ? end_of_send(m, result) : result;
}
static PL_NOINLINE int any_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  if (is_inner(tag, comm)) return record_send(buffer, count, type, to, tag, mode, comm);
  return pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
}

static PL_NOINLINE int record_recv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag,
                                   pl_ompi_comm* comm, ompi_status_public_t* status) {
  ompi_status_public_t own = {.MPI_SOURCE = from, .MPI_TAG = tag}, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_inner_message m;
  struct pl_described d = of_receive(count, type, from, tag, comm);
  int begun = begin(&m, &d), result = pml.real.pml_recv(buffer, count, type, from, tag, comm, used);
  if (PL_LIKELY(begun)) end_by_status(&m, is_here(&m), used, result);
  return result;
}

/* ---- The fast path for most of the library's own */

static PL_NOINLINE int inner_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                   mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_thread* t = &pl_self;
  struct pl_inner_message m;
  if (PL_UNLIKELY(!is_plainly_inner(t, tag, comm))) return any_isend(buffer, count, type, to, tag, mode, comm, request);
  const uint64_t posted_at = pl_tsc_here();
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  if (PL_UNLIKELY(!begin_plainly(t, &m, posted_at, &d)))
    return any_isend(buffer, count, type, to, tag, mode, comm, request);
  int result = pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
  const uint64_t now = pl_tsc_here();
  const pl_ompi_request* posted = *request;
  if (PL_UNLIKELY(result != OMPI_SUCCESS || !REQUEST_COMPLETE(posted) ||
                  has_failed(&posted->req_status, posted->req_status.MPI_ERROR) || !pl_inner_is_here(t, &m)))
    return end_of_isend(m, result, *request);
  pl_inner_end_plainly(t, m.record, now, PL_F_inner_send);
  return result;
}

static PL_NOINLINE int inner_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag,
                                   pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_thread* t = &pl_self;
  struct pl_inner_message* m = pl_inner_pool.free;
  if (PL_UNLIKELY(m == NULL || !is_plainly_inner(t, tag, comm)))
    return any_irecv(buffer, count, type, from, tag, comm, request);
  const uint64_t posted_at = pl_tsc_here();
  struct pl_described d = of_receive(count, type, from, tag, comm);
  if (PL_UNLIKELY(!begin_plainly(t, m, posted_at, &d))) return any_irecv(buffer, count, type, from, tag, comm, request);
  pl_inner_pool.free = m->next;
  int result = pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  pl_ompi_request* posted = *request;
  if (PL_UNLIKELY(is_at_once(result, posted) || posted->req_free == on_free)) return end_of_irecv(m, result, posted);
  hang(m, posted);
  return result;
}

static PL_NOINLINE int inner_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                  mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  struct pl_thread* t = &pl_self;
  struct pl_inner_message m;
  if (PL_UNLIKELY(!is_plainly_inner(t, tag, comm))) return any_send(buffer, count, type, to, tag, mode, comm);
  const uint64_t posted_at = pl_tsc_here();
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  if (PL_UNLIKELY(!begin_plainly(t, &m, posted_at, &d))) return any_send(buffer, count, type, to, tag, mode, comm);
  int result = pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
  const uint64_t now = pl_tsc_here();
  if (PL_UNLIKELY(result != OMPI_SUCCESS || !pl_inner_is_here(t, &m))) return end_of_send(m, result);
  pl_inner_end_plainly(t, m.record, now, PL_F_inner_send);
  return result;
}

/* ---- Entries of the table. What is the program's goes on at once: nothing is kept for it on the stack. Therefore each
 * function asks little: the more it asks, the more registers it has to save. */

/* The slow path decides if it still is. */
PL_INLINE int was_unknown_comm(MPI_Comm comm) { return pl_self.unknown_comm.handle == PL_HANDLE(comm); }

#define PL_ISEND(function) function(buffer, count, type, to, tag, mode, comm, request)
#define PL_IRECV(function) function(buffer, count, type, from, tag, comm, request)
#define PL_SEND(function) function(buffer, count, type, to, tag, mode, comm)

static PL_NOINLINE int elsewhere_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                       mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  return pl_comm_is_latest(&pl_self, comm) ? PL_ISEND(pml.real.pml_isend) : PL_ISEND(inner_isend);
}
static int hook_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                      mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  if (tag < 0) return PL_ISEND(inner_isend);
  if (PL_LIKELY(comm == pl_constants.comm_world)) return PL_ISEND(pml.real.pml_isend);
  return was_unknown_comm(comm) ? PL_ISEND(inner_isend) : PL_ISEND(elsewhere_isend);
}

static PL_NOINLINE int elsewhere_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag,
                                       pl_ompi_comm* comm, pl_ompi_request** request) {
  return pl_comm_is_latest(&pl_self, comm) ? PL_IRECV(pml.real.pml_irecv) : PL_IRECV(inner_irecv);
}
static int hook_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                      pl_ompi_request** request) {
  if (tag < 0) return PL_IRECV(inner_irecv);
  if (PL_LIKELY(comm == pl_constants.comm_world)) return PL_IRECV(pml.real.pml_irecv);
  return was_unknown_comm(comm) ? PL_IRECV(inner_irecv) : PL_IRECV(elsewhere_irecv);
}

static PL_NOINLINE int elsewhere_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                      mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  return pl_comm_is_latest(&pl_self, comm) ? PL_SEND(pml.real.pml_send) : PL_SEND(inner_send);
}
static int hook_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                     mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  if (tag < 0) return PL_SEND(inner_send);
  if (PL_LIKELY(comm == pl_constants.comm_world)) return PL_SEND(pml.real.pml_send);
  return was_unknown_comm(comm) ? PL_SEND(inner_send) : PL_SEND(elsewhere_send);
}
#undef PL_ISEND
#undef PL_IRECV
#undef PL_SEND

static int hook_recv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                     ompi_status_public_t* status) {
  return is_plainly_the_programs(&pl_self, tag, comm) || !is_inner(tag, comm)
             ? pml.real.pml_recv(buffer, count, type, from, tag, comm, status)
             : record_recv(buffer, count, type, from, tag, comm, status);
}

/* ---- Persistent requests: those of the linear Alltoall, and of one-sided communication */

static int hook_isend_init(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                           mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  int result = pml.real.pml_isend_init(buffer, count, type, to, tag, mode, comm, request);
  if (result != OMPI_SUCCESS) return result;
  struct pl_described d = {0};
  /* Of a buffered one the library may start another request in its place; it uses none itself. */
  if (is_inner(tag, comm) && mode != MCA_PML_BASE_SEND_BUFFERED) d = of_send(count, type, to, tag, mode, comm);
  describe_request(*request, &d);
  return result;
}

static int hook_irecv_init(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                           pl_ompi_request** request) {
  int result = pml.real.pml_irecv_init(buffer, count, type, from, tag, comm, request);
  if (result != OMPI_SUCCESS) return result;
  struct pl_described d = {0};
  if (is_inner(tag, comm)) d = of_receive(count, type, from, tag, comm);
  describe_request(*request, &d);
  return result;
}

/* One by one, as the library does, so that each begins when it is posted. One that is complete at once tells so before
 * the start returns, and its owner may then have started or freed it. */
static int hook_start(size_t count, pl_ompi_request** requests) {
  if (!pl_inner_is_on()) return pml.real.pml_start(count, requests);
  for (size_t i = 0; i < count; ++i) {
    pl_ompi_request* request = requests[i];
    const struct pl_described* d = request == NULL ? NULL : described_request(request);
    struct pl_inner_message* m = d == NULL ? NULL : pl_inner_new();
    int begun = m != NULL && begin(m, d);
    if (begun) follow(m, request);
    if (m != NULL && !begun) pl_inner_give(m);
    int result = pml.real.pml_start(1, &requests[i]);
    if (PL_LIKELY(result == OMPI_SUCCESS)) continue;
    if (begun) unfollow(request);
    return result;
  }
  return OMPI_SUCCESS;
}

/* ---- The table */

#define PL_HOOKS(DO) DO(isend) DO(irecv) DO(send) DO(recv) DO(isend_init) DO(irecv_init) DO(start)

int pl_hook_pml(mca_pml_base_module_t* table, uint32_t job) {
#define PL_IS_THERE(name) &&table->pml_##name != NULL
  if (!(1 PL_HOOKS(PL_IS_THERE))) return 0;
#undef PL_IS_THERE
  pml.table = table;
  pml.real = *table;
  pl_ompi_job = job;
#define PL_REPLACE(name) __atomic_store_n(&table->pml_##name, hook_##name, __ATOMIC_RELEASE);
  PL_HOOKS(PL_REPLACE)
#undef PL_REPLACE
  return 1;
}

/* An entry that somebody else has replaced since then still leads to us. */
void pl_unhook_pml(void) {
  if (pml.table == NULL) return;
#define PL_RESTORE(name)                    \
  if (pml.table->pml_##name == hook_##name) \
    __atomic_store_n(&pml.table->pml_##name, pml.real.pml_##name, __ATOMIC_RELEASE);
  PL_HOOKS(PL_RESTORE)
#undef PL_RESTORE
  pml.table = NULL;
}

void pl_end_internals(void) {
  pl.internals = 0;
  pl_unhook_pml();
}

#else

static const char* pl_why_no_internals(int known_ones, char by[128]) {
  (void)known_ones, (void)by;
  return "built without Open MPI's own headers (of 4.1)";
}
void pl_end_internals(void) {}

#endif

void pl_begin_internals(struct pl_thread* t) {
  char by[128] = "";
  int rank = 0;
  enum pl_internals_mode mode = pl_internals_asked();
  const char* why_not =
      mode == PL_INTERNALS_MODE_OFF ? "off" : pl_why_no_internals(mode != PL_INTERNALS_MODE_TRIAL, by);
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  pl.internals = why_not == NULL;
  pl_tell_internals(t, mode, rank, why_not, by);
}

#endif
