/* Loaded objects, by an address in them. */
#ifndef PLUMBLINE_TRACER_PRELOAD_BUILD_ID_H
#define PLUMBLINE_TRACER_PRELOAD_BUILD_ID_H

struct pl_object {
  const char* file;   /* as the loader has it; empty: it has no name */
  char build_id[129]; /* hexadecimal digits; empty: it has none */
};

/* 1: found. */
int pl_object_of(const void* address, struct pl_object* object);

#endif
