/* One rank; each call again and again from one place, with arguments of which some let its record go the fast path and
 * some do not: preload_fast_path_test.cpp. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kTimes = 60 };

static int out[16], in[16];
static MPI_Comm other;

static void exchanges(void) {
  for (int i = 0; i < kTimes; ++i)
    MPI_Sendrecv(out, i % 3, MPI_INT, 0, i, in, i % 4 == 3 ? 8 : i % 3, MPI_INT, i % 4 == 1 ? MPI_ANY_SOURCE : 0,
                 i % 4 == 2 ? MPI_ANY_TAG : i, i % 5 == 4 ? other : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void messages(void) {
  for (int i = 0; i < kTimes; ++i) {
    const MPI_Comm comm = i % 5 == 4 ? other : MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Irecv(in, 16, MPI_BYTE, 0, i, comm, &request);
    MPI_Send(out, i % 3, i % 2 == 0 ? MPI_INT : MPI_SHORT, i % 7 == 6 ? MPI_PROC_NULL : 0, i, comm);
    if (i % 7 == 6) MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < kTimes; ++i) {
    const MPI_Comm comm = i % 5 == 4 ? other : MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Isend(out, i % 3, MPI_INT, 0, i, comm, &request);
    MPI_Recv(in, 8, MPI_INT, i % 4 == 1 ? MPI_ANY_SOURCE : 0, i % 4 == 2 ? MPI_ANY_TAG : i, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* Errors are returned. */
static void failing_calls(void) {
  for (int i = 0; i < kTimes; ++i) {
    MPI_Recv(in, 8, MPI_INT, 99, i, other, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 1, MPI_INT, 99, i, in, 1, MPI_INT, 0, i, other, MPI_STATUS_IGNORE);
  }
}

static void file_accesses(const char* directory) {
  char name[4096];
  MPI_File file[3]; /* the last one cannot be written to */
  MPI_Status status;
  for (int k = 0; k < 2; ++k) {
    snprintf(name, sizeof name, "%s/mpi.%d", directory, k);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file[k]);
  }
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file[2]);
  for (int i = 0; i < kTimes; ++i)
    MPI_File_write_at(file[i % 6 == 5   ? 1
                           : i % 6 == 3 ? 2
                                        : 0],
                      i, out, i % 4, MPI_INT, i % 2 == 0 ? &status : MPI_STATUS_IGNORE);
  for (int i = 0; i < kTimes; ++i)
    MPI_File_read_at(file[0], i % 4 == 2 ? 100000 : i, in, i % 4, MPI_BYTE, i % 2 == 0 ? &status : MPI_STATUS_IGNORE);
  for (int k = 0; k < 3; ++k) MPI_File_close(&file[k]);
}

static void posix_accesses(const char* directory) {
  char name[4096];
  snprintf(name, sizeof name, "%s/posix", directory);
  int both = open(name, O_CREAT | O_RDWR, 0600), reading = open(name, O_RDONLY);
  for (int i = 0; i < kTimes; ++i)
    if (pwrite(i % 3 == 1 ? reading : both, out, (size_t)i, 10 * i) < 0 && i % 3 != 1) return;
  for (int i = 0; i < kTimes; ++i)
    if (pread(both, in, 4, i % 2 == 0 ? 0 : 100000) < 0) return;
  close(both);
  close(reading);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN);
  exchanges();
  messages();
  failing_calls();
  file_accesses(argv[1]);
  posix_accesses(argv[1]);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
