// What the communication cells and the I/O cells share. A cell is one small fixed piece of work that is timed often.
#pragma once
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "canary.h"

enum { kBufferBytes = 2 << 20, kMostLooks = 4096 };

typedef struct {
  int rank;
  int ranks;
  char* out;  // kBufferBytes each
  char* in;
  long wrong;       // bytes or sums that differ from the truth, on this rank
  int salt;         // of this run's data in the file: what an earlier run left there is not taken for this one's
  int request;      // bytes of one independent request of the cell io_independent
  char file[4096];  // of the I/O cells; empty: no directory was given
  MPI_File handle;
  Canary limit;               // what is above is slow; all 0: nobody asks
  double patience;            // microseconds that may still be spent on doing iterations again, rank 0
  int redone;                 // looks at the canary of the current cell after which iterations were done again, rank 0
  double looked;              // when rank 0 last looked where its cores are, in microseconds
  int unsure;                 // looks at the canary since then, rank 0
  int looks;                  // those after which the iterations count, rank 0
  int disturbed;              // of these, those that count although a core was slow or moved, rank 0
  Canary canary[kMostLooks];  // [looks] then
  Canary switch_canary[kMostLooks];  // [looks] on the core of the switch
} Context;

typedef struct {
  const char* name;
  const char* what;
  int iterations;
  int warmups;
  bool barrier;                       // before each iteration; a ping-pong keeps its two ranks in step itself
  double share;                       // of the elapsed time that is the result: 0.5 for one way of a ping-pong
  void (*prepare)(Context* context);  // once, untimed; may be NULL
  void (*before)(Context* context);   // each iteration, untimed; may be NULL
  void (*run)(Context* context, int iteration);
  void (*verify)(Context* context);  // after the last iteration, untimed; may be NULL
  int best_of;                       // so many iterations in a row give one sample, the least; 0: each gives one
} Cell;

// Opens the file of the I/O cells, 8 MiB long: two shards of the parallel file system. Closes it.
void io_open(Context* context, MPI_File* file);
void io_close(MPI_File* file);

extern const Cell kCommunicationCells[];
extern const size_t kCommunicationCellCount;
extern const Cell kIoCells[];
extern const size_t kIoCellCount;

// The byte that rank `rank` puts at `position` of whatever it sends or writes.
static inline char pattern(int rank, size_t position) {
  return (char)(((size_t)rank * 131u + position * 7u + (position >> 8)) & 0x7f);
}

double microseconds(void);  // of this node's clock
void fill(char* buffer, int rank, size_t first, size_t bytes);
void expect(Context* context, const char* buffer, int rank, size_t first, size_t bytes);
