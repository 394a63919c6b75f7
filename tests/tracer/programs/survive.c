/* Calls until it is killed, counted in a file that outlives it: survive COUNTERS [THREADS]. A page of the file for each
 * rank: its pid, then for each thread how many calls it has begun and how many have returned. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_THREADS = 8 };
struct page {
  volatile uint64_t pid;
  struct {
    volatile uint64_t begun, returned;
  } thread[MOST_THREADS];
};

static struct page* page;
static int rank, size, threads = 1, scratch;
static MPI_Comm comms[MOST_THREADS];

#define COUNTED(call)           \
  do {                          \
    ++page->thread[t].begun;    \
    call;                       \
    ++page->thread[t].returned; \
  } while (0)

static void* calls(void* argument) {
  const int t = (int)(intptr_t)argument, tag = 100 + t;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  double out = 1, in = 0;
  for (unsigned i = 0;; ++i) {
    COUNTED(MPI_Sendrecv(&out, 1, MPI_DOUBLE, next, tag, &in, 1, MPI_DOUBLE, before, tag, comms[t], MPI_STATUS_IGNORE));
    if (i % 8 == 0) {
      MPI_Request requests[2];
      COUNTED(MPI_Irecv(&in, 1, MPI_DOUBLE, before, tag, comms[t], &requests[0]));
      COUNTED(MPI_Isend(&out, 1, MPI_DOUBLE, next, tag, comms[t], &requests[1]));
      COUNTED(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    if (i % 16 == 0) COUNTED(MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, comms[t]));
    if (i % 32 == 0) COUNTED((void)!pwrite(scratch, &out, sizeof out, 0));
    if (i % 512 == 0 && threads == 1) {
      MPI_Comm copy;
      COUNTED(MPI_Comm_dup(comms[t], &copy));
      COUNTED(MPI_Comm_free(&copy));
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int level = 0;
  pthread_t other;
  if (argc > 2) threads = atoi(argv[2]);
  MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  if (level < MPI_THREAD_MULTIPLE) threads = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int t = 0; t < threads; ++t) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[t]);
  char name[64];
  snprintf(name, sizeof name, "scratch.%d", rank);
  scratch = open(name, O_CREAT | O_RDWR, 0600);
  int counters = open(argv[1], O_RDWR);
  page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, counters, (off_t)rank * PAGE);
  if (page == MAP_FAILED) return 9;
  MPI_Barrier(MPI_COMM_WORLD);
  page->pid = (uint64_t)getpid();
  for (int t = 1; t < threads; ++t) pthread_create(&other, NULL, calls, (void*)(intptr_t)t);
  calls(NULL);
}
