#include "base/team/shim/shim.h"

#include <mpi.h>
#include <stddef.h>
#include <time.h>

static void start(int* rank, int* size) {
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
}

static void end(void) { MPI_Finalize(); }

static void end_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

static void all_gather(const void* own, int size, void* all) {
  MPI_Request request;
  MPI_Iallgather(own, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD, &request);
  // MPI_Wait would be busy, beside processes that work on the same cores.
  struct timespec pause = {0, 1000};
  for (;;) {
    int done;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 1000000) pause.tv_nsec *= 2;
  }
}

static int next_piece(uint64_t left, uint64_t piece) { return (int)(left < piece ? left : piece); }

static void broadcast(void* bytes, uint64_t size, int root, uint64_t piece) {
  for (uint64_t done = 0; done < size; done += piece)
    MPI_Bcast((char*)bytes + done, next_piece(size - done, piece), MPI_BYTE, root, MPI_COMM_WORLD);
}

static void send(const void* bytes, uint64_t size, int to, uint64_t piece) {
  for (uint64_t done = 0; done < size; done += piece)
    MPI_Send((const char*)bytes + done, next_piece(size - done, piece), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(void* bytes, uint64_t size, int from, uint64_t piece) {
  for (uint64_t done = 0; done < size; done += piece)
    MPI_Recv((char*)bytes + done, next_piece(size - done, piece), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((visibility("default"))) const struct pl_team_mpi* pl_team_functions(void) {
  static const struct pl_team_mpi functions = {start, end, end_all, all_gather, broadcast, send, receive};
  return &functions;
}
