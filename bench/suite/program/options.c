// The command line.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void fault(Options* options, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void fault(Options* options, const char* format, ...) {
  if (*options->fault) return;
  va_list rest;
  va_start(rest, format);
  vsnprintf(options->fault, sizeof options->fault, format, rest);
  va_end(rest);
}

static const Cell* find_cell(const char* name, size_t length) {
  for (size_t i = 0; i < kCellCount; ++i)
    if (strlen(kCells[i].name) == length && strncmp(kCells[i].name, name, length) == 0) return &kCells[i];
  return NULL;
}

static int find_parameter(const Cell* cell, const char* name, size_t length) {
  for (int i = 0; i < kMostParameters && cell->parameters[i].name; ++i)
    if (strlen(cell->parameters[i].name) == length && strncmp(cell->parameters[i].name, name, length) == 0) return i;
  return -1;
}

static void parameters_of(const Cell* cell, char* text, size_t bytes) {
  size_t used = 0;
  *text = 0;
  for (int i = 0; i < kMostParameters && cell->parameters[i].name && used < bytes; ++i)
    used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "", cell->parameters[i].name);
}

// "4096", "64KiB", "4MiB".
static bool parse_number(const char* text, size_t length, long* value) {
  enum { kMostDigits = 12 };
  char* end;
  if (length == 0 || *text < '0' || *text > '9') return false;
  errno = 0;
  *value = strtol(text, &end, 10);
  if (errno || end - text > kMostDigits) return false;
  const size_t rest = length - (size_t)(end - text);
  if (rest == 0) return true;
  if (rest != 3) return false;
  const long unit = strncmp(end, "KiB", 3) == 0 ? 1L << 10 : strncmp(end, "MiB", 3) == 0 ? 1L << 20 : 0;
  *value *= unit;
  return unit != 0;
}

// "side=512" of `asked`.
static void parse_parameter(Options* options, Run* run, const char* asked, const char* text, size_t length) {
  const char* const equals = memchr(text, '=', length);
  const size_t name = equals ? (size_t)(equals - text) : length;
  const int i = find_parameter(run->cell, text, name);
  if (i < 0) {
    char known[256];
    parameters_of(run->cell, known, sizeof known);
    fault(options, "%s: %s has no parameter '%.*s'; known: %s", asked, run->cell->name, (int)name, text, known);
    return;
  }
  const Parameter* const parameter = &run->cell->parameters[i];
  long value;
  if (!equals || !parse_number(equals + 1, length - name - 1, &value))
    fault(options, "%s: '%s' has no number; write %s=%ld, or with KiB or MiB", asked, parameter->name, parameter->name,
          parameter->by_default);
  else if (value < parameter->least || value > parameter->most)
    fault(options, "%s: '%s' is from %ld to %ld", asked, parameter->name, parameter->least, parameter->most);
  else
    run->values[i] = value;
}

static void check_pieces(Options* options, const Run* run, const char* asked) {
  const int bytes = find_parameter(run->cell, "bytes", 5), piece = find_parameter(run->cell, "piece", 5);
  if (bytes >= 0 && piece >= 0 && run->values[bytes] % run->values[piece] != 0)
    fault(options, "%s: %ld bytes are not whole pieces of %ld; 'bytes' is a multiple of 'piece'", asked,
          run->values[bytes], run->values[piece]);
}

// "halo:side=512,steps=20"
static void parse_cell(Options* options, const char* asked) {
  const size_t name = strcspn(asked, ":");
  Run* const run = &options->runs[options->count++];
  run->cell = find_cell(asked, name);
  if (!run->cell) {
    fault(options, "there is no cell '%.*s'; --list tells those that there are", (int)name, asked);
    return;
  }
  for (int i = 0; i < kMostParameters; ++i) run->values[i] = run->cell->parameters[i].by_default;
  for (const char* at = asked + name; *at;) {
    const char* const text = at + 1;
    const size_t length = strcspn(text, ",");
    parse_parameter(options, run, asked, text, length);
    at = text + length;
  }
  check_pieces(options, run, asked);
}

size_t hint_length(const char* hints) {
  size_t length = strcspn(hints, ",");
  for (const char* next = hints + length; *next; next = hints + length) {
    const size_t piece = strcspn(next + 1, ",");
    if (memchr(next + 1, '=', piece)) break;
    length += 1 + piece;
  }
  return length;
}

static void check_hints(Options* options) {
  for (const char* at = options->hints; at && *at;) {
    const size_t length = hint_length(at), name = strcspn(at, "=");
    if (name == 0 || name >= length || name >= MPI_MAX_INFO_KEY || length - name > MPI_MAX_INFO_VAL)
      fault(options, "--hints: '%.*s' is not key=value", (int)length, at);
    at += length;
    if (*at) ++at;
  }
}

static void parse_seconds(Options* options, const char* text) {
  char* end;
  options->seconds = strtod(text, &end);
  if (end == text || *end || !(options->seconds > 0) || options->seconds > 1e6)
    fault(options, "--seconds: '%s' is no time above 0; write --seconds 2.5", text);
}

static void parse_least(Options* options, const char* text) {
  char* end;
  const long least = strtol(text, &end, 10);
  if (end == text || *end || least < 1 || least > 1000000)
    fault(options, "--least: '%s' is no number of repetitions from 1 on; write --least 3", text);
  options->least = (int)least;
}

Options parse_options(int count, char** words) {
  Options options = {.directory = ".", .least = 20};
  options.runs = calloc((size_t)count, sizeof *options.runs);
  if (!options.runs) fault(&options, "no memory");
  for (int i = 1; i < count && !*options.fault; ++i) {
    const char* const word = words[i];
    const bool takes_value = strcmp(word, "--directory") == 0 || strcmp(word, "--hints") == 0 ||
                             strcmp(word, "--seconds") == 0 || strcmp(word, "--least") == 0;
    if (takes_value && i + 1 == count)
      fault(&options, "%s needs a value", word);
    else if (strcmp(word, "--directory") == 0)
      options.directory = words[++i];
    else if (strcmp(word, "--hints") == 0)
      options.hints = words[++i];
    else if (strcmp(word, "--seconds") == 0)
      parse_seconds(&options, words[++i]);
    else if (strcmp(word, "--least") == 0)
      parse_least(&options, words[++i]);
    else if (strcmp(word, "--json") == 0)
      options.json = true;
    else if (strcmp(word, "--list") == 0)
      options.list = true;
    else if (strcmp(word, "--help") == 0)
      options.help = true;
    else if (*word == '-')
      fault(&options, "there is no option %s; --help tells those that there are", word);
    else
      parse_cell(&options, word);
  }
  check_hints(&options);
  if (options.count == 0 && !options.list && !options.help)
    fault(&options, "nothing is to be run; name cells, --list tells those that there are");
  return options;
}

void print_list(FILE* to) {
  fprintf(to, "{\"version\": 1, \"cells\": [");
  for (size_t i = 0; i < kCellCount; ++i) {
    const Cell* const cell = &kCells[i];
    fprintf(to, "%s\n  {\"name\": \"%s\", \"summary\": \"%s\", \"least_ranks\": %d, \"files\": %s, \"parameters\": [",
            i ? "," : "", cell->name, cell->summary, cell->least_ranks, cell->uses_files ? "true" : "false");
    for (int k = 0; k < kMostParameters && cell->parameters[k].name; ++k) {
      const Parameter* const p = &cell->parameters[k];
      fprintf(to, "%s\n    {\"name\": \"%s\", \"default\": %ld, \"least\": %ld, \"most\": %ld, \"summary\": \"%s\"}",
              k ? "," : "", p->name, p->by_default, p->least, p->most, p->summary);
    }
    fprintf(to, "]}");
  }
  fprintf(to, "]}\n");
}
