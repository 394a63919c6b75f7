/* The loops that the tracer is measured with, as arithmetic: the benchmark makes the calls, and afterwards the check of
 * the archive expects them. Plain C, for both. */
#ifndef PLUMBLINE_TESTS_PERF_TRACER_LOOPS_H
#define PLUMBLINE_TESTS_PERF_TRACER_LOOPS_H

enum { kBatches = 1000, kWarm = 20, kCalls = 100, kRequests = 64, kWaits = 3, kComms = 1000, kThreads = 4 };

/* Each batch of the alone-run has a batch of each of these in turn: kWarm calls, then kCalls that are timed. */
enum bench_case {
  kSendrecv,
  kSendrecvType,  /* a derived datatype of the same size */
  kSendrecvTags,  /* 1,000 distinct tags, four sizes */
  kSendrecvComms, /* 1,000 communicators */
  kWriteAt,
  kWriteAtOffsets, /* 4,096 distinct offsets */
  kWriteAtOnly,    /* of a file whose POSIX calls are left out (--io-paths) */
  kPwrite,
  kPwriteOffsets, /* likewise */
  kAllreduce,
  kAlltoallv, /* the same counts again and again */
  kWaitall,   /* kWaits times, the first not timed: kRequests / 2 receives, as many sends, the wait */
  kCases
};

/* Of the i-th call of a case; for kWaitall of the i-th pair of requests. */
struct bench_call {
  int tag, comm; /* comm: 0 MPI_COMM_WORLD or MPI_COMM_SELF, else its number from 1 */
  long bytes, offset;
};

static inline struct bench_call bench_call_of(enum bench_case which, long i) {
  struct bench_call call = {7, 0, 8, 0};
  switch (which) {
    case kSendrecvTags:
      call.tag = (int)(i % 1000);
      call.bytes = 4 * (1 + i % 4);
      break;
    case kSendrecvComms:
      call.comm = 1 + (int)(i % kComms);
      break;
    case kWriteAt:
    case kWriteAtOnly:
    case kPwrite:
      call.bytes = 1;
      break;
    case kWriteAtOffsets:
    case kPwriteOffsets:
      call.bytes = 1;
      call.offset = i * 1021 % 4096; /* every one of them, not in order */
      break;
    case kAllreduce:
      call.bytes = 4;
      break;
    case kWaitall:
      call.tag = (int)(i % 1000);
      call.bytes = 4;
      break;
    default:
      break;
  }
  return call;
}

/* The thread's own calls, one of each in turn. */
static inline struct bench_call bench_thread_call(int thread, long i) {
  struct bench_call call = {100 * thread + (int)(i % 100), 0, 1, i % 4096};
  return call;
}

#endif
