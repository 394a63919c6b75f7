/* Init, Finalize, Abort, and the communicator calls with special meanings. */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tracer/preload/core/limits.h"
#include "tracer/preload/core/system.h"
#include "tracer/preload/inner/inner.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"

extern char** environ;

static void define_functions(struct pl_thread* t) {
  for (uint16_t f = 1; f < PL_F_COUNT; ++f) {
    const char* name = pl_function_names[f];
    if (name == NULL) continue; /* of a later MPI */
    pl_define_text(t, PL_DEF_FUNCTION, pl_pair(f, pl_function_layouts[f]), 1, name, strlen(name), pl_ticks());
  }
}

static int begins_with_one_of(const char* text, const char* const* prefixes) {
  for (; *prefixes != NULL; ++prefixes)
    if (strncmp(text, *prefixes, strlen(*prefixes)) == 0) return 1;
  return 0;
}

int pl_sounds_secret(const char* name, size_t length) {
  static const char* const words[] = {"key", "cookie", "token", "uri", "passw", "secret", "credential", "env_list"};
  for (size_t at = 0; at < length; ++at)
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
      if (strlen(words[i]) <= length - at && strncasecmp(name + at, words[i], strlen(words[i])) == 0) return 1;
  return 0;
}

/* What a user sets to decide how the libraries behave, out of the environment. Not what launchers set for themselves:
 * it says nothing about the run, and OMPI_MCA_orte_precondition_transports is the key of the job's transport. */
static void define_environment(struct pl_thread* t) {
  static const char* const wanted[] = {"OMPI_MCA_", "UCX_", "UCC_", "HCOLL_",     "MPIR_CVAR_", "MPICH_",
                                       "ROMIO_",    "FI_",  "PSM",  "PLUMBLINE_", NULL};
  static const char* const unwanted[] = {"OMPI_MCA_orte_",
                                         "OMPI_MCA_prte",
                                         "OMPI_MCA_pmix",
                                         "OMPI_MCA_ess",
                                         "MPICH_INTERFACE_HOSTNAME",
                                         "MPIR_CVAR_CH3_INTERFACE_HOSTNAME=",
                                         "PLUMBLINE_SPOOL=",
                                         NULL};
  char text[2048], *limit = text + sizeof text;
  for (char** variable = environ; variable != NULL && *variable != NULL; ++variable) {
    if (!begins_with_one_of(*variable, wanted) || begins_with_one_of(*variable, unwanted)) continue;
    if (pl_sounds_secret(*variable, strcspn(*variable, "="))) continue;
    char* end = pl_put_text(pl_put_text(text, limit, "env."), limit, *variable);
    pl_define_text(t, PL_DEF_META, 0, 0, text, (size_t)(end - text), pl_ticks());
  }
}

static void define_run(struct pl_thread* t, int level) {
  char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  pl_define_meta(t, "thread_level",
                 level == MPI_THREAD_MULTIPLE     ? "multiple"
                 : level == MPI_THREAD_SERIALIZED ? "serialized"
                 : level == MPI_THREAD_FUNNELED   ? "funneled"
                                                  : "single");
  if (pl_mpi.Get_processor_name(name, &length) == MPI_SUCCESS) pl_define_meta(t, "processor_name", name);
  define_environment(t);
  pl_define_predefined_comms(t);
  pl_define_modules(t);
  pl_define_run_facts(t);
  pl_announce_open_files(t, PL_F_open_at_start);
}

/* Started under the tracer of another MPI. `recording` stays 0, so the entries pass every call on untouched. */
static void refuse(void) {
  static const char text[] =
      "plumbline: this tracer is for " PL_LIBRARY_NAME ", the program runs another MPI; it runs unrecorded\n";
  pl_sys_write(2, text, sizeof text - 1);
}

/* The spool, if this process is to be recorded. */
static struct pl_thread* open_for(void) {
  static char version[16384]; /* larger than MPI_MAX_LIBRARY_VERSION_STRING of any MPI: it may be another one */
  int length = 0;
  pl_load();
  if (!pl.enabled || pl.header != NULL) return NULL;
  if (pl_mpi.Get_library_version(version, &length) != MPI_SUCCESS) return NULL;
  if (strncmp(version, PL_LIBRARY_NAME, strlen(PL_LIBRARY_NAME)) != 0) {
    refuse();
    return NULL;
  }
  if (pl_open_spool(PL_FLAVOUR, version) != 0) return NULL;
  pl_self.mode = PL_INSIDE;
  pl_begin_node(); /* while it goes on the others wait in MPI_Init, and not later for a message of this rank */
  return &pl_self;
}

static struct pl_call begin_init(struct pl_thread* t, uint16_t function, void* address) {
  define_functions(t);
  struct pl_call call = pl_prepare(t, function, 0, address);
  pl_start(t, &call);
  return call;
}

static int was_spawned(void) {
  MPI_Comm parent = pl_constants.comm_null;
  return pl_mpi.Comm_get_parent(&parent) == MPI_SUCCESS && parent != pl_constants.comm_null;
}

static void begin_to_record(struct pl_thread* t, int rank, int size, int level) {
  pl_name_job(pl.header->job, sizeof pl.header->job, was_spawned());
  if (!pl_rank_is_wanted(rank)) {
    pl_leave_out(rank, size);
    return;
  }
  define_run(t, level);
  pl_self_test();
  pl_begin_internals(t);
  pl_begin_recording(rank, size, level == MPI_THREAD_MULTIPLE);
  pl_begin_window(t);
}

static void end_init(struct pl_thread* t, struct pl_call* call, int result) {
  int rank = -1, size = -1, level = MPI_THREAD_SINGLE;
  pl_stamp(t, call);
  pl_note_result(call, result);
  pl_done(call);
  if (result != MPI_SUCCESS) {
    pl_stop("MPI_Init failed", 0);
  } else {
    pl_mpi.Comm_rank(pl_constants.comm_world, &rank);
    pl_mpi.Comm_size(pl_constants.comm_world, &size);
    pl_mpi.Query_thread(&level);
    begin_to_record(t, rank, size, level);
  }
  pl_leave(t);
}

PL_EXPORT int MPI_Init(int* argc, char*** argv) __attribute__((alias("pl_wrap_Init")));
int pl_wrap_Init(int* argc, char*** argv) {
  if (pl_mpi.Init == NULL) pl_resolve("PMPI_Init", (void*)&pl_mpi.Init);
  struct pl_thread* t = open_for();
  if (t == NULL) return pl_mpi.Init(argc, argv);
  struct pl_call call = begin_init(t, PL_F_MPI_Init, __builtin_return_address(0));
  int result = pl_mpi.Init(argc, argv);
  end_init(t, &call, result);
  return result;
}

PL_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    __attribute__((alias("pl_wrap_Init_thread")));
int pl_wrap_Init_thread(int* argc, char*** argv, int required, int* provided) {
  if (pl_mpi.Init_thread == NULL) pl_resolve("PMPI_Init_thread", (void*)&pl_mpi.Init_thread);
  struct pl_thread* t = open_for();
  if (t == NULL) return pl_mpi.Init_thread(argc, argv, required, provided);
  struct pl_call call = begin_init(t, PL_F_MPI_Init_thread, __builtin_return_address(0));
  int result = pl_mpi.Init_thread(argc, argv, required, provided);
  end_init(t, &call, result);
  return result;
}

int pl_wrap_Finalize(void) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Finalize)();
  pl_end_internals();
  pl_forget_world_group();
  pl_define_tcp_connections(t);
  pl_define_mounts(t); /* what was mounted at its first use is there now */
  struct pl_call call = pl_prepare(t, PL_F_MPI_Finalize, 0, __builtin_return_address(0));
  pl_begin_call(t, &call);
  int result = pl_mpi.Finalize();
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  pl_end_recording(PL_END_FINALIZED);
  pl_end_call(t);
  return result;
}

int pl_wrap_Abort(MPI_Comm comm, int errorcode) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) { /* from an error handler, say */
    if (pl.writable) pl_note_ending(PL_ENDING_MPI_ABORT, errorcode);
    return PL_REAL(Abort)(comm, errorcode);
  }
  struct pl_call call = pl_prepare(t, PL_F_MPI_Abort, 0, __builtin_return_address(0));
  pl_begin_call(t, &call);
  pl_note_ending(PL_ENDING_MPI_ABORT, errorcode);
  int result = pl_mpi.Abort(comm, errorcode);
  pl_end_call(t);
  return result;
}

static int free_comm(uint16_t function, int (*real)(MPI_Comm*), MPI_Comm* comm, struct pl_thread* t, void* address) {
  int known = comm != NULL && *comm != pl_constants.comm_world && *comm != pl_constants.comm_self;
  uint64_t handle = known ? PL_HANDLE(*comm) : 0;
  uint32_t id = comm == NULL ? PL_COMM_NULL : pl_comm_of(t, *comm)->id;
  struct pl_call call = pl_prepare(t, function, 2, address);
  PL_FILL(call.r->payload, comm, .comm = id, .made = PL_COMM_NULL);
  pl_forget_comm(handle); /* before the call: another thread may get the same handle for a new one */
  pl_begin_call(t, &call);
  int result = real(comm);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  pl_end_call(t);
  return result;
}

int pl_wrap_Comm_free(MPI_Comm* comm) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Comm_free)(comm);
  return free_comm(PL_F_MPI_Comm_free, pl_mpi.Comm_free, comm, t, __builtin_return_address(0));
}

int pl_wrap_Comm_disconnect(MPI_Comm* comm) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Comm_disconnect)(comm);
  return free_comm(PL_F_MPI_Comm_disconnect, pl_mpi.Comm_disconnect, comm, t, __builtin_return_address(0));
}

int pl_wrap_Comm_set_name(MPI_Comm comm, const char* name) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Comm_set_name)(comm, name);
  uint32_t id = pl_comm_of(t, comm)->id;
  struct pl_call call = pl_prepare(t, PL_F_MPI_Comm_set_name, 0, __builtin_return_address(0));
  pl_begin_call(t, &call);
  int result = pl_mpi.Comm_set_name(comm, name);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  pl_done(&call);
  if (result == MPI_SUCCESS && id != PL_COMM_NULL && name != NULL)
    pl_define_text(t, PL_DEF_COMM_NAME, pl_pair(id, 0), 1, name, strnlen(name, MPI_MAX_OBJECT_NAME), pl_ticks());
  pl_end_call(t);
  return result;
}
