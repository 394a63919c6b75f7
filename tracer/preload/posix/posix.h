/* What the POSIX side shares: the descriptors that are followed, the real functions, and the frame of a recorded call.
 *
 * Recorded are calls on regular files, of the program and, nested, of MPI_File_ calls. Before our constructor has run
 * (and in whatever the loader does before it) the wrappers go straight to the kernel. */
#ifndef PLUMBLINE_TRACER_PRELOAD_POSIX_H
#define PLUMBLINE_TRACER_PRELOAD_POSIX_H

/* Its inline functions would stand where we define functions. */
#undef _FORTIFY_SOURCE

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "plumbline_mpi_table.h"
#include "tracer/preload/core/fast_path.h"
#include "tracer/preload/core/preload.h"
#include "tracer/preload/posix/functions.h"

#define PL_HIDDEN __attribute__((visibility("hidden")))

/* ---- The real functions (posix.c) */

#define X(type, name, arguments) type(*name) arguments;
extern PL_HIDDEN struct pl_posix { PL_POSIX_FUNCTIONS(X) } pl_posix;
#undef X

/* The real function, or the system call as long as there is none. off_t is 64 bits wide: the 64-bit names are the same.
 */
#define PL_SYSTEM_AS(name, number, ...) \
  (PL_LIKELY(pl_posix.name != NULL) ? pl_posix.name(__VA_ARGS__) : syscall(number, __VA_ARGS__))
#define PL_SYSTEM(name, ...) PL_SYSTEM_AS(name, SYS_##name, __VA_ARGS__)

/* A function that no system call stands for is looked up when it is called too early. `failed`, with ENOSYS, where this
 * C library has none. */
int pl_find_posix(void* function, const char* name);
#define PL_LIBRARY(name, failed, ...) \
  (PL_LIKELY(pl_posix.name != NULL) || pl_find_posix(&pl_posix.name, #name) ? pl_posix.name(__VA_ARGS__) : (failed))

/* ---- What is followed (posix.c) */

enum { PL_MOST_DESCRIPTORS = 65536, PL_MOST_PATH = 4096 };

/* Descriptor -> PL_DEF_FILE id of the regular file behind it; 0: it is not followed. */
extern PL_HIDDEN uint32_t pl_followed[PL_MOST_DESCRIPTORS];

/* A child of vfork has descriptors of its own, but not a table of its own. */
PL_INLINE void pl_follow(int fd, uint32_t file) {
  if ((unsigned)fd < PL_MOST_DESCRIPTORS && !pl_self.lent) pl_followed[fd] = file;
}
PL_INLINE uint32_t pl_file_behind(int fd) { return (unsigned)fd < PL_MOST_DESCRIPTORS ? pl_followed[fd] : 0; }

int pl_is_regular(int fd);
/* Absolute, without resolving links, into PL_MOST_PATH bytes. Returns the length, 0 when unknown. */
size_t pl_absolute_path(int directory, const char* path, char* to);
size_t pl_path_of_descriptor(int fd, char* to);
/* The PL_DEF_FILE id of an absolute path; may define it. */
uint32_t pl_define_path(struct pl_thread* t, const char* path, size_t length);

/* io_paths.c: whether calls on this file are to be recorded; asked once, when it is opened. */
int pl_path_is_wanted(const char* absolute_path);

/* ---- The frame of a recorded call */

/* The thread, when POSIX calls are recorded here and now; its mode before in `mode`. */
PL_INLINE struct pl_thread* pl_enter_posix(int* mode) {
  struct pl_thread* t = &pl_self;
  if (PL_LIKELY(!pl.recording)) {
    if (PL_UNLIKELY(pl.awaited)) pl_look_at_window();
    return NULL;
  }
  *mode = t->mode;
  if (*mode == PL_INSIDE) return NULL;
  pl_set_mode(t, PL_INSIDE);
  return t;
}
PL_INLINE struct pl_thread* pl_enter_on(int fd, int* mode) {
  if (PL_LIKELY(!pl.recording && !pl.awaited) || (unsigned)fd >= PL_MOST_DESCRIPTORS || pl_followed[fd] == 0)
    return NULL;
  return pl_enter_posix(mode);
}

/* A call that is recorded: begin, then the call, then end with its result, which is the last word. */
struct pl_operation {
  struct pl_thread* t;
  struct pl_call call;
  int outer; /* mode */
};

/* What may change errno on the way (a new segment, site or run delay) keeps it by itself. */
PL_INLINE void pl_begin_operation(struct pl_operation* o, uint16_t function, unsigned words, uint64_t first,
                                  uint64_t second, uint64_t third, void* address) {
  o->call = pl_prepare(o->t, function, words, address);
  o->call.r->payload[0] = first;
  if (words > 2) o->call.r->payload[1] = second;
  if (words > 3) o->call.r->payload[2] = third;
  pl_start(o->t, &o->call);
}
PL_INLINE void pl_end_operation(struct pl_operation* o, int64_t result) {
  pl_stamp(o->t, &o->call);
  o->call.r->payload[o->call.words - 1] = (uint64_t)(result < 0 ? -(int64_t)errno : result);
  pl_done(&o->call);
  pl_set_mode(o->t, o->outer);
}

/* The same in the packed shape (end of format.h): descriptor, flags or mode, and result in the first word. The kernel
 * moves less than 2 GiB in one call, and refuses modes of more than 16 bits. */
PL_INLINE uint64_t pl_packed_first(int fd, uint32_t mode) {
  uint32_t half = mode > 0xffff ? 0xffff : mode;
  return (uint32_t)fd | half << 16;
}
PL_INLINE void pl_begin_packed(struct pl_operation* o, uint16_t function, int fd, uint32_t mode, uint64_t offset,
                               uint64_t bytes, void* address) {
  o->call = pl_prepare(o->t, function, 3, address);
  o->call.r->payload[0] = pl_packed_first(fd, mode);
  o->call.r->payload[1] = offset;
  o->call.r->payload[2] = bytes;
  pl_pack(&o->call);
  pl_start(o->t, &o->call);
}
PL_INLINE void pl_end_packed(struct pl_operation* o, int64_t result) {
  pl_stamp(o->t, &o->call);
  pl_set_high(&o->call.r->payload[0], (uint32_t)(int32_t)(result < 0 ? -(int64_t)errno : result));
  pl_done_as_begun(o->call.r);
  pl_set_mode(o->t, o->outer);
}

/* The fast path of a call in the packed shape (fast_path.h). NULL: it takes the slow path, or is not recorded. */
PL_INLINE struct pl_record* pl_short_begin_on(struct pl_thread* t, int* outer, uint16_t function, int fd, uint32_t mode,
                                              uint64_t offset, uint64_t bytes, void* address) {
  if (PL_UNLIKELY(!pl.recording) || (unsigned)fd >= PL_MOST_DESCRIPTORS || pl_followed[fd] == 0) return NULL;
  *outer = t->mode;
  struct pl_record* r = *outer == PL_INSIDE ? NULL : pl_short_room(t, *outer);
  if (PL_UNLIKELY(r == NULL)) return NULL;
  r->payload[0] = pl_packed_first(fd, mode);
  r->payload[1] = offset;
  r->payload[2] = bytes;
  if (PL_LIKELY(pl_short_begin(t, r, function, PL_PACKED, address))) return r;
  pl_short_give_up(t, r, *outer);
  return NULL;
}
PL_INLINE void pl_short_end_on(struct pl_thread* t, int outer, struct pl_record* r, int64_t result) {
  pl_short_stamp(t, r);
  pl_set_high(&r->payload[0], (uint32_t)(int32_t)(PL_UNLIKELY(result < 0) ? -(int64_t)errno : result));
  pl_short_done(r);
  pl_set_mode(t, outer);
}

/* locks.c: a command of fcntl about a lock on a range, recorded where the descriptor is followed. */
PL_INLINE int pl_is_about_lock(int command) {
  return command == F_GETLK || command == F_SETLK || command == F_SETLKW || command == F_OFD_GETLK ||
         command == F_OFD_SETLK || command == F_OFD_SETLKW;
}
int pl_lock(int fd, int command, void* argument, void* address);

/* Of a file by its name: the id of its path, entered; 0: not recorded, not entered. */
uint32_t pl_enter_on_path(struct pl_operation* o, int directory, const char* path);
/* The end of a call that opens a file: `fd` is followed if it is a regular one, else there was no call. */
void pl_end_opening(struct pl_operation* o, int fd, uint32_t file);
/* A file that has been opened between those ticks and whose name is known only now. */
void pl_record_opened(uint16_t function, int fd, int flags, uint64_t begin, uint64_t end, void* address);

/* A function on one descriptor: `call` is the real one, of the same arguments. */
#define PL_ON_DESCRIPTOR(type, name, function, words, first, second, third, arguments, call)           \
  PL_EXPORT type name arguments {                                                                      \
    struct pl_operation o;                                                                             \
    o.t = pl_enter_on(fd, &o.outer);                                                                   \
    if (o.t == NULL) return (type)(call);                                                              \
    pl_begin_operation(&o, PL_F_##function, words, first, second, third, __builtin_return_address(0)); \
    type result = (type)(call);                                                                        \
    pl_end_operation(&o, result);                                                                      \
    return result;                                                                                     \
  }
#define PL_FD_WORD(high) pl_pair((uint32_t)fd, (uint32_t)(high))
/* Likewise, in the packed shape. */
#define PL_PACKED_ON_DESCRIPTOR(type, name, function, mode, offset, bytes, arguments, call) \
  PL_EXPORT type name arguments PL_PACKED_BODY(type, function, mode, offset, bytes, call)
#define PL_PACKED_BODY(type, function, mode, offset, bytes, call)                                           \
  {                                                                                                         \
    struct pl_operation o;                                                                                  \
    o.t = pl_enter_on(fd, &o.outer);                                                                        \
    if (o.t == NULL) return (type)(call);                                                                   \
    pl_begin_packed(&o, PL_F_##function, fd, (uint32_t)(mode), offset, bytes, __builtin_return_address(0)); \
    type result = (type)(call);                                                                             \
    pl_end_packed(&o, result);                                                                              \
    return result;                                                                                          \
  }

#endif
