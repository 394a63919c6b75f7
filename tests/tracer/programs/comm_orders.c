// Communicators of equal members that ranks make in different orders, which MPI allows where one of the calls is over a
// group. Then a barrier on the duplicate and a barrier on the group's.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm duplicate, of_group;
  MPI_Request request;
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, world, 0, &of_group);
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
  } else {
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Comm_create_group(MPI_COMM_WORLD, world, 0, &of_group);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(duplicate);
  MPI_Barrier(of_group);
  MPI_Comm_free(&duplicate);
  MPI_Comm_free(&of_group);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
