/* Which files are followed, by their paths: PLUMBLINE_IO_PATHS, patterns with colons between them.
 *
 *   *   any number of characters but /     **  likewise, and /      ?  one character but /
 *   !p  what p matches is left out
 *
 * A pattern without / is matched against the name alone, others against the absolute path. Without one that takes in,
 * everything is followed but what lies below /dev, /proc and /sys. */
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/posix/posix.h"

enum { kMostPatterns = 64, kMostText = 4096 };

static char text[kMostText]; /* a copy: the program may change its environment */
static const char* patterns[kMostPatterns];
static int pattern_count, some_take_in;

static void add(const char* pattern) {
  patterns[pattern_count++] = pattern;
  if (pattern[0] != '!') some_take_in = 1;
}

void pl_read_io_paths(void) {
  const char* given = getenv("PLUMBLINE_IO_PATHS");
  if (given == NULL) return;
  char* end = pl_put_text(text, text + sizeof text, given);
  size_t length = (size_t)(end - text);
  int complete = given[length] == '\0';
  for (char* at = text; complete && at < end;) {
    size_t n = strcspn(at, ":");
    at[n] = '\0';
    if (n > 0 && (complete = pattern_count < kMostPatterns)) add(at);
    at += n + 1;
  }
  if (complete) return;
  static const char complaint[] = "plumbline: PLUMBLINE_IO_PATHS holds too many patterns; all files are followed\n";
  pl_sys_write(2, complaint, sizeof complaint - 1);
  pattern_count = some_take_in = 0;
}

static int matches(const char* pattern, const char* path) {
  for (; *pattern != '\0'; ++pattern, ++path) {
    if (pattern[0] == '*') {
      int deep = pattern[1] == '*';
      const char* rest = pattern + 1 + deep;
      if (deep && rest[0] == '/' && matches(rest + 1, path)) return 1; /* a / ** / of no directory at all */
      for (;; ++path) {
        if (matches(rest, path)) return 1;
        if (*path == '\0' || (*path == '/' && !deep)) return 0;
      }
    }
    if (*path == '\0' || (pattern[0] == '?' ? *path == '/' : *pattern != *path)) return 0;
  }
  return *path == '\0';
}

static int fits(const char* pattern, const char* path) {
  const char* name = strrchr(path, '/');
  return matches(pattern, strchr(pattern, '/') != NULL || name == NULL ? path : name + 1);
}

static int is_special(const char* path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

int pl_path_is_wanted(const char* path) {
  int taken_in = !some_take_in && !is_special(path);
  for (int i = 0; i < pattern_count; ++i) {
    if (patterns[i][0] == '!') {
      if (fits(patterns[i] + 1, path)) return 0;
    } else if (!taken_in) {
      taken_in = fits(patterns[i], path);
    }
  }
  return taken_in;
}
