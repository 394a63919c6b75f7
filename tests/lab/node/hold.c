// Holds namespaces open: pid 1 of a laboratory (its supervisor) and the resident of every node. It does nothing but
// wait, so that namespaces, TAP devices and mounts live exactly as long as it does; as pid 1 it lets the kernel reap
// orphans. Its process name is what `lab` looks for when it searches for laboratories that were left over.
//
//   lab-hold ROLE        ROLE is only for the reader of ps: "supervisor", or the name of a node
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fprintf(stderr, "usage: lab-hold ROLE (started by `lab up`; of no use alone)\n");
    return 2;
  }
  prctl(PR_SET_NAME, "plumbline-lab");
  signal(SIGCHLD, SIG_IGN);  // children are reaped without a wait (POSIX.1-2008, sigaction: SA_NOCLDWAIT)
  signal(SIGHUP, SIG_IGN);
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 0; null >= 0 && fd <= 2; ++fd) dup2(null, fd);
  close_range(3, UINT_MAX, 0);  // also files of whoever called `lab up`: a lock would be held as long as we live
  for (;;) pause();
}
