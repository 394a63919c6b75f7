/* Measures any operation of an MPI program: C and C++; from Fortran through the module plumbline_bench. What the
 * methods are and when which of them is right: docs/models/measuring.md. To call the fastest of several: choose.h.
 *
 *   plumbline_operation operation = {.name = "my broadcast", .execute = my_broadcast, .state = &my_state};
 *   plumbline_settings settings = plumbline_default_settings();
 *   plumbline_measured measured;
 *   plumbline_measure(comm, &operation, 1024, &settings, &measured);
 *   printf("%g s (%g .. %g)\n", measured.median, measured.low, measured.high);
 *   plumbline_free_measured(&measured);
 */
#ifndef PLUMBLINE_BENCH_H
#define PLUMBLINE_BENCH_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PLUMBLINE_BENCH_API __attribute__((visibility("default")))
#else
#define PLUMBLINE_BENCH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Each function is called on every rank of the communicator, and returns MPI_SUCCESS or an error, which ends the
 * measurement. initialise and finalise may be null; execute is what is timed. */
typedef struct plumbline_operation {
  const char* name;
  int (*initialise)(void* state, MPI_Comm comm, size_t bytes);
  int (*execute)(void* state, MPI_Comm comm);
  int (*finalise)(void* state, MPI_Comm comm);
  void* state;
} plumbline_operation;

/* What the time of one repetition is. */
typedef enum plumbline_timing {
  PLUMBLINE_TIMING_MAX,          /* the longest that any rank was in it */
  PLUMBLINE_TIMING_ROOT,         /* on the root, with a barrier behind it, less what such a barrier takes */
  PLUMBLINE_TIMING_GLOBAL,       /* from the first begin to the last end, on a clock that all ranks share */
  PLUMBLINE_TIMING_ACKNOWLEDGED, /* of what goes out from the root: the longest time until one rank's acknowledgement is
                                    back at the root, each rank in turn, less the way of the acknowledgement */
} plumbline_timing;

/* What is between two repetitions, so that none begins while another is under way. */
typedef enum plumbline_isolation {
  PLUMBLINE_ISOLATION_BARRIER,       /* MPI_Barrier */
  PLUMBLINE_ISOLATION_TWO_BARRIERS,  /* two of them: the second begins when all are in MPI_Barrier */
  PLUMBLINE_ISOLATION_DISSEMINATION, /* our own barrier: nobody leaves it before all have come, whatever the library's
                                        does */
  PLUMBLINE_ISOLATION_WINDOW,        /* each begins at a time agreed on beforehand, on a clock that all ranks share */
  PLUMBLINE_ISOLATION_ROUND_TIME,    /* each begins at a time that the root tells when all are there */
} plumbline_isolation;

/* When there are enough repetitions; never before `least` or beyond `most` valid ones, or behind `budget`. */
typedef enum plumbline_stop {
  PLUMBLINE_STOP_MEDIAN,  /* the interval of the median is within ± `precision` of it; of no distribution */
  PLUMBLINE_STOP_STUDENT, /* the two-sided interval of the mean by Student's t is; only where the times pass for
                             normally distributed, else as MEDIAN */
  PLUMBLINE_STOP_COUNT,   /* `most` */
} plumbline_stop;

typedef struct plumbline_settings {
  plumbline_timing timing;
  plumbline_isolation isolation;
  plumbline_stop stop;
  int root;
  uint32_t warm_up;     /* repetitions that do not count */
  uint32_t least, most; /* valid repetitions */
  double confidence;    /* of the intervals */
  double precision;     /* relative half-width */
  double budget;        /* seconds for all repetitions together; 0: none */
  double window;        /* seconds; 0: found by itself */
  double clock_limit;   /* seconds: how exact a shared clock should be; how exact it is is measured.clock_bound */
} plumbline_settings;

/* max, barrier, median, root 0; 3 for warming up, 30 to 1,000 within ± 2.5 % at 95 %, at most 10 s; clock to 1 us. */
PLUMBLINE_BENCH_API plumbline_settings plumbline_default_settings(void);

/* Why a repetition does not count. */
enum {
  PLUMBLINE_STARTED_LATE = 1, /* some rank came to the window or to the round when it had begun */
  PLUMBLINE_TOO_LONG = 2,     /* some rank was at work in it when the next window began */
  PLUMBLINE_NEGATIVE = 4,     /* shorter than what had to be taken off */
};

typedef struct plumbline_measured {
  /* On every rank. */
  uint32_t repetitions, valid; /* made, and those of them without flags */
  uint32_t ranks;
  int reached; /* the precision was, within `most` and `budget` */
  int normal;  /* the times passed for normally distributed; low and high are the mean's then, if STUDENT */
  double median, mean, least, most; /* seconds, of the valid ones; 0 where there is none */
  double low, high;                 /* interval of the median (of the mean, by STUDENT) */
  double clock_bound;               /* seconds; the shared clock was right within this all the time; 0: none was used */
  double window;                    /* seconds; 0: none was used */
  /* On rank 0 only, else null. */
  double* seconds;  /* [repetitions], by the method of timing */
  uint8_t* flags;   /* [repetitions] */
  double* of_ranks; /* [repetitions][ranks], how long each rank was in the operation */
} plumbline_measured;

/* Collective over comm, which is duplicated: nothing is left on it. MPI_SUCCESS or the first error of MPI or of the
 * operation; PLUMBLINE_BAD_SETTING, before anything is measured. What is measured must be freed after MPI_SUCCESS. */
enum { PLUMBLINE_BAD_SETTING = 0x504C };
PLUMBLINE_BENCH_API int plumbline_measure(MPI_Comm comm, const plumbline_operation* operation, size_t bytes,
                                          const plumbline_settings* settings, plumbline_measured* measured);
PLUMBLINE_BENCH_API void plumbline_free_measured(plumbline_measured* measured);

#ifdef __cplusplus
}
#endif
#endif
