/* One rank; one-sided communication with large counts, on types that were made with large counts. */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION >= 4
static void large(void) {
  int memory[16] = {0}, given[16] = {1, 2, 3, 4};
  MPI_Count two = 2;
  MPI_Datatype type;
  MPI_Win win;
  MPI_Win_create_c(memory, sizeof memory, (MPI_Aint)sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Type_vector_c(two, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win_fence(0, win);
  MPI_Put_c(given, 2, MPI_INT, 0, 1, 1, type, win);
  MPI_Win_fence(0, win);
  if (memory[4] != 2) printf("%d arrived\n", memory[4]);
  MPI_Type_free(&type);
  MPI_Win_free(&win);
}
#else
static void large(void) { printf("older than MPI 4\n"); }
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  large();
  MPI_Finalize();
  return 0;
}
