/* What the POSIX side knows: the real functions, the names of files, and which descriptors are followed. */
#include "tracer/preload/posix/posix.h"

#include <dlfcn.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/core/tables.h"

struct pl_posix pl_posix;
uint32_t pl_followed[PL_MOST_DESCRIPTORS];

static struct pl_table by_path;
static uint32_t next_path = 1;

__attribute__((constructor(101))) void pl_find_real_functions(void) {
  int saved = errno;
#define X(type, name, arguments)                        \
  {                                                     \
    void* function = dlsym(RTLD_NEXT, #name);           \
    memcpy(&pl_posix.name, &function, sizeof function); \
  }
  PL_POSIX_FUNCTIONS(X)
#undef X
  errno = saved;
}

int pl_find_posix(void* function, const char* name) {
  int saved = errno;
  void* found = dlsym(RTLD_NEXT, name);
  errno = found == NULL ? ENOSYS : saved;
  if (found != NULL) memcpy(function, &found, sizeof found);
  return found != NULL;
}

int pl_is_regular(int fd) {
  struct stat status;
  return pl_sys_fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

size_t pl_absolute_path(int directory, const char* path, char* to) {
  char *at = to, *limit = to + PL_MOST_PATH;
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (path[0] != '/') {
    char link[64] = "/proc/self/cwd";
    if (directory != AT_FDCWD)
      pl_put_number(pl_put_text(link, link + sizeof link, "/proc/self/fd/"), link + sizeof link, directory);
    long n = pl_sys_readlink(link, to, PL_MOST_PATH - 2);
    if (n <= 0) return 0;
    at = to + n;
    *at++ = '/';
  }
  return (size_t)(pl_put_text(at, limit, path) - to);
}

size_t pl_path_of_descriptor(int fd, char* to) {
  char link[64];
  pl_put_number(pl_put_text(link, link + sizeof link, "/proc/self/fd/"), link + sizeof link, fd);
  long n = pl_sys_readlink(link, to, PL_MOST_PATH - 1);
  if (n <= 0 || to[0] != '/') return 0;
  to[n] = '\0';
  return (size_t)n;
}

uint32_t pl_define_path(struct pl_thread* t, const char* path, size_t length) {
  uint64_t id = 0, key = pl_hash(path, length, 3);
  if (pl_table_get(&by_path, key, &id)) return (uint32_t)id;
  id = __atomic_fetch_add(&next_path, 1, __ATOMIC_RELAXED);
  pl_table_put(&by_path, key, id);
  pl_define_text(t, PL_DEF_FILE, pl_pair((uint32_t)id, 0), 1, path, length, pl_ticks());
  return (uint32_t)id;
}

void pl_forget_paths(void) {
  by_path.lock.held = 0;
  if (by_path.capacity != 0) memset(by_path.slots, 0, by_path.capacity * sizeof by_path.slots[0]);
  by_path.used = 0;
  next_path = 1;
  memset(pl_followed, 0, sizeof pl_followed);
}

uint32_t pl_path_id(struct pl_thread* t, const char* path, size_t length) {
  char whole[PL_MOST_PATH];
  (void)length;
  size_t n = pl_absolute_path(AT_FDCWD, path, whole);
  return n == 0 ? 0 : pl_define_path(t, whole, n);
}

uint32_t pl_enter_on_path(struct pl_operation* o, int directory, const char* path) {
  char whole[PL_MOST_PATH];
  int saved = errno;
  o->t = path == NULL ? NULL : pl_enter_posix(&o->outer);
  if (o->t == NULL) return 0;
  size_t length = path[0] == '\0' ? 0 : pl_absolute_path(directory, path, whole);
  uint32_t file = path[0] == '\0' ? pl_file_behind(directory) : 0; /* AT_EMPTY_PATH */
  if (length != 0 && pl_path_is_wanted(whole)) file = pl_define_path(o->t, whole, length);
  if (file == 0) pl_set_mode(o->t, o->outer);
  errno = saved;
  return file;
}

static void announce(struct pl_thread* t, uint16_t function, int fd, const char* path, size_t length) {
  uint32_t id = pl_define_path(t, path, length);
  struct pl_call call = {pl_reserve(t, 2), 0, function, 2};
  PL_FILL(call.r->payload, posix_open, .path = id, .fd = fd);
  pl_start(t, &call);
  call.r->end = call.r->begin;
  pl_done(&call);
  pl_follow(fd, id);
}

/* What came before this segment may be gone when it is read. */
void pl_insert_open_files(struct pl_thread* t) {
  enum { kMost = 4096 }; /* a small part of a segment */
  for (int fd = 0, found = 0; fd < PL_MOST_DESCRIPTORS && found < kMost; ++fd) {
    uint32_t file = pl_followed[fd];
    if (file == 0) continue;
    uint64_t begin = pl_ticks();
    uint64_t* payload = pl_insert(t, 1);
    PL_FILL(payload, def_open_file, .fd = fd, .path = file);
    pl_inserted(t, payload, PL_DEF_OPEN_FILE, 1, begin);
    ++found;
  }
}

/* Regular files that are open already: their later reads and writes need a name. */
void pl_announce_open_files(struct pl_thread* t, uint16_t function) {
  enum { kMostOpen = 1024 };
  for (int fd = 0; fd < kMostOpen; ++fd) {
    char path[PL_MOST_PATH];
    if (pl_own_descriptor(fd)) continue;
    pl_follow(fd, 0); /* it may have become another one while recording was off */
    if (!pl_is_regular(fd)) continue;
    size_t n = pl_path_of_descriptor(fd, path);
    if (n != 0 && pl_path_is_wanted(path)) announce(t, function, fd, path, n);
  }
}
