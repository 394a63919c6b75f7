/* Descriptors: closing, copying, making sure that what was written is on disk. */
#include "tracer/preload/posix.h"

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
