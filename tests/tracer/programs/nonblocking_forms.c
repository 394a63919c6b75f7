/* Three ranks: each non-blocking collective of MPI 3.1 once, with sizes by which a test knows it again, completed in
 * every way that there is. */
#include <mpi.h>

enum { kRanks = 3, kRoot = 1 };

static int rank, send[64], recv[64], more[64];
static int grown[kRanks] = {1, 2, 3}, places[kRanks] = {0, 8, 16}, mine[kRanks], bytes[kRanks] = {0, 32, 64};
static MPI_Datatype types[kRanks];

static void wait_until_tested(MPI_Request* request) {
  for (int done = 0; !done;) MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

/* Each by a call of its own. */
static void one_by_one(MPI_Comm comm) {
  int index, flag = 0, n = 0;
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ibcast(send, 5, MPI_INT, kRoot, comm, &request);
  wait_until_tested(&request);
  MPI_Igather(send, 2, MPI_INT, recv, 2, MPI_INT, kRoot, comm, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_Igatherv(send, rank + 1, MPI_INT, recv, grown, places, MPI_INT, kRoot, comm, &request);
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  MPI_Iscatter(send, 2, MPI_INT, recv, 2, MPI_INT, kRoot, comm, &request);
  MPI_Waitsome(1, &request, &n, &index, MPI_STATUSES_IGNORE);
  MPI_Iscatterv(send, grown, places, MPI_INT, recv, rank + 1, MPI_INT, kRoot, comm, &request);
  while (!flag) MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
  MPI_Iallgather(send, 2, MPI_INT, recv, 2, MPI_INT, comm, &request);
  for (flag = 0; !flag;) MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Iallgatherv(send, rank + 1, MPI_INT, recv, grown, places, MPI_INT, comm, &request);
  for (n = 0; n == 0;) MPI_Testsome(1, &request, &n, &index, MPI_STATUSES_IGNORE);
}

/* Several under way, waited for together, and not in the order in which they were started. */
static void together(MPI_Comm comm) {
  MPI_Request requests[3];
  MPI_Ialltoall(send, 2, MPI_INT, recv, 2, MPI_INT, comm, &requests[2]);
  MPI_Ialltoallv(send, mine, places, MPI_INT, more, mine, places, MPI_INT, comm, &requests[0]);
  MPI_Waitall(3 - 1, (MPI_Request[]){requests[2], requests[0]}, MPI_STATUSES_IGNORE);
  MPI_Ialltoallw(send, mine, bytes, types, recv, mine, bytes, types, comm, &requests[0]);
  MPI_Iallreduce(send, more, 2, MPI_INT, MPI_SUM, comm, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void reductions(MPI_Comm comm) {
  MPI_Request requests[5];
  int in[5][8] = {{0}}, out[5][8];
  MPI_Ireduce(in[0], out[0], 2, MPI_INT, MPI_SUM, kRoot, comm, &requests[0]);
  MPI_Ireduce_scatter(in[1], out[1], grown, MPI_INT, MPI_SUM, comm, &requests[1]);
  MPI_Ireduce_scatter_block(in[2], out[2], 2, MPI_INT, MPI_SUM, comm, &requests[2]);
  MPI_Iscan(in[3], out[3], 2, MPI_INT, MPI_SUM, comm, &requests[3]);
  MPI_Iexscan(in[4], out[4], 2, MPI_INT, MPI_SUM, comm, &requests[4]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
}

/* Rank 0 tells rank 1 something between the start and the end of making a communicator. */
static void duplicate(MPI_Comm comm) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(comm, &copy, &request);
  if (rank == 0) MPI_Send(send, 1, MPI_INT, 1, 5, comm);
  if (rank == 1) MPI_Recv(recv, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kRanks; ++i) {
    mine[i] = rank + i;
    types[i] = MPI_INT;
  }
  one_by_one(MPI_COMM_WORLD);
  together(MPI_COMM_WORLD);
  reductions(MPI_COMM_WORLD);
  duplicate(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
