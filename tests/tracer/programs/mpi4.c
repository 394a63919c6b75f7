/* Two ranks; what only MPI 4 has. With an older one the program says so and does nothing. */
#include <mpi.h>
#include <stdio.h>

static int rank;

#if MPI_VERSION >= 4
static void large_counts(const char* name) {
  int send[8] = {0}, recv[8];
  MPI_Count counts[2] = {1, 2};
  MPI_Aint places[2] = {0, 1};
  MPI_File file;
  if (rank == 0)
    MPI_Send_c(send, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv_c(recv, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allgatherv_c(send, rank + 1, MPI_INT, recv, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_c(file, 16 * rank, send, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

static void exchange(void) {
  int send[4] = {0}, recv[4];
  MPI_Request request;
  MPI_Isendrecv(send, 2, MPI_INT, 1 - rank, 2, recv, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent(void) {
  int send[2] = {0}, recv[2];
  MPI_Request request;
  MPI_Allreduce_init(send, recv, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

static void duplicate(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
}
#endif

int main(int argc, char** argv) {
  char name[512];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "%s/shared", argv[1]);
#if MPI_VERSION >= 4
  large_counts(name);
  exchange();
  persistent();
  duplicate();
#else
  printf("older than MPI 4\n");
#endif
  MPI_Finalize();
  return 0;
}
