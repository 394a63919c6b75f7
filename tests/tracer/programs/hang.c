/* Hangs in the way that its argument names. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static int is(const char* how, const char* name) { return strcmp(how, name) == 0; }

static void receive(int source, int tag) {
  int in;
  MPI_Recv(&in, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* how = argc > 1 ? argv[1] : "";
  int one = 1;
  MPI_Allreduce(&one, &size, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* a barrier that is not called so */
  if (is(how, "recv") && rank < 2) receive(1 - rank, 5);
  if (is(how, "tag") && rank == 1) MPI_Send(&one, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  if (is(how, "tag") && rank == 0) receive(1, 5);
  if (is(how, "ssend")) MPI_Ssend(&one, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  if (is(how, "any") && rank == 0) receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
  if (is(how, "waitall")) {
    MPI_Request requests[2];
    int in;
    MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&one, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  if (is(how, "stubborn")) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    receive(rank, 10);
  }
  for (volatile long i = 0; is(how, "compute") && rank == 1; ++i) continue;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
