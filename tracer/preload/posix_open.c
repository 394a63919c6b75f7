/* Opening files by name. */
#include <stdarg.h>

#include "tracer/preload/posix.h"

static int open_recorded(uint16_t function, int directory, const char* path, int flags, mode_t mode, void* address) {
  int outer = PL_OUTSIDE, saved = errno;
  struct pl_thread* t = path == NULL ? NULL : pl_enter_posix(&outer);
  char whole[PL_MOST_PATH];
  size_t length = t == NULL ? 0 : pl_absolute_path(directory, path, whole);
  if (length == 0 || pl_is_special(whole)) {
    errno = saved;
    int fd = (int)PL_SYSTEM(openat, directory, path, flags, mode);
    if (fd >= 0) pl_follow(fd, 0);
    if (t != NULL) pl_set_mode(t, outer);
    return fd;
  }
  uint32_t id = pl_define_path(t, whole, length);
  struct pl_call call = pl_prepare(t, function, 2, address);
  call.r->payload[0] = pl_pair(id, (uint32_t)flags);
  pl_start(t, &call);
  errno = saved;
  int fd = (int)PL_SYSTEM(openat, directory, path, flags, mode);
  saved = errno;
  pl_stamp(t, &call);
  if (fd >= 0 && !pl_is_regular(fd)) {
    pl_follow(fd, 0);
    pl_withdraw(t, &call);
  } else {
    if (fd >= 0) pl_follow(fd, id);
    call.r->payload[1] = (uint64_t)(int64_t)(fd >= 0 ? fd : -saved);
    pl_done(&call);
  }
  pl_set_mode(t, outer);
  errno = saved;
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
