/* Four ranks; each collective once, with sizes by which preload_test.cpp knows it again; then communicators. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void fixed_sizes(void) {
  int send[64] = {0}, recv[64];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(send, 10, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Reduce(send, recv, 3, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
  MPI_Allreduce(send, recv, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, recv, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(send, recv, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(send, recv, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  /* What only the root reads is nonsense elsewhere. */
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, recv, 2, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(send, 2, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Scatter(send, 3, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, recv, 3, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allgather(send, 4, MPI_INT, recv, 4, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(send, 2, MPI_INT, recv, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(send, recv, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Rank i gives i + 1 ints to everybody. */
static void own_sizes(void) {
  int send[64] = {0}, recv[64], ones[4], grown[4], places[4], block[4];
  MPI_Datatype types[4];
  for (int i = 0; i < size; ++i) {
    grown[i] = i + 1;
    places[i] = 10 * i;
    ones[i] = rank + 1;
    types[i] = MPI_INT;
    block[i] = 40 * i;
  }
  MPI_Gatherv(send, rank + 1, MPI_INT, recv, grown, places, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Scatterv(send, grown, places, MPI_INT, recv, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allgatherv(send, rank + 1, MPI_INT, recv, grown, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(send, ones, places, MPI_INT, recv, grown, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallw(send, ones, block, types, recv, grown, block, types, MPI_COMM_WORLD);
  MPI_Reduce_scatter(send, recv, grown, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void non_blocking(void) {
  int send[4] = {0}, recv[4];
  MPI_Request request;
  MPI_Iallreduce(send, recv, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void communicators(void) {
  MPI_Comm copy, half, none, grid, row, between, merged;
  int dimensions[2] = {2, 2}, periods[2] = {0, 0}, keep[2] = {0, 1}, value = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "the copy");
  MPI_Comm_split(copy, rank % 2, -rank, &half); /* {2, 0} and {3, 1} */
  MPI_Comm_split(copy, MPI_UNDEFINED, 0, &none);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &row);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 3 : 2, 9, &between);
  MPI_Intercomm_merge(between, rank % 2, &merged);
  MPI_Bcast(&value, 1, MPI_INT, 0, half);
  MPI_Bcast(&value, 1, MPI_INT, rank % 2 == 1 ? 0 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL, between);
  MPI_Comm_free(&copy);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Barrier(copy);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fixed_sizes();
  own_sizes();
  non_blocking();
  communicators();
  MPI_Finalize();
  return 0;
}
