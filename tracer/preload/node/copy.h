/* A reading of /proc and /sys in memory (tracer/spool/format/node_format.h). */
#ifndef PLUMBLINE_TRACER_PRELOAD_NODE_COPY_H
#define PLUMBLINE_TRACER_PRELOAD_NODE_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "tracer/spool/format/node_format.h"

#pragma GCC visibility push(hidden)

struct pl_node_copy {
  char *at, *limit; /* free room; the last entry fits behind it */
  enum pl_node_stop stopped;
  uint64_t begin_ns; /* of CLOCK_MONOTONIC */
  size_t root;       /* length of what stands in front of a path here, and not on the node */
  int again;         /* at the end: only what is read again */
  char path[1024];
};

/* What the list of paths.h names, as far as it is there. `root`: the directory that holds proc and sys, "" for /.
 * `room`: PL_NODE_MOST bytes. Returns the end of what it has filled. Changes no errno, allocates nothing. */
char* pl_copy_node(char* room, const char* root, const char* when);

/* Of the path that stands in `copy`, unless the reading has been stopped. */
void pl_copy_file(struct pl_node_copy* copy);

/* groups.c: the limits and counters of the control group that shares out processors, and of those above it. */
void pl_copy_control_groups(struct pl_node_copy* copy);

#pragma GCC visibility pop

#endif
