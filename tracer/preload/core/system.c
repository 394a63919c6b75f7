#include "tracer/preload/core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracer/preload/core/preload.h"

static long raw(long number, long a, long b, long c, long d) {
  int saved = errno;
  long result = syscall(number, a, b, c, d);
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}

long pl_sys_open(const char* path, int flags, int mode) {
  return raw(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode);
}
long pl_sys_close(int fd) { return raw(SYS_close, fd, 0, 0, 0); }
long pl_sys_read(int fd, void* to, size_t n) { return raw(SYS_read, fd, (long)to, (long)n, 0); }
long pl_sys_pread(int fd, void* to, size_t n, int64_t offset) {
  return raw(SYS_pread64, fd, (long)to, (long)n, (long)offset);
}
long pl_sys_pwrite(int fd, const void* from, size_t n, int64_t offset) {
  return raw(SYS_pwrite64, fd, (long)from, (long)n, (long)offset);
}
long pl_sys_write(int fd, const void* from, size_t n) { return raw(SYS_write, fd, (long)from, (long)n, 0); }
long pl_sys_readlink(const char* path, char* to, size_t n) {
  return raw(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)n);
}
long pl_sys_getdents(int fd, void* to, size_t n) { return raw(SYS_getdents64, fd, (long)to, (long)n, 0); }
long pl_sys_unlink(const char* path) { return raw(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0); }
long pl_sys_lseek(int fd, int64_t offset, int whence) { return raw(SYS_lseek, fd, (long)offset, whence, 0); }
long pl_sys_copy(void* to, const void* from, size_t n) {
  struct iovec here = {to, n}, there = {(void*)(uintptr_t)from, n};
  int saved = errno;
  long result = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &here, 1L, &there, 1L, 0L);
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}
long pl_sys_socket_name(long number, int fd, void* to, uint32_t* length) {
  return raw(number, fd, (long)to, (long)length, 0);
}
long pl_sys_getsockopt(int fd, int level, int option, void* to, uint32_t* length) {
  int saved = errno;
  long result = syscall(SYS_getsockopt, fd, level, option, to, length);
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}
long pl_sys_fstat(int fd, struct stat* to) { /* on 64-bit systems the kernel's structure is the C library's */
  return raw(SYS_fstat, fd, (long)to, 0, 0);
}

long pl_read_file(const char* path, char* to, size_t n) {
  long fd = pl_sys_open(path, O_RDONLY, 0);
  if (fd < 0) return fd;
  size_t have = 0;
  while (have < n) {
    long got = pl_sys_read((int)fd, to + have, n - have);
    if (got <= 0) break;
    have += (size_t)got;
  }
  pl_sys_close((int)fd);
  return (long)have;
}

char* pl_put_text(char* at, char* limit, const char* text) {
  while (*text != '\0' && at + 1 < limit) *at++ = *text++;
  if (at < limit) *at = '\0';
  return at;
}

char* pl_put_number(char* at, char* limit, int64_t number) {
  char digits[24], *d = digits + sizeof digits - 1;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  *d = '\0';
  do *--d = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0) *--d = '-';
  return pl_put_text(at, limit, d);
}
