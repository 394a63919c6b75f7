/* Files in memory: making a mapping and writing it back. What the program reads and writes through it is not seen by
 * anyone. munmap and mremap are left alone: the MPI libraries find these by name and patch them to learn which memory
 * malloc gives back, and would find ours instead of those that malloc calls. */
#include <sys/mman.h>

#include "tracer/preload/core/tables.h"
#include "tracer/preload/posix/posix.h"

/* The latest mappings of followed files, so that msync, which has an address only, can name the file. */
enum { kRemembered = 1024 };
static struct mapping {
  uintptr_t begin, end;
  uint64_t offset; /* of `begin` in the file */
  uint32_t file;
} mappings[kRemembered];
static unsigned made; /* the next one takes the place of the oldest */
static struct pl_lock lock;

static void remember(void* address, size_t bytes, off_t offset, uint32_t file) {
  uintptr_t begin = (uintptr_t)address;
  pl_acquire(&lock);
  mappings[made++ % kRemembered] = (struct mapping){begin, begin + bytes, (uint64_t)offset, file};
  pl_release(&lock);
}

void pl_forget_maps(void) {
  lock.held = 0;
  made = 0;
}

/* The latest one that has this address; file 0: none. */
static struct mapping recall(void* address) {
  uintptr_t at = (uintptr_t)address;
  struct mapping found = {0, 0, 0, 0};
  pl_acquire(&lock);
  for (unsigned back = 1; back <= kRemembered && back <= made && found.file == 0; ++back) {
    const struct mapping* m = &mappings[(made - back) % kRemembered];
    if (m->begin <= at && at < m->end) found = *m;
  }
  pl_release(&lock);
  found.offset += at - found.begin;
  return found;
}

#define PL_REAL_MMAP                                                                          \
  (PL_LIKELY(pl_posix.mmap != NULL) ? pl_posix.mmap(at, bytes, protection, flags, fd, offset) \
                                    : (void*)syscall(SYS_mmap, at, bytes, protection, flags, fd, offset))

static void* map(void* at, size_t bytes, int protection, int flags, int fd, off_t offset, void* address) {
  struct pl_operation o = {.t = NULL};
  if ((flags & MAP_ANONYMOUS) == 0) o.t = pl_enter_on(fd, &o.outer);
  if (o.t == NULL) return PL_REAL_MMAP;
  uint32_t file = pl_file_behind(fd);
  pl_begin_operation(&o, PL_F_mmap, 4, pl_pair(file, (uint32_t)protection), (uint64_t)offset, bytes, address);
  void* result = PL_REAL_MMAP;
  if (result != MAP_FAILED) remember(result, bytes, offset, file);
  pl_end_operation(&o, (int64_t)(intptr_t)result);
  return result;
}
PL_EXPORT void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return map(at, bytes, protection, flags, fd, offset, __builtin_return_address(0));
}
PL_EXPORT void* mmap64(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return map(at, bytes, protection, flags, fd, offset, __builtin_return_address(0));
}

PL_EXPORT int msync(void* at, size_t bytes, int flags) {
  struct pl_operation o;
  o.t = PL_LIKELY(made == 0) ? NULL : pl_enter_posix(&o.outer);
  if (o.t == NULL) return (int)PL_SYSTEM(msync, at, bytes, flags);
  struct mapping m = recall(at);
  if (m.file == 0) {
    pl_set_mode(o.t, o.outer);
    return (int)PL_SYSTEM(msync, at, bytes, flags);
  }
  pl_begin_operation(&o, PL_F_msync, 4, pl_pair(m.file, (uint32_t)flags), m.offset, bytes, __builtin_return_address(0));
  int result = (int)PL_SYSTEM(msync, at, bytes, flags);
  pl_end_operation(&o, result);
  return result;
}
