/* Opening files by name. */
#include <stdarg.h>

#include "tracer/preload/posix/posix.h"

void pl_end_opening(struct pl_operation* o, int fd, uint32_t file) {
  int saved = errno;
  pl_stamp(o->t, &o->call);
  int followed = fd >= 0 && pl_is_regular(fd);
  if (fd >= 0) pl_follow(fd, followed ? file : 0);
  if (fd >= 0 && !followed) {
    pl_withdraw(o->t, &o->call);
  } else {
    o->call.r->payload[1] = (uint64_t)(int64_t)(fd >= 0 ? fd : -saved);
    pl_done(&o->call);
  }
  pl_set_mode(o->t, o->outer);
  errno = saved;
}

void pl_record_opened(uint16_t function, int fd, int flags, uint64_t begin, uint64_t end, void* address) {
  char path[PL_MOST_PATH];
  int saved = errno;
  struct pl_operation o;
  if (fd < 0) return;
  pl_follow(fd, 0);
  o.t = pl_enter_posix(&o.outer);
  if (o.t == NULL) return;
  size_t length = pl_is_regular(fd) ? pl_path_of_descriptor(fd, path) : 0;
  if (length != 0 && pl_path_is_wanted(path)) {
    uint32_t file = pl_define_path(o.t, path, length);
    o.call = pl_prepare(o.t, function, 2, address);
    PL_FILL(o.call.r->payload, posix_open, .path = file, .flags = (uint32_t)flags, .fd = fd);
    pl_start(o.t, &o.call);
    o.call.r->begin = begin;
    o.call.r->end = end;
    pl_done(&o.call);
    pl_follow(fd, file);
  }
  pl_set_mode(o.t, o.outer);
  errno = saved;
}

static int open_recorded(uint16_t function, int directory, const char* path, int flags, mode_t mode, void* address) {
  struct pl_operation o;
  uint32_t file = pl_enter_on_path(&o, directory, path);
  if (file == 0) {
    int fd = (int)PL_SYSTEM(openat, directory, path, flags, mode);
    if (fd >= 0) pl_follow(fd, 0);
    return fd;
  }
  pl_begin_operation(&o, function, 2, pl_pair(file, (uint32_t)flags), 0, 0, address);
  int fd = (int)PL_SYSTEM(openat, directory, path, flags, mode);
  pl_end_opening(&o, fd, file);
  return fd;
}

#define MODE_OF(flags)                            \
  mode_t mode = 0;                                \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) { \
    va_list more;                                 \
    va_start(more, flags);                        \
    mode = va_arg(more, mode_t);                  \
    va_end(more);                                 \
  }

#define PL_OPEN(name)                                                                            \
  PL_EXPORT int name(const char* path, int flags, ...) {                                         \
    MODE_OF(flags)                                                                               \
    return open_recorded(PL_F_##name, AT_FDCWD, path, flags, mode, __builtin_return_address(0)); \
  }
#define PL_OPENAT(name)                                                                           \
  PL_EXPORT int name(int directory, const char* path, int flags, ...) {                           \
    MODE_OF(flags)                                                                                \
    return open_recorded(PL_F_##name, directory, path, flags, mode, __builtin_return_address(0)); \
  }
#define PL_CREAT(name)                                                                    \
  PL_EXPORT int name(const char* path, mode_t mode) {                                     \
    return open_recorded(PL_F_##name, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, \
                         __builtin_return_address(0));                                    \
  }
PL_OPEN(open)
PL_OPEN(open64)
PL_OPENAT(openat)
PL_OPENAT(openat64)
PL_CREAT(creat)
PL_CREAT(creat64)

/* What _FORTIFY_SOURCE makes of open without a mode. */
#define PL_OPEN_2(name, function)                                                                 \
  PL_EXPORT int name(const char* path, int flags);                                                \
  PL_EXPORT int name(const char* path, int flags) {                                               \
    return open_recorded(PL_F_##function, AT_FDCWD, path, flags, 0, __builtin_return_address(0)); \
  }
#define PL_OPENAT_2(name, function)                                                                \
  PL_EXPORT int name(int directory, const char* path, int flags);                                  \
  PL_EXPORT int name(int directory, const char* path, int flags) {                                 \
    return open_recorded(PL_F_##function, directory, path, flags, 0, __builtin_return_address(0)); \
  }
PL_OPEN_2(__open_2, open)
PL_OPEN_2(__open64_2, open64)
PL_OPENAT_2(__openat_2, openat)
PL_OPENAT_2(__openat64_2, openat64)

/* ---- Temporary files: their names are made by the call */

static int make_temporary(char* name, int suffix, int flags, void* address) {
  uint64_t begin = pl.recording ? pl_ticks() : 0;
  int fd = PL_LIBRARY(mkostemps, -1, name, suffix, flags);
  if (PL_UNLIKELY(pl.recording))
    pl_record_opened(PL_F_mkstemp, fd, O_RDWR | O_CREAT | O_EXCL | flags, begin, pl_ticks(), address);
  return fd;
}

#define PL_TEMPORARY(name, suffix, flags, ...)                               \
  PL_EXPORT int name(char* text, ##__VA_ARGS__) {                            \
    return make_temporary(text, suffix, flags, __builtin_return_address(0)); \
  }
PL_TEMPORARY(mkstemp, 0, 0)
PL_TEMPORARY(mkstemp64, 0, 0)
PL_TEMPORARY(mkostemp, 0, how, int how)
PL_TEMPORARY(mkostemp64, 0, how, int how)
PL_TEMPORARY(mkstemps, length, 0, int length)
PL_TEMPORARY(mkstemps64, length, 0, int length)
PL_TEMPORARY(mkostemps, length, how, int length, int how)
PL_TEMPORARY(mkostemps64, length, how, int length, int how)
