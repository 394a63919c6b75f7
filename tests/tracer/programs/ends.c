/* One rank; argument: how it ends, after a hundred messages to itself. */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void messages(int n) {
  int in, out = 0;
  for (int i = 0; i < n; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void child_writes(const char* name) {
  pid_t child = fork();
  if (child == 0) {
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (write(file, "child", 5) != 5) _exit(9);
    close(file);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("child %d\n", status);
}

/* With a shell, which is not recorded. */
static void unlink_spool(const char* directory) {
  char command[4200];
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  if (system(command) != 0) exit(9);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "finalize";
  MPI_Init(&argc, &argv);
  messages(100);
  printf("hundred\n");
  fflush(stdout);
  if (strcmp(how, "exit") == 0) exit(5);
  if (strcmp(how, "_exit") == 0) _exit(6);
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "segv") == 0) raise(SIGSEGV);
  if (strcmp(how, "quick_exit") == 0) quick_exit(8);
  if (strcmp(how, "return") == 0) return 4;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "assert") == 0) assert(argc == 0);
  if (strcmp(how, "MPI_Abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  if (strcmp(how, "hang") == 0) {
    int in;
    alarm(1); /* the default action ends the process inside of the receive */
    MPI_Recv(&in, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (strcmp(how, "fork") == 0) child_writes(argv[2]);
  if (strcmp(how, "close") == 0) /* what daemons do */
    for (int fd = 3; fd < 1024; ++fd)
      if (fd >= 400) close(fd);
  if (strcmp(how, "full") == 0) {
    struct rlimit limit = {2000000, 2000000};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  for (int i = 0; strcmp(how, "comms") == 0 && i < 12000; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_free(&copy);
  }
  if (strcmp(how, "removed") == 0) {
    unlink_spool(argv[2]);
    messages(60000);
  }
  if (strcmp(how, "many") == 0 || strcmp(how, "full") == 0) messages(60000);
  messages(1);
  MPI_Finalize();
  return 0;
}
