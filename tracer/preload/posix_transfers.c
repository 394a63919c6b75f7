/* Reading and writing. */
#include "tracer/preload/posix.h"

#define PL_TRANSFER(name, function, base, number, flags, offset, bytes, arguments, ...)                 \
  PL_ON_DESCRIPTOR(ssize_t, name, function, 4, PL_FD_WORD(flags), (uint64_t)(offset), bytes, arguments, \
                   PL_SYSTEM_AS(base, number, __VA_ARGS__))
#define PL_AT(flags) ((flags) | PL_ACCESS_EXPLICIT)

static uint64_t vector_bytes(const struct iovec* parts, int n) {
  uint64_t sum = 0;
  for (int i = 0; parts != NULL && i < n; ++i) sum += parts[i].iov_len;
  return sum;
}

PL_TRANSFER(read, read, read, SYS_read, 0, -1, n, (int fd, void* to, size_t n), fd, to, n)
PL_TRANSFER(write, write, write, SYS_write, PL_ACCESS_WRITE, -1, n, (int fd, const void* from, size_t n), fd, from, n)
PL_TRANSFER(pread, pread, pread, SYS_pread64, PL_AT(0), at, n, (int fd, void* to, size_t n, off_t at), fd, to, n, at)
PL_TRANSFER(pread64, pread, pread, SYS_pread64, PL_AT(0), at, n, (int fd, void* to, size_t n, off_t at), fd, to, n, at)
PL_TRANSFER(pwrite, pwrite, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at, n,
            (int fd, const void* from, size_t n, off_t at), fd, from, n, at)
PL_TRANSFER(pwrite64, pwrite, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at, n,
            (int fd, const void* from, size_t n, off_t at), fd, from, n, at)
PL_TRANSFER(readv, readv, readv, SYS_readv, 0, -1, vector_bytes(parts, n), (int fd, const struct iovec* parts, int n),
            fd, parts, n)
PL_TRANSFER(writev, writev, writev, SYS_writev, PL_ACCESS_WRITE, -1, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n), fd, parts, n)
PL_TRANSFER(preadv, preadv, preadv, SYS_preadv, PL_AT(0), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(preadv64, preadv, preadv, SYS_preadv, PL_AT(0), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(pwritev, pwritev, pwritev, SYS_pwritev, PL_AT(PL_ACCESS_WRITE), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(pwritev64, pwritev, pwritev, SYS_pwritev, PL_AT(PL_ACCESS_WRITE), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)

/* What _FORTIFY_SOURCE makes of them: the check is that of the C library. */
extern void __chk_fail(void) __attribute__((noreturn));
PL_EXPORT ssize_t __read_chk(int fd, void* to, size_t n, size_t room);
PL_EXPORT ssize_t __pread_chk(int fd, void* to, size_t n, off_t at, size_t room);
PL_EXPORT ssize_t __pread64_chk(int fd, void* to, size_t n, off_t at, size_t room);
static void check(size_t n, size_t room) {
  if (n > room) __chk_fail();
}
PL_TRANSFER(__read_chk, read, read, SYS_read, 0, -1, (check(n, room), n), (int fd, void* to, size_t n, size_t room), fd,
            to, n)
PL_TRANSFER(__pread_chk, pread, pread, SYS_pread64, PL_AT(0), at, (check(n, room), n),
            (int fd, void* to, size_t n, off_t at, size_t room), fd, to, n, at)
PL_TRANSFER(__pread64_chk, pread, pread, SYS_pread64, PL_AT(0), at, (check(n, room), n),
            (int fd, void* to, size_t n, off_t at, size_t room), fd, to, n, at)

#define PL_SEEK(name)                                                                                                 \
  PL_ON_DESCRIPTOR(off_t, name, name, 3, PL_FD_WORD(whence), (uint64_t)offset, 0, (int fd, off_t offset, int whence), \
                   PL_SYSTEM(lseek, fd, offset, whence))
PL_SEEK(lseek)
PL_SEEK(lseek64)
