/* What explains a run later and is asked once, when MPI_Init has returned: the MPI library and how it is set up, files
 * with settings, memory nodes, mounted file systems. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/build_id.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/layers.h"
#include "tracer/preload/mpi/symbols/lookup.h"

enum { kTextBytes = 512 * 1024, kSettingsBytes = 16 * 1024 };

/* ---- The file of the MPI library, and its build id */

static void define_library(struct pl_thread* t) {
  struct pl_object library;
  if (!pl_object_of((const void*)(uintptr_t)pl_mpi.Get_library_version, &library)) return;
  if (library.file[0] != '\0') pl_define_meta(t, "mpi.file", library.file);
  if (library.build_id[0] != '\0') pl_define_meta(t, "mpi.build_id", library.build_id);
}

/* Of MPICH: the device and its network module, "ch4:ucx". */
static void define_device(struct pl_thread* t) {
  static const char label[] = "MPICH Device:";
  static char version[16384]; /* larger than MPI_MAX_LIBRARY_VERSION_STRING */
  int length = 0;
  if (pl_mpi.Get_library_version(version, &length) != MPI_SUCCESS) return;
  version[sizeof version - 1] = '\0';
  char* device = strstr(version, label);
  if (device == NULL) return;
  device += sizeof label - 1;
  device += strspn(device, " \t");
  device[strcspn(device, "\n")] = '\0';
  pl_define_meta(t, "mpi.device", device);
}

/* ---- What the compiler has put into the program */

static void define_sanitizer(struct pl_thread* t) {
  static const char* const sanitizers[][2] = {
      {"__asan_init", "address"}, {"__tsan_init", "thread"}, {"__msan_init", "memory"}, {"__lsan_init", "leak"}};
  for (size_t i = 0; i < sizeof sanitizers / sizeof sanitizers[0]; ++i) {
    if (pl_dlsym(RTLD_DEFAULT, sanitizers[i][0]) == NULL) continue;
    pl_define_meta(t, "sanitizer", sanitizers[i][1]);
    return;
  }
}

/* ---- Files with settings */

/* Lines of a file of settings that are told: not empty ones, comments, and what may be a secret. */
static int is_told(const char* line, size_t length) {
  size_t blanks = strspn(line, " \t\r");
  return blanks < length && line[blanks] != '#' && !pl_sounds_secret(line, length);
}

/* "key=contents" */
static void define_settings_file(struct pl_thread* t, const char* key, const char* path) {
  uint64_t begin = pl_ticks();
  char* text = pl_map(2 * kSettingsBytes);
  if (text == NULL) return;
  char *limit = text + 2 * kSettingsBytes, *end = pl_put_text(pl_put_text(text, limit, key), limit, "=");
  char *contents = text + kSettingsBytes, *first = end;
  long n = pl_read_file(path, contents, kSettingsBytes - 1);
  for (long at = 0; at < n;) {
    size_t length = strcspn(contents + at, "\n");
    if (is_told(contents + at, length) && end + length + 1 < contents) {
      memmove(end, contents + at, length);
      end += length;
      *end++ = '\n';
    }
    at += (long)length + 1;
  }
  if (end > first) pl_define_text(t, PL_DEF_META, 0, 0, text, (size_t)(end - 1 - text), begin);
  pl_unmap(text, 2 * kSettingsBytes);
}

static void define_settings_in_home(struct pl_thread* t, const char* key, const char* name) {
  char path[1024], *limit = path + sizeof path;
  const char* home = getenv("HOME");
  if (home == NULL) return;
  pl_put_text(pl_put_text(path, limit, home), limit, name);
  define_settings_file(t, key, path);
}

/* ROMIO reads hints for all files from the one that ROMIO_HINTS names, else from /etc/romio-hints. */
static void define_settings_files(struct pl_thread* t) {
  const char* hints = getenv("ROMIO_HINTS");
  define_settings_file(t, "file.romio_hints", hints != NULL ? hints : "/etc/romio-hints");
  define_settings_file(t, "file.ucx_system", "/etc/ucx/ucx.conf");
  define_settings_in_home(t, "file.ucx_user", "/ucx.conf");
#if defined(OPEN_MPI)
  define_settings_file(t, "file.openmpi_system", "/etc/openmpi/openmpi-mca-params.conf");
  define_settings_in_home(t, "file.openmpi_user", "/.openmpi/mca-params.conf");
#endif
}

/* ---- Memory nodes: "0:0-15 1:16-31" */

static void define_memory_nodes(struct pl_thread* t) {
  enum { kMost = 64 };
  char text[2048], *limit = text + sizeof text, *end = text;
  text[0] = '\0';
  for (int node = 0; node < kMost; ++node) {
    char path[128], list[512], *path_limit = path + sizeof path;
    char* at = pl_put_text(path, path_limit, "/sys/devices/system/node/node");
    pl_put_text(pl_put_number(at, path_limit, node), path_limit, "/cpulist");
    long n = pl_read_file(path, list, sizeof list - 1);
    if (n < 0) break;
    list[n] = '\0';
    list[strcspn(list, "\n")] = '\0';
    end = pl_put_number(pl_put_text(end, limit, end == text ? "" : " "), limit, node);
    end = pl_put_text(pl_put_text(end, limit, ":"), limit, list);
  }
  if (end != text) pl_define_meta(t, "numa", text);
}

/* ---- Mounted file systems */

/* Fields of a line are separated by single blanks; the fifth is the mount point. */
static int is_of_the_kernel(const char* line, const char* end) {
  for (int field = 0; field < 4; ++field) {
    line = memchr(line, ' ', (size_t)(end - line));
    if (line == NULL) return 1; /* not a line of mountinfo */
    ++line;
  }
  return (end - line > 5 && (memcmp(line, "/proc", 5) == 0) && (line[5] == ' ' || line[5] == '/')) ||
         (end - line > 4 && (memcmp(line, "/sys", 4) == 0) && (line[4] == ' ' || line[4] == '/'));
}

static size_t keep_file_systems(char* text, size_t length) {
  size_t kept = 0;
  for (char *line = text, *end = text + length; line < end;) {
    char* newline = memchr(line, '\n', (size_t)(end - line));
    if (newline == NULL) break; /* cut off */
    size_t n = (size_t)(newline - line) + 1;
    if (!is_of_the_kernel(line, newline)) {
      memmove(text + kept, line, n);
      kept += n;
    }
    line = newline + 1;
  }
  return kept;
}

static uint64_t hash(const char* text, size_t length) {
  uint64_t value = 0xcbf29ce484222325u; /* FNV-1a */
  for (size_t i = 0; i < length; ++i) value = (value ^ (unsigned char)text[i]) * 0x100000001b3u;
  return value;
}

void pl_define_mounts(struct pl_thread* t) {
  static uint64_t told;
  uint64_t begin = pl_ticks();
  char* text = pl_map(kTextBytes);
  if (text == NULL) return;
  long n = pl_read_file("/proc/self/mountinfo", text, kTextBytes);
  size_t kept = n > 0 ? keep_file_systems(text, (size_t)n) : 0;
  uint64_t now = hash(text, kept);
  if (kept > 0 && now != told) pl_define_text(t, PL_DEF_MOUNTS, 0, 0, text, kept, begin);
  told = now;
  pl_unmap(text, kTextBytes);
}

void pl_define_run_facts(struct pl_thread* t) {
  define_library(t);
  define_device(t);
  pl_define_layers(t);
  define_sanitizer(t);
  pl_define_ucx(t);
  pl_define_control_variables(t);
  define_settings_files(t);
  define_memory_nodes(t);
  pl_define_mounts(t);
}
