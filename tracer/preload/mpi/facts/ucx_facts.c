/* UCX, where something has loaded it: its version and settings; and of MPICH's endpoints which transports and devices
 * they use, and by which protocol a message of which size goes (ucp/api/ucp.h; there since UCX 1.0). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/run_facts.h"

/* ---- Functions of libucp */

typedef signed char ucs_status; /* a packed enum; 0: done */
typedef const char* (*version_function)(void);
typedef ucs_status (*read_function)(const char* prefix, const char* file, void** settings);
typedef void (*print_function)(const void* settings, FILE* to, const char* title, unsigned flags);
typedef void (*release_function)(void* settings);
typedef void (*describe_function)(void* endpoint, FILE* to);

/* ucs_config_print_flags_t */
enum { kPrintSettings = 1 << 0, kCommentDefaults = 1 << 4 };

/* Sets the pointer `function`; 0 where there is none. */
static int find(const char* name, void* function) {
  void* symbol = pl_loaded_symbol("libucp.so.0", name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* ---- Settings in force; a line of its own for each, behind "# " where it is UCX's default */

/* Open MPI lets UCX heed UCX_MPI_* too (ucp_config_read in its common/ucx and pml/ucx). */
static const char* prefix(void) {
#if defined(OPEN_MPI)
  return "MPI";
#else
  return NULL;
#endif
}

static void define_settings(struct pl_thread* t) {
  read_function read;
  print_function print;
  release_function release;
  if (!find("ucp_config_read", &read) || !find("ucp_config_print", &print) || !find("ucp_config_release", &release))
    return;
  uint64_t begin = pl_ticks();
  char* text = NULL;
  size_t length = 0;
  void* settings = NULL;
  FILE* stream = open_memstream(&text, &length);
  if (stream == NULL) return;
  fputs("ucx.settings=", stream);
  const int is_read = read(prefix(), NULL, &settings) == 0;
  if (is_read) {
    print(settings, stream, NULL, kPrintSettings | kCommentDefaults);
    release(settings);
  }
  fclose(stream);
  while (length > 0 && text[length - 1] == '\n') --length;
  if (is_read) pl_define_text(t, PL_DEF_META, 0, 0, text, length, begin);
  free(text);
}

void pl_define_ucx(struct pl_thread* t) {
  version_function version;
  if (!find("ucp_get_version_string", &version)) return;
  pl_define_meta(t, "ucx.version", version());
  define_settings(t);
}

/* ---- Ways of messages */

/* Of "lane[0]:  2:tcp/eth0.0 md[1] -> .." "tcp/eth0.0 ". */
static char* put_lane(const char* line, char* to, char* limit) {
  const char* name = strchr(line, ':');
  if (name == NULL || (name = strchr(name + 1, ':')) == NULL) return to;
  char device[64] = "";
  size_t length = strcspn(++name, " \n");
  if (length >= sizeof device) length = sizeof device - 1;
  memcpy(device, name, length);
  return pl_put_text(pl_put_text(to, limit, device), limit, " ");
}

/* Of "tag_send: 0..<egr/short>..8185..<rndv>..(inf)" what stands behind the name. */
static char* put_sizes(const char* line, char* to, char* limit) {
  char sizes[256] = "";
  line += strcspn(line, " \n");
  line += strspn(line, " ");
  size_t length = strcspn(line, "\n");
  if (length >= sizeof sizes) length = sizeof sizes - 1;
  memcpy(sizes, line, length);
  return pl_put_text(to, limit, sizes);
}

static void put_way(const char* told, char* to, char* limit) {
  for (const char* line = told; line != NULL; line = strchr(line, '\n')) {
    line += strspn(line, "\n# ");
    if (strncmp(line, "lane[", 5) == 0) to = put_lane(line, to, limit);
    if (strncmp(line, "tag_send:", 9) == 0) to = put_sizes(line, to, limit);
  }
}

static int holds_line(const char* text, const char* line) {
  const size_t length = strlen(line);
  for (; text != NULL; text = strchr(text, '\n')) {
    text += *text == '\n';
    if (strncmp(text, line, length) == 0 && (text[length] == '\n' || text[length] == '\0')) return 1;
  }
  return 0;
}

void pl_add_ucx_way(void* endpoint, char* ways, char* limit) {
  describe_function describe;
  if (!find("ucp_ep_print_info", &describe)) return;
  char *told = NULL, way[1024] = "", *end = ways + strlen(ways);
  size_t length = 0;
  FILE* stream = open_memstream(&told, &length);
  if (stream == NULL) return;
  describe(endpoint, stream);
  fclose(stream);
  put_way(told, way, way + sizeof way);
  free(told);
  if (way[0] == '\0' || holds_line(ways, way)) return;
  pl_put_text(pl_put_text(end, limit, end == ways ? "" : "\n"), limit, way);
}
