/* Notes of why nothing was recorded of a process; written by the tracer and by `record --rank`, in C. */
#ifndef PLUMBLINE_TRACER_SPOOL_REASONS_FORMAT_H
#define PLUMBLINE_TRACER_SPOOL_REASONS_FORMAT_H

/* Beside the spools: why nothing was recorded of a process, HOST.PID.REASON.reason, one line "PROGRAM: what it is or
 * does". Of several the one with the largest number explains most. Of those with the least a node has one, without PID.
 */
#define PL_REASON_SUFFIX ".reason"
enum pl_reason {
  PL_REASON_NO_MPI = 1,       /* a script's tools, too */
  PL_REASON_NO_INIT = 2,      /* an MPI library is there */
  PL_REASON_OUT_OF_REACH = 3, /* of LD_PRELOAD */
  PL_REASON_PAST_US = 4,      /* MPI was initialised, and the tracer was not called */
  PL_REASON_NOT_STARTED = 5   /* the system refused to run it */
};

#endif
