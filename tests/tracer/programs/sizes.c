/* Two ranks; each call many times, for the room that its records take: preload_sizes_test.cpp. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kTimes = 50, kRequests = 64 };

static int rank, peer, out[kRequests], in[kRequests];

static void messages(void) {
  int found = 0;
  for (int i = 0; i < kTimes; ++i) {
    MPI_Request request;
    MPI_Sendrecv(out, 1 + i % 8, MPI_INT, peer, i, in, 8, MPI_INT, i % 2 == 0 ? MPI_ANY_SOURCE : peer,
                 i % 3 == 0 ? MPI_ANY_TAG : i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(out, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    if (rank == 1) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Recv(in, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Iprobe(peer, 1000, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, peer, 2000, MPI_COMM_WORLD, &request); /* a shorter message comes */
    MPI_Send(out, 1, MPI_INT, peer, 2000, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void waits(void) {
  MPI_Request requests[kRequests];
  for (int i = 0; i < kTimes; ++i) {
    for (int k = 0; k < kRequests / 2; ++k) MPI_Irecv(&in[k], 1, MPI_INT, peer, k, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < kRequests / 2; ++k)
      MPI_Isend(&out[k], 1, MPI_INT, peer, k, MPI_COMM_WORLD, &requests[kRequests / 2 + k]);
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
  }
}

static void collectives(void) {
  int same[2] = {1, 2}, places[2] = {0, 8}, changing[2];
  for (int i = 0; i < kTimes; ++i) {
    MPI_Request request;
    MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    same[0] = same[1] = 1;
    MPI_Alltoallv(out, same, places, MPI_INT, in, same, places, MPI_INT, MPI_COMM_WORLD);
    changing[0] = changing[1] = i + 1;
    MPI_Allgatherv(out, i + 1, MPI_CHAR, in, changing, places, MPI_CHAR, MPI_COMM_WORLD);
  }
}

static void files(const char* directory) {
  char name[4096];
  MPI_File file;
  MPI_Datatype column;
  MPI_Status status;
  snprintf(name, sizeof name, "%s/mpi.%d", directory, rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int i = 0; i < kTimes; ++i) MPI_File_write_at(file, 10 * i, out, 4, MPI_BYTE, &status);
  for (int i = 0; i < kTimes; ++i) {
    MPI_Type_vector(3, 1, 2, MPI_INT, &column); /* the same type, made again and again */
    MPI_Type_commit(&column);
    MPI_File_set_view(file, 0, MPI_INT, column, "native", MPI_INFO_NULL);
    MPI_Type_free(&column);
  }
  MPI_File_close(&file);
  snprintf(name, sizeof name, "%s/posix.%d", directory, rank);
  int fd = open(name, O_CREAT | O_RDWR, 0600);
  FILE* stream = fdopen(dup(fd), "w");
  for (int i = 0; i < kTimes; ++i) {
    if (pwrite(fd, out, 4, 10 * i) != 4 || pread(fd, in, 4, 10 * i) != 4) return;
    if (lseek(fd, 0, SEEK_SET) != 0 || fwrite(out, 1, 4, stream) != 4) return;
    if (ftruncate(fd, 4096) != 0) return;
  }
  fclose(stream);
  close(fd);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  messages();
  waits();
  collectives();
  files(argv[1]);
  MPI_Finalize();
  return 0;
}
