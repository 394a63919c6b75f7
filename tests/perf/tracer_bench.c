/* Nanoseconds per call of MPI and POSIX functions, and of the two floors between them in the same process (quartiles of
 * many batches); run with and without the tracer by tracer_bench.py.
 * usage: tracer_bench DIRECTORY alone | threads | latency | peers | inner | collectives
 * Lines: name, first quartile, median, third quartile, mean, least.
 * Two barriers enclose the loops, so that the archive can be held against tracer_loops.h. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tracer_floors.h"
#include "tracer_loops.h"

static int out[16], in[16], file, counts[1], places[1];
static MPI_File mpi_file, unfollowed;
static MPI_Datatype pairs;
static MPI_Comm comms[kComms + 1];
static const char* directory;

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print(const char* name, double* values, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  qsort(values, (size_t)n, sizeof(double), by_size);
  printf("%s %.2f %.2f %.2f %.2f %.2f\n", name, values[n / 4], values[n / 2], values[n * 3 / 4], sum / n, values[0]);
}

/* ---- The floors, beside what is measured */

static double floors[3][kBatches];

static double batch_of_floor(void (*floor)(void), int n) {
  double begin = now_ns();
  floor();
  return (now_ns() - begin) / n;
}

static void measure_floors(int batch) {
  prepare_floors();
  floors[0][batch] = batch_of_floor(floor_a, kFloorA);
  floors[1][batch] = batch_of_floor(floor_b, kFloorB);
  floors[2][batch] = batch_of_floor(floor_c, kFloorC);
}

static void print_floors(void) {
  print("floor_a", floors[0], kBatches);
  print("floor_b", floors[1], kBatches);
  print("floor_c", floors[2], kBatches);
  close_floors();
}

/* ---- One process */

static void sendrecv(const struct bench_call* call, MPI_Datatype type, int count) {
  MPI_Sendrecv(out, count, type, 0, call->tag, in, count, type, 0, call->tag, comms[call->comm], MPI_STATUS_IGNORE);
}

static void make(enum bench_case which, long i) {
  struct bench_call call = bench_call_of(which, i);
  switch (which) {
    case kSendrecvType:
      return sendrecv(&call, pairs, 1);
    case kSendrecv:
    case kSendrecvTags:
    case kSendrecvComms:
      return sendrecv(&call, MPI_INT, (int)call.bytes / 4);
    case kWriteAt:
    case kWriteAtOffsets:
      MPI_File_write_at(mpi_file, call.offset, out, (int)call.bytes, MPI_BYTE, MPI_STATUS_IGNORE);
      return;
    case kWriteAtOnly:
      MPI_File_write_at(unfollowed, call.offset, out, (int)call.bytes, MPI_BYTE, MPI_STATUS_IGNORE);
      return;
    case kPwrite:
    case kPwriteOffsets:
      if (pwrite(file, out, (size_t)call.bytes, call.offset) != call.bytes) abort();
      return;
    case kAllreduce:
      MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
      return;
    case kAlltoallv:
      MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
      return;
    default:
      abort();
  }
}

static double batch_of_calls(enum bench_case which, long batch) {
  long i = batch * (kWarm + kCalls);
  for (int k = 0; k < kWarm; ++k) make(which, i++);
  double begin = now_ns();
  for (int k = 0; k < kCalls; ++k) make(which, i++);
  return (now_ns() - begin) / kCalls;
}

/* Only the wait is timed; `posts` is what the posts of the same requests took. Both per request. */
static double batch_of_waits(long first, double* posts) {
  MPI_Request requests[kRequests];
  double waiting = 0;
  *posts = 0;
  for (long w = 0; w < kWaits; ++w) {
    double begin = now_ns();
    for (int k = 0; k < kRequests / 2; ++k) {
      struct bench_call call = bench_call_of(kWaitall, first + w * (kRequests / 2) + k);
      MPI_Irecv(&in[k % 16], 1, MPI_INT, 0, call.tag, MPI_COMM_WORLD, &requests[k]);
    }
    for (int k = 0; k < kRequests / 2; ++k) {
      struct bench_call call = bench_call_of(kWaitall, first + w * (kRequests / 2) + k);
      MPI_Isend(out, 1, MPI_INT, 0, call.tag, MPI_COMM_WORLD, &requests[kRequests / 2 + k]);
    }
    double posted = now_ns();
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    if (w == 0) continue;
    waiting += now_ns() - posted;
    *posts += posted - begin;
  }
  *posts /= (kWaits - 1) * kRequests;
  return waiting / ((kWaits - 1) * kRequests);
}

static const char* const kNames[kCases] = {
    "Sendrecv",           "Sendrecv_type", "Sendrecv_tags",  "Sendrecv_comms", "File_write_at", "File_write_at_offsets",
    "File_write_at_only", "pwrite",        "pwrite_offsets", "Allreduce",      "Alltoallv",     "Waitall"};

static void alone(void) {
  static double ns[kCases + 1][kBatches];
  char name[4096];
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  for (int i = 1; i <= kComms; ++i) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
  snprintf(name, sizeof name, "%s/posix", directory);
  file = open(name, O_CREAT | O_RDWR, 0600);
  snprintf(name, sizeof name, "%s/mpi", directory);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &mpi_file);
  snprintf(name, sizeof name, "%s/unfollowed", directory); /* tracer_bench.py leaves it out by its name */
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &unfollowed);
  counts[0] = 2;
  open_floors(directory);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int batch = 0; batch < kBatches; ++batch) {
    measure_floors(batch);
    for (int which = 0; which < kWaitall; ++which) ns[which][batch] = batch_of_calls((enum bench_case)which, batch);
    ns[kWaitall][batch] = batch_of_waits((long)batch * kWaits * (kRequests / 2), &ns[kCases][batch]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int which = 0; which < kCases; ++which) print(kNames[which], ns[which], kBatches);
  print("Isend_Irecv", ns[kCases], kBatches);
  print_floors();
  MPI_File_close(&mpi_file);
  MPI_File_close(&unfollowed);
  close(file);
}

/* ---- Threads: CPU time of each, because they are more than the cores may be */

static double thread_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum { kThreadBatches = 300, kThreadKinds = 2 };
static double of_threads[kThreadKinds][kThreads][kThreadBatches];
static pthread_barrier_t together;

static void* calls_of_thread(void* number) {
  int thread = (int)(long)number, to = 0, from = 0;
  char name[4096];
  snprintf(name, sizeof name, "%s/posix.%d", directory, thread);
  int own = open(name, O_CREAT | O_RDWR, 0600);
  pthread_barrier_wait(&together);
  for (int batch = 0; batch < kThreadBatches; ++batch) {
    double begin = thread_ns();
    for (long i = (long)batch * kCalls; i < (batch + 1L) * kCalls; ++i) {
      struct bench_call call = bench_thread_call(thread, i);
      if (pwrite(own, &to, (size_t)call.bytes, call.offset) != call.bytes) abort();
    }
    double between = thread_ns();
    for (long i = (long)batch * kCalls; i < (batch + 1L) * kCalls; ++i) {
      struct bench_call call = bench_thread_call(thread, i);
      MPI_Sendrecv(&to, 1, MPI_INT, 0, call.tag, &from, 1, MPI_INT, 0, call.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    of_threads[0][thread][batch] = (between - begin) / kCalls;
    of_threads[1][thread][batch] = (thread_ns() - between) / kCalls;
  }
  close(own);
  return NULL;
}

static void run_threads(int n, const char* pwrite_name, const char* sendrecv_name) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&together, NULL, (unsigned)n);
  for (long i = 0; i < n; ++i) pthread_create(&threads[i], NULL, calls_of_thread, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  print(pwrite_name, of_threads[0][0], n * kThreadBatches);
  print(sendrecv_name, of_threads[1][0], n * kThreadBatches);
}

static void threads(int provided) {
  if (provided != MPI_THREAD_MULTIPLE) return;
  run_threads(1, "pwrite_1_thread", "Sendrecv_1_thread");
  run_threads(kThreads, "pwrite_4_threads", "Sendrecv_4_threads");
}

/* ---- Two ranks: half a round trip */

static void latency(int rank) {
  enum { kRounds = 20, kLatencyBatches = 20000 };
  static double ns[kLatencyBatches];
  for (int batch = 0; batch < kLatencyBatches; ++batch) {
    double begin = now_ns();
    for (int i = 0; i < kRounds; ++i) {
      if (rank == 0) MPI_Send(out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    ns[batch] = (now_ns() - begin) / (2 * kRounds);
  }
  if (rank == 0) print("latency", ns, kLatencyBatches);
}

/* ---- Distinct peers: rank 0 asks for messages of the others, which sleep */

static void peers(int rank, int size) {
  static double same[kBatches], distinct[kBatches];
  char done[64];
  int found;
  int job = (int)getppid();
  MPI_Bcast(&job, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(done, sizeof done, "/dev/shm/plumbline-bench-%d", job); /* files there are not recorded */
  if (rank != 0)
    while (access(done, F_OK) != 0) usleep(20000);
  for (int batch = 0; rank == 0 && batch < kBatches; ++batch) {
    double begin = now_ns();
    for (int i = 0; i < kCalls; ++i) MPI_Iprobe(1, i % 2, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    double between = now_ns();
    for (int i = batch * kCalls; i < (batch + 1) * kCalls; ++i)
      MPI_Iprobe(1 + i % (size - 1), i % 1000, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    distinct[batch] = (now_ns() - between) / kCalls;
    same[batch] = (between - begin) / kCalls;
  }
  if (rank == 0) {
    print("Iprobe", same, kBatches);
    print("Iprobe_peers", distinct, kBatches);
    close(open(done, O_CREAT | O_WRONLY, 0600));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) unlink(done);
}

/* ---- Messages as a library's own: past the wrappers, on a communicator that the tracer was not told of. Each is one
 * of two: a receive that waits for its message, and the send that brings it. */

static void inner(void) {
  static double ns[kBatches];
  MPI_Comm comm;
  MPI_Request requests[2];
  PMPI_Comm_dup(MPI_COMM_SELF, &comm);
  open_floors(directory);
  for (int batch = 0; batch < kBatches; ++batch) {
    double begin = 0;
    measure_floors(batch);
    for (int k = 0; k < kWarm + kCalls; ++k) {
      if (k == kWarm) begin = now_ns();
      PMPI_Irecv(in, 8, MPI_BYTE, 0, 7, comm, &requests[0]);
      PMPI_Isend(out, 8, MPI_BYTE, 0, 7, comm, &requests[1]);
      PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    ns[batch] = (now_ns() - begin) / (2 * kCalls);
  }
  PMPI_Comm_free(&comm);
  print("inner_message", ns, kBatches);
  print_floors();
}

/* ---- Messages of collectives: rank 0 broadcasts to rank 1, which takes what has come when all has. */

static void collectives(int rank) {
  enum { kBroadcasts = 30, kBroadcastBatches = 3000 };
  static double ns[kBroadcastBatches];
  volatile int* sent; /* batches; for both */
  MPI_Win window;
  MPI_Aint bytes;
  int unit;
  MPI_Win_allocate_shared(rank == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void*)&sent, &window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, (void*)&sent);
  if (rank == 0) *sent = 0;
  open_floors(directory);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int batch = 0; batch < kBroadcastBatches; ++batch) {
    if (rank == 0 && batch % 3 == 0) measure_floors(batch / 3);
    MPI_Barrier(MPI_COMM_WORLD);
    while (rank != 0 && *sent <= batch) sched_yield();
    double begin = now_ns();
    for (int i = 0; i < kBroadcasts; ++i) MPI_Bcast(out, 1, MPI_BYTE, 0, MPI_COMM_WORLD);
    ns[batch] = (now_ns() - begin) / kBroadcasts;
    if (rank == 0) *sent = batch + 1;
  }
  MPI_Win_free(&window);
  print(rank == 0 ? "Bcast_sent" : "Bcast_received", ns, kBroadcastBatches);
  if (rank == 0) print_floors();
}

int main(int argc, char** argv) {
  int provided, rank, size;
  const char* what = argc > 2 ? argv[2] : "alone";
  int multiple = strcmp(what, "threads") == 0;
  MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  directory = argc > 1 ? argv[1] : "/tmp";
  comms[0] = MPI_COMM_WORLD;
  if (multiple)
    threads(provided);
  else if (strcmp(what, "latency") == 0)
    latency(rank);
  else if (strcmp(what, "peers") == 0)
    peers(rank, size);
  else if (strcmp(what, "inner") == 0)
    inner();
  else if (strcmp(what, "collectives") == 0)
    collectives(rank);
  else
    alone();
  MPI_Finalize();
  return 0;
}
