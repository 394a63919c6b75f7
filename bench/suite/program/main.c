// The programs that `plumbline validate` records, replays and compares: cells of work, one after the other, on any
// number of ranks of any MPI. docs/suite.md tells of the cells.
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char kHelp[] =
    "usage: plumbline-suite-FLAVOUR [--directory DIR] [--hints KEY=VALUE,..] [--seconds S [--least N]] [--json]\n"
    "                               CELL[:KEY=VALUE,..]..\n"
    "       plumbline-suite-FLAVOUR --list\n\n"
    "Runs cells of work one after the other, checks their data, and prints how long each took on the slowest rank.\n\n"
    "  --directory DIR  of files, seen by all ranks (default: .); nothing stays there\n"
    "  --hints ..       of MPI-IO, for MPI_File_open\n"
    "  --seconds S      fewer repetitions, but no fewer than --least, where all would take longer; S is shared by the "
    "cells\n"
    "  --least N        default: 20, as many as the spread of a cell needs\n"
    "  --json           one object a line\n"
    "  --list           the cells and their parameters as JSON; needs no MPI\n\n"
    "Status: 0; 1 wrong data; 2 wrong use; 3 no such directory; 6 a file, or memory, was refused.\n";

static MPI_Info hints_of(const char* text) {
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  MPI_Info info;
  if (!text || !*text) return MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const char* at = text; *at;) {
    const size_t length = hint_length(at), name = strcspn(at, "=");
    snprintf(key, sizeof key, "%.*s", (int)name, at);
    snprintf(value, sizeof value, "%.*s", (int)(length - name - 1), at + name + 1);
    MPI_Info_set(info, key, value);
    at += length;
    if (*at) ++at;
  }
  return info;
}

// Each rank talks to those that it will talk to, so that connections are there: a short and a long message both ways.
static void meet(int rank, int ranks) {
  enum { kLong = 256 * 1024, kTag = 9 };
  static const int kBytes[] = {1, kLong};
  char* const out = malloc(2 * (size_t)kLong);
  if (!out) return;
  memset(out, 1, 2 * (size_t)kLong);  // pages that come into being are no part of a message
  for (int away = 1; away < ranks; away = away < 8 ? away + 1 : away * 2)
    for (int k = 0; k < 2; ++k)
      MPI_Sendrecv(out, kBytes[k], MPI_BYTE, (rank + away) % ranks, kTag, out + kLong, kBytes[k], MPI_BYTE,
                   (rank + ranks - away) % ranks, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(out);
}

// "bytes=8,tag=1": what tells cells of one name apart. How often they are repeated does not.
static void print_parameters(const Run* run) {
  const Parameter* const parameters = run->cell->parameters;
  const char* before = "";
  for (int i = 0; i < kMostParameters && parameters[i].name; ++i) {
    if (strcmp(parameters[i].name, "repetitions") == 0) continue;
    printf("%s%s=%ld", before, parameters[i].name, run->values[i]);
    before = ",";
  }
}

static void print_json(const Run* run, const double seconds[2]) {
  printf("{\"cell\": \"%s\", \"parameters\": \"", run->cell->name);
  print_parameters(run);
  printf("\", \"repetitions\": %d, \"seconds\": %.9f, \"typical_seconds\": %.9f}\n", run->repetitions, seconds[0],
         seconds[1]);
}

static void print_cell(const Options* options, const Run* run, const double seconds[2]) {
  if (options->json && *run->skipped)
    printf("{\"cell\": \"%s\", \"skipped\": \"%s\"}\n", run->cell->name, run->skipped);
  else if (options->json)
    print_json(run, seconds);
  else if (*run->skipped)
    printf("%-22s skipped: %s\n", run->cell->name, run->skipped);
  else
    printf("%-22s %8d times %12.6f s\n", run->cell->name, run->repetitions, seconds[0]);
  fflush(stdout);
}

static void run_cell(const Options* options, Run* run) {
  double slowest[2] = {0, 0};  // all of it, and typical
  if (run->ranks < run->cell->least_ranks)
    snprintf(run->skipped, sizeof run->skipped, "it needs %d ranks", run->cell->least_ranks);
  else
    run->cell->function(run);
  const double mine[2] = {run->seconds, typical_seconds(run)};
  if (!*run->skipped) MPI_Reduce(mine, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (run->rank == 0) print_cell(options, run, slowest);
}

static void run_all(Options* options, int rank, int ranks) {
  char directory[kPathBytes] = "";
  bool uses_files = false;
  for (int i = 0; i < options->count; ++i) uses_files |= options->runs[i].cell->uses_files;
  if (uses_files) make_directory(options, rank, directory);
  MPI_Info hints = hints_of(options->hints);
  meet(rank, ranks);
  for (int i = 0; i < options->count; ++i) {
    Run* const run = &options->runs[i];
    run->rank = rank;
    run->ranks = ranks;
    run->directory = directory;
    run->hints = hints;
    run->budget = options->seconds / options->count;
    run->least = options->least;
    run_cell(options, run);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (hints != MPI_INFO_NULL) MPI_Info_free(&hints);
  if (rank == 0) remove_directory(directory);
}

int main(int argc, char** argv) {
  Options options = parse_options(argc, argv);
  int rank, ranks;
  if (!*options.fault && (options.list || options.help)) {
    options.list ? print_list(stdout) : (void)fputs(kHelp, stdout);
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (*options.fault && rank == 0) fprintf(stderr, "plumbline-suite: %s\n", options.fault);
  if (!*options.fault) run_all(&options, rank, ranks);
  free(options.runs);
  MPI_Finalize();
  return *options.fault ? kWrongUse : 0;
}
