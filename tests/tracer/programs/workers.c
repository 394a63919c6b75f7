/* Threads that call MPI at once; argument: what they do (main). */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kThreads = 4, kRounds = 50, kShort = 300, kWaves = 20 };
static MPI_Comm comms[kThreads];
static int rank;
static const char* directory;
static pthread_barrier_t all_there;

static void to_myself(int n) {
  int in, out = 0;
  for (int i = 0; i < n; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Messages, a collective and both kinds of I/O, each on something of this thread's own. */
static void* everything(void* number) {
  const long me = (long)number;
  char name[512];
  int in, out = rank, sum, data[4] = {0};
  MPI_File file;
  snprintf(name, sizeof name, "%s/mpi.%d.%ld", directory, rank, me);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  snprintf(name, sizeof name, "%s/posix.%d.%ld", directory, rank, me);
  int fd = open(name, O_CREAT | O_RDWR, 0600);
  for (int i = 0; i < kRounds; ++i) {
    MPI_Request request;
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, i, &in, 1, MPI_INT, 1 - rank, i, comms[me], MPI_STATUS_IGNORE);
    MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, comms[me]);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 1000 + i, comms[me], &request);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 1000 + i, comms[me]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 16 * i, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    if (pwrite(fd, data, (size_t)(me + 1), 8 * i) != me + 1) abort();
  }
  close(fd);
  MPI_File_close(&file);
  pthread_barrier_wait(&all_there);
  return NULL;
}

static void* ten_messages(void* unused) {
  to_myself(10);
  return unused;
}

static void* in_a_wave(void* unused) {
  to_myself(10);
  pthread_barrier_wait(&all_there);
  return unused;
}

static void* ends_the_process(void* unused) {
  to_myself(10);
  exit(3);
  return unused;
}

static void* is_the_last(void* unused) {
  usleep(100000);
  to_myself(10);
  MPI_Finalize();
  exit(0);
  return unused;
}

static void together(int n, void* (*work)(void*)) {
  pthread_t threads[64];
  pthread_barrier_init(&all_there, NULL, (unsigned)n);
  for (long i = 0; i < n; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&all_there);
}

int main(int argc, char** argv) {
  const char* what = argv[1];
  int provided;
  directory = argc > 2 ? argv[2] : "";
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) printf("no threads\n");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(what, "everything") == 0) {
    for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    together(kThreads, everything);
  }
  if (strcmp(what, "short") == 0)
    for (int i = 0; i < kShort; ++i) together(1, ten_messages);
  if (strcmp(what, "waves") == 0)
    for (int i = 0; i < kWaves; ++i) together(8, in_a_wave);
  if (strcmp(what, "exit") == 0) together(1, ends_the_process);
  if (strcmp(what, "last") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, is_the_last, NULL);
    pthread_exit(NULL);
  }
  MPI_Finalize();
  return 0;
}
