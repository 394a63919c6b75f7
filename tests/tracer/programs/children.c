/* One rank; arguments: how it makes another process, and a directory. The child writes a file, or runs a program that
 * does; the rank sends itself a hundred messages before and one after. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static char name[512], script[600];

static void messages(int n) {
  int in, out = 0;
  for (int i = 0; i < n; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void write_file(void) {
  int file = open(name, O_CREAT | O_WRONLY, 0600);
  if (write(file, "child", 5) != 5) _exit(9);
  close(file);
}

static void wait_for(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  printf("child %d\n", status);
}

static void run_by_sh(void) { execl("/bin/sh", "sh", "-c", script, (char*)NULL); }

/* A child that fork handlers do not see. */
static pid_t bare_clone(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

/* One that goes on when the rank has ended. */
static void daemon_writes(void) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  usleep(300000);
  write_file();
  exit(0);
}

/* An MPI program that is not of this job. */
static void run_singleton(const char* program) {
  char* own[4096];
  int n = 0;
  for (char** e = environ; *e != NULL && n < 4095; ++e)
    if (strncmp(*e, "PMI", 3) != 0 && strncmp(*e, "OMPI_", 5) != 0 && strncmp(*e, "HYD", 3) != 0) own[n++] = *e;
  own[n++] = "OMPI_ALLOW_RUN_AS_ROOT=1";
  own[n++] = "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
  own[n] = NULL;
  char* const arguments[] = {(char*)program, "none", NULL};
  execve(program, arguments, own);
}

/* As Python's subprocess does: the child closes what the rank has open, and opens files, before it runs something. */
static void vfork_and_close(void) {
  char own[600];
  snprintf(own, sizeof own, "%s.rank", name);
  int file = open(own, O_CREAT | O_WRONLY, 0600);
  pid_t child = vfork();
  if (child == 0) {
    close(file);
    dup2(open(name, O_CREAT | O_WRONLY, 0600), 1);
    closefrom(3);
    execl("/bin/echo", "echo", "-n", "child", (char*)NULL);
    _exit(9);
  }
  wait_for(child);
  if (write(file, "rank", 4) != 4) exit(9);
  close(file);
}

static void make_child(const char* how, const char* program) {
  pid_t child = -1;
  if (strcmp(how, "fork") == 0 && (child = fork()) == 0) {
    write_file();
    exit(0); /* with the destructors that the rank has, too */
  }
  if (strcmp(how, "_Fork") == 0 && (child = _Fork()) == 0) {
    write_file();
    _exit(0);
  }
  if (strcmp(how, "clone") == 0 && (child = bare_clone()) == 0) {
    write_file();
    _exit(0);
  }
  if (strcmp(how, "exec") == 0 && (child = fork()) == 0) run_by_sh();
  if (strcmp(how, "vfork") == 0 && (child = vfork()) == 0) {
    run_by_sh();
    _exit(9);
  }
  char* const arguments[] = {"sh", "-c", script, NULL};
  if (strcmp(how, "spawn") == 0) posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ);
  if (strcmp(how, "singleton") == 0 && (child = fork()) == 0) run_singleton(program);
  if (child > 0) wait_for(child);
  if (strcmp(how, "system") == 0) printf("child %d\n", system(script));
  if (strcmp(how, "popen") == 0) printf("child %d\n", pclose(popen(script, "r")));
  if (strcmp(how, "daemon") == 0) daemon_writes();
  if (strcmp(how, "vfork_and_close") == 0) vfork_and_close();
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "none";
  if (argc > 2) snprintf(name, sizeof name, "%s/child", argv[2]);
  snprintf(script, sizeof script, "printf child > %s", name);
  MPI_Init(&argc, &argv);
  messages(100);
  fflush(stdout);
  make_child(how, argv[0]);
  messages(1);
  MPI_Finalize();
  return 0;
}
