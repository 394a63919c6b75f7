/* An interpreter without MPI; argument: the extension module. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*run)(void) = module == NULL ? NULL : (int (*)(void))dlsym(module, "run");
  if (run == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  return run();
}
