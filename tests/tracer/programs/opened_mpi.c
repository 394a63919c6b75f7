/* A program without MPI that opens the library of the given name by itself and looks its functions up by name. Looks
 * for one too that neither has. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* mpi = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (mpi == NULL) return 3;
  int (*init)(int*, char***) = (int (*)(int*, char***))dlsym(mpi, "MPI_Init");
  int (*initialized)(int*) = (int (*)(int*))dlsym(mpi, "MPI_Initialized");
  printf("after what is found: %s\n", dlerror() == NULL ? "no error" : "an error");
  int (*probe_name)(char*, int*) = (int (*)(char*, int*))dlsym(mpi, "MPI_Get_processor_name");
  int (*open_file)(void) = (int (*)(void))dlsym(mpi, "MPI_T_finalize"), (*finalize)(void);
  finalize = (int (*)(void))dlsym(mpi, "MPI_Finalize");
  printf("what nobody has: %s\n", dlsym(mpi, "MPI_Nonsense") == NULL && dlerror() != NULL ? "an error" : "found");
  int done = 0, length = 0;
  char name[1024];
  if (init == NULL || finalize == NULL || probe_name == NULL || open_file == NULL) return 4;
  init(NULL, NULL);
  initialized(&done);
  probe_name(name, &length);
  printf("initialized %d, name %d\n", done, length > 0);
  return finalize();
}
