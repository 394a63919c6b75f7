/* Limits that the user sets for a recording (limits.c), the segments of a spool under them (segments.c), and the window
 * of time that is recorded (window.c). */
#ifndef PLUMBLINE_TRACER_PRELOAD_LIMITS_H
#define PLUMBLINE_TRACER_PRELOAD_LIMITS_H

#include "tracer/preload/core/preload.h"

extern struct pl_limits {
  uint64_t bytes, segments; /* of a spool; 0: any number */
  int keep_last;            /* the oldest records give way, else recording ends */
  const char* ranks;        /* list of those that are recorded; NULL: all */
  const char* window;       /* as the user wrote it; NULL: no limit in time */
  uint64_t from, to;        /* ns after MPI_Init */
} pl_limits;

/* Once, before the spool is opened. What cannot be understood is said and limits nothing. */
void pl_read_limits(void);
int pl_rank_is_wanted(int rank);

/* ---- segments.c */

enum { PL_LIMIT_REACHED = -1 };

/* After pl_read_limits(). */
void pl_limit_segments(void);
void pl_forget_segments(void); /* in a forked child: they are those of its parent */
/* A segment to write to: zeroed, without a header. NULL: there is none; why says `error`, an errno or
 * PL_LIMIT_REACHED. */
char* pl_take_segment(uint64_t* index, int* error);
/* Its thread has left it: from now on it may have to give way. */
void pl_give_segment(uint64_t index);
const char* pl_no_segment(int error); /* in words */

/* Definitions in segments of their own: those do not give way. From the one to the other no other definition may come
 * between. */
uint64_t* pl_define_apart(unsigned words);
void pl_defined_apart(uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin);

/* ---- window.c */

/* At the end of MPI_Init, after recording has begun. */
void pl_begin_window(struct pl_thread* t);
/* The program has called MPI_Pcontrol. True: the window decides, not the program. */
int pl_window_decides(int level);
/* Recording is past the end of the window: off for good. */
void pl_end_window(void);

#endif
