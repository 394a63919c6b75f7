/* What libraries of MPI do inside of calls. Each rank prints a sum over all that it has received.
 *
 * inside run NAME:BYTES ..    collectives, one after the other: bcast, allreduce, .. ; send, dup: of the program itself
 * inside file PATH PIECES     MPI-IO: pieces of 8 bytes, interleaved over the ranks: write_all, iwrite_all, read
 * inside threads T N          T threads, each with a communicator of its own: collectives, tests, messages
 * inside pause                recording off and on between collectives
 * inside cost N               N times 30 broadcasts from rank 0: each rank prints the ns of one, the least of all times
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kTag = 7770 }; /* of the program's own messages */
static int rank, size;
static uint64_t sum;

static void add(const char* bytes, size_t n) {
  for (size_t i = 0; i < n; ++i) sum = sum * 31 + (unsigned char)bytes[i];
}

static void* filled(size_t bytes, int with) {
  unsigned* numbers = malloc(bytes + 8);
  for (size_t i = 0; i < bytes / 4 + 1; ++i) numbers[i] = (unsigned)(i * 7 + (size_t)with * 1000003);
  return numbers;
}

static int is(const char* name, const char* wanted) {
  return strncmp(name, wanted, strlen(wanted)) == 0 && name[strlen(wanted)] == ':';
}

static void wait_by_tests(MPI_Request* request) {
  for (int done = 0; !done;) MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

static void one(const char* what, MPI_Comm comm) {
  size_t bytes = strtoull(strchr(what, ':') + 1, NULL, 10), all = bytes * (size_t)size;
  int n = (int)(bytes / 4), next = (rank + 1) % size, previous = (rank + size - 1) % size;
  char *out = filled(all, rank), *in = filled(all, 99);
  MPI_Request request = MPI_REQUEST_NULL, both[2];
  MPI_Comm made;
  if (is(what, "bcast")) MPI_Bcast(rank == 0 ? out : in, n, MPI_INT, 0, comm);
  if (is(what, "allreduce")) MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, comm);
  if (is(what, "reduce")) MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, 0, comm);
  if (is(what, "allgather")) MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm);
  if (is(what, "alltoall")) MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm);
  if (is(what, "gather")) MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, 0, comm);
  if (is(what, "scatter")) MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, 0, comm);
  if (is(what, "reduce_scatter_block")) MPI_Reduce_scatter_block(out, in, n / size, MPI_INT, MPI_SUM, comm);
  if (is(what, "barrier")) MPI_Barrier(comm);
  if (is(what, "ibcast")) MPI_Ibcast(rank == 0 ? out : in, n, MPI_INT, 0, comm, &request);
  if (is(what, "iallreduce")) MPI_Iallreduce(out, in, n, MPI_INT, MPI_SUM, comm, &request);
  if (is(what, "ialltoall")) MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, comm, &request);
  if (is(what, "ibarrier")) MPI_Ibarrier(comm, &request);
  if (is(what, "strided_bcast")) { /* every other number */
    MPI_Datatype type;
    MPI_Type_vector(n / 2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(rank == 0 ? out : in, 1, type, 0, comm);
    MPI_Type_free(&type);
  }
  if (is(what, "send")) {
    MPI_Irecv(in, n, MPI_INT, previous, kTag, comm, &both[0]);
    MPI_Isend(out, n, MPI_INT, next, kTag, comm, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(out, n, MPI_INT, next, kTag + 1, in, n, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  }
  if (is(what, "cancel")) {
    MPI_Irecv(in, n, MPI_INT, next, kTag + 2, comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (is(what, "dup")) {
    MPI_Comm_dup(comm, &made);
    one("send:64", made);
    one("allreduce:64", made);
    MPI_Comm_free(&made);
  }
  if (is(what, "reversed")) {
    MPI_Comm_split(comm, 0, size - rank, &made);
    one("allreduce:64", made);
    MPI_Comm_free(&made);
  }
  if (is(what, "fork")) { /* what the child does is nobody's */
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
  wait_by_tests(&request);
  add(in, all);
  free(out);
  free(in);
}

static void file(const char* path, int pieces) {
  MPI_File fh;
  MPI_Datatype every;
  MPI_Request request;
  size_t bytes = (size_t)pieces * 8;
  char *out = filled(bytes, rank), *in = filled(bytes, 99);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
  MPI_Type_vector(pieces, 8, 8 * size, MPI_BYTE, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(fh, (MPI_Offset)rank * 8, MPI_BYTE, every, "native", MPI_INFO_NULL);
  MPI_File_write_all(fh, out, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_seek(fh, 0, MPI_SEEK_SET);
  MPI_File_iwrite_all(fh, out, (int)bytes, MPI_BYTE, &request);
  one("send:64", MPI_COMM_WORLD); /* meanwhile */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(fh, 0, in, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  add(in, bytes);
  MPI_File_close(&fh);
  MPI_Type_free(&every);
  free(out);
  free(in);
}

static int times;
static void* work(void* given) {
  MPI_Comm comm = *(MPI_Comm*)given;
  int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (int i = 0; i < times; ++i) {
    int mine = rank + i, all = 0, from = -1;
    MPI_Request request;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, kTag, &from, 1, MPI_INT, previous, kTag, comm, MPI_STATUS_IGNORE);
    wait_by_tests(&request);
    if (all != size * i + size * (size - 1) / 2 || from != previous) abort();
    MPI_Bcast(&mine, 1, MPI_INT, i % size, comm);
    if (mine != i % size + i) abort();
  }
  return NULL;
}

static void threads(int n) {
  pthread_t thread[64];
  MPI_Comm comm[64];
  for (int i = 0; i < n; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, &comm[i]);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  for (int i = 0; i < n; ++i) MPI_Comm_free(&comm[i]);
}

/* Nobody waits: what is sent fits into the transport, and is there when it is asked for. */
static void cost(int n) {
  double least = 1e9;
  char byte = 0;
  for (int i = 0; i < n; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) usleep(300);
    double begin = MPI_Wtime();
    for (int k = 0; k < 30; ++k) MPI_Bcast(&byte, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    double one = (MPI_Wtime() - begin) / 30 * 1e9;
    if (one < least) least = one;
  }
  printf("rank %d: %.0f ns\n", rank, least);
}

int main(int argc, char** argv) {
  int level, wanted = argc > 1 && strcmp(argv[1], "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(argv[1], "run") == 0)
    for (int i = 2; i < argc; ++i) one(argv[i], MPI_COMM_WORLD);
  if (strcmp(argv[1], "file") == 0) file(argv[2], atoi(argv[3]));
  if (strcmp(argv[1], "threads") == 0) {
    times = atoi(argv[3]);
    threads(atoi(argv[2]));
  }
  if (strcmp(argv[1], "pause") == 0) {
    one("allreduce:8", MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    one("alltoall:8", MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    one("bcast:8", MPI_COMM_WORLD);
  }
  if (strcmp(argv[1], "cost") == 0) cost(atoi(argv[2]));
  printf("rank %d: %016llx\n", rank, (unsigned long long)sum);
  MPI_Finalize();
  return 0;
}
