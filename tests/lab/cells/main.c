// The measured program of the laboratory: runs fixed cells and prints from rank 0 one line of JSON per cell with every
// sample in microseconds. A sample is the longest elapsed time over the ranks, each on its own clock, or the least such of
// some iterations in a row.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cells.h"
#include "moved.h"

// The canary: a piece of arithmetic of some 50 us, timed by the thread's CPU clock, so that it tells how fast the core
// is and not who else ran on it. A virtual machine's core is at times up to half as fast, for tenths of seconds to
// minutes, because its sibling belongs to somebody else. It is asked on the cores of rank 0 and of the switch, after each
// iteration, in cells of many iterations after a fiftieth of them; what was done beside a slow one is done again once
// both cores are fast, until that has taken as long as the patience of the run; likewise what was done while the core of
// the switch was away from it (moved.h).
enum { kCanarySteps = 40000, kCalibrationTries = 4000 };
static const double kPauseSeconds = 0.02, kLookSeconds = 0.1;

enum { kLooks = 50, kMostIterations = kMostLooks, kWrongUse = 2, kWrongData = 4 };

#ifdef MPICH_VERSION
static const char kMpi[] = "MPICH " MPICH_VERSION;
#else
static const char kMpi[] = "Open MPI";
#endif

typedef struct {
  const char* cells;
  const char* directory;
  double repeat;
  int request;
  double quiet_below;
  const char* cores;
  double patience;
  double near_below;
  const char* control;
} Options;

static const char kHelp[] =
    "usage: cells-FLAVOUR [--cells LIST] [--io DIR] [--repeat F] [--request BYTES] [--quiet US [--patience S]]\n"
    "                     [--cores A,B --near NS [--switch SOCKET]] | --list | --canary\n\n"
    "Times fixed communication cells, and with --io fixed MPI-IO cells on the file DIR/cells.dat, which is kept.\n"
    "Prints one line of JSON per cell: {\"cell\": NAME, \"samples\": [microseconds, ...]}; with --quiet \"canary\" "
    "too,\n"
    "the median time of the arithmetic beside them, and \"switch_canary\", on the core of the switch.\n\n"
    "  --cells LIST     names, or `comm` and `io`, separated by commas (default: all that can run)\n"
    "  --io DIR         a directory that all ranks see\n"
    "  --repeat F       F times as many iterations (default 1)\n"
    "  --request BYTES  of one request of io_independent (default 65536, or PLUMBLINE_CELLS_REQUEST)\n"
    "  --quiet US       beside the iterations rank 0 times a fixed piece of arithmetic; above US microseconds of "
    "CPU time\n"
    "                   they are done again, for --patience S (20) a run at most (\"redone\" times; default: not);\n"
    "                   \"disturbed\" is the number of looks, of all \"looks\", after which they count nevertheless\n"
    "  --cores A,B      with --quiet the arithmetic is done on both core A, of rank 0, and B, of the switch, and\n"
    "                   iterations are done again too while a cache line takes longer than --near NS from A to B\n"
    "                   and back; --switch: its control socket, by which cores may sleep while they are drawn\n"
    "                   together\n"
    "  --canary         the time of that arithmetic here, in microseconds, that a tenth of 4000 tries reach; without "
    "MPI\n"
    "  --list           the cells, without running them\n\n"
    "Status: 0; 2 wrong use; 4 data that arrived or was read back differs from what was sent or written.\n";

double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double thread_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

// Six chains that do not wait for each other: enough for all units of the core. Beside another guest's work on its
// sibling half of them took 15 to 20 us, not 13; one chain, which waits more than it works, 10.8 and not 10.1.
static void arithmetic(void) {
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  for (uint64_t i = 0; i < kCanarySteps; i++) {
    a += b ^ i, c += d ^ i, e += f ^ i;
    b += 3, d += 5, f += 7;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));  // keeps every step as it is
  }
}

// The faster of two: the first one finds cold caches.
static double canary(void) {
  double least = 1e9;
  for (int try = 0; try < 2; try++) {
    double start = thread_microseconds();
    arithmetic();
    double taken = thread_microseconds() - start;
    if (taken < least) least = taken;
  }
  return least;
}

static int ascending(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

// The fastest tenth, not the fastest: for moments after a pause a core runs faster than it can go on (26 us, not 33).
static int calibrate_canary(void) {
  static double taken[kCalibrationTries];
  for (int i = 0; i < kCalibrationTries; i++) taken[i] = canary();
  qsort(taken, kCalibrationTries, sizeof taken[0], ascending);
  return printf("%.2f\n", taken[kCalibrationTries / 10]) < 0;
}

static bool in_list(const char* list, const char* name) {
  size_t length = strlen(name);
  for (const char* at = list; *at;) {
    size_t word = strcspn(at, ",");
    if (word == length && strncmp(at, name, length) == 0) return true;
    at += word + (at[word] == ',');
  }
  return false;
}

static bool wanted(const Options* options, const char* group, const char* name) {
  return !options->cells || in_list(options->cells, group) || in_list(options->cells, name);
}

static double timed(const Cell* cell, Context* context, int iteration) {
  if (cell->before) cell->before(context);
  if (cell->barrier) MPI_Barrier(MPI_COMM_WORLD);
  double start = microseconds();
  cell->run(context, iteration);
  return (microseconds() - start) * cell->share;
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof values[0], ascending);
  return values[count / 2];
}

static void print(const Cell* cell, const double* samples, int count, Context* context) {
  printf("{\"cell\": \"%s\", \"samples\": [", cell->name);
  for (int i = 0; i < count; i++) printf(i ? ", %.2f" : "%.2f", samples[i]);
  printf("], \"redone\": %d, \"looks\": %d, \"disturbed\": %d", context->redone, context->looks, context->disturbed);
  if (context->looks > 0)
    printf(", \"canary\": %.3f, \"switch_canary\": %.3f", median(context->canary, context->looks),
           median(context->switch_canary, context->looks));
  printf("}\n");
  fflush(stdout);
}

typedef struct {
  double here;
  double at_switch;
} Canaries;

static Canaries canaries(void) { return (Canaries){canary(), on_core_of_switch(canary)}; }

static bool is_slow(const Context* context, Canaries taken) {
  return taken.here > context->quiet_below || taken.at_switch > context->quiet_below;
}

static void pause_until_fast(const Context* context, double until) {
  const struct timespec pause = {.tv_nsec = (long)(kPauseSeconds * 1e9)};
  do {
    nanosleep(&pause, NULL);
  } while (microseconds() < until && is_slow(context, canaries()));
}

// What rank 0 says of the iterations that were just done.
typedef enum { kFine, kFineSinceLook, kSlow, kAway } Verdict;

static void begin_unsure(Context* context) {
  context->looked = microseconds();
  context->unsure = 0;
}

// `began`: these iterations; `last`: of the cell. Where its cores are is looked at ten times a second, for a look takes
// a millisecond and cools the caches; what was done since the last look falls with it.
static Verdict judge(Context* context, double began, bool last) {
  const Canaries taken = canaries();
  bool slow = is_slow(context, taken);
  bool looks = last || began - context->looked > kLookSeconds * 1e6;
  bool away = looks && moved();
  if ((slow || away) && context->patience > 0) {
    double wasted_since = away ? context->looked : began;
    context->redone++;
    if (away) move_back();
    pause_until_fast(context, wasted_since + context->patience);
    context->patience -= microseconds() - wasted_since;
    if (away) {
      context->looks -= context->unsure;
      begin_unsure(context);
    }
    return away ? kAway : kSlow;
  }
  context->unsure++;
  context->disturbed += away ? context->unsure : slow;
  context->canary[context->looks] = taken.here;
  context->switch_canary[context->looks++] = taken.at_switch;
  if (looks) begin_unsure(context);
  return looks ? kFineSinceLook : kFine;
}

// The same on all ranks.
static Verdict verdict_on(Context* context, double began, bool last) {
  if (context->quiet_below <= 0) return kFineSinceLook;
  int verdict = context->rank == 0 ? judge(context, began, last) : kFine;
  MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return (Verdict)verdict;
}

// Leaves the least of each `group` samples in a row, and returns how many these are.
static int keep_best(double* samples, int count, int group) {
  int kept = 0;
  for (int first = 0; first + group <= count; first += group) {
    double least = samples[first];
    for (int i = first + 1; i < first + group; i++) least = samples[i] < least ? samples[i] : least;
    samples[kept++] = least;
  }
  return kept;
}

// A ping-pong's other ranks take no part: their elapsed time is of nothing, and the barrier keeps them.
static void run_cell(const Cell* cell, Context* context, double repeat) {
  static double mine[kMostIterations], longest[kMostIterations];
  int count = (int)(cell->iterations * repeat + 0.5);
  if (count < 1) count = 1;
  if (count > kMostIterations) count = kMostIterations;
  fill(context->out, context->rank, 0, kBufferBytes);
  if (cell->prepare) cell->prepare(context);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < cell->warmups; i++) timed(cell, context, i);
  context->redone = context->disturbed = context->looks = 0;
  begin_unsure(context);
  int group = count > kLooks ? count / kLooks : 1, sure = 0;  // iterations that will not be done again
  for (int first = 0; first < count;) {
    int end = first + group < count ? first + group : count;
    double began = microseconds();
    for (int i = first; i < end; i++) mine[i] = timed(cell, context, i);
    Verdict verdict = verdict_on(context, began, end == count);
    if (verdict == kFineSinceLook) sure = end;
    if (verdict != kSlow) first = verdict == kAway ? sure : end;
  }
  if (cell->verify) cell->verify(context);
  MPI_Reduce(mine, longest, count, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (context->rank != 0) return;
  if (cell->best_of > 1) count = keep_best(longest, count, cell->best_of);
  print(cell, longest, count, context);
}

static void run_io(Context* context, const Options* options) {
  snprintf(context->file, sizeof context->file, "%s/cells.dat", options->directory);
  MPI_Offset size = 0;
  io_open(context, &context->handle);
  MPI_File_get_size(context->handle, &size);
  MPI_Bcast(&size, 1, MPI_OFFSET, 0,
            MPI_COMM_WORLD);  // all or none: setting it is collective, and changes what others see
  if (size < 8 << 20) MPI_File_set_size(context->handle, 8 << 20);
  for (size_t i = 0; i < kIoCellCount; i++)
    if (wanted(options, "io", kIoCells[i].name)) run_cell(&kIoCells[i], context, options->repeat);
  io_close(&context->handle);
}

static void list(const Cell* cells, size_t count, const char* group) {
  for (size_t i = 0; i < count; i++)
    printf("%-20s %-5s %4d  %s\n", cells[i].name, group, cells[i].iterations, cells[i].what);
}

static bool known(const char* name) {
  for (size_t i = 0; i < kCommunicationCellCount; i++)
    if (strcmp(kCommunicationCells[i].name, name) == 0) return true;
  for (size_t i = 0; i < kIoCellCount; i++)
    if (strcmp(kIoCells[i].name, name) == 0) return true;
  return strcmp(name, "comm") == 0 || strcmp(name, "io") == 0;
}

static int refuse(int rank, const char* what, const char* value) {
  if (rank == 0) fprintf(stderr, "cells: %s '%s'; see --help and --list\n", what, value);
  return kWrongUse;
}

static int check_cells(int rank, const Options* options) {
  char word[64];
  for (const char* at = options->cells; at && *at;) {
    size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (!known(word)) return refuse(rank, "no cell", word);
    if (!options->directory && strncmp(word, "io", 2) == 0) return refuse(rank, "--io DIR is needed for", word);
    at += length + (at[length] == ',');
  }
  return 0;
}

static int parse(int argc, char** argv, int rank, Options* options) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return refuse(rank, "no such option, or no value for it:", argv[i]);
    char* end = argv[i + 1] + strlen(argv[i + 1]);
    char* stop = end;
    if (strcmp(argv[i], "--cells") == 0)
      options->cells = argv[i + 1];
    else if (strcmp(argv[i], "--io") == 0)
      options->directory = argv[i + 1];
    else if (strcmp(argv[i], "--repeat") == 0)
      options->repeat = strtod(argv[i + 1], &stop);
    else if (strcmp(argv[i], "--quiet") == 0)
      options->quiet_below = strtod(argv[i + 1], &stop);
    else if (strcmp(argv[i], "--patience") == 0)
      options->patience = strtod(argv[i + 1], &stop);
    else if (strcmp(argv[i], "--cores") == 0)
      options->cores = argv[i + 1];
    else if (strcmp(argv[i], "--near") == 0)
      options->near_below = strtod(argv[i + 1], &stop);
    else if (strcmp(argv[i], "--switch") == 0)
      options->control = argv[i + 1];
    else if (strcmp(argv[i], "--request") == 0)
      options->request = (int)strtol(argv[i + 1], &stop, 10);
    else
      return refuse(rank, "no option", argv[i]);
    if (stop != end || options->repeat <= 0 || options->request < 1)
      return refuse(rank, "not a number above 0:", argv[i + 1]);
  }
  return check_cells(rank, options);
}

static void start(Context* context, const Options* options) {
  context->request = options->request;
  context->out = malloc(kBufferBytes);
  context->in = malloc(kBufferBytes);
  if (!context->out || !context->in) MPI_Abort(MPI_COMM_WORLD, 70);
  memset(context->in, 0, kBufferBytes);
  context->quiet_below = options->quiet_below;
  context->patience = options->patience * 1e6;
  context->salt = (int)(time(NULL) % 100000);
  MPI_Bcast(&context->salt, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (context->rank == 0 && options->cores && !moved_start(options->cores, options->near_below, options->control))
    fprintf(stderr, "cells: the cores %s cannot be used: nobody sees whether they are moved\n", options->cores);
  if (context->rank == 0) printf("{\"program\": \"cells\", \"mpi\": \"%s\", \"ranks\": %d}\n", kMpi, context->ranks);
}

static int finish(Context* context) {
  long wrong = 0;
  MPI_Allreduce(&context->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (context->rank == 0 && wrong) fprintf(stderr, "cells: %ld values differ from what was sent or written\n", wrong);
  free(context->out);
  free(context->in);
  return wrong ? kWrongData : 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  if (argc == 2 && strcmp(argv[1], "--canary") == 0) return calibrate_canary();
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    list(kCommunicationCells, kCommunicationCellCount, "comm");
    list(kIoCells, kIoCellCount, "io");
    return 0;
  }
  Context context = {0};
  const char* request = getenv("PLUMBLINE_CELLS_REQUEST");
  Options options = {.repeat = 1, .patience = 20, .request = request && atoi(request) > 0 ? atoi(request) : 65536};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &context.ranks);
  int status = parse(argc, argv, context.rank, &options);
  if (status == 0 && (context.ranks < 2 || context.ranks > 64))
    status = refuse(context.rank, "2 to 64 ranks are needed, not", "this many");
  if (status == 0) {
    start(&context, &options);
    for (size_t i = 0; i < kCommunicationCellCount; i++)
      if (wanted(&options, "comm", kCommunicationCells[i].name))
        run_cell(&kCommunicationCells[i], &context, options.repeat);
    bool io = false;
    for (size_t i = 0; i < kIoCellCount; i++) io = io || wanted(&options, "io", kIoCells[i].name);
    if (options.directory && io) run_io(&context, &options);
    status = finish(&context);
  }
  MPI_Finalize();
  return status;
}
