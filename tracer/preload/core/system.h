/* System calls that neither pass through our own wrappers nor change errno. Negative results are -errno. */
#ifndef PLUMBLINE_TRACER_PRELOAD_SYSTEM_H
#define PLUMBLINE_TRACER_PRELOAD_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

long pl_sys_open(const char* path, int flags, int mode);
long pl_sys_close(int fd);
long pl_sys_read(int fd, void* to, size_t n);
long pl_sys_pread(int fd, void* to, size_t n, int64_t offset);
long pl_sys_pwrite(int fd, const void* from, size_t n, int64_t offset);
long pl_sys_write(int fd, const void* from, size_t n);
long pl_sys_fstat(int fd, struct stat* to);
long pl_sys_lseek(int fd, int64_t offset, int whence);
/* Of this process's memory, as a system call would read it: bytes copied, -EFAULT where there are none; other errors
 * where it is forbidden. */
long pl_sys_copy(void* to, const void* from, size_t n);
long pl_sys_readlink(const char* path, char* to, size_t n);
long pl_sys_getdents(int fd, void* to, size_t n); /* getdents64(2) */
long pl_sys_unlink(const char* path);
long pl_sys_getsockopt(int fd, int level, int option, void* to, uint32_t* length);
long pl_sys_socket_name(long number, int fd, void* to, uint32_t* length); /* SYS_getsockname or SYS_getpeername */

/* Up to n bytes of a file; -errno when it cannot be opened. */
long pl_read_file(const char* path, char* to, size_t n);

/* By how much a time namespace has shifted CLOCK_MONOTONIC of this process (time_namespaces(7)). */
int64_t pl_time_namespace_ns(void);

/* Text without stdio. All return the new end; nothing is written behind `limit`, and the text is always terminated. */
char* pl_put_text(char* at, char* limit, const char* text);
char* pl_put_number(char* at, char* limit, int64_t number);

#endif
