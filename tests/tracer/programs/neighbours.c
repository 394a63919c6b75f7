/* Three ranks; neighbourhood collectives on a line, on a ring with weights, and on a graph. */
#include <mpi.h>

static int rank;

static void line(void) {
  int send[2] = {0}, recv[4], dimensions[1] = {3}, periods[1] = {0};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periods, 0, &comm);
  MPI_Neighbor_allgather(send, 2, MPI_INT, recv, 2, MPI_INT, comm);
  MPI_Neighbor_allgather(send, 1, MPI_INT, recv, 1, MPI_INT, comm);
  MPI_Comm_free(&comm);
}

/* Each rank sends rank + 1 ints to the next and gets from the one before. */
static void ring(void) {
  int next = (rank + 1) % 3, before = (rank + 2) % 3, send[4] = {0}, recv[4], weight = 1, flag = 0;
  int out[1] = {rank + 1}, in[1] = {before + 1}, zero[1] = {0};
  MPI_Aint place[1] = {0};
  MPI_Datatype types[1] = {MPI_INT};
  MPI_Comm comm;
  MPI_Request requests[2];
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight, MPI_INFO_NULL, 0, &comm);
  MPI_Neighbor_alltoallv(send, out, zero, MPI_INT, recv, in, zero, MPI_INT, comm);
  MPI_Ineighbor_alltoallw(send, out, place, types, recv, in, place, types, comm, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
}

/* 0 - 1 - 2, and 0 - 0. */
static void graph(void) {
  int index[3] = {2, 4, 5}, edges[5] = {0, 1, 0, 2, 1}, send[4] = {0}, recv[4];
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &comm);
  MPI_Neighbor_alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, comm);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  line();
  ring();
  graph();
  MPI_Finalize();
  return 0;
}
