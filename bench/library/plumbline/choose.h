/* Calls the fastest implementation of a collective, by the size of the message: measured once, called from then on. For
 * C and C++; from Fortran through the module plumbline_bench. What is measured, and when a candidate is taken for
 * faster: docs/models/choosing.md.
 *
 *   plumbline_chooser* chooser;
 *   plumbline_make_chooser(comm, PLUMBLINE_WITH_OURS, &chooser);
 *   if (plumbline_read_choices(chooser, "choices.txt") != MPI_SUCCESS) {
 *     plumbline_choose(chooser, PLUMBLINE_BCAST, NULL, 0, NULL);
 *     plumbline_write_choices(chooser, "choices.txt");
 *   }
 *   plumbline_bcast(data, count, MPI_DOUBLE, root, chooser);      // instead of MPI_Bcast(data, ..., root, comm)
 *   plumbline_free_chooser(chooser);
 */
#ifndef PLUMBLINE_CHOOSE_H
#define PLUMBLINE_CHOOSE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The size of a message is what one rank has of the whole, in bytes: all of it for bcast, reduce, allreduce and scan; a
 * block for the others. */
typedef enum plumbline_collective {
  PLUMBLINE_BCAST,
  PLUMBLINE_SCATTER,
  PLUMBLINE_GATHER,
  PLUMBLINE_ALLGATHER,
  PLUMBLINE_ALLTOALL,
  PLUMBLINE_REDUCE,
  PLUMBLINE_ALLREDUCE,
  PLUMBLINE_REDUCE_SCATTER_BLOCK,
  PLUMBLINE_SCAN,
} plumbline_collective;

/* Functions as MPI's own ones: {.name = "mine", .bcast = my_bcast}. A candidate for each one that is not null. */
typedef struct plumbline_candidate {
  const char* name; /* without blanks */
  int (*bcast)(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
  int (*scatter)(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm);
  int (*gather)(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm);
  int (*allgather)(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm);
  int (*alltoall)(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm);
  int (*reduce)(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
  int (*allreduce)(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
  int (*reduce_scatter_block)(const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm);
  int (*scan)(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
} plumbline_candidate;

/* What is known of the sizes from `bytes` up to those of the next choice. */
typedef struct plumbline_choice {
  size_t bytes;
  const char* name;                /* "library", ours ("binomial"), or the program's */
  double seconds, library_seconds; /* medians; the same where it is the library's */
} plumbline_choice;

typedef struct plumbline_choosing {
  plumbline_settings measuring; /* method of timing, isolation, root, warm_up, budget of each measurement */
  uint32_t rounds;              /* in each of them every candidate is measured once, in another order */
  uint32_t repetitions;         /* of a candidate in a round, of which the median counts */
  double chance;                /* how likely one may leave the library's where none is faster, at one size */
  double gain;                  /* a candidate must need at least this share less time than the library's */
  double hopeless;              /* from the third round on, who takes this many times as long as the fastest is out */
} plumbline_choosing;

/* plumbline_default_settings() with 2 for warming up; 9 rounds of 10, chance 1 %, gain 5 %, hopeless 3. */
PLUMBLINE_BENCH_API plumbline_choosing plumbline_default_choosing(void);

typedef struct plumbline_chooser plumbline_chooser;

/* Whether our own implementations are candidates. The library's always is. */
enum { PLUMBLINE_WITHOUT_OURS = 0, PLUMBLINE_WITH_OURS = 1 };

/* Beside errors of MPI, what the functions below return. plumbline_problem() says it in words. */
enum {
  PLUMBLINE_NO_CHOICES = 0x504D,    /* the file cannot be read or written, or is not one of choices */
  PLUMBLINE_OTHER_CHOICES = 0x504E, /* it belongs to another number of ranks or nodes, library or set of candidates */
};

/* Collective over comm, which is duplicated: calls run on the duplicate, with the error handler of comm. */
PLUMBLINE_BENCH_API int plumbline_make_chooser(MPI_Comm comm, int with_ours, plumbline_chooser** chooser);
PLUMBLINE_BENCH_API void plumbline_free_chooser(plumbline_chooser* chooser); /* collective */

/* The same ones on every rank, before anything is chosen or read. PLUMBLINE_BAD_SETTING for a name that is taken. */
PLUMBLINE_BENCH_API int plumbline_add_candidate(plumbline_chooser* chooser, const plumbline_candidate* candidate);

/* Collective: measures all candidates at these sizes, and takes what is faster than the library's beyond doubt; the
 * same on every rank. No sizes: powers of four from 4 B to 1 MiB. `choosing` may be null. */
PLUMBLINE_BENCH_API int plumbline_choose(plumbline_chooser* chooser, plumbline_collective collective,
                                         const size_t* sizes, size_t count, const plumbline_choosing* choosing);

/* Collective; rank 0 writes or reads. What is read takes the place of all that was chosen, or nothing is taken. */
PLUMBLINE_BENCH_API int plumbline_write_choices(plumbline_chooser* chooser, const char* path);
PLUMBLINE_BENCH_API int plumbline_read_choices(plumbline_chooser* chooser, const char* path);

/* What was chosen, by size; as long as nothing new is chosen or read. The number of choices, 0 before any. */
PLUMBLINE_BENCH_API size_t plumbline_choices(const plumbline_chooser* chooser, plumbline_collective collective,
                                             const plumbline_choice** choices);
/* The name of what is called for this size: "library" before anything is chosen. */
PLUMBLINE_BENCH_API const char* plumbline_chosen(const plumbline_chooser* chooser, plumbline_collective collective,
                                                 size_t bytes);
/* Of the last function above that did not return MPI_SUCCESS; "" before. */
PLUMBLINE_BENCH_API const char* plumbline_problem(const plumbline_chooser* chooser);

/* As MPI's functions, with the chooser for the communicator. MPI_IN_PLACE and any datatypes and operators are allowed;
 * where ours cannot do it (an operator that does not commute, or on a datatype of the program's; alltoall and
 * reduce_scatter_block in place) the library's is called. */
PLUMBLINE_BENCH_API int plumbline_bcast(void* data, int count, MPI_Datatype type, int root, plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                          int receive_count, MPI_Datatype receive_type, int root,
                                          plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                         int receive_count, MPI_Datatype receive_type, int root,
                                         plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                            int receive_count, MPI_Datatype receive_type, plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                           int receive_count, MPI_Datatype receive_type, plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                         int root, plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                            plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_reduce_scatter_block(const void* send, void* receive, int receive_count,
                                                       MPI_Datatype type, MPI_Op op, plumbline_chooser* chooser);
PLUMBLINE_BENCH_API int plumbline_scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                       plumbline_chooser* chooser);

#ifdef __cplusplus
}
#endif
#endif
