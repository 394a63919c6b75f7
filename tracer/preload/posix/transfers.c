/* Reading and writing. */
#include "tracer/preload/posix/posix.h"

#define PL_TRANSFER(name, function, base, number, flags, offset, bytes, arguments, ...)         \
  PL_PACKED_ON_DESCRIPTOR(ssize_t, name, function, flags, (uint64_t)(offset), bytes, arguments, \
                          PL_SYSTEM_AS(base, number, __VA_ARGS__))
#define PL_AT(flags) ((flags) | PL_ACCESS_EXPLICIT)

/* What is called most has a fast path (fast_path.h), from which the long one is jumped to: its return address is the
 * program's. */
#define PL_SHORT_TRANSFER(name, base, number, flags, offset, arguments, ...)                                      \
  static PL_NOINLINE ssize_t long_##name arguments PL_PACKED_BODY(ssize_t, base, flags, (uint64_t)(offset), n,    \
                                                                  PL_SYSTEM_AS(base, number, __VA_ARGS__))        \
      PL_EXPORT ssize_t name arguments {                                                                          \
    if (PL_LIKELY(pl.recording) && pl_file_behind(fd) == 0) return pl_posix.base(__VA_ARGS__);                    \
    struct pl_thread* t = &pl_self;                                                                               \
    int outer = PL_OUTSIDE;                                                                                       \
    struct pl_record* r =                                                                                         \
        pl_short_begin_on(t, &outer, PL_F_##base, fd, flags, (uint64_t)(offset), n, __builtin_return_address(0)); \
    if (PL_UNLIKELY(r == NULL)) return long_##name(__VA_ARGS__);                                                  \
    ssize_t result = pl_posix.base(__VA_ARGS__);                                                                  \
    pl_short_end_on(t, outer, r, result);                                                                         \
    return result;                                                                                                \
  }

static uint64_t vector_bytes(const struct iovec* parts, int n) {
  uint64_t sum = 0;
  for (int i = 0; parts != NULL && i < n; ++i) sum += parts[i].iov_len;
  return sum;
}

PL_SHORT_TRANSFER(read, read, SYS_read, 0, -1, (int fd, void* to, size_t n), fd, to, n)
PL_SHORT_TRANSFER(write, write, SYS_write, PL_ACCESS_WRITE, -1, (int fd, const void* from, size_t n), fd, from, n)
PL_SHORT_TRANSFER(pread, pread, SYS_pread64, PL_AT(0), at, (int fd, void* to, size_t n, off_t at), fd, to, n, at)
PL_SHORT_TRANSFER(pread64, pread, SYS_pread64, PL_AT(0), at, (int fd, void* to, size_t n, off_t at), fd, to, n, at)
PL_SHORT_TRANSFER(pwrite, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at,
                  (int fd, const void* from, size_t n, off_t at), fd, from, n, at)
PL_SHORT_TRANSFER(pwrite64, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at,
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

/* The kernel takes the offset in two halves; the second is empty where a word is 64 bits wide. */
#define PL_TRANSFER_2(name, base, access)                                                                        \
  PL_PACKED_ON_DESCRIPTOR(ssize_t, name, base, (access) | (at == -1 ? 0 : PL_ACCESS_EXPLICIT), (uint64_t)at,     \
                          vector_bytes(parts, n), (int fd, const struct iovec* parts, int n, off_t at, int how), \
                          (PL_LIKELY(pl_posix.base != NULL) ? pl_posix.base(fd, parts, n, at, how)               \
                                                            : syscall(SYS_##base, fd, parts, n, at, 0L, how)))
PL_TRANSFER_2(preadv2, preadv2, 0)
PL_TRANSFER_2(preadv64v2, preadv2, 0)
PL_TRANSFER_2(pwritev2, pwritev2, PL_ACCESS_WRITE)
PL_TRANSFER_2(pwritev64v2, pwritev2, PL_ACCESS_WRITE)

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

/* ---- From one descriptor to another. tee and vmsplice know pipes only. */

static uint64_t offset_of(const off_t* at) { return at == NULL ? UINT64_MAX : (uint64_t)*at; }

PL_INLINE int begin_copy(struct pl_operation* o, uint16_t function, int from, uint64_t from_offset, int to,
                         uint64_t to_offset, size_t bytes, void* address) {
  int saved = errno;
  uint32_t read_from = pl_file_behind(from), written_to = pl_file_behind(to);
  o->t = read_from == 0 && written_to == 0 ? NULL : pl_enter_posix(&o->outer);
  if (o->t == NULL) return 0;
  o->call = pl_prepare(o->t, function, 5, address);
  PL_FILL(o->call.r->payload, posix_copy, .from = read_from == 0 ? -1 : from, .to = written_to == 0 ? -1 : to,
          .from_offset = (int64_t)from_offset, .to_offset = (int64_t)to_offset, .asked = bytes);
  pl_start(o->t, &o->call);
  errno = saved;
  return 1;
}

#define PL_COPY(name, function, from, from_offset, to, to_offset, arguments, ...)                                     \
  PL_EXPORT ssize_t name arguments {                                                                                  \
    struct pl_operation o;                                                                                            \
    int recorded = begin_copy(&o, PL_F_##function, from, from_offset, to, to_offset, n, __builtin_return_address(0)); \
    ssize_t result = (ssize_t)PL_SYSTEM(function, __VA_ARGS__);                                                       \
    if (recorded) pl_end_operation(&o, result);                                                                       \
    return result;                                                                                                    \
  }
PL_COPY(sendfile, sendfile, from, offset_of(at), to, UINT64_MAX, (int to, int from, off_t* at, size_t n), to, from, at,
        n)
PL_COPY(sendfile64, sendfile, from, offset_of(at), to, UINT64_MAX, (int to, int from, off_t* at, size_t n), to, from,
        at, n)
PL_COPY(copy_file_range, copy_file_range, from, offset_of(from_at), to, offset_of(to_at),
        (int from, off_t* from_at, int to, off_t* to_at, size_t n, unsigned how), from, from_at, to, to_at, n, how)
PL_COPY(splice, splice, from, offset_of(from_at), to, offset_of(to_at),
        (int from, off_t* from_at, int to, off_t* to_at, size_t n, unsigned how), from, from_at, to, to_at, n, how)
