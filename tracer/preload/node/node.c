/* What one process of each node copies of the node: at its start and at its end, beside its spool
 * (tracer/spool/format/node_format.h). Whatever goes wrong, there is less to explain a run by, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"
#include "tracer/preload/node/copy.h"

static struct {
  int begun;        /* by this process, which is to end it */
  char path[4096];  /* of the copies */
  char claim[4096]; /* of what keeps other processes of this node from it; "": nothing has to */
  char root[512];   /* the directory that holds proc and sys, "" for / */
} node;

/* PLUMBLINE_NODE_FACTS: "off", or the directory that holds proc and sys. */
static int is_wanted(void) {
  const char* value = getenv("PLUMBLINE_NODE_FACTS");
  node.root[0] = '\0';
  if (value == NULL || value[0] == '\0') return 1;
  if (strcmp(value, "off") == 0) return 0;
  if (value[0] == '/' && strlen(value) < sizeof node.root) {
    char* end = pl_put_text(node.root, node.root + sizeof node.root, value);
    while (end > node.root && end[-1] == '/') *--end = '\0';
    return 1;
  }
  static const char text[] = "plumbline: PLUMBLINE_NODE_FACTS is neither off nor a directory; it changes nothing\n";
  pl_sys_write(2, text, sizeof text - 1);
  return 1;
}

/* The name of the spool with another end. */
static void name_beside(const char* spool, size_t length, const char* end, char* path, size_t bytes) {
  memcpy(path, spool, length);
  path[length] = '\0';
  pl_put_text(path + length, path + bytes, end);
}

static int claim(const char* spool) {
  const char* name = strrchr(spool, '/');
  if (name == NULL) return 0;
  size_t directory = (size_t)(name + 1 - spool);
  name_beside(spool, directory, pl.header->host, node.claim, sizeof node.claim - 32);
  pl_put_text(node.claim + strlen(node.claim), node.claim + sizeof node.claim, ".node-first");
  long fd = pl_sys_open(node.claim, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd >= 0) pl_sys_close((int)fd);
  return fd >= 0;
}

/* Launchers number the processes of a node; where there is none, who makes a file first is the first. Slurm's comes
 * last: it is set in the script of a batch job too, where other launchers are started. */
static int is_first_of_node(const char* spool) {
  static const char* const numbers[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",    "PALS_LOCAL_RANKID",
                                        "JSM_NAMESPACE_LOCAL_RANK",   "FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"};
  node.claim[0] = '\0';
  if (pl.header->flavour != PL_FLAVOUR_NONE)
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
      const char* number = getenv(numbers[i]);
      if (number != NULL && number[0] != '\0') return strcmp(number, "0") == 0;
    }
  return claim(spool);
}

static char* room(void) {
  int saved = errno;
  void* address = mmap(NULL, PL_NODE_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = saved;
  return address == MAP_FAILED ? NULL : address;
}

static void write_all(const char* path, int flags, const char* text, size_t bytes) {
  struct stat status;
  long fd = pl_sys_open(path, O_WRONLY | O_APPEND | flags, 0666);
  if (fd < 0) return;
  const int fits = pl_sys_fstat((int)fd, &status) == 0 && pl_within_size_limit((uint64_t)status.st_size + bytes);
  while (fits && bytes > 0) {
    long written = pl_sys_write((int)fd, text, bytes);
    if (written == -EINTR) continue;
    if (written <= 0) break;
    text += written;
    bytes -= (size_t)written;
  }
  pl_sys_close((int)fd);
}

static void take_reading(const char* when, int flags) {
  char* text = room();
  if (text == NULL) return;
  char* end = pl_copy_node(text, node.root, when);
  write_all(node.path, flags, text, (size_t)(end - text));
  pl_unmap(text, PL_NODE_MOST);
}

void pl_begin_node(void) {
  const char* spool = pl_spool_path();
  size_t length = strlen(spool), suffix = strlen(".spool");
  node.begun = 0;
  if (length <= suffix || length + 32 >= sizeof node.path || !is_wanted() || !is_first_of_node(spool)) return;
  name_beside(spool, length - suffix, PL_NODE_SUFFIX, node.path, sizeof node.path);
  take_reading("begin", O_CREAT | O_EXCL);
  node.begun = 1;
}

void pl_end_node(void) {
  if (__atomic_exchange_n(&node.begun, 0, __ATOMIC_ACQ_REL) == 0) return;
  take_reading("end", 0);
  if (node.claim[0] != '\0') pl_sys_unlink(node.claim);
}
