/* Two ranks; rank 0 receives what its probes have matched. */
#include <mpi.h>

static void receive(void) {
  int values[8], flag = 0;
  MPI_Message message;
  MPI_Request request;
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(values, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
  while (!flag) MPI_Improbe(1, 6, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(values, 4, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(values, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, values[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    receive();
  } else {
    MPI_Send(values, 5, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(values, 3, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
