/* The shift of this process's CLOCK_MONOTONIC: containers and our laboratory have nodes whose clocks differ although
 * they run on one kernel. */
#include <string.h>

#include "tracer/preload/core/system.h"

static const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t') ++at;
  return at;
}

/* A decimal number and the end of it. */
static int64_t number(const char** at) {
  const char* c = skip_blanks(*at);
  int negative = *c == '-';
  uint64_t value = 0;
  for (c += negative; *c >= '0' && *c <= '9'; ++c) value = value * 10 + (uint64_t)(*c - '0');
  *at = c;
  return negative ? (int64_t)(0 - value) : (int64_t)value;
}

/* "monotonic  SECONDS  NANOSECONDS"; kernels before 5.7 name the clock by its number, 1. */
int64_t pl_time_namespace_ns(void) {
  char text[512];
  long n = pl_read_file("/proc/self/timens_offsets", text, sizeof text - 1);
  if (n <= 0) return 0;
  text[n] = '\0';
  for (const char* line = text; line != NULL; line = strchr(line, '\n')) {
    line = *line == '\n' ? line + 1 : line;
    const char* at = skip_blanks(line);
    size_t name = strcspn(at, " \t\n");
    if (!(name == 9 && strncmp(at, "monotonic", name) == 0) && !(name == 1 && *at == '1')) continue;
    at += name;
    int64_t seconds = number(&at);
    return seconds * 1000000000 + number(&at);
  }
  return 0;
}
