// Measures messages between two ranks of one node and writes the raw samples as text (bench/quick/messages.cpp reads
// them).
//
//   mpirun -n 2 plumbline-probe-<flavour> OUTPUT SECONDS
//
// Rank 0 decides what is measured and when it is time to stop; rank 1 does what it is told. Time is CLOCK_MONOTONIC:
// MPI_Wtime may have an origin of its own in every process.

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { kMaxRepetitions = 64, kMaxSizes = 160, kTag = 7 };
static const size_t kLargest = 4u << 20;
static const double kLateNs = 200e3;   // how late the receiver is in the protocol test
static const double kBlockNs = 1.5e6;  // a block of samples that took longer is not continued

enum kind { kStop, kPingPong, kMet, kOverhead };

// Where rank 1 is while a message waits for it: computing, or in calls of MPI that are about something else. Some sends
// end only when the receiver's library looks at the message, though no receive is needed: that is not a rendezvous.
enum absence { kAway, kInCalls };

struct command {
  int kind;
  int repetitions;  // recorded; one more goes before
  int inner;        // round trips in one sample
  int nonblocking;
  size_t size;
  int absence;
  double late_ns;  // rank 1 receives this much later
};

struct size_state {
  size_t size;
  double one_way_ns;  // smallest seen; 0: not measured yet
};

static int rank;
static char* buffer;
static double clock_ns;  // cost of reading the clock
static double samples[kMaxRepetitions];
static FILE* out;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void stay_away(int absence, double ns) {
  const double end = now_ns() + ns;
  int flag;
  while (now_ns() < end)
    if (absence == kInCalls) MPI_Iprobe(0, kTag + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median_of(const double* values, int count) {
  double sorted[kMaxRepetitions];
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double since(double begin) {
  const double elapsed = now_ns() - begin - clock_ns;
  return elapsed > 0 ? elapsed : 0;
}

static void send_to(int peer, size_t size) { MPI_Send(buffer, (int)size, MPI_BYTE, peer, kTag, MPI_COMM_WORLD); }

static void receive_from(int peer, size_t size) {
  MPI_Recv(buffer, (int)size, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// ---- What both ranks do for one command. samples[] is filled on the rank that measures. ----

static void ping_pong(const struct command* c) {
  for (int i = -1; i < c->repetitions; ++i) {
    const double begin = now_ns();
    for (int k = 0; k < c->inner; ++k) {
      if (rank == 0) {
        send_to(1, c->size);
        receive_from(1, c->size);
      } else {
        receive_from(0, c->size);
        send_to(0, c->size);
      }
    }
    if (i >= 0) samples[i] = since(begin) / (2.0 * c->inner);
  }
}

// Rank 0: duration of the send in a ping-pong, of which the bytes are as a trip finds them: in the cache of who has
// received them last. One way alone they would be where the receiver has them from the time before.
static void met(const struct command* c) {
  for (int i = -1; i < c->repetitions; ++i) {
    if (rank == 0) {
      const double begin = now_ns();
      send_to(1, c->size);
      if (i >= 0) samples[i] = since(begin);
      receive_from(1, c->size);
    } else {
      receive_from(0, c->size);
      send_to(0, c->size);
    }
  }
}

// Rank 0: duration of the send call. Rank 1: duration of the receive call, entered when the message is there.
static void overhead(const struct command* c) {
  for (int i = -1; i < c->repetitions; ++i) {
    double taken;
    if (rank == 0) {
      MPI_Request request = MPI_REQUEST_NULL;
      const double begin = now_ns();
      if (c->nonblocking)
        MPI_Isend(buffer, (int)c->size, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &request);
      else
        send_to(1, c->size);
      taken = since(begin);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      receive_from(1, 0);
    } else {
      stay_away(c->absence, c->late_ns);
      const double begin = now_ns();
      receive_from(0, c->size);
      taken = since(begin);
      send_to(0, 0);
    }
    if (i >= 0) samples[i] = taken;
  }
}

static void execute(const struct command* c) {
  if (c->kind == kPingPong) ping_pong(c);
  if (c->kind == kMet) met(c);
  if (c->kind == kOverhead) overhead(c);
}

// ---- Rank 1 ----

static double involuntary_switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_nivcsw;
}

static void serve(void) {
  struct command c;
  do {
    MPI_Recv(&c, sizeof c, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    execute(&c);
    if (c.kind == kOverhead) MPI_Send(samples, c.repetitions, MPI_DOUBLE, 0, kTag, MPI_COMM_WORLD);
  } while (c.kind != kStop);
  const double switches = involuntary_switches();
  MPI_Send(&switches, 1, MPI_DOUBLE, 0, kTag, MPI_COMM_WORLD);
}

// ---- Rank 0 ----

static void order(const struct command* c) {
  MPI_Send(c, sizeof *c, MPI_BYTE, 1, kTag, MPI_COMM_WORLD);
  execute(c);
}

static void write_block(const char* series, size_t size, int round, int of_rank, int count) {
  fprintf(out, "block %s %zu %d %d", series, size, round, of_rank);
  for (int i = 0; i < count; ++i) fprintf(out, " %.1f", samples[i]);
  fputc('\n', out);
}

static uint64_t random_below(uint64_t bound) {
  static uint64_t state = 0x9e3779b97f4a7c15u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % bound;
}

// Does the send return before the receive is posted? Asked often enough that a lost time slice does not decide.
static int returns_early(size_t size, int absence, int round) {
  const struct command c = {kOverhead, 7, 1, 0, size, absence, kLateNs};
  order(&c);
  write_block(absence == kAway ? "send-away" : "send-late", size, round, 0, c.repetitions);
  const int early = median_of(samples, c.repetitions) < kLateNs / 2;
  MPI_Recv(samples, c.repetitions, MPI_DOUBLE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return early;
}

// Smallest size whose send waits for the receiver; kLargest + 1 when none does. After `deadline` no nearer than a
// factor of four.
static size_t first_waiting(int absence, int round, double deadline) {
  size_t early = 0, waits = 0;
  if (!returns_early(0, absence, round)) return 0;
  for (size_t size = 64; size <= kLargest && waits == 0; size *= 4) {
    if (returns_early(size, absence, round))
      early = size;
    else
      waits = size;
  }
  if (waits == 0) return kLargest + 1;
  while (waits - early > 1 && now_ns() < deadline) {
    const size_t middle = early + (waits - early) / 2;
    if (returns_early(middle, absence, round))
      early = middle;
    else
      waits = middle;
  }
  return waits;
}

// A limit that two searches agree on, or the last one found.
static size_t find_limit(int absence, double deadline) {
  size_t found = first_waiting(absence, 0, deadline);
  for (int round = 1; round < 6 && now_ns() < deadline; ++round) {
    const size_t again = first_waiting(absence, round, deadline);
    if (again == found) break;
    found = again;
  }
  return found;
}

static int by_size(const void* a, const void* b) {
  const size_t x = ((const struct size_state*)a)->size, y = ((const struct size_state*)b)->size;
  return (x > y) - (x < y);
}

static int add_size(struct size_state* sizes, int count, double size) {
  const size_t whole = (size_t)(size + 0.5);
  if (whole > kLargest || count == kMaxSizes) return count;
  for (int i = 0; i < count; ++i)
    if (sizes[i].size == whole) return count;
  sizes[count] = (struct size_state){whole, 0};
  return count + 1;
}

// Powers of two, three sizes between each two of them, and a closer look at the change of protocol.
static int choose_sizes(struct size_state* sizes, size_t rendezvous) {
  static const double steps[] = {1, 1.189207115, 1.414213562, 1.681792831};
  static const double closer[] = {0.5, 0.75, 0.9, 1.1, 1.25, 1.5};
  int count = add_size(sizes, 0, 0);
  for (double octave = 1; octave <= (double)kLargest; octave *= 2)
    for (int i = 0; i < (octave < 16 ? 1 : 4); ++i) count = add_size(sizes, count, octave * steps[i]);
  if (rendezvous > 1 && rendezvous <= kLargest) {
    count = add_size(sizes, count, (double)rendezvous - 1);
    count = add_size(sizes, count, (double)rendezvous);
    for (int i = 0; i < 6; ++i) count = add_size(sizes, count, (double)rendezvous * closer[i]);
  }
  qsort(sizes, (size_t)count, sizeof *sizes, by_size);
  return count;
}

static void visit_ping_pong(struct size_state* s, int round) {
  const double begin = now_ns();
  int left = kMaxRepetitions / 2;
  do {
    const double guess = s->one_way_ns > 0 ? s->one_way_ns : 1000;
    const int inner = guess < 1000 ? 8 : guess < 8000 ? 2 : 1;
    const struct command c = {kPingPong, left < 8 ? left : 8, inner, 0, s->size, kAway, 0};
    order(&c);
    write_block("ping-pong", s->size, round, 0, c.repetitions);
    const double median = median_of(samples, c.repetitions);
    if (s->one_way_ns == 0 || median < s->one_way_ns) s->one_way_ns = median;
    left -= c.repetitions;
  } while (left > 0 && now_ns() - begin < kBlockNs);
}

// Calls that would wait for the absent receiver are replaced by the non-blocking one, which only starts.
static void visit_overhead(const struct size_state* s, int round, int nonblocking, double late_ns) {
  const double begin = now_ns();
  int left = kMaxRepetitions / 2;
  do {
    const struct command c = {kOverhead, left < 8 ? left : 8, 1, nonblocking, s->size, kAway, late_ns};
    order(&c);
    write_block(nonblocking ? "isend" : "send", s->size, round, 0, c.repetitions);
    MPI_Recv(samples, c.repetitions, MPI_DOUBLE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    write_block("receive", s->size, round, 1, c.repetitions);
    left -= c.repetitions;
  } while (left > 0 && now_ns() - begin < kBlockNs);
}

static void visit_met(const struct size_state* s, int round) {
  const double begin = now_ns();
  int left = kMaxRepetitions / 2;
  do {
    const struct command c = {kMet, left < 8 ? left : 8, 1, 0, s->size, kAway, 0};
    order(&c);
    write_block("send-met", s->size, round, 0, c.repetitions);
    left -= c.repetitions;
  } while (left > 0 && now_ns() - begin < kBlockNs);
}

static void measure_clock(void) {
  clock_ns = 0;
  for (int i = 0; i < kMaxRepetitions; ++i) {
    const double begin = now_ns();
    samples[i] = now_ns() - begin;
  }
  clock_ns = median_of(samples, kMaxRepetitions);
}

// Rounds over all sizes, each in another random order, until the time is over; the first takes only every fourth size,
// so that even a short time sees all of the range, and is completed.
static void measure(double begin, double seconds) {
  struct size_state sizes[kMaxSizes];
  const double deadline = begin + seconds * 1e9;
  const size_t rendezvous = find_limit(kInCalls, begin + seconds * 0.2e9);
  const size_t waiting = find_limit(kAway, begin + seconds * 0.3e9);
  const int count = choose_sizes(sizes, rendezvous);
  for (int round = 0; round == 0 || now_ns() < deadline; ++round) {
    int turn[kMaxSizes], turns = 0;
    for (int i = 0; i < count; ++i)
      if (round > 0 || i % 4 == 0 || i == count - 1) turn[turns++] = i;
    for (int i = turns - 1; i > 0; --i) {
      const int j = (int)random_below((uint64_t)i + 1), swapped = turn[i];
      turn[i] = turn[j];
      turn[j] = swapped;
    }
    if (round == 0) visit_ping_pong(&sizes[0], round);
    for (int i = 0; i < turns && (round == 0 || now_ns() < deadline); ++i) {
      struct size_state* s = &sizes[turn[i]];
      visit_ping_pong(s, round);
      const double arrived = 10 * (s->size < rendezvous ? s->one_way_ns : sizes[0].one_way_ns);
      visit_overhead(s, round, s->size >= waiting || s->size >= rendezvous, arrived > 5000 ? arrived : 5000);
      if (s->size >= rendezvous) visit_met(s, round);
    }
    fflush(out);
  }
}

// First processor of the core that `cpu` belongs to: two threads of one core share it.
static int core_of(int cpu) {
  char path[96];
  int first = cpu;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  FILE* list = fopen(path, "r");
  if (!list) return cpu;
  if (fscanf(list, "%d", &first) != 1) first = cpu;
  fclose(list);
  return first;
}

// Each rank on a core of its own, where there are two: two spinning ranks on one measure the scheduler.
static void pin(void) {
  cpu_set_t allowed, mine;
  int first_core = -1;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const int core = core_of(cpu);
    if (rank == 1 && (first_core < 0 || core == first_core)) {
      first_core = core;
      continue;
    }
    CPU_ZERO(&mine);
    CPU_SET(cpu, &mine);
    sched_setaffinity(0, sizeof mine, &mine);
    return;
  }
}

static int lead(const char* path, double seconds, double begin) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  out = fopen(path, "w");
  if (!out) {
    perror(path);
    return 1;
  }
  MPI_Get_library_version(library, &length);
  library[strcspn(library, "\n")] = 0;
  fprintf(out, "plumbline-probe 1\nlibrary %s\nlate %.0f\n", library, kLateNs);
  write_block("clock", 0, 0, 0, kMaxRepetitions);
  const struct command warm_up = {kPingPong, kMaxRepetitions, 32, 0, 64, kAway, 0};
  order(&warm_up);
  measure(begin, seconds);
  const struct command stop = {.kind = kStop};
  double switches;
  order(&stop);
  MPI_Recv(&switches, 1, MPI_DOUBLE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fprintf(out, "switches %.0f\nend\n", switches + involuntary_switches());
  return fclose(out) == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  const double begin = now_ns();
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3 || ranks != 2) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n 2 %s OUTPUT SECONDS\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const double seconds = atof(argv[2]);
  alarm((unsigned)(3 * seconds + 20));  // whoever started us may be gone
  pin();
  measure_clock();
  buffer = malloc(kLargest);
  memset(buffer, 1, kLargest);
  int failed = 0;
  if (rank == 0)
    failed = lead(argv[1], seconds, begin);
  else
    serve();
  if (failed) MPI_Abort(MPI_COMM_WORLD, 1);
  free(buffer);
  return MPI_Finalize();
}
