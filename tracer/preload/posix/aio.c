/* Asynchronous I/O. An operation begins with its submission and ends where the program learns of its end: the first
 * aio_error that says so, or aio_return. The C library's own threads do the work; their calls are not seen. */
#include <string.h>

#include "tracer/preload/core/tables.h"
#include "tracer/preload/posix/posix.h"

/* Control block -> number of the operation it stands for, and kTold once its end has been recorded. */
static struct pl_table operations;
static const uint64_t kTold = 1ull << 32;

/* Operations are their parent's: a child of fork has none. */
void pl_forget_asynchronous(void) {
  operations.lock.held = 0;
  if (operations.capacity != 0) memset(operations.slots, 0, operations.capacity * sizeof operations.slots[0]);
  operations.used = 0;
}

static uint64_t key_of(const struct aiocb* block) { return (uint64_t)(uintptr_t)block; }

static uint32_t new_operation(const struct aiocb* block) {
  static uint32_t next = PL_FIRST_AIO; /* apart from MPI's requests, which are counted without atomics */
  uint32_t id = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
  pl_table_put(&operations, key_of(block), id);
  return id;
}

/* ---- Submission */

static void begin_submission(struct pl_operation* o, uint16_t function, const struct aiocb* block, uint32_t flags,
                             void* address) {
  int saved = errno;
  uint32_t id = new_operation(block);
  int moves = (flags & PL_ACCESS_SYNC) == 0;
  o->call = pl_prepare(o->t, function, 5, address);
  PL_FILL(o->call.r->payload, posix_aio, .fd = block->aio_fildes, .flags = flags | PL_ACCESS_NONBLOCKING,
          .offset = moves ? block->aio_offset : 0, .asked = moves ? block->aio_nbytes : 0, .request = id);
  pl_start(o->t, &o->call);
  errno = saved;
}

static void end_submission(struct pl_operation* o, const struct aiocb* block, int result) {
  if (result < 0) pl_table_remove(&operations, key_of(block));
  pl_end_operation(o, result);
}

#define PL_SUBMISSION(name, function, flags, arguments, ...)                          \
  PL_EXPORT int name arguments {                                                      \
    struct pl_operation o;                                                            \
    const struct aiocb* given = (const struct aiocb*)(const void*)block;              \
    o.t = pl_enter_on(given->aio_fildes, &o.outer);                                   \
    if (o.t == NULL) return PL_LIBRARY(function, -1, __VA_ARGS__);                    \
    begin_submission(&o, PL_F_##function, given, flags, __builtin_return_address(0)); \
    int result = PL_LIBRARY(function, -1, __VA_ARGS__);                               \
    end_submission(&o, given, result);                                                \
    return result;                                                                    \
  }
#define PL_BLOCK ((struct aiocb*)(void*)block)
PL_SUBMISSION(aio_read, aio_read, PL_ACCESS_EXPLICIT, (struct aiocb * block), PL_BLOCK)
PL_SUBMISSION(aio_read64, aio_read, PL_ACCESS_EXPLICIT, (struct aiocb64 * block), PL_BLOCK)
PL_SUBMISSION(aio_write, aio_write, PL_ACCESS_EXPLICIT | PL_ACCESS_WRITE, (struct aiocb * block), PL_BLOCK)
PL_SUBMISSION(aio_write64, aio_write, PL_ACCESS_EXPLICIT | PL_ACCESS_WRITE, (struct aiocb64 * block), PL_BLOCK)
PL_SUBMISSION(aio_fsync, aio_fsync, PL_ACCESS_SYNC, (int how, struct aiocb* block), how, PL_BLOCK)
PL_SUBMISSION(aio_fsync64, aio_fsync, PL_ACCESS_SYNC, (int how, struct aiocb64* block), how, PL_BLOCK)

/* ---- Many at once: 4 words each, behind the head and the result */

enum { kMostListed = (PL_MAX_WORDS - 2) / 4 };

static int is_listed(const struct aiocb* block) {
  return block != NULL && (block->aio_lio_opcode == LIO_READ || block->aio_lio_opcode == LIO_WRITE) &&
         pl_file_behind(block->aio_fildes) != 0;
}

static void write_listed(uint64_t* words, const struct aiocb* block) {
  uint32_t flags = PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING;
  if (block->aio_lio_opcode == LIO_WRITE) flags |= PL_ACCESS_WRITE;
  PL_FILL(words, aio_operation, .fd = block->aio_fildes, .flags = flags, .offset = block->aio_offset,
          .asked = block->aio_nbytes, .request = new_operation(block));
}

static int list(int mode, struct aiocb* const* blocks, int n, struct sigevent* event, void* address) {
  struct pl_operation o = {.t = NULL};
  unsigned listed = 0;
  for (int i = 0; pl.recording && i < n; ++i) listed += (unsigned)is_listed(blocks[i]);
  if (listed != 0) o.t = pl_enter_posix(&o.outer);
  if (o.t == NULL) return PL_LIBRARY(lio_listio, -1, mode, blocks, n, event);
  int saved = errno;
  if (listed > kMostListed) pl_lose(listed - kMostListed);
  if (listed > kMostListed) listed = kMostListed;
  o.call = pl_prepare(o.t, PL_F_lio_listio, 2 + 4 * listed, address);
  PL_FILL(o.call.r->payload, posix_aio_list, .n = listed, .waits = mode == LIO_WAIT);
  unsigned at = 0;
  for (int i = 0; i < n && at < listed; ++i)
    if (is_listed(blocks[i])) write_listed(&o.call.r->payload[2 + 4 * at++], blocks[i]);
  pl_start(o.t, &o.call);
  errno = saved;
  int result = PL_LIBRARY(lio_listio, -1, mode, blocks, n, event);
  saved = errno;
  pl_stamp(o.t, &o.call);
  PL_PAYLOAD(o.call.r->payload, posix_aio_list).result = result < 0 ? -saved : result;
  pl_done(&o.call);
  pl_set_mode(o.t, o.outer);
  errno = saved;
  return result;
}
PL_EXPORT int lio_listio(int mode, struct aiocb* const blocks[], int n, struct sigevent* event) {
  return list(mode, blocks, n, event, __builtin_return_address(0));
}
PL_EXPORT int lio_listio64(int mode, struct aiocb64* const blocks[], int n, struct sigevent* event) {
  return list(mode, (struct aiocb* const*)(const void*)blocks, n, event, __builtin_return_address(0));
}

/* ---- The end. Asking does not take time worth a record; the one that brings the news is the moment of it. */

static void record_end(uint16_t function, const struct aiocb* block, int forget, int64_t done, void* address) {
  struct pl_operation o;
  uint64_t operation = 0;
  int saved = errno;
  o.t = pl_enter_posix(&o.outer);
  if (o.t == NULL) return;
  if (pl_table_get(&operations, key_of(block), &operation)) {
    if ((operation & kTold) == 0) {
      o.call = pl_prepare(o.t, function, 2, address);
      PL_FILL(o.call.r->payload, posix_aio_end, .request = (uint32_t)operation, .done = done);
      pl_start(o.t, &o.call);
      pl_stamp(o.t, &o.call);
      pl_done(&o.call);
    }
    if (forget)
      pl_table_remove(&operations, key_of(block));
    else if ((operation & kTold) == 0)
      pl_table_add(&operations, key_of(block), kTold);
  }
  pl_set_mode(o.t, o.outer);
  errno = saved;
}

static int ask(const struct aiocb* block, void* address) {
  int error = PL_LIBRARY(aio_error, -1, block);
  if (PL_LIKELY(!pl.recording) || error == EINPROGRESS || error < 0) return error;
#if defined(__GLIBC__) /* what aio_return is going to say; asking it now would be once too often by the standard */
  int64_t done = (int64_t)block->__return_value;
#else
  int64_t done = PL_UNKNOWN_BYTES;
#endif
  record_end(PL_F_aio_error, block, 0, error == 0 ? done : -(int64_t)error, address);
  return error;
}
PL_EXPORT int aio_error(const struct aiocb* block) { return ask(block, __builtin_return_address(0)); }
PL_EXPORT int aio_error64(const struct aiocb64* block) {
  return ask((const struct aiocb*)(const void*)block, __builtin_return_address(0));
}

static ssize_t take_result(struct aiocb* block, void* address) {
  ssize_t done = PL_LIBRARY(aio_return, -1, block);
  if (PL_UNLIKELY(pl.recording)) record_end(PL_F_aio_return, block, 1, done < 0 ? -(int64_t)errno : done, address);
  return done;
}
PL_EXPORT ssize_t aio_return(struct aiocb* block) { return take_result(block, __builtin_return_address(0)); }
PL_EXPORT ssize_t aio_return64(struct aiocb64* block) {
  return take_result((struct aiocb*)(void*)block, __builtin_return_address(0));
}

/* ---- Waiting and giving up */

static int is_pending(const struct aiocb* block) {
  uint64_t operation = 0;
  return block != NULL && pl_table_get(&operations, key_of(block), &operation);
}

static int wait_for(const struct aiocb* const* blocks, int n, const struct timespec* timeout, void* address) {
  struct pl_operation o;
  unsigned pending = 0;
  o.t = pl_enter_posix(&o.outer);
  for (int i = 0; o.t != NULL && i < n; ++i) pending += (unsigned)is_pending(blocks[i]);
  if (o.t != NULL && pending == 0) pl_set_mode(o.t, o.outer);
  if (pending == 0) return PL_LIBRARY(aio_suspend, -1, blocks, n, timeout);
  pl_begin_operation(&o, PL_F_aio_suspend, 2, pl_pair(pending, 0), 0, 0, address);
  int result = PL_LIBRARY(aio_suspend, -1, blocks, n, timeout);
  pl_end_operation(&o, result);
  return result;
}
PL_EXPORT int aio_suspend(const struct aiocb* const blocks[], int n, const struct timespec* timeout) {
  return wait_for(blocks, n, timeout, __builtin_return_address(0));
}
PL_EXPORT int aio_suspend64(const struct aiocb64* const blocks[], int n, const struct timespec* timeout) {
  return wait_for((const struct aiocb* const*)(const void*)blocks, n, timeout, __builtin_return_address(0));
}

PL_ON_DESCRIPTOR(int, aio_cancel, aio_cancel, 2, PL_FD_WORD(0), 0, 0, (int fd, struct aiocb* block),
                 PL_LIBRARY(aio_cancel, -1, fd, block))
PL_ON_DESCRIPTOR(int, aio_cancel64, aio_cancel, 2, PL_FD_WORD(0), 0, 0, (int fd, struct aiocb64* block),
                 PL_LIBRARY(aio_cancel, -1, fd, PL_BLOCK))
