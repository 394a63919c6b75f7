/* The C library's functions that ours stand in front of: X(type, name, arguments). */
#ifndef PLUMBLINE_TRACER_PRELOAD_POSIX_FUNCTIONS_H
#define PLUMBLINE_TRACER_PRELOAD_POSIX_FUNCTIONS_H

/* clang-format off */
#define PL_POSIX_FUNCTIONS(X)                                      \
  X(int, openat, (int, const char*, int, ...))                     \
  X(int, close, (int))                                             \
  X(int, dup, (int))                                               \
  X(int, dup2, (int, int))                                         \
  X(int, dup3, (int, int, int))                                    \
  X(int, fsync, (int))                                             \
  X(int, fdatasync, (int))                                         \
  X(ssize_t, read, (int, void*, size_t))                           \
  X(ssize_t, write, (int, const void*, size_t))                    \
  X(ssize_t, pread, (int, void*, size_t, off_t))                   \
  X(ssize_t, pwrite, (int, const void*, size_t, off_t))            \
  X(ssize_t, readv, (int, const struct iovec*, int))               \
  X(ssize_t, writev, (int, const struct iovec*, int))              \
  X(ssize_t, preadv, (int, const struct iovec*, int, off_t))       \
  X(ssize_t, pwritev, (int, const struct iovec*, int, off_t))      \
  X(off_t, lseek, (int, off_t, int))
/* clang-format on */

#endif
