/* How Open MPI is set up: its MCA variables, looked up by name where the library keeps them (libopen-pal, 1.7 and
 * later). Not through the tools interface: its first MPI_T_init_thread opens every component there is, which takes 250
 * ms and would leave the program with libraries that it never asked for. Components that are not open have no
 * variables. The same call says who has set a variable: nobody, the environment, or a file, which is named. */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"

#if defined(OPEN_MPI)

static struct {
  int (*find_by_name)(const char* name, int* index);                                       /* 0: found */
  int (*get_value)(int index, const void* storage, int* source, const char** source_file); /* 0: *storage is set */
} variables;

enum type { kInt, kUnsigned, kSize, kBool, kText };

union storage { /* of a variable, by its type */
  const int* number;
  const unsigned* count;
  const size_t* bytes;
  const _Bool* truth;
  const char* const* text;
};

static int find(const char* name, void* function) {
  void* symbol = pl_mpi_symbol(name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* The value as text; 0: there is none. */
static int put_value(char* to, char* limit, union storage value, enum type type) {
  switch (type) {
    case kInt:
      return pl_put_number(to, limit, *value.number) != to;
    case kUnsigned:
      return pl_put_number(to, limit, *value.count) != to;
    case kSize:
      return pl_put_number(to, limit, (int64_t)*value.bytes) != to;
    case kBool:
      return pl_put_number(to, limit, *value.truth) != to;
    default:
      return *value.text != NULL && pl_put_text(to, limit, *value.text) != to;
  }
}

/* Who has set a variable: mca_base_var_source_t (opal/mca/base/mca_base_var.h of Open MPI 1.7 to 5.0). */
enum source { kDefault, kCommandLine, kEnvironment, kFile, kSet, kOverrideFile };

/* "cvar_source.NAME"; nothing of a default. What mpirun takes on its command line comes by the environment. */
static void define_source(struct pl_thread* t, const char* name, int source, const char* file) {
  char key[256], text[1024], *limit = key + sizeof key;
  static const char* const words[] = {NULL, "command line", "environment", "file ", "set", "file "};
  if (source <= kDefault || source > kOverrideFile) return;
  int is_file = source == kFile || source == kOverrideFile;
  pl_put_text(pl_put_text(key, limit, "cvar_source."), limit, name);
  char* end = pl_put_text(text, text + sizeof text, words[source]);
  if (is_file) pl_put_text(end, text + sizeof text, file != NULL ? file : "?");
  pl_define_meta(t, key, text);
}

static void define_variable(struct pl_thread* t, const char* name, enum type type, int unless_zero) {
  char key[256], text[1024], *limit = key + sizeof key;
  union storage value = {NULL};
  const char* file = NULL;
  int index = -1, source = kDefault;
  if (variables.find_by_name(name, &index) != 0 || index < 0) return;
  if (variables.get_value(index, &value, &source, &file) != 0 || value.number == NULL) return;
  if (!put_value(text, text + sizeof text, value, type)) return;
  if (unless_zero && strcmp(text, "0") == 0) return;
  pl_put_text(pl_put_text(key, limit, "cvar."), limit, name);
  pl_define_meta(t, key, text);
  define_source(t, name, source, file);
}

struct variable {
  const char* name;
  enum type type;
};

static void define_all(struct pl_thread* t, const struct variable* all, size_t count) {
  for (size_t i = 0; i < count; ++i) define_variable(t, all[i].name, all[i].type, 0);
}

/* Limits of the transports, in bytes. */
static void define_limits(struct pl_thread* t) {
  static const char* const transports[] = {"self", "vader", "sm",   "smcuda", "tcp",     "openib",
                                           "uct",  "ofi",   "ugni", "usnic",  "portals4"};
  static const char* const limits[] = {"eager_limit", "rndv_eager_limit", "max_send_size", "rdma_pipeline_send_length"};
  for (size_t i = 0; i < sizeof transports / sizeof transports[0]; ++i)
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; ++k) {
      char name[128], *end = name + sizeof name;
      pl_put_text(pl_put_text(pl_put_text(pl_put_text(name, end, "btl_"), end, transports[i]), end, "_"), end,
                  limits[k]);
      define_variable(t, name, kSize, 0);
    }
}

static void define_algorithm(struct pl_thread* t, const char* component, const char* collective) {
  char name[128], *end = name + sizeof name;
  pl_put_text(pl_put_text(pl_put_text(name, end, component), end, collective), end, "_algorithm");
  define_variable(t, name, kInt, 1);
}

/* Algorithms that were forced; 0: the library chooses. */
static void define_algorithms(struct pl_thread* t) {
  static const char* const collectives[] = {"allgather", "allgatherv", "allreduce",      "alltoall",
                                            "alltoallv", "barrier",    "bcast",          "exscan",
                                            "gather",    "reduce",     "reduce_scatter", "reduce_scatter_block",
                                            "scan",      "scatter"};
  static const char* const non_blocking[] = {"iallgather", "iallreduce", "ibcast", "iexscan", "ireduce", "iscan"};
  for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; ++i)
    define_algorithm(t, "coll_tuned_", collectives[i]);
  for (size_t i = 0; i < sizeof non_blocking / sizeof non_blocking[0]; ++i)
    define_algorithm(t, "coll_libnbc_", non_blocking[i]);
}

/* The component for messages that was selected, also where components are built into the library. Texts in a component
 * of MCA 2 (Open MPI 1.3 to 5.0): its framework at byte 40, its name at byte 84. */
static void define_selected(struct pl_thread* t) {
  enum { kFramework = 40, kName = 84, kMostName = 64 };
  const char* component = pl_mpi_symbol("mca_pml_base_selected_component");
  if (component == NULL || strcmp(component + kFramework, "pml") != 0) return;
  if (component[kName] != '\0' && memchr(component + kName, '\0', kMostName) != NULL)
    pl_define_meta(t, "openmpi.pml", component + kName);
}

static int find_lookup(void) {
  return find("mca_base_var_find_by_name", &variables.find_by_name) &&
         find("mca_base_var_get_value", &variables.get_value);
}

void pl_define_control_variables(struct pl_thread* t) {
  static const struct variable others[] = {{"pml", kText},
                                           {"btl", kText},
                                           {"mtl", kText},
                                           {"coll", kText},
                                           {"osc", kText},
                                           {"btl_tcp_if_include", kText},
                                           {"btl_tcp_if_exclude", kText},
                                           {"btl_tcp_links", kUnsigned},
                                           {"btl_tcp_use_nagle", kInt},
                                           {"btl_tcp_sndbuf", kInt},
                                           {"btl_tcp_rcvbuf", kInt},
                                           {"btl_vader_single_copy_mechanism", kInt},
                                           {"btl_vader_backing_directory", kText},
                                           {"btl_sm_backing_directory", kText},
                                           {"shmem_mmap_backing_file_base_dir", kText},
                                           {"mpi_leave_pinned", kInt},
                                           {"mpi_yield_when_idle", kBool},
                                           {"hwloc_base_binding_policy", kText},
                                           {"coll_tuned_priority", kInt},
                                           {"coll_han_priority", kInt},
                                           {"coll_adapt_priority", kInt},
                                           {"coll_hcoll_priority", kInt},
                                           {"coll_ucc_priority", kInt},
                                           {"coll_basic_priority", kInt},
                                           {"coll_libnbc_priority", kInt},
                                           {"coll_sm_priority", kInt},
                                           {"coll_tuned_use_dynamic_rules", kBool},
                                           {"coll_tuned_dynamic_rules_filename", kText}};
  define_selected(t);
  if (!find_lookup()) return;
  define_limits(t);
  define_all(t, others, sizeof others / sizeof others[0]);
  define_algorithms(t);
}

/* Their frameworks are opened with the first file. */
void pl_define_file_variables(struct pl_thread* t) {
  static const struct variable of_files[] = {{"io", kText},
                                             {"fs", kText},
                                             {"fcoll", kText},
                                             {"fbtl", kText},
                                             {"fs_ufs_lock_algorithm", kInt},
                                             {"fbtl_posix_read_datasieving", kBool},
                                             {"fbtl_posix_write_datasieving", kBool},
                                             {"io_ompio_num_aggregators", kInt},
                                             {"io_ompio_bytes_per_agg", kInt},
                                             {"io_ompio_cycle_buffer_size", kInt},
                                             {"io_ompio_grouping_option", kInt},
                                             {"io_ompio_coll_timing_info", kInt}};
  static int told;
  if (__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED) != 0 || !find_lookup()) return;
  define_all(t, of_files, sizeof of_files / sizeof of_files[0]);
}

#endif
