/* Reading, writing and seeking in stdio's streams: what the program copied to and from a buffer, not what the system
 * was asked for. Text and single characters are left out (docs/reference/recording.md). */
#include "tracer/preload/posix/streams.h"

#undef fread_unlocked
#undef fwrite_unlocked

/* In the packed shape (end of format.h): the offset is not known. */
PL_INLINE void begin_transfer(struct pl_operation* o, uint16_t function, uint64_t first, uint64_t bytes,
                              void* address) {
  o->call = pl_prepare(o->t, function, 3, address);
  o->call.r->payload[0] = first;
  o->call.r->payload[1] = bytes;
  pl_pack(&o->call);
  pl_start(o->t, &o->call);
}

/* `n` things of `size` bytes; a result of so many things. */
#define PL_STREAM_TRANSFER(name, function, flags, arguments, call)                                \
  PL_EXPORT size_t name arguments {                                                               \
    struct pl_operation o = {.t = NULL};                                                          \
    int fd = -1;                                                                                  \
    if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);    \
    if (o.t == NULL) return call;                                                                 \
    begin_transfer(&o, PL_F_##function, PL_FD_WORD(flags), size* n, __builtin_return_address(0)); \
    size_t result = call;                                                                         \
    pl_end_operation(&o, (int64_t)(result * size));                                               \
    return result;                                                                                \
  }
PL_STREAM_TRANSFER(fread, fread, 0, (void* to, size_t size, size_t n, FILE* stream),
                   PL_LIBRARY(fread, 0, to, size, n, stream))
PL_STREAM_TRANSFER(fread_unlocked, fread, 0, (void* to, size_t size, size_t n, FILE* stream),
                   PL_LIBRARY(fread_unlocked, 0, to, size, n, stream))
PL_STREAM_TRANSFER(fwrite, fwrite, PL_ACCESS_WRITE, (const void* from, size_t size, size_t n, FILE* stream),
                   PL_LIBRARY(fwrite, 0, from, size, n, stream))
PL_STREAM_TRANSFER(fwrite_unlocked, fwrite, PL_ACCESS_WRITE, (const void* from, size_t size, size_t n, FILE* stream),
                   PL_LIBRARY(fwrite_unlocked, 0, from, size, n, stream))

/* What _FORTIFY_SOURCE makes of them: the check is that of the C library. */
extern void __chk_fail(void) __attribute__((noreturn));
static void check(size_t size, size_t n, size_t room) {
  size_t bytes;
  if (__builtin_mul_overflow(size, n, &bytes) || bytes > room) __chk_fail();
}
PL_EXPORT size_t __fread_chk(void* to, size_t room, size_t size, size_t n, FILE* stream);
PL_EXPORT size_t __fread_unlocked_chk(void* to, size_t room, size_t size, size_t n, FILE* stream);
PL_STREAM_TRANSFER(__fread_chk, fread, 0, (void* to, size_t room, size_t size, size_t n, FILE* stream),
                   (check(size, n, room), PL_LIBRARY(fread, 0, to, size, n, stream)))
PL_STREAM_TRANSFER(__fread_unlocked_chk, fread, 0, (void* to, size_t room, size_t size, size_t n, FILE* stream),
                   (check(size, n, room), PL_LIBRARY(fread_unlocked, 0, to, size, n, stream)))

/* ---- Seeking: the record tells where the stream stands afterwards */

static int64_t position_after(FILE* stream, off_t offset, int whence, int result) {
  if (result != 0) return -1;
  return whence == SEEK_SET ? offset : PL_LIBRARY(ftello, -1, stream);
}

#define PL_STREAM_SEEK(name, type)                                                                               \
  PL_EXPORT int name(FILE* stream, type offset, int whence) {                                                    \
    struct pl_operation o = {.t = NULL};                                                                         \
    int fd = -1;                                                                                                 \
    if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);                   \
    if (o.t == NULL) return PL_LIBRARY(fseeko, -1, stream, offset, whence);                                      \
    pl_begin_operation(&o, PL_F_fseek, 3, PL_FD_WORD(whence), (uint64_t)offset, 0, __builtin_return_address(0)); \
    int result = PL_LIBRARY(fseeko, -1, stream, offset, whence);                                                 \
    pl_end_operation(&o, position_after(stream, offset, whence, result));                                        \
    return result;                                                                                               \
  }
PL_STREAM_SEEK(fseek, long)
PL_STREAM_SEEK(fseeko, off_t)
PL_STREAM_SEEK(fseeko64, off_t)

#define PL_STREAM_TELL(name, type) \
  PL_ON_STREAM(type, name, ftell, 3, PL_FD_WORD(SEEK_CUR), 0, 0, (FILE * stream), PL_LIBRARY(ftello, -1, stream))
PL_STREAM_TELL(ftell, long)
PL_STREAM_TELL(ftello, off_t)
PL_STREAM_TELL(ftello64, off_t)

PL_EXPORT void rewind(FILE* stream) {
  struct pl_operation o = {.t = NULL};
  int fd = -1;
  if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);
  if (o.t != NULL) pl_begin_operation(&o, PL_F_rewind, 3, PL_FD_WORD(SEEK_SET), 0, 0, __builtin_return_address(0));
  PL_LIBRARY(rewind, (void)0, stream);
  if (o.t != NULL) pl_end_operation(&o, 0);
}

static int set_position(FILE* stream, const fpos_t* position, void* address) {
  struct pl_operation o = {.t = NULL};
  int fd = -1;
  if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);
  if (o.t == NULL) return PL_LIBRARY(fsetpos, -1, stream, position);
  pl_begin_operation(&o, PL_F_fsetpos, 3, PL_FD_WORD(SEEK_SET), 0, 0, address);
  int result = PL_LIBRARY(fsetpos, -1, stream, position);
  pl_end_operation(&o, position_after(stream, 0, SEEK_CUR, result));
  return result;
}
PL_EXPORT int fsetpos(FILE* stream, const fpos_t* position) {
  return set_position(stream, position, __builtin_return_address(0));
}
PL_EXPORT int fsetpos64(FILE* stream, const fpos64_t* position) {
  return set_position(stream, (const fpos_t*)(const void*)position, __builtin_return_address(0));
}
