/* Opening and closing stdio's streams. The C library opens their files by itself, past our open. C++ file streams are
 * opened by fopen, too, and then read and written through the descriptor. */
#include "tracer/preload/posix/streams.h"

#include <stdio_ext.h>
#include <string.h>

/* The flags of open that a mode stands for; what follows a comma is the character set. */
static int flags_of(const char* mode) {
  int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
  for (const char* at = mode; *at != '\0' && *at != ','; ++at) {
    if (*at == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*at == 'x') flags |= O_EXCL;
    if (*at == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

static uint64_t open_word(uint32_t file, const char* mode) {
  return pl_pair(file, (uint32_t)(mode == NULL ? 0 : flags_of(mode)));
}

static FILE* open_stream(const char* path, const char* mode, void* address) {
  struct pl_operation o;
  uint32_t file = pl_enter_on_path(&o, AT_FDCWD, path);
  if (file == 0) {
    FILE* plain = PL_LIBRARY(fopen, NULL, path, mode);
    pl_follow(pl_descriptor_of(plain), 0);
    return plain;
  }
  pl_begin_operation(&o, PL_F_fopen, 2, open_word(file, mode), 0, 0, address);
  FILE* stream = PL_LIBRARY(fopen, NULL, path, mode);
  pl_end_opening(&o, pl_descriptor_of(stream), file);
  return stream;
}
PL_EXPORT FILE* fopen(const char* path, const char* mode) {
  return open_stream(path, mode, __builtin_return_address(0));
}
PL_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return open_stream(path, mode, __builtin_return_address(0));
}

/* Without a path the same file is opened in another mode. */
static FILE* open_again(const char* path, const char* mode, FILE* stream, void* address) {
  struct pl_operation o;
  int before = pl_descriptor_of(stream);
  uint32_t file = pl_file_behind(before);
  pl_follow(before, 0);
  if (path != NULL) file = pl_enter_on_path(&o, AT_FDCWD, path);
  if (path == NULL && file != 0 && (o.t = pl_enter_posix(&o.outer)) == NULL) file = 0;
  if (file == 0) {
    FILE* plain = PL_LIBRARY(freopen, NULL, path, mode, stream);
    pl_follow(pl_descriptor_of(plain), 0);
    return plain;
  }
  pl_begin_operation(&o, PL_F_freopen, 2, open_word(file, mode), 0, 0, address);
  FILE* result = PL_LIBRARY(freopen, NULL, path, mode, stream);
  pl_end_opening(&o, pl_descriptor_of(result), file);
  return result;
}
PL_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return open_again(path, mode, stream, __builtin_return_address(0));
}
PL_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return open_again(path, mode, stream, __builtin_return_address(0));
}

/* The stream shares the descriptor, which stays followed if it is. */
PL_EXPORT FILE* fdopen(int fd, const char* mode) {
  struct pl_operation o;
  o.t = pl_enter_on(fd, &o.outer);
  if (o.t == NULL) return PL_LIBRARY(fdopen, NULL, fd, mode);
  pl_begin_operation(&o, PL_F_fdopen, 2, open_word(pl_file_behind(fd), mode), 0, 0, __builtin_return_address(0));
  FILE* stream = PL_LIBRARY(fdopen, NULL, fd, mode);
  pl_end_operation(&o, stream == NULL ? -1 : fd);
  return stream;
}

static FILE* make_temporary(void* address) {
  uint64_t begin = pl.recording ? pl_ticks() : 0;
  FILE* stream = PL_LIBRARY(tmpfile, NULL);
  if (PL_UNLIKELY(pl.recording))
    pl_record_opened(PL_F_tmpfile, pl_descriptor_of(stream), O_RDWR | O_CREAT | O_EXCL, begin, pl_ticks(), address);
  return stream;
}
PL_EXPORT FILE* tmpfile(void) { return make_temporary(__builtin_return_address(0)); }
PL_EXPORT FILE* tmpfile64(void) { return make_temporary(__builtin_return_address(0)); }

/* ---- What the stream still has to write: so many bytes, there in the file (-1: nothing, or not known). */

static uint64_t pending_bytes(FILE* stream) {
#if defined(__GLIBC__)
  if (stream->_mode > 0) return 0; /* wide: counted in characters */
#endif
  return __fpending(stream);
}

static uint64_t pending_offset(FILE* stream, int fd, uint64_t pending) {
#if defined(__GLIBC__)
  if (pending == 0 || (stream->_flags & PL_STREAM_APPENDS) != 0) return UINT64_MAX;
  int saved = errno;
  int64_t position = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
  errno = saved;
  return position < 0 ? UINT64_MAX : (uint64_t)(position - (stream->_IO_read_end - stream->_IO_write_base));
#else
  return UINT64_MAX;
#endif
}

PL_EXPORT int fclose(FILE* stream) {
  struct pl_operation o = {.t = NULL};
  int fd = -1;
  if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);
  pl_follow(fd, 0); /* before: another thread may get the number at once */
  if (o.t == NULL) return PL_LIBRARY(fclose, EOF, stream);
  uint64_t pending = pending_bytes(stream);
  pl_begin_operation(&o, PL_F_fclose, 4, PL_FD_WORD(0), pending, pending_offset(stream, fd, pending),
                     __builtin_return_address(0));
  int result = PL_LIBRARY(fclose, EOF, stream);
  pl_end_operation(&o, result);
  return result;
}

#define PL_FLUSH(name)                                                     \
  PL_ON_STREAM(int, name, fflush, 4, PL_FD_WORD(0), pending_bytes(stream), \
               pending_offset(stream, fd, pending_bytes(stream)), (FILE * stream), PL_LIBRARY(name, EOF, stream))
PL_FLUSH(fflush)
PL_FLUSH(fflush_unlocked)

PL_ON_STREAM(int, setvbuf, setvbuf, 4, PL_FD_WORD(mode), size, UINT64_MAX,
             (FILE * stream, char* buffer, int mode, size_t size), PL_LIBRARY(setvbuf, EOF, stream, buffer, mode, size))
