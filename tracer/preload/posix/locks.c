/* Locks on ranges of files, by fcntl. What the kernel would refuse to read is not read here either: it is copied by the
 * kernel, and where that is forbidden looked at only after the kernel has taken it. */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/posix/posix.h"

struct range {
  uint16_t function;
  uint32_t mode; /* enum pl_file_lock */
  int64_t offset, length;
};

static int is_test(int command) { return command == F_GETLK || command == F_OFD_GETLK; }

static uint32_t mode_of(int command, int type) {
  uint32_t mode = type == F_WRLCK ? PL_FILE_LOCK_WRITE : type == F_RDLCK ? PL_FILE_LOCK_READ : 0;
  if (command == F_SETLKW || command == F_OFD_SETLKW) mode |= PL_FILE_LOCK_WAITS;
  if (command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW) mode |= PL_FILE_LOCK_OF_OPEN_FILE;
  return mode;
}

/* Where the range is counted from. */
static int64_t base_of(int fd, int whence) {
  struct stat status;
  if (whence == SEEK_CUR) return pl_sys_lseek(fd, 0, SEEK_CUR);
  if (whence == SEEK_END && pl_sys_fstat(fd, &status) == 0) return status.st_size;
  return 0;
}

static struct range range_of(int fd, int command, const struct flock* lock) {
  struct range range = {PL_F_fcntl_lock, mode_of(command, lock->l_type), 0, lock->l_len};
  uint64_t offset = (uint64_t)base_of(fd, lock->l_whence) + (uint64_t)lock->l_start;
  if (is_test(command))
    range.function = PL_F_fcntl_test;
  else if (lock->l_type == F_UNLCK)
    range.function = PL_F_fcntl_unlock;
  if (range.length < 0) { /* the bytes before */
    offset += (uint64_t)range.length;
    range.length = (int64_t)(0 - (uint64_t)range.length);
  }
  range.offset = (int64_t)offset;
  return range;
}

int pl_lock(int fd, int command, void* argument, void* address) {
  struct pl_operation o;
  struct flock lock = {.l_type = F_WRLCK};
  o.t = pl_enter_on(fd, &o.outer);
  if (o.t == NULL) return (int)PL_SYSTEM(fcntl, fd, command, argument);
  int known = pl_sys_copy(&lock, argument, sizeof lock) == (long)sizeof lock;
  struct range range = range_of(fd, command, &lock);
  pl_begin_packed(&o, range.function, fd, range.mode, (uint64_t)range.offset, (uint64_t)range.length, address);
  int result = (int)PL_SYSTEM(fcntl, fd, command, argument);
  if (!known && result == 0 && !is_test(command)) {
    memcpy(&lock, argument, sizeof lock);
    range = range_of(fd, command, &lock);
    o.call.r->payload[1] = (uint64_t)range.offset;
    o.call.r->payload[2] = (uint64_t)range.length;
  }
  pl_end_packed(&o, result);
  return result;
}
