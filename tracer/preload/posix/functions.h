/* The C library's functions that ours stand in front of: X(type, name, arguments). A name with 64 in it needs no line:
 * off_t is 64 bits wide. */
#ifndef PLUMBLINE_TRACER_PRELOAD_POSIX_FUNCTIONS_H
#define PLUMBLINE_TRACER_PRELOAD_POSIX_FUNCTIONS_H

/* clang-format off */
#define PL_POSIX_FUNCTIONS(X)                                                           \
  X(int, openat, (int, const char*, int, ...))                                          \
  X(int, mkostemps, (char*, int, int))                                                  \
  X(int, close, (int))                                                                  \
  X(int, close_range, (unsigned, unsigned, int))                                        \
  X(void, closefrom, (int))                                                             \
  X(int, dup, (int))                                                                    \
  X(int, dup2, (int, int))                                                              \
  X(int, dup3, (int, int, int))                                                         \
  X(int, fcntl, (int, int, ...))                                                        \
  X(int, fsync, (int))                                                                  \
  X(int, fdatasync, (int))                                                              \
  X(int, syncfs, (int))                                                                 \
  X(int, sync_file_range, (int, off_t, off_t, unsigned))                                \
  X(ssize_t, read, (int, void*, size_t))                                                \
  X(ssize_t, write, (int, const void*, size_t))                                         \
  X(ssize_t, pread, (int, void*, size_t, off_t))                                        \
  X(ssize_t, pwrite, (int, const void*, size_t, off_t))                                 \
  X(ssize_t, readv, (int, const struct iovec*, int))                                    \
  X(ssize_t, writev, (int, const struct iovec*, int))                                   \
  X(ssize_t, preadv, (int, const struct iovec*, int, off_t))                            \
  X(ssize_t, pwritev, (int, const struct iovec*, int, off_t))                           \
  X(ssize_t, preadv2, (int, const struct iovec*, int, off_t, int))                      \
  X(ssize_t, pwritev2, (int, const struct iovec*, int, off_t, int))                     \
  X(ssize_t, sendfile, (int, int, off_t*, size_t))                                      \
  X(ssize_t, copy_file_range, (int, off_t*, int, off_t*, size_t, unsigned))             \
  X(ssize_t, splice, (int, off_t*, int, off_t*, size_t, unsigned))                      \
  X(off_t, lseek, (int, off_t, int))                                                    \
  X(int, ftruncate, (int, off_t))                                                       \
  X(int, truncate, (const char*, off_t))                                                \
  X(int, fallocate, (int, int, off_t, off_t))                                           \
  X(int, posix_fallocate, (int, off_t, off_t))                                          \
  X(int, posix_fadvise, (int, off_t, off_t, int))                                       \
  X(ssize_t, readahead, (int, off_t, size_t))                                           \
  X(int, fstat, (int, struct stat*))                                                    \
  X(int, fstatat, (int, const char*, struct stat*, int))                                \
  X(int, statfs, (const char*, struct statfs*))                                         \
  X(int, fstatfs, (int, struct statfs*))                                                \
  X(int, statvfs, (const char*, struct statvfs*))                                       \
  X(int, fstatvfs, (int, struct statvfs*))                                              \
  X(int, statx, (int, const char*, int, unsigned, struct statx*))                       \
  X(int, access, (const char*, int))                                                    \
  X(int, euidaccess, (const char*, int))                                                \
  X(int, faccessat, (int, const char*, int, int))                                       \
  X(int, renameat, (int, const char*, int, const char*))                                \
  X(int, renameat2, (int, const char*, int, const char*, unsigned))                     \
  X(int, unlinkat, (int, const char*, int))                                             \
  X(int, remove, (const char*))                                                         \
  X(int, mkdirat, (int, const char*, mode_t))                                           \
  X(void*, mmap, (void*, size_t, int, int, int, off_t))                                 \
  X(int, msync, (void*, size_t, int))                                                   \
  X(int, aio_read, (struct aiocb*))                                                     \
  X(int, aio_write, (struct aiocb*))                                                    \
  X(int, aio_fsync, (int, struct aiocb*))                                               \
  X(int, aio_error, (const struct aiocb*))                                              \
  X(ssize_t, aio_return, (struct aiocb*))                                               \
  X(int, aio_suspend, (const struct aiocb* const*, int, const struct timespec*))        \
  X(int, aio_cancel, (int, struct aiocb*))                                              \
  X(int, lio_listio, (int, struct aiocb* const*, int, struct sigevent*))                \
  X(FILE*, fopen, (const char*, const char*))                                           \
  X(FILE*, freopen, (const char*, const char*, FILE*))                                  \
  X(FILE*, fdopen, (int, const char*))                                                  \
  X(FILE*, tmpfile, (void))                                                             \
  X(int, fclose, (FILE*))                                                               \
  X(size_t, fread, (void*, size_t, size_t, FILE*))                                      \
  X(size_t, fread_unlocked, (void*, size_t, size_t, FILE*))                             \
  X(size_t, fwrite, (const void*, size_t, size_t, FILE*))                               \
  X(size_t, fwrite_unlocked, (const void*, size_t, size_t, FILE*))                      \
  X(int, fseeko, (FILE*, off_t, int))                                                   \
  X(off_t, ftello, (FILE*))                                                             \
  X(void, rewind, (FILE*))                                                              \
  X(int, fsetpos, (FILE*, const fpos_t*))                                               \
  X(int, fflush, (FILE*))                                                               \
  X(int, fflush_unlocked, (FILE*))                                                      \
  X(int, setvbuf, (FILE*, char*, int, size_t))                                          \
  X(void, abort, (void))                                                                \
  X(void, quick_exit, (int))                                                            \
  X(void, __assert_fail, (const char*, const char*, unsigned, const char*))
/* clang-format on */

#endif
