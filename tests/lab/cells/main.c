// The measured program of the laboratory: runs fixed cells and prints from rank 0 one line of JSON per cell with every
// sample in microseconds. A sample is the longest elapsed time over the ranks, each on its own clock, or the least such
// of some iterations in a row.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cells.h"
#include "moved.h"

// The canary is asked on the cores of rank 0 and of the switch, after each iteration, in cells of many iterations after
// a fiftieth of them. What was done beside a slow one is done again once both cores are fast, until that has taken as
// long as the patience of the run; likewise what was done while the core of the switch was away from it (moved.h).
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
  int turns;
  int request;
  Canary limit;
  const char* cores;
  double patience;
  double near_below;
  const char* control;
} Options;

static const char kHelp[] =
    "usage: cells-FLAVOUR [--cells LIST] [--io DIR] [--repeat F] [--turns N] [--request BYTES]\n"
    "                     [--quiet US[,NS] [--patience S]] [--cores A,B --near NS [--switch SOCKET]] | --list | "
    "--canary\n\n"
    "Times fixed communication cells, and with --io fixed MPI-IO cells on the file DIR/cells.dat, which is kept.\n"
    "Prints one line of JSON per cell: {\"cell\": NAME, \"samples\": [microseconds, ...]}; with --quiet \"canary\" "
    "too,\n"
    "the median of arithmetic [us] and loads [ns] beside them, and \"switch_canary\", on the core of the switch.\n\n"
    "  --cells LIST     names, or `comm` and `io`, separated by commas (default: all that can run)\n"
    "  --io DIR         a directory that all ranks see\n"
    "  --repeat F       F times as many iterations (default 1)\n"
    "  --turns N        each cell has its turn N times (default 1), with that part of its iterations and a line each:\n"
    "                   what a machine does for some seconds is then in a part of the samples of each cell\n"
    "  --request BYTES  of one request of io_independent (default 65536, or PLUMBLINE_CELLS_REQUEST)\n"
    "  --quiet US,NS    beside the iterations rank 0 times a fixed piece of arithmetic and loads from the "
    "second-level\n"
    "                   cache; where one takes more than US microseconds, or NS nanoseconds a load, they are done "
    "again,\n"
    "                   for --patience S (20) a run at most (\"redone\" times; default: not); \"disturbed\" is the "
    "number\n"
    "                   of looks, of all \"looks\", after which they count nevertheless\n"
    "  --cores A,B      with --quiet both are timed on both core A, of rank 0, and B, of the switch, and\n"
    "                   iterations are done again too while a cache line takes longer than --near NS from A to B\n"
    "                   and back; --switch: its control socket, by which cores may sleep while they are drawn\n"
    "                   together\n"
    "  --canary         the time of both here that a tenth of 2000 tries reach, in microseconds and nanoseconds;\n"
    "                   without MPI\n"
    "  --list           the cells, without running them\n\n"
    "Status: 0; 2 wrong use; 4 data that arrived or was read back differs from what was sent or written.\n";

double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int ascending(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
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

// Of the looks' times, `first` being the first one's.
static double median(const double* first, int looks) {
  static double values[kMostLooks];
  for (int i = 0; i < looks; i++) values[i] = first[(size_t)i * (sizeof(Canary) / sizeof *first)];
  qsort(values, (size_t)looks, sizeof values[0], ascending);
  return values[looks / 2];
}

static void print_canary(const char* name, const Canary* taken, int looks) {
  printf(", \"%s\": [%.3f, %.3f]", name, median(&taken->us, looks), median(&taken->cache_ns, looks));
}

static void print(const Cell* cell, const double* samples, int count, const Context* context) {
  printf("{\"cell\": \"%s\", \"samples\": [", cell->name);
  for (int i = 0; i < count; i++) printf(i ? ", %.2f" : "%.2f", samples[i]);
  printf("], \"redone\": %d, \"looks\": %d, \"disturbed\": %d", context->redone, context->looks, context->disturbed);
  if (context->looks > 0) {
    print_canary("canary", context->canary, context->looks);
    print_canary("switch_canary", context->switch_canary, context->looks);
  }
  printf("}\n");
  fflush(stdout);
}

typedef struct {
  Canary here;
  Canary at_switch;
} Canaries;

static Canaries canaries(void) { return (Canaries){canary(), canary_at_switch()}; }

static bool one_is_slow(const Context* context, Canaries taken) {
  return is_slow(taken.here, context->limit) || is_slow(taken.at_switch, context->limit);
}

static void pause_until_fast(const Context* context, double until) {
  const struct timespec pause = {.tv_nsec = (long)(kPauseSeconds * 1e9)};
  do {
    nanosleep(&pause, NULL);
  } while (microseconds() < until && one_is_slow(context, canaries()));
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
  bool slow = one_is_slow(context, taken);
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
  if (context->limit.us <= 0) return kFineSinceLook;
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

// Of `turns`, the first being 0. Those that give one sample together are in one turn.
static int iterations_of(const Cell* cell, const Options* options, int turn) {
  int group = cell->best_of > 1 ? cell->best_of : 1;
  int all = (int)(cell->iterations * options->repeat + 0.5) / group;
  if (all < 1) all = 1;
  if (all > kMostIterations / group) all = kMostIterations / group;
  return group * (all * (turn + 1) / options->turns - all * turn / options->turns);
}

// A ping-pong's other ranks take no part: their elapsed time is of nothing, and the barrier keeps them.
static void run_cell(const Cell* cell, Context* context, const Options* options, int turn) {
  static double mine[kMostIterations], longest[kMostIterations];
  int count = iterations_of(cell, options, turn);
  if (count == 0) return;
  fill(context->out, context->rank, 0, kBufferBytes);
  if (cell->prepare) cell->prepare(context);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < cell->warmups; i++) timed(cell, context, i);
  context->redone = context->disturbed = context->looks = 0;
  begin_unsure(context);
  int group = count * options->turns > kLooks ? count * options->turns / kLooks : 1,
      sure = 0;  // iterations that will not be done again
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
  for (int turn = 0; turn < options->turns; turn++)
    for (size_t i = 0; i < kIoCellCount; i++)
      if (wanted(options, "io", kIoCells[i].name)) run_cell(&kIoCells[i], context, options, turn);
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

// "US" or "US,NS"; returns where it stopped.
static char* parse_limit(char* text, Canary* limit) {
  char* end;
  limit->us = strtod(text, &end);
  if (*end == ',') limit->cache_ns = strtod(end + 1, &end);
  return end;
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
      stop = parse_limit(argv[i + 1], &options->limit);
    else if (strcmp(argv[i], "--turns") == 0)
      options->turns = (int)strtol(argv[i + 1], &stop, 10);
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
    if (stop != end || options->repeat <= 0 || options->request < 1 || options->turns < 1 ||
        options->turns > kMostIterations)
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
  context->limit = options->limit;
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
  if (argc == 2 && strcmp(argv[1], "--canary") == 0) {
    const Canary fast = canary_at_full_speed();
    return printf("%.2f %.3f\n", fast.us, fast.cache_ns) < 0;
  }
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    list(kCommunicationCells, kCommunicationCellCount, "comm");
    list(kIoCells, kIoCellCount, "io");
    return 0;
  }
  Context context = {0};
  const char* request = getenv("PLUMBLINE_CELLS_REQUEST");
  Options options = {
      .repeat = 1, .turns = 1, .patience = 20, .request = request && atoi(request) > 0 ? atoi(request) : 65536};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &context.ranks);
  int status = parse(argc, argv, context.rank, &options);
  if (status == 0 && (context.ranks < 2 || context.ranks > 64))
    status = refuse(context.rank, "2 to 64 ranks are needed, not", "this many");
  if (status == 0) {
    start(&context, &options);
    for (int turn = 0; turn < options.turns; turn++)
      for (size_t i = 0; i < kCommunicationCellCount; i++)
        if (wanted(&options, "comm", kCommunicationCells[i].name))
          run_cell(&kCommunicationCells[i], &context, &options, turn);
    bool io = false;
    for (size_t i = 0; i < kIoCellCount; i++) io = io || wanted(&options, "io", kIoCells[i].name);
    if (options.directory && io) run_io(&context, &options);
    status = finish(&context);
  }
  MPI_Finalize();
  return status;
}
