// A time on the command line of a program of the laboratory: a number with us, ms or s.
#ifndef PLUMBLINE_LAB_NODE_DURATION_H
#define PLUMBLINE_LAB_NODE_DURATION_H

#include <stdlib.h>
#include <string.h>

// 0 of what is none.
static inline long long nanoseconds_of(const char* text) {
  char* unit;
  double value = strtod(text, &unit);
  double scale = strcmp(unit, "us") == 0 ? 1e3 : strcmp(unit, "ms") == 0 ? 1e6 : strcmp(unit, "s") == 0 ? 1e9 : 0;
  return (long long)(value * scale);
}

#endif
