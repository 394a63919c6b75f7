/* One rank: a thousand requests, taken one by one; then it waits for two messages that never come. */
#include <mpi.h>
#include <unistd.h>

enum { kMessages = 500 };

int main(int argc, char** argv) {
  int in[kMessages], out[kMessages] = {0}, index;
  MPI_Request requests[2 * kMessages];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < kMessages; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < kMessages; ++i) MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[kMessages + i]);
  for (int i = 0; i < 2 * kMessages; ++i) MPI_Waitany(2 * kMessages, requests, &index, MPI_STATUS_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
  alarm(1); /* the default action ends the process inside of the wait */
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  return 0;
}
