/* Nanoseconds per call of a few MPI and POSIX functions, alone on one rank: "name median" lines. Run with and without
 * the tracer by tracer_bench.sh. Argument: a directory for a file. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kBatches = 200, kCalls = 100 };

static int out, in, file;
static MPI_File mpi_file;
static MPI_Win win;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void sendrecv(void) {
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void triple(void) {
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
static void allreduce(void) { MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF); }
static void put(void) { MPI_Put(&out, 1, MPI_INT, 0, 0, 1, MPI_INT, win); }
static void write_at(void) { MPI_File_write_at(mpi_file, 0, &out, 1, MPI_BYTE, MPI_STATUS_IGNORE); }
static void posix_write(void) {
  if (pwrite(file, &out, 1, 0) != 1) abort();
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(const char* name, void (*call)(void)) {
  static double per_call[kBatches];
  for (int i = 0; i < kCalls; ++i) call();
  for (int batch = 0; batch < kBatches; ++batch) {
    double begin = now();
    for (int i = 0; i < kCalls; ++i) call();
    per_call[batch] = (now() - begin) / kCalls;
  }
  qsort(per_call, kBatches, sizeof(double), by_size);
  printf("%s %.2f\n", name, per_call[kBatches / 2]);
}

int main(int argc, char** argv) {
  char name[1024];
  void* memory;
  MPI_Init(&argc, &argv);
  snprintf(name, sizeof name, "%s/posix", argc > 1 ? argv[1] : "/tmp");
  file = open(name, O_CREAT | O_RDWR, 0600);
  snprintf(name, sizeof name, "%s/mpi", argc > 1 ? argv[1] : "/tmp");
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &mpi_file);
  measure("Sendrecv", sendrecv);
  measure("Irecv+Isend+Waitall", triple);
  measure("Allreduce", allreduce);
  MPI_Win_allocate(sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  measure("Put", put);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  measure("File_write_at", write_at);
  measure("pwrite", posix_write);
  MPI_File_close(&mpi_file);
  close(file);
  MPI_Finalize();
  return 0;
}
