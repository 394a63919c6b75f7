/* stdio's streams: a stream is followed when its descriptor is. */
#ifndef PLUMBLINE_TRACER_PRELOAD_STREAMS_H
#define PLUMBLINE_TRACER_PRELOAD_STREAMS_H

#include "tracer/preload/posix/posix.h"

/* glibc's flags of a stream (libio.h): in its header the fields are public, these are not. */
enum { PL_STREAM_IS_FILE = 0x2000, PL_STREAM_APPENDS = 0x1000 };

/* Its descriptor; -1 where there is none (memory, cookies) and for no stream. */
PL_INLINE int pl_descriptor_of(FILE* stream) {
  if (stream == NULL) return -1;
#if defined(__GLIBC__)
  return (stream->_flags & PL_STREAM_IS_FILE) != 0 ? stream->_fileno : -1;
#else
  int saved = errno;
  int fd = fileno(stream);
  errno = saved;
  return fd;
#endif
}

/* A function on one stream; `fd` is its descriptor. */
#define PL_ON_STREAM(type, name, function, words, first, second, third, arguments, call)               \
  PL_EXPORT type name arguments {                                                                      \
    struct pl_operation o = {.t = NULL};                                                               \
    int fd = -1;                                                                                       \
    if (PL_UNLIKELY(pl.recording)) o.t = pl_enter_on(fd = pl_descriptor_of(stream), &o.outer);         \
    if (o.t == NULL) return (type)(call);                                                              \
    pl_begin_operation(&o, PL_F_##function, words, first, second, third, __builtin_return_address(0)); \
    type result = (type)(call);                                                                        \
    pl_end_operation(&o, (int64_t)result);                                                             \
    return result;                                                                                     \
  }

#endif
