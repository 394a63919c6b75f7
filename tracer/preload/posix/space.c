/* The room that a file takes, and what the kernel is told of its use. */
#include "tracer/preload/posix/posix.h"

#define PL_ON_RANGE(type, name, function, mode, offset, length, arguments, call) \
  PL_PACKED_ON_DESCRIPTOR(type, name, function, mode, (uint64_t)(offset), (uint64_t)(length), arguments, call)

PL_ON_RANGE(int, ftruncate, ftruncate, 0, 0, length, (int fd, off_t length), PL_SYSTEM(ftruncate, fd, length))
PL_ON_RANGE(int, ftruncate64, ftruncate, 0, 0, length, (int fd, off_t length), PL_SYSTEM(ftruncate, fd, length))
PL_ON_RANGE(int, fallocate, fallocate, mode, at, length, (int fd, int mode, off_t at, off_t length),
            PL_SYSTEM(fallocate, fd, mode, at, length))
PL_ON_RANGE(int, fallocate64, fallocate, mode, at, length, (int fd, int mode, off_t at, off_t length),
            PL_SYSTEM(fallocate, fd, mode, at, length))
PL_ON_RANGE(int, sync_file_range, sync_file_range, how, at, length, (int fd, off_t at, off_t length, unsigned how),
            PL_LIBRARY(sync_file_range, -1, fd, at, length, how))
PL_ON_RANGE(ssize_t, readahead, readahead, 0, at, length, (int fd, off_t at, size_t length),
            PL_SYSTEM(readahead, fd, at, length))

/* These return an error number and leave errno alone. */
#define PL_ADVICE(name, function, mode, arguments, ...)                                        \
  PL_EXPORT int name arguments {                                                               \
    struct pl_operation o;                                                                     \
    o.t = pl_enter_on(fd, &o.outer);                                                           \
    if (o.t == NULL) return PL_LIBRARY(function, ENOSYS, __VA_ARGS__);                         \
    pl_begin_packed(&o, PL_F_##function, fd, (uint32_t)(mode), (uint64_t)at, (uint64_t)length, \
                    __builtin_return_address(0));                                              \
    int error = PL_LIBRARY(function, ENOSYS, __VA_ARGS__), saved = errno;                      \
    errno = error;                                                                             \
    pl_end_packed(&o, error == 0 ? 0 : -1);                                                    \
    errno = saved;                                                                             \
    return error;                                                                              \
  }
PL_ADVICE(posix_fallocate, posix_fallocate, 0, (int fd, off_t at, off_t length), fd, at, length)
PL_ADVICE(posix_fallocate64, posix_fallocate, 0, (int fd, off_t at, off_t length), fd, at, length)
PL_ADVICE(posix_fadvise, posix_fadvise, advice, (int fd, off_t at, off_t length, int advice), fd, at, length, advice)
PL_ADVICE(posix_fadvise64, posix_fadvise, advice, (int fd, off_t at, off_t length, int advice), fd, at, length, advice)
