/* The spool file: opening it, segments, the clock, and the end of recording. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/preload/core/limits.h"
#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"
#include "tracer/preload/core/tables.h"

__thread struct pl_thread pl_self __attribute__((tls_model("initial-exec")));
struct pl_process pl;

static struct {
  int fd; /* of the spool */
  uint64_t device, inode;
  char path[4096];
  uint32_t next_thread;
  struct pl_lock descriptor_lock;
  pthread_key_t thread_end;
  struct pl_clock_reading first;
  int forked_handlers, has_key;
  int opened, forked; /* forked: in a child, whose parent was recorded */
} spool = {.fd = -1};

/* Where records go that have no room any more: nobody reads it. Untouched, hence free, until recording stops. */
uint64_t pl_discarded[PL_LARGEST];

/* ---- Clock */

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

PL_COLD uint64_t pl_ticks_slowly(void) { return nanoseconds(CLOCK_MONOTONIC); }

/* The best of five: the one during which the fewest ticks passed. */
void pl_take_reading(struct pl_clock_reading* reading) {
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    uint64_t before = pl_ticks();
    uint64_t monotonic = nanoseconds(CLOCK_MONOTONIC);
    uint64_t after = pl_ticks();
    uint64_t realtime = nanoseconds(CLOCK_REALTIME);
    if (after - before >= shortest) continue;
    shortest = after - before;
    *reading = (struct pl_clock_reading){before + (after - before) / 2, monotonic, realtime};
  }
}

/* Only a time stamp counter that neither changes its rate nor stops is a clock. */
static int tsc_is_a_clock(void) {
#if defined(__x86_64__)
  char text[8192];
  long n = pl_read_file("/proc/cpuinfo", text, sizeof text - 1);
  if (n <= 0) return 0;
  text[n] = '\0';
  return strstr(text, " constant_tsc") != NULL && strstr(text, " nonstop_tsc") != NULL;
#else
  return 0;
#endif
}

/* So many nanoseconds in ticks, by a rate measured since the process began; good enough for thresholds. */
uint64_t pl_ticks_of(uint64_t ns) {
  if (!pl.use_tsc) return ns;
  struct pl_clock_reading now;
  pl_take_reading(&now);
  uint64_t passed = now.monotonic_ns - spool.first.monotonic_ns;
  if (passed < 20000) { /* the process has just begun: too short a base */
    struct timespec pause = {0, 50000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    pl_take_reading(&now);
    passed = now.monotonic_ns - spool.first.monotonic_ns;
  }
  double rate = (double)(now.ticks - spool.first.ticks) / (double)passed;
  return (uint64_t)((double)ns * rate);
}

/* ---- The end */

static int was_removed(void);
const char pl_removed[] = "the spool file was removed";

int pl_is_ours(void) { return pl.header != NULL && syscall(SYS_getpid) == pl.pid; }

void pl_end_recording(enum pl_end how) {
  int saved = errno;
  if (pl_is_ours() && was_removed()) pl_stop(pl_removed, 0);
  if (pl_is_ours() && __atomic_exchange_n(&pl.writable, 0, __ATOMIC_ACQ_REL) != 0) {
    pl.recording = pl.paused = 0;
    pl_take_reading(&pl.header->last);
    __atomic_store_n(&pl.header->end, (uint32_t)how, __ATOMIC_RELEASE);
  }
  if (how != PL_END_LEFT_OUT && pl_is_ours()) pl_end_node();
  errno = saved;
}

PL_COLD void pl_stop(const char* reason, int error) {
  int saved = errno;
  if (pl.header != NULL && !pl_is_ours()) return; /* a child of vfork: the recording is its parent's */
  pl.recording = pl.paused = 0;
  if (pl.header == NULL || __atomic_exchange_n(&pl.writable, 0, __ATOMIC_ACQ_REL) == 0) return;
  struct pl_file_header* header = pl.header;
  pl_take_reading(&header->last);
  char* limit = header->stop_reason + sizeof header->stop_reason;
  char* at = pl_put_text(header->stop_reason, limit, reason);
  if (error != 0) at = pl_put_number(pl_put_text(at, limit, ", errno "), limit, error);
  __atomic_store_n(&header->end, PL_END_STOPPED, __ATOMIC_RELEASE);
  char line[1024], *end = pl_put_text(line, line + sizeof line, "plumbline: recording of process ");
  end = pl_put_number(end, line + sizeof line, pl.pid);
  end = pl_put_text(pl_put_text(end, line + sizeof line, " stopped: "), line + sizeof line, header->stop_reason);
  end = pl_put_text(end, line + sizeof line, "; the program goes on\n");
  pl_sys_write(2, line, (size_t)(end - line));
  errno = saved;
}

void pl_lose(uint64_t records) {
  if (pl.header != NULL) __atomic_fetch_add(&pl.header->lost_records, records, __ATOMIC_RELAXED);
}

static void in_forked_child(void) {
  spool.forked = spool.opened; /* `pl` is wiped */
  spool.opened = 0;
  pl.recording = pl.writable = pl.paused = pl.awaited = 0;
  pl.header = NULL;
  pl.enabled = 0;
}

__attribute__((constructor(102))) static void at_load(void) { pl_load(); }

/* Libraries that the program is linked with are initialised before us, and may call MPI_Init then. */
void pl_load(void) {
  static int done; /* in a forked child too, where `pl` is wiped */
  if (done) return;
  done = 1;
  int saved = errno;
  pl_find_real_functions();
  pl_read_io_paths();
  const char* directory = getenv("PLUMBLINE_SPOOL");
  if (directory != NULL && directory[0] != '\0') {
    pl.enabled = 1;
    pl.use_tsc = tsc_is_a_clock();
    pl_take_reading(&spool.first);
  }
  errno = saved;
}
__attribute__((destructor)) static void at_unload(void) { pl_end_recording(PL_END_EXITED); }

/* ---- Memory */

void* pl_map(size_t bytes) {
  int saved = errno;
  void* address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    pl_stop("no memory for the tracer's tables", errno);
    address = NULL;
  }
  errno = saved;
  return address;
}

void pl_unmap(void* address, size_t bytes) {
  int saved = errno;
  if (address != NULL) munmap(address, bytes);
  errno = saved;
}

char* pl_thread_buffer(struct pl_thread* t, size_t bytes) {
  if (PL_LIKELY(bytes <= t->buffer_bytes)) return t->buffer;
  size_t wanted = 64 * 1024;
  while (wanted < bytes) wanted *= 2;
  pl_unmap(t->buffer, t->buffer_bytes);
  t->buffer = pl_map(wanted);
  t->buffer_bytes = t->buffer == NULL ? 0 : wanted;
  return t->buffer;
}

/* ---- The file. The program may close our descriptor or put another file in its place, so it is asked who it is. */

const char* pl_spool_path(void) { return spool.path; }

int pl_own_descriptor(int fd) { return pl.writable && (fd == spool.fd || fd + 1 == pl_self.schedstat); }

static int is_spool(int fd, struct stat* status) {
  return fd >= 0 && pl_sys_fstat(fd, status) == 0 && (uint64_t)status->st_dev == spool.device &&
         (uint64_t)status->st_ino == spool.inode;
}
static int still_ours(int fd) {
  struct stat status;
  return is_spool(fd, &status);
}

/* Nobody will find what is written from now on. */
static int was_removed(void) {
  struct stat status;
  return is_spool(spool.fd, &status) && status.st_nlink == 0;
}

/* Out of the range of numbers that a program sees, so that its own descriptors keep theirs. */
static int out_of_the_way(int fd) {
  struct rlimit limit;
  int lowest = 512;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024) lowest = (int)limit.rlim_cur / 2;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
  if (moved < 0) return fd;
  pl_sys_close(fd);
  return moved;
}

static int remember(int fd) {
  struct stat status;
  if (pl_sys_fstat(fd, &status) != 0) return -1;
  spool.device = (uint64_t)status.st_dev;
  spool.inode = (uint64_t)status.st_ino;
  spool.fd = out_of_the_way(fd);
  return 0;
}

static int create_file(const char* directory, const char* host) {
  char *limit = spool.path + sizeof spool.path, *at = pl_put_text(spool.path, limit, directory);
  for (char* slash = spool.path + 1; slash < at; ++slash) { /* the directory and its parents */
    if (*slash != '/') continue;
    *slash = '\0';
    mkdir(spool.path, 0777);
    *slash = '/';
  }
  mkdir(spool.path, 0777);
  at = pl_put_text(pl_put_text(at, limit, "/"), limit, host);
  at = pl_put_number(pl_put_text(at, limit, "."), limit, pl.pid);
  for (int again = 0; again < 1000; ++again) {
    char* end = at;
    if (again > 0) end = pl_put_number(pl_put_text(at, limit, "."), limit, again);
    pl_put_text(end, limit, ".spool");
    long fd = pl_sys_open(spool.path, O_RDWR | O_CREAT | O_EXCL, 0666);
    if (fd >= 0) return remember((int)fd);
    if (fd != -EEXIST) return (int)fd;
  }
  return -EEXIST;
}

/* A file beyond the limit of its size would kill the program with SIGXFSZ. */
int pl_within_size_limit(uint64_t end) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur;
}

static int allocate(uint64_t offset, uint64_t bytes) {
  int saved = errno;
  if (!pl_within_size_limit(offset + bytes)) return EFBIG;
  int error = fallocate(spool.fd, 0, (off_t)offset, (off_t)bytes) == 0 ? 0 : errno;
  errno = saved;
  if (error != EOPNOTSUPP && error != ENOSYS) return error;
  static const char zeros[4096]; /* a file system without fallocate: written blocks are allocated blocks */
  for (uint64_t done = 0; done < bytes; done += sizeof zeros) {
    long written = pl_sys_pwrite(spool.fd, zeros, sizeof zeros, (int64_t)(offset + done));
    if (written < (long)sizeof zeros) return written < 0 ? (int)-written : ENOSPC;
  }
  return 0;
}

/* Mapped and present. To populate it for writing at once takes half of the time that it takes after MAP_POPULATE, which
 * is for reading; kernels before 5.14 know that only, and writing then faults. */
static void* map_present(uint64_t offset, uint64_t bytes) {
#ifdef MADV_POPULATE_WRITE
  static int known = 1;
  if (known) {
    void* address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, spool.fd, (off_t)offset);
    if (address == MAP_FAILED || madvise(address, bytes, MADV_POPULATE_WRITE) == 0) return address;
    if (errno == EINVAL) known = 0;
    munmap(address, bytes);
  }
#endif
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, spool.fd, (off_t)offset);
}

/* Allocated, mapped and present: writing to it neither faults into an allocation nor dies on a full disk. */
static void* map_allocated(uint64_t offset, uint64_t bytes, int* error) {
  int saved = errno;
  pl_acquire(&spool.descriptor_lock);
  if (!still_ours(spool.fd)) {
    long fd = pl_sys_open(spool.path, O_RDWR, 0);
    if (fd >= 0) spool.fd = out_of_the_way((int)fd);
  }
  *error = was_removed() ? ENOENT : still_ours(spool.fd) ? allocate(offset, bytes) : EBADF;
  pl_release(&spool.descriptor_lock);
  void* address = MAP_FAILED;
  if (*error == 0) {
    address = map_present(offset, bytes);
    if (address == MAP_FAILED) *error = errno;
  }
  errno = saved;
  return address == MAP_FAILED ? NULL : address;
}

/* ---- Segments and threads */

char* pl_map_segment(uint64_t index, int* error) {
  return map_allocated(PL_HEADER_BYTES + index * PL_SEGMENT_BYTES, PL_SEGMENT_BYTES, error);
}

static void let_go(char* segment, uint64_t index) {
  if (segment == NULL) return;
  pl_unmap(segment, PL_SEGMENT_BYTES);
  pl_give_segment(index);
}

static void at_thread_end(void* state) {
  struct pl_thread* t = state;
  struct stat status;
  int mode = t->mode;
  t->mode = PL_INSIDE;
  if (t->schedstat > 0 && pl_sys_fstat(t->schedstat - 1, &status) == 0 &&
      (uint64_t)status.st_ino == t->schedstat_inode && (uint64_t)status.st_dev == t->schedstat_device)
    pl_sys_close(t->schedstat - 1);
  t->schedstat = -1;
  pl_unmap(t->buffer, t->buffer_bytes);
  t->buffer = NULL;
  t->buffer_bytes = 0;
  if (mode != PL_OUTSIDE || !pl_leave_behind(t)) let_go(t->segment, t->segment_index);
  let_go(t->held, t->held_index);
  pl_unmap(t->diversion.scratch, PL_LARGEST * sizeof(uint64_t));
  t->diversion.scratch = NULL;
  t->segment = t->held = NULL;
  t->cursor = t->limit = NULL;
  t->place = 0;
  t->known = 0; /* a later destructor that records is another thread to us */
  t->mode = PL_OUTSIDE;
}

void pl_end_with_thread(struct pl_thread* t) { pthread_setspecific(spool.thread_end, t); }

static void release_segment(struct pl_thread* t) {
  char *old = t->segment, *outer = (char*)t->outer;
  if (t->held != NULL && (outer < t->held || outer >= t->held + PL_SEGMENT_BYTES)) {
    let_go(t->held, t->held_index);
    t->held = NULL;
  }
  if (old != NULL && outer >= old && outer < old + PL_SEGMENT_BYTES) {
    t->held = old; /* the record of the call in progress lies in it */
    t->held_index = t->segment_index;
  } else {
    let_go(old, t->segment_index);
  }
}

static uint64_t* discard(struct pl_thread* t) {
  t->cursor = pl_discarded;
  t->limit = pl_discarded + PL_LARGEST;
  pl_lose(1);
  return pl_discarded;
}

static int has_room(const struct pl_thread* t, unsigned words) {
  return (size_t)(t->limit - t->cursor) >= PL_HEAD_WORDS + words + PL_SPARE_WORDS;
}

static uint64_t place_of(const struct pl_thread* t) { return ((uint64_t)t->number + 1) << 32 | t->segments; }

/* Goes on where an ended thread has stopped, as the same location. */
static int go_on_for_another(struct pl_thread* t) {
  if (t->known || !pl_take_over(t)) return 0;
  t->known = 1;
  t->place = place_of(t);
  pl_end_with_thread(t);
  t->time = pl_ticks(); /* no gap of this thread's */
  t->poll = NULL;
  pl_read_run_delay(t, t->time, t->time);
  return 1;
}

static uint64_t* next_segment(struct pl_thread* t, unsigned words) {
  if (!pl.writable || words > PL_MAX_WORDS) return discard(t);
  if (go_on_for_another(t) && has_room(t, words)) return t->cursor;
  uint64_t begin = pl_ticks();
  uint64_t index = 0;
  int error = 0;
  char* segment = pl_take_segment(&index, &error);
  if (segment == NULL) {
    pl_stop(pl_no_segment(error), error > 0 ? error : 0);
    return discard(t);
  }
  int first = !t->known;
  if (first) {
    t->number = __atomic_fetch_add(&spool.next_thread, 1, __ATOMIC_RELAXED);
    t->known = 1;
    __atomic_fetch_add(&pl.header->writers, 1, __ATOMIC_RELAXED);
    pl_end_with_thread(t);
  }
  release_segment(t);
  t->poll = NULL;
  t->segment = segment;
  t->segment_index = index;
  t->cursor = (uint64_t*)(void*)(segment + sizeof(struct pl_segment_header));
  t->limit = (uint64_t*)(void*)(segment + PL_SEGMENT_BYTES);
  struct pl_segment_header* header = (struct pl_segment_header*)(void*)segment;
  header->thread = t->number;
  header->index = t->segments++;
  t->place = place_of(t);
  __atomic_store_n(&header->magic, PL_SEGMENT_MAGIC, __ATOMIC_RELEASE);

  struct pl_clock_reading now;
  pl_take_reading(&now);
  pl.header->last = now;
  if (first) {
    t->time = now.ticks;
    pl_read_run_delay(t, now.ticks, now.ticks);
  }
  uint64_t* payload = pl_insert(t, sizeof now / 8);
  memcpy(payload, &now, sizeof now);
  pl_inserted(t, payload, PL_DEF_CLOCK, sizeof now / 8, begin);
  if (pl.apart) pl_insert_open_files(t);
  if (PL_UNLIKELY(begin >= pl.window_end)) pl_end_window();
  return t->cursor;
}

PL_COLD uint64_t* pl_next_segment(struct pl_thread* t, unsigned words) {
  int saved = errno;
  uint64_t* cursor = next_segment(t, words);
  errno = saved;
  return cursor;
}

/* ---- The beginning */

static void describe_process(struct pl_file_header* header, enum pl_flavour flavour, const char* host,
                             const char* library) {
  memcpy(header->magic, PL_SPOOL_MAGIC, sizeof header->magic);
  header->version = PL_SPOOL_VERSION;
  header->header_bytes = PL_HEADER_BYTES;
  header->segment_bytes = PL_SEGMENT_BYTES;
  header->flavour = (uint32_t)flavour;
  header->clock = pl.use_tsc ? PL_CLOCK_TSC : PL_CLOCK_MONOTONIC_NS;
  header->pid = (uint32_t)pl.pid;
  header->world_rank = header->world_size = -1;
  header->first = spool.first;
  header->poll_gap_ticks = pl.poll_gap;
  header->poll_break_ticks = pl.poll_break;
  header->max_bytes = pl_limits.bytes;
  header->keep = pl_limits.keep_last ? PL_KEEP_LAST : PL_KEEP_FIRST;
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    header->cores = (uint32_t)CPU_COUNT(&cores);
    memcpy(header->affinity, &cores, sizeof cores < sizeof header->affinity ? sizeof cores : sizeof header->affinity);
  }
  long n = pl_read_file("/proc/sys/kernel/random/boot_id", header->boot_id, sizeof header->boot_id - 1);
  if (n > 0 && header->boot_id[n - 1] == '\n') header->boot_id[n - 1] = '\0';
  header->time_namespace_ns = pl_time_namespace_ns();
  pl_put_text(header->host, header->host + sizeof header->host, host);
  pl_put_text(header->library, header->library + sizeof header->library, library);
  header->library[strcspn(header->library, "\n")] = '\0';
  n = pl_read_file("/proc/self/cmdline", header->program, sizeof header->program - 1);
  for (long i = 0; i + 1 < n; ++i)
    if (header->program[i] == '\0') header->program[i] = ' ';
}

int pl_open_spool(enum pl_flavour flavour, const char* library) {
  const char* directory = getenv("PLUMBLINE_SPOOL");
  if (!pl.enabled || pl.header != NULL || directory == NULL) return -1;
  pl.pid = (int)syscall(SYS_getpid);
  pl_read_limits();
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  int error = -create_file(directory, host);
  void* header = error == 0 ? map_allocated(0, PL_HEADER_BYTES, &error) : NULL;
  if (header != NULL && !spool.has_key) spool.has_key = pthread_key_create(&spool.thread_end, at_thread_end) == 0;
  if (header == NULL || !spool.has_key) {
    char line[1024], *limit = line + sizeof line, *at = pl_put_text(line, limit, "plumbline: no spool in ");
    at = pl_put_number(pl_put_text(pl_put_text(at, limit, directory), limit, ", errno "), limit, error);
    at = pl_put_text(at, limit, "; the program runs unrecorded\n");
    pl_sys_write(2, line, (size_t)(at - line));
    pl.enabled = 0;
    return -1;
  }
#ifdef MADV_WIPEONFORK /* fork handlers do not see clone() and _Fork() */
  madvise(&pl, sizeof pl, MADV_WIPEONFORK);
#endif
  if (!spool.forked_handlers) pthread_atfork(NULL, NULL, in_forked_child);
  spool.forked_handlers = 1;
  pl.long_gap = pl_ticks_of(1000 * 1000);
  pl.poll_gap = pl.long_gap / 500; /* 2 us: a loop of polls is faster, what a program computes takes longer */
  pl.poll_break = pl.long_gap / 100;
  pl.poll_check = pl.long_gap / 50; /* to read the thread's CPU time takes half a microsecond */
  pl.window_end = UINT64_MAX;
  describe_process(header, flavour, host, library);
  pl.header = header;
  pl.writable = 1;
  pl_limit_segments();
  spool.opened = 1;
  pl_watch_exit();
  return 0;
}

/* The thread that forked is the only one there is. */
int pl_forget_recording(void) {
  struct pl_thread* t = &pl_self;
  if (!spool.forked) return 0;
  spool.forked = 0;
  spool.descriptor_lock.held = 0;
  at_thread_end(t);
  memset(t, 0, sizeof *t);
  if (still_ours(spool.fd)) pl_sys_close(spool.fd);
  spool.fd = -1;
  spool.next_thread = 0;
  pl_forget_segments();
  pl_forget_reusable_threads();
  pl.use_tsc = tsc_is_a_clock();
  pl_take_reading(&spool.first);
  pl.enabled = 1;
  return 1;
}

void pl_leave_out(int world_rank, int world_size) {
  pl.header->world_rank = world_rank;
  pl.header->world_size = world_size;
  pl_take_reading(&pl.header->initialized);
  pl_end_recording(PL_END_LEFT_OUT);
}

void pl_begin_recording(int world_rank, int world_size, int multithreaded) {
  pl.header->world_rank = world_rank;
  pl.header->world_size = world_size;
  pl.multithreaded = multithreaded;
  if (pl.internals && pl.use_tsc && !multithreaded) pl.internals = PL_INTERNALS_PLAIN;
  pl_take_reading(&pl.header->initialized);
  pl.header->last = pl.header->initialized;
  __atomic_store_n(&pl.recording, pl.writable, __ATOMIC_RELEASE);
}
