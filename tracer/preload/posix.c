/* POSIX calls on regular files, of the program and, nested, of MPI_File_ calls. Before our constructor has run (and in
 * whatever the loader does before it) the wrappers go straight to the kernel. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "plumbline_mpi_table.h"
#include "tracer/preload/preload.h"
#include "tracer/preload/system.h"
#include "tracer/preload/tables.h"

enum { kMostDescriptors = 65536, kMostPath = 4096 };

static unsigned char is_recorded[kMostDescriptors]; /* descriptor -> it is a regular file that we follow */
static struct pl_table by_path;
static uint32_t next_path = 1;

/* ---- The real functions */

#define PL_POSIX_FUNCTIONS(X)                                                                                          \
  X(int, open, (const char*, int, ...))                                                                                \
  X(int, openat, (int, const char*, int, ...)) X(int, close, (int)) X(int, dup, (int)) X(int, dup2, (int, int)) X(     \
      int, dup3, (int, int, int)) X(int, fsync, (int)) X(int, fdatasync, (int)) X(ssize_t, read, (int, void*, size_t)) \
      X(ssize_t, write, (int, const void*, size_t)) X(ssize_t, pread, (int, void*, size_t, off_t))                     \
          X(ssize_t, pwrite, (int, const void*, size_t, off_t)) X(ssize_t, readv, (int, const struct iovec*, int))     \
              X(ssize_t, writev, (int, const struct iovec*, int))                                                      \
                  X(ssize_t, preadv, (int, const struct iovec*, int, off_t))                                           \
                      X(ssize_t, pwritev, (int, const struct iovec*, int, off_t)) X(off_t, lseek, (int, off_t, int))

#define X(type, name, arguments) type(*name) arguments;
static struct { PL_POSIX_FUNCTIONS(X) } real;
#undef X

__attribute__((constructor(101))) static void find_real_functions(void) {
  int saved = errno;
#define X(type, name, arguments)                    \
  {                                                 \
    void* function = dlsym(RTLD_NEXT, #name);       \
    memcpy(&real.name, &function, sizeof function); \
  }
  PL_POSIX_FUNCTIONS(X)
#undef X
  errno = saved;
}

/* The real function, or the system call as long as there is none. off_t is 64 bits wide: the 64-bit names are the same.
 */
#define REAL(name, ...) (PL_LIKELY(real.name != NULL) ? real.name(__VA_ARGS__) : syscall(SYS_##name, __VA_ARGS__))
#define REAL_AS(name, number, ...) \
  (PL_LIKELY(real.name != NULL) ? real.name(__VA_ARGS__) : syscall(number, __VA_ARGS__))

/* ---- What is recorded */

static int is_special(const char* path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

/* The thread, when calls on this descriptor are recorded here and now; its mode before in `mode`. */
PL_INLINE struct pl_thread* enter_posix(int* mode) {
  struct pl_thread* t = &pl_self;
  if (PL_LIKELY(!pl.recording)) return NULL;
  *mode = t->mode;
  if (*mode == PL_INSIDE) return NULL;
  pl_set_mode(t, PL_INSIDE);
  return t;
}
PL_INLINE struct pl_thread* enter_on(int fd, int* mode) {
  if (PL_LIKELY(!pl.recording) || (unsigned)fd >= kMostDescriptors || !is_recorded[fd]) return NULL;
  return enter_posix(mode);
}

PL_INLINE void note_descriptor(int fd, int recorded) {
  if ((unsigned)fd < kMostDescriptors) is_recorded[fd] = (unsigned char)recorded;
}

static int is_regular(int fd) {
  struct stat status;
  return pl_sys_fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* Absolute, without resolving links. Returns the length, 0 when unknown. */
static size_t absolute_path(int directory, const char* path, char* to) {
  char *at = to, *limit = to + kMostPath;
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (path[0] != '/') {
    char link[64] = "/proc/self/cwd";
    if (directory != AT_FDCWD)
      pl_put_number(pl_put_text(link, link + sizeof link, "/proc/self/fd/"), link + sizeof link, directory);
    long n = pl_sys_readlink(link, to, kMostPath - 2);
    if (n <= 0) return 0;
    at = to + n;
    *at++ = '/';
  }
  return (size_t)(pl_put_text(at, limit, path) - to);
}

static uint32_t path_id(struct pl_thread* t, const char* path, size_t length) {
  uint64_t id = 0, key = pl_hash(path, length, 3);
  if (pl_table_get(&by_path, key, &id)) return (uint32_t)id;
  id = __atomic_fetch_add(&next_path, 1, __ATOMIC_RELAXED);
  pl_table_put(&by_path, key, id);
  pl_define_text(t, PL_DEF_FILE, pl_pair((uint32_t)id, 0), 1, path, length, pl_ticks());
  return (uint32_t)id;
}

uint32_t pl_path_id(struct pl_thread* t, const char* path, size_t length) {
  char whole[kMostPath];
  (void)length;
  size_t n = absolute_path(AT_FDCWD, path, whole);
  return n == 0 ? 0 : path_id(t, whole, n);
}

static void announce(struct pl_thread* t, uint16_t function, int fd, const char* path, size_t length) {
  uint32_t id = path_id(t, path, length);
  struct pl_call call = {pl_reserve(t, 2), 0, function, 2};
  call.r->payload[0] = pl_pair(id, 0);
  call.r->payload[1] = (uint64_t)fd;
  pl_start(t, &call);
  call.r->end = call.r->begin;
  pl_done(&call);
  note_descriptor(fd, 1);
}

/* Regular files that are open already: their later reads and writes need a name. */
void pl_announce_open_files(struct pl_thread* t, uint16_t function) {
  enum { kMostOpen = 1024 };
  for (int fd = 0; fd < kMostOpen; ++fd) {
    char link[64] = "/proc/self/fd/", path[kMostPath];
    if (pl_own_descriptor(fd) || !is_regular(fd)) continue;
    pl_put_number(link + strlen(link), link + sizeof link, fd);
    long n = pl_sys_readlink(link, path, sizeof path - 1);
    if (n <= 0 || path[0] != '/') continue;
    path[n] = '\0';
    if (!is_special(path)) announce(t, function, fd, path, (size_t)n);
  }
}

/* ---- Opening */

static int open_recorded(uint16_t function, int directory, const char* path, int flags, mode_t mode, void* address) {
  int outer = PL_OUTSIDE, saved = errno;
  struct pl_thread* t = path == NULL ? NULL : enter_posix(&outer);
  char whole[kMostPath];
  size_t length = t == NULL ? 0 : absolute_path(directory, path, whole);
  if (length == 0 || is_special(whole)) {
    errno = saved;
    int fd = (int)REAL(openat, directory, path, flags, mode);
    if (fd >= 0) note_descriptor(fd, 0);
    if (t != NULL) pl_set_mode(t, outer);
    return fd;
  }
  uint32_t id = path_id(t, whole, length);
  struct pl_call call = pl_prepare(t, function, 2, address);
  call.r->payload[0] = pl_pair(id, (uint32_t)flags);
  pl_start(t, &call);
  errno = saved;
  int fd = (int)REAL(openat, directory, path, flags, mode);
  saved = errno;
  pl_stamp(t, &call);
  if (fd >= 0 && !is_regular(fd)) {
    note_descriptor(fd, 0);
    pl_withdraw(t, &call);
  } else {
    if (fd >= 0) note_descriptor(fd, 1);
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
PL_EXPORT int __open_2(const char* path, int flags);
PL_EXPORT int __open_2(const char* path, int flags) {
  return open_recorded(PL_F_open, AT_FDCWD, path, flags, 0, __builtin_return_address(0));
}
PL_EXPORT int __open64_2(const char* path, int flags);
PL_EXPORT int __open64_2(const char* path, int flags) {
  return open_recorded(PL_F_open64, AT_FDCWD, path, flags, 0, __builtin_return_address(0));
}
PL_EXPORT int __openat_2(int directory, const char* path, int flags);
PL_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return open_recorded(PL_F_openat, directory, path, flags, 0, __builtin_return_address(0));
}
PL_EXPORT int __openat64_2(int directory, const char* path, int flags);
PL_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return open_recorded(PL_F_openat64, directory, path, flags, 0, __builtin_return_address(0));
}

/* ---- Calls on a descriptor: begin, then the call, then end with its result */

struct operation {
  struct pl_thread* t;
  struct pl_call call;
  int outer;
};

PL_INLINE void begin_operation(struct operation* o, uint16_t function, unsigned words, uint64_t first, uint64_t second,
                               uint64_t third, void* address) {
  int saved = errno;
  o->call = pl_prepare(o->t, function, words, address);
  o->call.r->payload[0] = first;
  if (words > 2) o->call.r->payload[1] = second;
  if (words > 3) o->call.r->payload[2] = third;
  pl_start(o->t, &o->call);
  errno = saved;
}
PL_INLINE void end_operation(struct operation* o, int64_t result) {
  int saved = errno;
  pl_stamp(o->t, &o->call);
  o->call.r->payload[o->call.words - 1] = (uint64_t)(result < 0 ? -(int64_t)saved : result);
  pl_done(&o->call);
  pl_set_mode(o->t, o->outer);
  errno = saved;
}

PL_EXPORT int close(int fd) {
  struct operation o;
  if (PL_UNLIKELY(pl_own_descriptor(fd))) { /* programs close everything up to some number: not the tracer's own */
    errno = EBADF;
    return -1;
  }
  o.t = enter_on(fd, &o.outer);
  note_descriptor(fd, 0); /* before: another thread may get the number at once */
  if (o.t == NULL) return (int)REAL(close, fd);
  begin_operation(&o, PL_F_close, 2, pl_pair((uint32_t)fd, 0), 0, 0, __builtin_return_address(0));
  int result = (int)REAL(close, fd);
  end_operation(&o, result);
  return result;
}

#define PL_SYNC(name)                                                                                 \
  PL_EXPORT int name(int fd) {                                                                        \
    struct operation o;                                                                               \
    o.t = enter_on(fd, &o.outer);                                                                     \
    if (o.t == NULL) return (int)REAL(name, fd);                                                      \
    begin_operation(&o, PL_F_##name, 2, pl_pair((uint32_t)fd, 0), 0, 0, __builtin_return_address(0)); \
    int result = (int)REAL(name, fd);                                                                 \
    end_operation(&o, result);                                                                        \
    return result;                                                                                    \
  }
PL_SYNC(fsync)
PL_SYNC(fdatasync)

/* A copy of a descriptor that we follow is followed; what it replaces no longer is. */
#define PL_DUP(name, arguments, ...)                                                                  \
  PL_EXPORT int name arguments {                                                                      \
    struct operation o;                                                                               \
    o.t = enter_on(fd, &o.outer);                                                                     \
    if (o.t == NULL) {                                                                                \
      int plain = (int)REAL(name, __VA_ARGS__);                                                       \
      if (plain >= 0 && plain != fd) note_descriptor(plain, 0);                                       \
      return plain;                                                                                   \
    }                                                                                                 \
    begin_operation(&o, PL_F_##name, 2, pl_pair((uint32_t)fd, 0), 0, 0, __builtin_return_address(0)); \
    int result = (int)REAL(name, __VA_ARGS__);                                                        \
    if (result >= 0) note_descriptor(result, 1);                                                      \
    end_operation(&o, result);                                                                        \
    return result;                                                                                    \
  }
PL_DUP(dup, (int fd), fd)
PL_DUP(dup2, (int fd, int wanted), fd, wanted)
PL_DUP(dup3, (int fd, int wanted, int flags), fd, wanted, flags)

#define PL_TRANSFER(name, function, base, number, flags, offset, bytes, arguments, ...)              \
  PL_EXPORT ssize_t name arguments {                                                                 \
    struct operation o;                                                                              \
    o.t = enter_on(fd, &o.outer);                                                                    \
    if (o.t == NULL) return (ssize_t)REAL_AS(base, number, __VA_ARGS__);                             \
    begin_operation(&o, PL_F_##function, 4, pl_pair((uint32_t)fd, flags), (uint64_t)(offset), bytes, \
                    __builtin_return_address(0));                                                    \
    ssize_t result = (ssize_t)REAL_AS(base, number, __VA_ARGS__);                                    \
    end_operation(&o, result);                                                                       \
    return result;                                                                                   \
  }
#define PL_AT(flags) ((flags) | PL_ACCESS_EXPLICIT)

static uint64_t vector_bytes(const struct iovec* parts, int n) {
  uint64_t sum = 0;
  for (int i = 0; parts != NULL && i < n; ++i) sum += parts[i].iov_len;
  return sum;
}

PL_TRANSFER(read, read, read, SYS_read, 0, -1, n, (int fd, void* to, size_t n), fd, to, n)
PL_TRANSFER(write, write, write, SYS_write, PL_ACCESS_WRITE, -1, n, (int fd, const void* from, size_t n), fd, from, n)
PL_TRANSFER(pread, pread, pread, SYS_pread64, PL_AT(0), at, n, (int fd, void* to, size_t n, off_t at), fd, to, n, at)
PL_TRANSFER(pread64, pread64, pread, SYS_pread64, PL_AT(0), at, n, (int fd, void* to, size_t n, off_t at), fd, to, n,
            at)
PL_TRANSFER(pwrite, pwrite, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at, n,
            (int fd, const void* from, size_t n, off_t at), fd, from, n, at)
PL_TRANSFER(pwrite64, pwrite64, pwrite, SYS_pwrite64, PL_AT(PL_ACCESS_WRITE), at, n,
            (int fd, const void* from, size_t n, off_t at), fd, from, n, at)
PL_TRANSFER(readv, readv, readv, SYS_readv, 0, -1, vector_bytes(parts, n), (int fd, const struct iovec* parts, int n),
            fd, parts, n)
PL_TRANSFER(writev, writev, writev, SYS_writev, PL_ACCESS_WRITE, -1, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n), fd, parts, n)
PL_TRANSFER(preadv, preadv, preadv, SYS_preadv, PL_AT(0), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(preadv64, preadv64, preadv, SYS_preadv, PL_AT(0), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(pwritev, pwritev, pwritev, SYS_pwritev, PL_AT(PL_ACCESS_WRITE), at, vector_bytes(parts, n),
            (int fd, const struct iovec* parts, int n, off_t at), fd, parts, n, at)
PL_TRANSFER(pwritev64, pwritev64, pwritev, SYS_pwritev, PL_AT(PL_ACCESS_WRITE), at, vector_bytes(parts, n),
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
PL_TRANSFER(__pread64_chk, pread64, pread, SYS_pread64, PL_AT(0), at, (check(n, room), n),
            (int fd, void* to, size_t n, off_t at, size_t room), fd, to, n, at)

#define PL_SEEK(name)                                                                                 \
  PL_EXPORT off_t name(int fd, off_t offset, int whence) {                                            \
    struct operation o;                                                                               \
    o.t = enter_on(fd, &o.outer);                                                                     \
    if (o.t == NULL) return (off_t)REAL(lseek, fd, offset, whence);                                   \
    begin_operation(&o, PL_F_##name, 3, pl_pair((uint32_t)fd, (uint32_t)whence), (uint64_t)offset, 0, \
                    __builtin_return_address(0));                                                     \
    off_t result = (off_t)REAL(lseek, fd, offset, whence);                                            \
    end_operation(&o, result);                                                                        \
    return result;                                                                                    \
  }
PL_SEEK(lseek)
PL_SEEK(lseek64)
