/* Descriptors: closing, copying, making sure that what was written is on disk. */
#include <stdarg.h>

#include "tracer/preload/posix/posix.h"

PL_EXPORT int close(int fd) {
  struct pl_operation o;
  if (PL_UNLIKELY(pl_own_descriptor(fd))) { /* programs close everything up to some number: not the tracer's own */
    errno = EBADF;
    return -1;
  }
  o.t = pl_enter_on(fd, &o.outer);
  pl_follow(fd, 0); /* before: another thread may get the number at once */
  if (o.t == NULL) return (int)PL_SYSTEM(close, fd);
  pl_begin_operation(&o, PL_F_close, 2, PL_FD_WORD(0), 0, 0, __builtin_return_address(0));
  int result = (int)PL_SYSTEM(close, fd);
  pl_end_operation(&o, result);
  return result;
}

#define PL_SYNC(name) PL_ON_DESCRIPTOR(int, name, name, 2, PL_FD_WORD(0), 0, 0, (int fd), PL_SYSTEM(name, fd))
PL_SYNC(fsync)
PL_SYNC(fdatasync)
PL_SYNC(syncfs)

/* A copy of a descriptor that we follow is followed; what it replaces no longer is. */
#define PL_DUP(name, arguments, ...)                                                          \
  PL_EXPORT int name arguments {                                                              \
    struct pl_operation o;                                                                    \
    o.t = pl_enter_on(fd, &o.outer);                                                          \
    if (o.t == NULL) {                                                                        \
      int plain = (int)PL_SYSTEM(name, __VA_ARGS__);                                          \
      if (plain >= 0 && plain != fd) pl_follow(plain, 0);                                     \
      return plain;                                                                           \
    }                                                                                         \
    uint32_t file = pl_file_behind(fd);                                                       \
    pl_begin_operation(&o, PL_F_##name, 2, PL_FD_WORD(0), 0, 0, __builtin_return_address(0)); \
    int result = (int)PL_SYSTEM(name, __VA_ARGS__);                                           \
    if (result >= 0) pl_follow(result, file);                                                 \
    pl_end_operation(&o, result);                                                             \
    return result;                                                                            \
  }
PL_DUP(dup, (int fd), fd)
PL_DUP(dup2, (int fd, int wanted), fd, wanted)
PL_DUP(dup3, (int fd, int wanted, int flags), fd, wanted, flags)

/* fcntl copies descriptors and locks ranges too; whatever else it is asked passes on as it came. */
static int copy_or_pass(int fd, int command, void* argument, void* address) {
  struct pl_operation o;
  if (pl_is_about_lock(command)) return pl_lock(fd, command, argument, address);
  if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) return (int)PL_SYSTEM(fcntl, fd, command, argument);
  o.t = pl_enter_on(fd, &o.outer);
  if (o.t == NULL) {
    int plain = (int)PL_SYSTEM(fcntl, fd, command, argument);
    if (plain >= 0) pl_follow(plain, 0);
    return plain;
  }
  uint32_t file = pl_file_behind(fd);
  pl_begin_operation(&o, PL_F_fcntl, 2, PL_FD_WORD(0), 0, 0, address);
  int result = (int)PL_SYSTEM(fcntl, fd, command, argument);
  if (result >= 0) pl_follow(result, file);
  pl_end_operation(&o, result);
  return result;
}

#define PL_FCNTL(name)                                                             \
  PL_EXPORT int name(int fd, int command, ...) {                                   \
    va_list more;                                                                  \
    va_start(more, command);                                                       \
    void* argument = va_arg(more, void*); /* a word, whatever the command wants */ \
    va_end(more);                                                                  \
    return copy_or_pass(fd, command, argument, __builtin_return_address(0));       \
  }
PL_FCNTL(fcntl)
PL_FCNTL(fcntl64)

/* ---- Closing many. The tracer's own may be among them: it opens its file again by name. */

static int forget_range(unsigned first, unsigned last) {
  int some = 0;
  if (pl_self.lent) return 0;
  for (unsigned fd = first; pl.recording && fd <= last && fd < PL_MOST_DESCRIPTORS; ++fd) {
    some |= pl_followed[fd] != 0;
    pl_followed[fd] = 0;
  }
  return some;
}

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4u
#endif

PL_EXPORT int close_range(unsigned first, unsigned last, int flags) {
  struct pl_operation o = {.t = NULL};
  int closes = first <= last && ((unsigned)flags & CLOSE_RANGE_CLOEXEC) == 0;
  if (closes && forget_range(first, last)) o.t = pl_enter_posix(&o.outer);
  if (o.t == NULL) return PL_LIBRARY(close_range, -1, first, last, flags);
  pl_begin_operation(&o, PL_F_close_range, 2, pl_pair(first, last), 0, 0, __builtin_return_address(0));
  int result = PL_LIBRARY(close_range, -1, first, last, flags);
  pl_end_operation(&o, result);
  return result;
}

PL_EXPORT void closefrom(int lowest) {
  struct pl_operation o = {.t = NULL};
  unsigned first = lowest < 0 ? 0 : (unsigned)lowest;
  if (forget_range(first, ~0u)) o.t = pl_enter_posix(&o.outer);
  if (o.t != NULL) pl_begin_operation(&o, PL_F_closefrom, 2, pl_pair(first, ~0u), 0, 0, __builtin_return_address(0));
  PL_LIBRARY(closefrom, (void)0, lowest);
  if (o.t != NULL) pl_end_operation(&o, 0);
}
