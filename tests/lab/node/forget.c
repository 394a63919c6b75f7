// Makes a server forget: drops what it keeps of its files in memory, again and again.
//
// POSIX_FADV_DONTNEED drops the clean pages of a file and starts to write the dirty ones, which go the next time. These
// writes are this program's own: it must be in the control group that limits the server's disk.
// Nothing is kept from one pass to the next: files come and go, and a descriptor would keep a deleted one on the disk.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "duration.h"

// A pause is this many times as long as the pass before it took of a core: below 2 %, however many files there are.
enum { kPausePerPass = 50 };
enum { kWrongUse = 2, kCannotRun = 6 };

static const char kHelp[] =
    "usage: lab-forget PID DIRECTORY --keep TIME\n\n"
    "Drops the files below DIRECTORY, as process PID sees it, from memory, until SIGTERM or the end of the process.\n"
    "Hard links in .glusterfs are left out: they are the same files.\n\n"
    "  --keep TIME     from one pass to the next, a number with us, ms or s; longer where a pass takes more than a\n"
    "                  fiftieth of that\n\n"
    "Prints `ready` after the first pass. Status: 0; 2 wrong use; 6 no such process or directory, or not allowed.\n";

static void forget_file(int directory, const char* name) {
  int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return;  // deleted meanwhile
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

// The kind of an entry comes from the directory: ext4 keeps it there.
static void forget_below(int parent, const char* name) {
  int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* directory = descriptor < 0 ? NULL : fdopendir(descriptor);
  if (!directory) {
    if (descriptor >= 0) close(descriptor);
    return;
  }
  for (struct dirent* entry; (entry = readdir(directory));) {
    const char* found = entry->d_name;
    if (entry->d_type == DT_REG)
      forget_file(descriptor, found);
    else if (entry->d_type == DT_DIR && strcmp(found, ".") && strcmp(found, "..") && strcmp(found, ".glusterfs"))
      forget_below(descriptor, found);
  }
  closedir(directory);
}

static long long processor_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void wake(int signal_number) { (void)signal_number; }

// The signals that end this program are let through in its pauses only; the mask for these.
static sigset_t hold_signals(void) {
  const struct sigaction action = {.sa_handler = wake};
  sigset_t held, outside;
  sigemptyset(&held);
  for (int i = 0; i < 3; ++i) {
    const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    sigaction(signals[i], &action, NULL);
    sigaddset(&held, signals[i]);
  }
  sigprocmask(SIG_BLOCK, &held, &outside);
  return outside;
}

// False when a signal came or the server ended.
static bool pause_for(long long nanoseconds, int server, const sigset_t* signals) {
  struct pollfd ended = {.fd = server, .events = POLLIN};
  const struct timespec pause = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(&ended, 1, &pause, signals) == 0;
}

// The processor time of the pass.
static long long forget_once(int root) {
  long long before = processor_nanoseconds();
  forget_below(root, ".");
  return processor_nanoseconds() - before;
}

static void forget_periodically(int root, int server, long long keep) {
  sigset_t signals = hold_signals();
  long long pause = forget_once(root) * kPausePerPass;
  puts("ready");
  fflush(stdout);
  while (pause_for(pause > keep ? pause : keep, server, &signals)) pause = forget_once(root) * kPausePerPass;
}

static int refuse(const char* what) {
  fprintf(stderr, "lab-forget: %s; see --help\n", what);
  return kWrongUse;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  if (argc != 5 || strcmp(argv[3], "--keep") != 0) return refuse("a process, a directory and --keep are needed");
  long long keep = nanoseconds_of(argv[4]);
  if (keep <= 0) return refuse("the time must be above 0");
  char path[4096];
  snprintf(path, sizeof path, "/proc/%d/root/%s", atoi(argv[1]), argv[2]);
  int server = (int)syscall(SYS_pidfd_open, atoi(argv[1]), 0);  // first: the path is then that of this process
  int root = server < 0 ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return fprintf(stderr, "lab-forget: %s: %s\n", path, strerror(errno)), kCannotRun;
  forget_periodically(root, server, keep);
  return 0;
}
