// Makes a node slow or noisy: stops and continues its processes, periodically.
//
// The node is a network namespace; its processes are found by that and looked for again 5 times a second (0.5 % of the
// core that all nodes share, with 100 processes on the machine; 20 times took 1.3 %, which the other nodes lost). They
// are stopped by SIGSTOP through pidfds: against one spinning process, 1 ms stops every 2 ms came out at 1.05 ms (p10
// 1.03, p90 1.08) for 16 us of work each; the cgroup v1 freezer needed 130 us each, at most 1.7 ms.
// Two processes: the worker stops and continues, the guardian waits. Whichever dies, the other continues the node.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "duration.h"

enum { kMostMembers = 256, kPriority = 20, kScanMilliseconds = 200, kWrongUse = 2, kCannotRun = 6 };

static const char kHelp[] =
    "usage: lab-freeze NODE_PID --slow FACTOR [--period TIME]\n"
    "       lab-freeze NODE_PID --noise TIME --period TIME\n\n"
    "Stops and continues all processes in the network namespace of NODE_PID until SIGTERM, then leaves them "
    "running.\n\n"
    "  --slow FACTOR   takes FACTOR times as long: stopped for the share 1 - 1/FACTOR of every period (2ms)\n"
    "  --noise TIME    stopped once for TIME in every period\n"
    "  TIME            a number with us, ms or s\n\n"
    "Prints `ready` when it has begun. Status: 0; 2 wrong use; 6 no such process or not allowed.\n";

typedef struct {
  int count;
  pid_t pids[kMostMembers];
  int descriptors[kMostMembers];
} Members;

static volatile sig_atomic_t ending;
static char node[16];             // the process whose network namespace is meant
static struct stat node_network;  // so that a later process of the same number is not taken for it
static _Atomic(Members*) fresh;   // from the scanner; the worker takes it between two stops

static void end(int signal_number) { (void)signal_number, ending = 1; }

static bool net_namespace(const char* pid, struct stat* found) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%.16s/ns/net", pid);
  return stat(path, found) == 0;
}

// The residents that hold a namespace open do no work; neither does this program.
static bool is_holder(const char* pid) {
  char path[64], name[32] = "";
  snprintf(path, sizeof path, "/proc/%.16s/comm", pid);
  FILE* file = fopen(path, "r");
  if (!file) return true;
  if (!fgets(name, sizeof name, file)) name[0] = 0;
  fclose(file);
  return strncmp(name, "plumbline-lab", 13) == 0 || strncmp(name, "lab-freeze", 10) == 0;
}

static void release(Members* members) {
  if (!members) return;
  for (int i = 0; i < members->count; ++i) close(members->descriptors[i]);
  free(members);
}

static bool same_network(const char* pid) {
  struct stat found;
  return net_namespace(pid, &found) && found.st_ino == node_network.st_ino && found.st_dev == node_network.st_dev;
}

// NULL when the node is gone.
static Members* find_members(void) {
  Members* members = calloc(1, sizeof *members);
  DIR* processes = opendir("/proc");
  if (!members || !processes || !same_network(node)) {
    if (processes) closedir(processes);
    free(members);
    return NULL;
  }
  for (struct dirent* entry; (entry = readdir(processes)) && members->count < kMostMembers;) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    if (!same_network(entry->d_name) || is_holder(entry->d_name)) continue;
    pid_t pid = atoi(entry->d_name);
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    if (descriptor < 0) continue;
    members->pids[members->count] = pid;
    members->descriptors[members->count++] = descriptor;
  }
  closedir(processes);
  return members;
}

static void tell(const Members* members, int signal_number) {
  for (int i = 0; i < members->count; ++i)
    syscall(SYS_pidfd_send_signal, members->descriptors[i], signal_number, NULL, 0);
}

// Looks again until nobody new turns up: a process may start another while this runs.
static void continue_node(void) {
  for (int pass = 0; pass < 3; ++pass) {
    Members* members = find_members();
    if (!members) return;
    tell(members, SIGCONT);
    release(members);
  }
}

static void* scan(void* unused) {
  const struct timespec pause = {0, kScanMilliseconds * 1000000L};
  while (!ending) {
    Members* members = find_members();
    if (!members) kill(getpid(), SIGTERM);  // the node is gone
    release(atomic_exchange(&fresh, members));
    nanosleep(&pause, NULL);
  }
  return unused;
}

// Signals are for the thread that sleeps between stops: there they end the sleep.
static bool start_scanner(void) {
  sigset_t all, before;
  pthread_t scanner;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&scanner, NULL, scan, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static struct timespec later(struct timespec from, long long nanoseconds) {
  long long sum = from.tv_nsec + nanoseconds;
  return (struct timespec){from.tv_sec + (time_t)(sum / 1000000000), (long)(sum % 1000000000)};
}

static void sleep_until(const struct timespec* when) {
  while (!ending && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, when, NULL) == EINTR) {
  }
}

// A period that was missed (the machine was busy) is left out, not made up for.
static void freeze_periodically(long long period, long long stopped) {
  Members* members = find_members();
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  while (!ending && members) {
    tell(members, SIGSTOP);
    struct timespec until = later(begin, stopped);
    sleep_until(&until);
    tell(members, SIGCONT);
    Members* newer = atomic_exchange(&fresh, NULL);
    if (newer) {
      release(members);
      members = newer;
    }
    do {
      begin = later(begin, period);
      clock_gettime(CLOCK_MONOTONIC, &now);
    } while (begin.tv_sec < now.tv_sec || (begin.tv_sec == now.tv_sec && begin.tv_nsec < now.tv_nsec));
    sleep_until(&begin);
  }
}

static int worker(long long period, long long stopped) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_TIMERSLACK, 1);
  if (!start_scanner()) return kCannotRun;
  const struct sched_param priority = {.sched_priority = kPriority};
  sched_setscheduler(0, SCHED_FIFO, &priority);  // without the right to it: less exact, works
  mlockall(MCL_CURRENT | MCL_FUTURE);
  puts("ready");
  fflush(stdout);
  freeze_periodically(period, stopped);
  continue_node();
  return 0;
}

static int refuse(const char* what) {
  fprintf(stderr, "lab-freeze: %s; see --help\n", what);
  return kWrongUse;
}

// Guards the worker, and hands on SIGTERM.
static int guard(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (ending) kill(child, SIGTERM);
  continue_node();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  if (argc < 4 || argc % 2) return refuse("a process and --slow or --noise are needed");
  snprintf(node, sizeof node, "%d", atoi(argv[1]));
  double factor = 0;
  long long period = 0, stopped = 0;
  for (int i = 2; i < argc; i += 2) {
    if (strcmp(argv[i], "--slow") == 0)
      factor = atof(argv[i + 1]);
    else if (strcmp(argv[i], "--noise") == 0)
      stopped = nanoseconds_of(argv[i + 1]);
    else if (strcmp(argv[i], "--period") == 0)
      period = nanoseconds_of(argv[i + 1]);
    else
      return refuse("no such option");
  }
  if (period == 0 && factor > 0) period = 2000000;
  if (factor > 0) stopped = (long long)((double)period * (1 - 1 / factor));
  if (stopped <= 0 || stopped >= period) return refuse("the stop must be above 0 and below the period");
  Members* members = net_namespace(node, &node_network) ? find_members() : NULL;
  if (!members) return fprintf(stderr, "lab-freeze: process %s: %s\n", argv[1], strerror(errno)), kCannotRun;
  release(members);
  struct sigaction action = {.sa_handler = end};  // no SA_RESTART: sleeps and waits end
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  pid_t child = fork();
  if (child < 0) return kCannotRun;
  return child == 0 ? worker(period, stopped) : guard(child);
}
