/* Limits that the user sets, out of the environment:
 *
 *   PLUMBLINE_MAX_SIZE   of the spool of a process: 100MB, 2GiB
 *   PLUMBLINE_KEEP       what is kept when it is reached: first (recording ends) or last (the oldest gives way)
 *   PLUMBLINE_RANKS      ranks that are recorded: 0-3,8,12-
 *   PLUMBLINE_WINDOW     time after MPI_Init that is recorded: 10s:60s, 10s:, :1.5min */
#include "tracer/preload/core/limits.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"

struct pl_limits pl_limits;

enum { kLeastBytes = 4 << 20 }; /* of what gives way there must be more than one segment, and definitions need one */

static void complain(const char* variable, const char* value, const char* wanted) {
  char line[512], *limit = line + sizeof line, *at = pl_put_text(line, limit, "plumbline: ");
  at = pl_put_text(pl_put_text(pl_put_text(at, limit, variable), limit, "="), line + 200, value);
  at = pl_put_text(pl_put_text(pl_put_text(at, limit, " is no "), limit, wanted), limit, "; it limits nothing\n");
  pl_sys_write(2, line, (size_t)(at - line));
}

/* NULL when it is not set, or to nothing. */
static const char* variable(const char* name) {
  const char* value = getenv(name);
  return value == NULL || value[0] == '\0' ? NULL : value;
}

/* ---- Quantities */

struct unit {
  const char* name;
  double factor;
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A number and a unit, up to `end`; 0 needs none. False when it is none. */
static int quantity(const char* at, const char* end, const struct unit* units, double* value) {
  double number = 0, place = 1;
  int digits = 0;
  for (; at < end && is_digit(*at); ++at, ++digits) number = 10 * number + (*at - '0');
  if (at < end && *at == '.')
    for (++at; at < end && is_digit(*at); ++at, ++digits) number += (*at - '0') * (place /= 10);
  *value = 0;
  if (digits == 0) return 0;
  if (at == end) return number == 0;
  for (; units->name != NULL; ++units) {
    size_t length = strlen(units->name);
    if ((size_t)(end - at) != length || strncmp(at, units->name, length) != 0) continue;
    *value = number * units->factor;
    return *value < 9e18;
  }
  return 0;
}

static void read_size(void) {
  static const struct unit units[] = {{"B", 1},          {"kB", 1e3},          {"MB", 1e6},
                                      {"GB", 1e9},       {"TB", 1e12},         {"KiB", 1024.},
                                      {"MiB", 1048576.}, {"GiB", 1073741824.}, {"TiB", 1099511627776.},
                                      {NULL, 0}};
  const char *text = variable("PLUMBLINE_MAX_SIZE"), *keep = variable("PLUMBLINE_KEEP");
  double bytes = 0;
  if (keep != NULL && strcmp(keep, "first") != 0 && strcmp(keep, "last") != 0) {
    complain("PLUMBLINE_KEEP", keep, "choice of first and last");
    return; /* neither of them would be what was wanted */
  }
  if (text == NULL) return;
  if (!quantity(text, text + strlen(text), units, &bytes) || bytes < kLeastBytes) {
    complain("PLUMBLINE_MAX_SIZE", text, "size (100MB, 2GiB; at least 4MiB)");
    return;
  }
  pl_limits.bytes = (uint64_t)bytes;
  pl_limits.segments = (pl_limits.bytes - PL_HEADER_BYTES) / PL_SEGMENT_BYTES;
  pl_limits.keep_last = keep != NULL && strcmp(keep, "last") == 0;
}

/* ---- Ranks */

/* Whether the list names the rank; -1: it is no list. */
static int listed(const char* at, long rank) {
  enum { kMost = 1 << 30 };
  int found = 0;
  for (;; ++at) {
    long first = 0, last = 0;
    if (!is_digit(*at)) return -1;
    for (; is_digit(*at) && first < kMost; ++at) first = 10 * first + (*at - '0');
    last = first;
    if (*at == '-') {
      last = is_digit(*++at) ? 0 : kMost;
      for (; is_digit(*at) && last < kMost; ++at) last = 10 * last + (*at - '0');
    }
    if (last < first || (*at != ',' && *at != '\0')) return -1;
    found |= first <= rank && rank <= last;
    if (*at == '\0') return found;
  }
}

static void read_ranks(void) {
  static char copy[4096]; /* the program may change its environment */
  const char* text = variable("PLUMBLINE_RANKS");
  if (text == NULL) return;
  if (listed(text, 0) < 0 || strlen(text) >= sizeof copy) {
    complain("PLUMBLINE_RANKS", text, "list of ranks (0-3,8,12-)");
    return;
  }
  pl_put_text(copy, copy + sizeof copy, text);
  pl_limits.ranks = copy;
}

int pl_rank_is_wanted(int rank) { return pl_limits.ranks == NULL || listed(pl_limits.ranks, rank) != 0; }

/* ---- Window */

static int read_window_of(const char* text) {
  static const struct unit units[] = {{"s", 1e9},    {"ms", 1e6},   {"us", 1e3},    {"ns", 1}, {"ps", 1e-3},
                                      {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {NULL, 0}};
  const char *colon = strchr(text, ':'), *end = text + strlen(text);
  double from = 0, to = 9e18;
  if (colon == NULL || (colon == text && colon + 1 == end)) return 0;
  if (colon != text && !quantity(text, colon, units, &from)) return 0;
  if (colon + 1 != end && !quantity(colon + 1, end, units, &to)) return 0;
  pl_limits.from = (uint64_t)from;
  pl_limits.to = (uint64_t)to;
  return pl_limits.from < pl_limits.to;
}

static void read_window(void) {
  static char copy[64];
  const char* text = variable("PLUMBLINE_WINDOW");
  if (text == NULL) return;
  if (strlen(text) >= sizeof copy || !read_window_of(text)) {
    complain("PLUMBLINE_WINDOW", text, "window of time (10s:60s, 10s:, :1.5min)");
    return;
  }
  pl_put_text(copy, copy + sizeof copy, text);
  pl_limits.window = copy;
}

void pl_read_limits(void) {
  pl_limits = (struct pl_limits){0};
  read_size();
  read_ranks();
  read_window();
}
