/* Two ranks; the calls and their arguments are those that preload_test.cpp expects. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>

static void blocking(int rank) {
  int values[16] = {0};
  MPI_Status status;
  if (rank == 0) {
    MPI_Send(values, 4, MPI_INT, 1, 11, MPI_COMM_WORLD);
    MPI_Ssend(values, 2, MPI_DOUBLE, 1, 12, MPI_COMM_WORLD);
    MPI_Send(values, 0, MPI_INT, 1, 13, MPI_COMM_WORLD);
    MPI_Send(values, 4, MPI_INT, MPI_PROC_NULL, 14, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, 16, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(values, 2, MPI_DOUBLE, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(values, 0, MPI_INT, 0, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(values, 4, MPI_INT, MPI_PROC_NULL, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void exchange(int rank) {
  int out[8] = {0}, in[8];
  MPI_Sendrecv(out, 8, MPI_INT, 1 - rank, 20 + rank, in, 8, MPI_INT, 1 - rank, 21 - rank, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(out, 3, MPI_INT, 1 - rank, 30, 1 - rank, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 sends three messages, rank 0 receives them out of order of posting. */
static void completions(int rank) {
  int values[3] = {0}, index, count, indices[3], done = 0;
  MPI_Request requests[3];
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 40 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 1, 50, MPI_COMM_WORLD);
    while (done < 2) {
      MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
      done += count;
    }
  } else {
    MPI_Isend(values, 1, MPI_INT, 0, 42, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, 0, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(values, 1, MPI_INT, 0, 40, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(values, 1, MPI_INT, 0, 41, MPI_COMM_WORLD, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  }
}

/* A thousand tests that fail, then one that does not: one wait. The peer sends only when told to. */
static void polling(int rank) {
  int value = 0, flag = 0;
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(&value, 1, MPI_INT, 1, 60, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1000; ++i) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 1, 61, MPI_COMM_WORLD);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    flag = 0;
    while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 62, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 1, 62, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 60, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 0, 62, MPI_COMM_WORLD);
  }
}

/* What has no request of ours behind it must still work. */
static void persistent(int rank) {
  int value = 7;
  MPI_Request requests[2];
  MPI_Send_init(&value, 1, MPI_INT, rank, 70, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&value, 1, MPI_INT, rank, 70, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void wrong(void) {
  int value = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int result = MPI_Send(&value, 1, MPI_INT, 99, 80, MPI_COMM_WORLD);
  printf("send to nobody %s\n", result == MPI_SUCCESS ? "succeeded" : "failed");
  result = MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 81, MPI_COMM_WORLD);
  printf("send of nothing %s\n", result == MPI_SUCCESS ? "succeeded" : "failed");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  errno = 1234;
  blocking(rank);
  exchange(rank);
  completions(rank);
  polling(rank);
  persistent(rank);
  wrong();
  MPI_Finalize();
  return rank == 0 ? 3 : 0;
}
