/* Two ranks; persistent requests in all their states. The numbers are those that preload_requests_test.cpp expects. */
#include <mpi.h>
#include <stdio.h>

static int rank;

/* Rank 0 sends, rank 1 receives, twice with the same requests. */
static void rounds(void) {
  int values[4] = {0}, flag = 0;
  MPI_Request requests[3];
  if (rank == 0) {
    MPI_Send_init(values, 4, MPI_INT, 1, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(values, 2, MPI_INT, 1, 11, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(values, 1, MPI_INT, MPI_PROC_NULL, 12, MPI_COMM_WORLD, &requests[2]);
  } else {
    MPI_Recv_init(values, 4, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(values, 4, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(values, 1, MPI_INT, MPI_PROC_NULL, 12, MPI_COMM_WORLD, &requests[2]);
  }
  MPI_Startall(3, requests);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* inactive: returns at once */
  MPI_Start(&requests[1]);
  while (!flag) MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

/* Handles come again; other requests lie in between. */
static void again(void) {
  int value = 0, other = 0;
  MPI_Request persistent, request;
  for (int i = 0; i < 2; ++i) {
    if (rank == 0)
      MPI_Bsend_init(&value, 1, MPI_INT, 1, 20 + i, MPI_COMM_WORLD, &persistent);
    else
      MPI_Recv_init(&value, 1, MPI_INT, 0, 20 + i, MPI_COMM_WORLD, &persistent);
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    if (rank == 0)
      MPI_Isend(&other, 1, MPI_INT, 1, 30 + i, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(&other, 1, MPI_INT, 0, 30 + i, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  static char buffer[4096];
  void* detached;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(buffer, sizeof buffer);
  rounds();
  again();
  MPI_Buffer_detach(&detached, &size);
  MPI_Finalize();
  return 0;
}
