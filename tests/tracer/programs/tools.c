/* Uses MPI_T itself, from before MPI_Init to after MPI_Finalize ("early") or between the two ("late"): the tracer,
 * which may use it too, is not to disturb it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int has_variables(void) {
  int n = 0;
  return MPI_T_cvar_get_num(&n) == MPI_SUCCESS && n > 0;
}

int main(int argc, char** argv) {
  int provided = 0, early = argc > 1 && strcmp(argv[1], "early") == 0;
  if (early) MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  if (!early) MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  printf("during %d\n", has_variables());
  if (!early) printf("end %d\n", MPI_T_finalize() == MPI_SUCCESS);
  MPI_Finalize();
  if (early) printf("after %d\n", has_variables());
  if (early) printf("end %d\n", MPI_T_finalize() == MPI_SUCCESS);
  return 0;
}
