/* Looking up functions past our own dlsym. */
#ifndef PLUMBLINE_TRACER_PRELOAD_LOOKUP_H
#define PLUMBLINE_TRACER_PRELOAD_LOOKUP_H

#pragma GCC visibility push(hidden)

/* The C library's dlsym. */
void* pl_dlsym(void* handle, const char* name);

#pragma GCC visibility pop

#endif
