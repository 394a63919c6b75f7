/* Whether the loaded Open MPI is built as the headers say that this file was compiled with. Its symbols must have the
 * sizes of their types and its groups the expected members. Then either the build is known (tested.h), or
 * it passes a trial: what this process sends to itself must be seen by the hooks as it was sent. No other rank takes
 * part, because it may be one that is not traced. */
#include "tracer/preload/inner/openmpi/hooks.h"

#if defined(PL_HAS_OPENMPI_INSIDE)
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/inner/openmpi/tested.h"
#include "tracer/preload/mpi/facts/build_id.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/symbols/lookup.h"

/* ---- The build */

static const char* library_version(void) {
  static char version[16384]; /* larger than MPI_MAX_LIBRARY_VERSION_STRING */
  int length = 0;
  return pl_mpi.Get_library_version(version, &length) == MPI_SUCCESS ? version : "";
}

static int was_tested(const char* version) {
  struct pl_object library;
  if (!pl_object_of((const void*)(uintptr_t)pl_mpi.Get_library_version, &library)) return 0;
  for (size_t i = 0; i < sizeof pl_tested_builds / sizeof pl_tested_builds[0]; ++i) {
    const struct pl_tested_build* build = &pl_tested_builds[i];
    if (strncmp(version, build->version, strlen(build->version)) == 0 && strcmp(library.build_id, build->build_id) == 0)
      return 1;
  }
  return 0;
}

/* NULL: there is none of that size. */
static void* object_of_size(const char* name, size_t bytes) {
  void* object = pl_dlsym(RTLD_DEFAULT, name);
  Dl_info info;
  const ElfW(Sym)* symbol = NULL;
  if (object == NULL) object = pl_mpi_symbol(name);
  if (object == NULL || dladdr1(object, &info, (void**)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) return NULL;
  return symbol->st_size == bytes ? object : NULL;
}

/* The job of this process, if MPI_COMM_WORLD looks as it should. */
static int find_job(uint32_t* job) {
  const pl_ompi_comm* world = pl_constants.comm_world;
  MPI_Group group;
  int rank = -1, size = -1, as_expected = 0;
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  pl_mpi.Comm_size(pl_constants.comm_world, &size);
  if (world->c_my_rank != rank || pl_mpi.Comm_group(pl_constants.comm_world, &group) != MPI_SUCCESS) return 0;
  if (group == world->c_remote_group && group->grp_proc_count == size && group->grp_proc_pointers != NULL) {
    const ompi_proc_t* own = group->grp_proc_pointers[rank];
    as_expected = !ompi_proc_is_sentinel((ompi_proc_t*)own) && own->super.proc_name.vpid == (uint32_t)rank;
    if (as_expected) *job = own->super.proc_name.jobid;
  }
  pl_mpi.Group_free(&group);
  return as_expected;
}

/* ---- The trial */

enum { kMost = 32, kLarge = 1 << 20 /* no protocol sends so much before there is a receive */ };

struct seen {
  uint16_t function;
  uint32_t context;
  unsigned completed;
  uint64_t posted_peer_tag, posted_bytes_flags, peer_tag, bytes_flags;
};

int pl_on_trial;
static struct seen seen[kMost];
static int count;

PL_COLD int pl_trial_begin(struct pl_described d) {
  if (count == kMost) return -1;
  seen[count] = (struct seen){d.function, d.context, 0, d.peer_tag, d.bytes_flags, 0, 0};
  return count++;
}

PL_COLD void pl_trial_end(uint32_t number, uint64_t peer_tag, uint64_t bytes_flags) {
  struct seen* one = &seen[number % kMost];
  ++one->completed;
  one->peer_tag = peer_tag;
  one->bytes_flags = bytes_flags;
}

/* Non-blocking and blocking ones, received and expected first, small and large, and a collective. */
static int send_to_self(MPI_Comm comm, char* buffer) {
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Datatype byte = pl_constants.byte;
  return pl_library.Irecv(buffer, 24, byte, 0, 5, comm, &requests[0]) == MPI_SUCCESS &&
         pl_library.Isend(buffer + kLarge, 12, byte, 0, 5, comm, &requests[1]) == MPI_SUCCESS &&
         pl_library.Wait(&requests[1], &status) == MPI_SUCCESS &&
         pl_library.Wait(&requests[0], &status) == MPI_SUCCESS &&
         pl_library.Irecv(buffer, 100, byte, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]) == MPI_SUCCESS &&
         pl_library.Send(buffer + kLarge, 0, byte, 0, 6, comm) == MPI_SUCCESS &&
         pl_library.Wait(&requests[0], &status) == MPI_SUCCESS &&
         pl_library.Isend(buffer + kLarge, kLarge, byte, 0, 7, comm, &requests[0]) == MPI_SUCCESS &&
         pl_library.Recv(buffer, kLarge, byte, 0, 7, comm, &status) == MPI_SUCCESS &&
         pl_library.Wait(&requests[0], &status) == MPI_SUCCESS && pl_library.Barrier(comm) == MPI_SUCCESS;
}

static int is_as_sent(uint32_t rank) {
  static const struct {
    uint16_t function;
    unsigned flags;
    int tag;
    uint64_t posted, bytes;
  } sent[] = {{PL_F_inner_receive, 0, 5, 24, 12},
              {PL_F_inner_send, 0, 5, 12, 12},
              {PL_F_inner_receive, PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG, 6, 100, 0},
              {PL_F_inner_send, 0, 6, 0, 0},
              {PL_F_inner_send, 0, 7, kLarge, kLarge},
              {PL_F_inner_receive, 0, 7, kLarge, kLarge}};
  const int n = sizeof sent / sizeof sent[0];
  if (count < n || count == kMost) return 0;
  for (int i = 0; i < count; ++i) {
    const struct seen* one = &seen[i];
    if (one->completed != 1 || one->context != seen[0].context) return 0;
    if (i >= n) continue; /* of the collective: there need not be any */
    if (one->function != sent[i].function || one->posted_bytes_flags != pl_inner_bytes(sent[i].posted, sent[i].flags) ||
        one->bytes_flags != pl_inner_bytes(sent[i].bytes, sent[i].flags) ||
        one->peer_tag != pl_pair(rank, (uint32_t)sent[i].tag))
      return 0;
  }
  return 1;
}

static int passes_trial(void) {
  MPI_Comm comm;
  int rank = 0;
  char* buffer = pl_map(2 * (size_t)kLarge);
  if (buffer == NULL || pl_library.Comm_dup(pl_constants.comm_self, &comm) != MPI_SUCCESS) return 0;
  pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
  count = 0;
  pl_on_trial = 1;
  int sent = send_to_self(comm, buffer);
  pl_on_trial = 0;
  pl_library.Comm_free(&comm);
  pl_unmap(buffer, 2 * (size_t)kLarge);
  return sent && is_as_sent((uint32_t)rank);
}

/* `ompi_info` shows which one it is by the same name. */
static void name_pml(char by[128]) {
  const mca_pml_base_component_t* component =
      object_of_size("mca_pml_base_selected_component", sizeof(mca_pml_base_component_t));
  char* at = pl_put_text(by, by + 128, "pml");
  if (component == NULL) return;
  char name[MCA_BASE_MAX_COMPONENT_NAME_LEN + 1];
  memcpy(name, component->pmlm_version.mca_component_name, sizeof name);
  name[sizeof name - 1] = '\0';
  pl_put_text(pl_put_text(at, by + 128, " "), by + 128, name);
}

const char* pl_why_no_internals(int known_ones, char by[128]) {
  const char* version = library_version();
  uint32_t job = 0;
  if (strncmp(version, "Open MPI v4.1.", strlen("Open MPI v4.1.")) != 0) return "Open MPI of another series than 4.1";
  mca_pml_base_module_t* table = object_of_size("mca_pml", sizeof *table);
  if (table == NULL || object_of_size("ompi_request_empty", sizeof(pl_ompi_request)) == NULL || !find_job(&job) ||
      !pl_hook_pml(table, job))
    return "this build of Open MPI is not as the headers that the tracer was built with";
  if ((known_ones && was_tested(version)) || passes_trial()) {
    name_pml(by);
    return NULL;
  }
  pl_unhook_pml();
  return "this build of Open MPI is not a tested one, and messages to the process itself were not seen as sent";
}

#endif
