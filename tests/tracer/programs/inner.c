/* What MPI libraries do inside of calls. usage: inner WHAT [ARGUMENT]. Results are checked where they can be; each rank
 * prints "done" and a sum of what it has received, which recording must not change. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static unsigned long sum;

static void fail(const char* what) {
  fprintf(stderr, "inner: %s is not as it should be\n", what);
  _exit(3);
}
static void add(const void* from, size_t n) {
  const unsigned char* bytes = from;
  for (size_t i = 0; i < n; ++i) sum = sum * 31 + bytes[i];
}
/* The same on all ranks. */
static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void bcast(int bytes) {
  char* buffer = malloc((size_t)bytes);
  memset(buffer, rank == 0 ? 7 : 0, (size_t)bytes);
  MPI_Bcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (buffer[0] != 7 || buffer[bytes - 1] != 7) fail("MPI_Bcast");
  add(buffer, (size_t)bytes);
  free(buffer);
}

/* ---- All kinds of collectives, and the program's own messages among them */

enum { kMost = 6000 }; /* ints for each rank */

static void own_messages(MPI_Comm comm, int tag) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size, got = -1;
  MPI_Request request;
  MPI_Isend(&rank, 1, MPI_INT, to, tag, comm, &request);
  if (tag % 2 == 0)
    MPI_Recv(&got, 1, MPI_INT, from, tag, comm, MPI_STATUS_IGNORE);
  else
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (got != from) fail("the program's own message");
}

static void collective(MPI_Comm comm, unsigned which, int n, int root, int* in, int* out, MPI_Request* request) {
  int counts[64], places[64];
  *request = MPI_REQUEST_NULL;
  for (int i = 0; i < size; ++i) {
    counts[i] = n / (i + 1);
    places[i] = i * kMost;
  }
  switch (which) {
    case 0:
      MPI_Bcast(in, n, MPI_INT, root, comm);
      break;
    case 1:
      MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
      break;
    case 2:
      MPI_Reduce(in, out, n, MPI_INT, MPI_MAX, root, comm);
      break;
    case 3:
      MPI_Alltoall(in, n / size, MPI_INT, out, n / size, MPI_INT, comm);
      break;
    case 4:
      for (int i = 0; i < size; ++i) counts[i] = n / (rank + i + 1);
      MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, comm);
      break;
    case 5:
      MPI_Allgatherv(in, counts[rank], MPI_INT, out, counts, places, MPI_INT, comm);
      break;
    case 6:
      MPI_Scan(in, out, n, MPI_INT, MPI_SUM, comm);
      break;
    case 7:
      MPI_Barrier(comm);
      break;
    case 8:
      MPI_Ibcast(in, n, MPI_INT, root, comm, request);
      break;
    case 9:
      MPI_Iallreduce(in, out, n, MPI_INT, MPI_SUM, comm, request);
      break;
    case 10:
      MPI_Ialltoall(in, n / size, MPI_INT, out, n / size, MPI_INT, comm, request);
      break;
    default:
      MPI_Ibarrier(comm, request);
  }
}

static void mix(int rounds) {
  unsigned state = 4711;
  int *in = malloc(64 * kMost * sizeof(int)), *out = calloc(64 * kMost, sizeof(int)), flag;
  MPI_Comm comms[3] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Request request;
  for (int i = 0; i < 64 * kMost; ++i) in[i] = rank * 1000 + i;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[2]);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm = comms[next_random(&state) % 3];
    unsigned which = next_random(&state) % 12;
    int n = (int)(next_random(&state) % (round % 4 == 0 ? kMost : 64)),
        root = (int)(next_random(&state) % (unsigned)size);
    collective(comm, which, n, root, in, out, &request);
    own_messages(comm, round % 100);
    if (round % 2 == 0)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    else
      for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  add(in, 64 * kMost * sizeof(int));
  add(out, 64 * kMost * sizeof(int));
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
}

/* ---- Messages as a library's own: past the tracer's wrappers, on a communicator that it was not told of */

enum { kAtOnce = 8, kBytes = 1 << 18 };

static void own(int rounds) {
  static char out[kBytes], in[kAtOnce][kBytes];
  unsigned state = 99;
  MPI_Comm comm;
  MPI_Request requests[2 * kAtOnce];
  MPI_Status statuses[2 * kAtOnce];
  PMPI_Comm_dup(MPI_COMM_SELF, &comm);
  for (int round = 0; round < rounds; ++round) {
    int n = 1 + (int)(next_random(&state) % kAtOnce);
    for (int i = 0; i < n; ++i) {
      int any = (int)(next_random(&state) % 4);
      PMPI_Irecv(in[i], kBytes, MPI_CHAR, any & 1 ? MPI_ANY_SOURCE : 0, any & 2 ? MPI_ANY_TAG : i, comm, &requests[i]);
    }
    for (int i = 0; i < n; ++i) {
      int bytes = (int)(next_random(&state) % 16 == 0 ? next_random(&state) % kBytes : next_random(&state) % 300);
      PMPI_Isend(out, bytes, MPI_CHAR, 0, i, comm, &requests[n + i]);
    }
    PMPI_Waitall(2 * n, requests, statuses);
    for (int i = 0; i < n; ++i) { /* the truth: tag, bytes */
      int bytes;
      PMPI_Get_count(&statuses[i], MPI_CHAR, &bytes);
      printf("received %d %d\n", statuses[i].MPI_TAG, bytes);
    }
  }
  PMPI_Irecv(in[0], 1, MPI_CHAR, 0, 1, comm, &requests[0]); /* never sent: cancelled */
  PMPI_Cancel(&requests[0]);
  PMPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  PMPI_Irecv(in[0], 1, MPI_CHAR, 0, 2, comm, &requests[0]); /* let go while it is under way */
  PMPI_Request_free(&requests[0]);
  PMPI_Send(out, 1, MPI_CHAR, 0, 2, comm);
  PMPI_Barrier(MPI_COMM_WORLD);
  PMPI_Comm_free(&comm);
}

/* ---- Files */

static void file(const char* directory, int pieces) {
  char path[4096];
  int* data = malloc((size_t)pieces * sizeof(int));
  int* back = malloc((size_t)pieces * sizeof(int));
  MPI_Datatype view;
  MPI_File fh;
  snprintf(path, sizeof path, "%s/inner.data", directory);
  for (int i = 0; i < pieces; ++i) data[i] = rank * pieces + i;
  MPI_Type_vector(pieces, 1, size, MPI_INT, &view);
  MPI_Type_commit(&view);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
  MPI_File_set_view(fh, rank * (int)sizeof(int), MPI_INT, view, "native", MPI_INFO_NULL);
  MPI_File_write_all(fh, data, pieces, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(fh, 0, MPI_SEEK_SET);
  MPI_File_read_all(fh, back, pieces, MPI_INT, MPI_STATUS_IGNORE);
  if (memcmp(data, back, (size_t)pieces * sizeof(int)) != 0) fail("what was written with others");
  MPI_File_seek(fh, 0, MPI_SEEK_SET);
  MPI_File_read(fh, back, pieces, MPI_INT, MPI_STATUS_IGNORE);
  if (memcmp(data, back, (size_t)pieces * sizeof(int)) != 0) fail("what was read alone");
  add(back, (size_t)pieces * sizeof(int));
  MPI_File_close(&fh);
  MPI_Type_free(&view);
}

/* ---- One-sided */

static void one_sided(int rounds) {
  int *memory, value;
  MPI_Win window;
  MPI_Win_allocate((MPI_Aint)(size * (int)sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  for (int round = 0; round < rounds; ++round) {
    value = rank * 1000 + round;
    MPI_Win_fence(0, window);
    for (int to = 0; to < size; ++to) MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < size; ++i)
      if (memory[i] != i * 1000 + round) fail("what was put");
    MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % size, 0, window);
    MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, rank, 1, MPI_INT, window);
    MPI_Win_unlock((rank + 1) % size, window);
    if (value != rank * 1000 + round) fail("what was got");
  }
  MPI_Win_free(&window);
}

/* ---- Threads */

enum { kThreads = 4 };
static MPI_Comm of_thread[kThreads];
static int thread_rounds;

static void* collectives_of_thread(void* number) {
  int me = (int)(long)number, flag;
  unsigned state = 5u + (unsigned)me;
  int *in = malloc(2048 * sizeof(int)), *out = malloc(2048 * sizeof(int));
  for (int round = 0; round < thread_rounds; ++round) {
    MPI_Request requests[2];
    int n = 1 + (int)(next_random(&state) % 2000);
    for (int i = 0; i < n; ++i) in[i] = round + i;
    MPI_Iallreduce(in, out, n, MPI_INT, MPI_SUM, of_thread[me], &requests[0]);
    MPI_Ibarrier(of_thread[me], &requests[1]);
    own_messages(of_thread[me], 2 * (round % 50));
    if (round % 2 == 0)
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    else
      for (flag = 0; !flag;) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; ++i)
      if (out[i] != size * (round + i)) fail("MPI_Iallreduce of a thread");
    MPI_Allreduce(in, out, 1, MPI_INT, MPI_MAX, of_thread[me]);
    if (out[0] != round) fail("MPI_Allreduce of a thread");
  }
  return NULL;
}

static void threads(int rounds) {
  pthread_t all[kThreads];
  thread_rounds = rounds;
  for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[i]);
  for (long i = 0; i < kThreads; ++i) pthread_create(&all[i], NULL, collectives_of_thread, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(all[i], NULL);
  for (int i = 0; i < kThreads; ++i) MPI_Comm_free(&of_thread[i]);
}

/* ---- While recording is off */

static void paused(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(0);
  for (int i = 0; i < 10; ++i) bcast(5000);
  MPI_Pcontrol(1);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int provided;
  const char* what = argc > 1 ? argv[1] : "bcast";
  const char* argument = argc > 2 ? argv[2] : "0";
  int number = atoi(argument), wanted = strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "bcast") == 0)
    bcast(number);
  else if (strcmp(what, "mix") == 0)
    mix(number);
  else if (strcmp(what, "own") == 0)
    own(number);
  else if (strcmp(what, "file") == 0)
    file(argument, argc > 3 ? atoi(argv[3]) : 1024);
  else if (strcmp(what, "one_sided") == 0)
    one_sided(number);
  else if (strcmp(what, "threads") == 0 && provided == MPI_THREAD_MULTIPLE)
    threads(number);
  else if (strcmp(what, "paused") == 0)
    paused();
  MPI_Finalize();
  printf("done %lu\n", sum);
  return 0;
}
