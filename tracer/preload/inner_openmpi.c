/* The messages of Open MPI 4.1, seen where its collectives, OMPIO, ROMIO and one-sided communication post them: in the
 * table of the PML. Matched receives (mprobe, mrecv) are the program's only: nothing in the library uses them.
 * Built without the library's own headers it only says so (inner_openmpi.h). */
#include "tracer/preload/inner_openmpi.h"

#include "tracer/preload/inner_openmpi_messages.h"
#include "tracer/preload/inner_openmpi_requests.h"
#include "tracer/preload/inner_wish.h"

#if defined(OPEN_MPI)
#if defined(PL_HAS_OPENMPI_INSIDE)

static struct { mca_pml_base_module_t *table, real; } pml;

/* ---- Entries of the table. The program's own messages only pass: each has its recording in a function of its own. */

static PL_NOINLINE int record_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                    mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_inner_message m;
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  int begun = begin(&m, &d), result = pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
  if (PL_LIKELY(begun)) follow_posted(&m, result, *request);
  return result;
}
static int hook_isend(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                      mca_pml_base_send_mode_t mode, pl_ompi_comm* comm, pl_ompi_request** request) {
  if (is_inner(tag, comm)) return record_isend(buffer, count, type, to, tag, mode, comm, request);
  return pml.real.pml_isend(buffer, count, type, to, tag, mode, comm, request);
}

static PL_NOINLINE int record_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag,
                                    pl_ompi_comm* comm, pl_ompi_request** request) {
  struct pl_inner_message m;
  struct pl_described d = of_receive(count, type, from, tag, comm);
  int begun = begin(&m, &d), result = pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
  if (PL_LIKELY(begun)) follow_posted(&m, result, *request);
  return result;
}
static int hook_irecv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                      pl_ompi_request** request) {
  if (is_inner(tag, comm)) return record_irecv(buffer, count, type, from, tag, comm, request);
  return pml.real.pml_irecv(buffer, count, type, from, tag, comm, request);
}

static PL_NOINLINE int record_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
                                   mca_pml_base_send_mode_t mode, pl_ompi_comm* comm) {
  struct pl_inner_message m;
  struct pl_described d = of_send(count, type, to, tag, mode, comm);
  int begun = begin(&m, &d), result = pml.real.pml_send(buffer, count, type, to, tag, mode, comm);
  if (PL_LIKELY(begun)) end_here(&m, PL_LIKELY(result == OMPI_SUCCESS) ? as_posted(&m) : as_failed(&m));
  return result;
}
static int hook_send(const void* buffer, size_t count, pl_ompi_type* type, int to, int tag,
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
  if (PL_LIKELY(begun)) end_here(&m, outcome_of(&m, used, result));
  return result;
}
static int hook_recv(void* buffer, size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm,
                     ompi_status_public_t* status) {
  if (is_inner(tag, comm)) return record_recv(buffer, count, type, from, tag, comm, status);
  return pml.real.pml_recv(buffer, count, type, from, tag, comm, status);
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
    struct pl_inner_message m;
    int begun = d != NULL && begin(&m, d);
    if (begun) follow(&m, request);
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
  enum pl_wish wish = pl_wish_for_internals();
  const char* why_not = wish == PL_WISH_OFF ? "off" : pl_why_no_internals(wish != PL_WISH_TRIAL, by);
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  pl.internals = why_not == NULL;
  pl_tell_internals(t, wish, rank, why_not, by);
}

#endif
