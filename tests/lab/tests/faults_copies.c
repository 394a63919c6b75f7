// Preloaded into the ranks of a test: says at the end how often the kernel was asked to copy from another process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

static long copies;

typedef ssize_t (*Copy)(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long, unsigned long);

static ssize_t counted(const char* name, pid_t pid, const struct iovec* here, unsigned long heres,
                       const struct iovec* there, unsigned long theres, unsigned long flags) {
  Copy copy;
  *(void**)&copy = dlsym(RTLD_NEXT, name);
  copies++;
  return copy(pid, here, heres, there, theres, flags);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec* here, unsigned long heres, const struct iovec* there,
                         unsigned long theres, unsigned long flags) {
  return counted("process_vm_readv", pid, here, heres, there, theres, flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec* here, unsigned long heres, const struct iovec* there,
                          unsigned long theres, unsigned long flags) {
  return counted("process_vm_writev", pid, here, heres, there, theres, flags);
}

__attribute__((destructor)) static void say(void) { fprintf(stderr, "copies %ld\n", copies); }
