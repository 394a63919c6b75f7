/* Two barriers, between which MPI_Init (early_init.c) is over long since. */
#include <mpi.h>

void early_barrier(void);
int main(void) {
  early_barrier();
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
