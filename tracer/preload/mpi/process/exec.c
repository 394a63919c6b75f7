/* Starting another program. On the way from the launcher to the program (`env LD_PRELOAD=x ./app`, scripts) the tracer
 * must stay in the environment, in front of what is preloaded there; and what it cannot get into is noted.
 *
 * Only in processes of which nothing was recorded: what a program that was recorded gives to others is its affair. A
 * child of vfork has its parent's memory, so nothing is kept but on the stack. */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/reasons.h"
#include "tracer/preload/mpi/symbols/lookup.h"
#include "tracer/spool/format/out_of_reach.h"

extern char** environ;

static const char kPreload[] = "LD_PRELOAD=", kSpool[] = "PLUMBLINE_SPOOL=";

/* The tracer as this process was started with it. */
static char own_path[PATH_MAX];

__attribute__((constructor(104))) static void find_own_path(void) {
  static const char name[] = "/libplumbline-preload-";
  const char* libraries = getenv("LD_PRELOAD");
  for (const char* at = libraries; at != NULL && *at != '\0';) {
    size_t n = strcspn(at, " :");
    const char* found = strstr(at, name);
    if (found != NULL && found < at + n && n < sizeof own_path) {
      memcpy(own_path, at, n);
      own_path[n] = '\0';
    }
    at += n + (at[n] != '\0');
  }
}

static char* const* variable(char* const* environment, const char* name) {
  for (; environment != NULL && *environment != NULL; ++environment)
    if (strncmp(*environment, name, strlen(name)) == 0) return environment;
  return NULL;
}

static void note_if_out_of_reach(const char* program) {
  long fd = pl_sys_open(program, O_RDONLY | O_CLOEXEC, 0);
  const char* reason = fd < 0 ? NULL : pl_why_out_of_reach((int)fd);
  if (fd >= 0) pl_sys_close((int)fd);
  if (reason != NULL) pl_note_reason(PL_REASON_OUT_OF_REACH, program, reason);
}

/* As execvp searches. */
static const char* in_path(const char* name, char* to) {
  const char* rest = getenv("PATH");
  if (strchr(name, '/') != NULL || rest == NULL) return name;
  while (*rest != '\0') {
    size_t n = strcspn(rest, ":");
    if (n + strlen(name) + 2 < PATH_MAX) {
      memcpy(to, rest, n);
      pl_put_text(pl_put_text(to + n, to + PATH_MAX, "/"), to + PATH_MAX, name);
      if (access(to, X_OK) == 0) return to;
    }
    rest += n + (rest[n] != '\0');
  }
  return name;
}

/* ---- The environment of the program */

static int is_on_the_way(char* const* environment) {
  return own_path[0] != '\0' && pl.enabled && pl.header == NULL && variable(environment, kSpool) != NULL;
}
static size_t length_of(char* const* environment) {
  size_t n = 0;
  while (environment[n] != NULL) ++n;
  return n;
}
static int lacks_us(char* const* environment) {
  char* const* preload = variable(environment, kPreload);
  return preload == NULL || strstr(*preload, own_path) == NULL;
}

/* A copy with us in front, in `room` for two more; the text in `text`. */
static char** with_us(char* const* environment, char** room, char* text) {
  char* const* preload = variable(environment, kPreload);
  const char* others = preload == NULL ? "" : *preload + sizeof kPreload - 1;
  char* limit = text + sizeof kPreload + strlen(own_path) + strlen(others) + 2;
  char* at = pl_put_text(pl_put_text(text, limit, kPreload), limit, own_path);
  if (*others != '\0') pl_put_text(pl_put_text(at, limit, ":"), limit, others);
  size_t n = 0;
  for (; environment[n] != NULL; ++n) room[n] = &environment[n] == preload ? text : environment[n];
  if (preload == NULL) room[n++] = text;
  room[n] = NULL;
  return room;
}

/* `environment` becomes what the program is to be given, on the stack of the caller. */
#define PL_KEEP_TRACER(environment)                                                                 \
  if (is_on_the_way(environment) && lacks_us(environment)) {                                        \
    char* const* old = variable(environment, kPreload);                                             \
    char** room = alloca((length_of(environment) + 2) * sizeof(char*));                             \
    char* text = alloca(sizeof kPreload + strlen(own_path) + (old == NULL ? 0 : strlen(*old)) + 2); \
    environment = with_us(environment, room, text);                                                 \
  }

static void* behind(const char* name) { return pl_dlsym(RTLD_NEXT, name); }

typedef int run_function(const char*, char* const*, char* const*);
static run_function* run_behind(const char* name) {
  run_function* function = NULL;
  void* found = behind(name);
  memcpy((void*)&function, &found, sizeof found);
  return function;
}

static int run_file(const char* path, char* const* arguments, char* const* environment) {
  if (environment == NULL) return run_behind("execve")(path, arguments, environment);
  if (is_on_the_way(environment)) note_if_out_of_reach(path);
  PL_KEEP_TRACER(environment)
  return run_behind("execve")(path, arguments, environment);
}
static int run_in_path(const char* name, char* const* arguments, char* const* environment) {
  char path[PATH_MAX];
  if (environment == NULL) return run_behind("execvpe")(name, arguments, environment);
  if (is_on_the_way(environment)) note_if_out_of_reach(in_path(name, path));
  PL_KEEP_TRACER(environment)
  return run_behind("execvpe")(name, arguments, environment);
}

PL_EXPORT int execve(const char* path, char* const arguments[], char* const environment[]) {
  return run_file(path, arguments, environment);
}
PL_EXPORT int execv(const char* path, char* const arguments[]) { return run_file(path, arguments, environ); }
PL_EXPORT int execvp(const char* name, char* const arguments[]) { return run_in_path(name, arguments, environ); }
PL_EXPORT int execvpe(const char* name, char* const arguments[], char* const environment[]) {
  return run_in_path(name, arguments, environment);
}

/* Of the forms with a list of arguments: the list as an array, on the stack. */
#define PL_ARRAY_OF(first, array)                     \
  size_t count = 1;                                   \
  va_list list;                                       \
  va_start(list, first);                              \
  while (va_arg(list, char*) != NULL) ++count;        \
  va_end(list);                                       \
  char** array = alloca((count + 1) * sizeof(char*)); \
  va_start(list, first);                              \
  array[0] = (char*)(uintptr_t)first;                 \
  for (size_t i = 1; i <= count; ++i) array[i] = va_arg(list, char*)

PL_EXPORT int execl(const char* path, const char* first, ...) {
  PL_ARRAY_OF(first, arguments);
  va_end(list);
  return run_file(path, arguments, environ);
}
PL_EXPORT int execlp(const char* name, const char* first, ...) {
  PL_ARRAY_OF(first, arguments);
  va_end(list);
  return run_in_path(name, arguments, environ);
}
PL_EXPORT int execle(const char* path, const char* first, ...) {
  PL_ARRAY_OF(first, arguments);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return run_file(path, arguments, environment);
}

typedef int spawn_function(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                           char* const*, char* const*);
static int spawn(const char* function, const char* program, pid_t* pid, const char* name,
                 const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes, char* const* arguments,
                 char* const* environment) {
  spawn_function* real = NULL;
  void* found = behind(function);
  memcpy((void*)&real, &found, sizeof found);
  if (environment == NULL) return real(pid, name, actions, attributes, arguments, environment);
  if (is_on_the_way(environment)) note_if_out_of_reach(program);
  PL_KEEP_TRACER(environment)
  return real(pid, name, actions, attributes, arguments, environment);
}
PL_EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  return spawn("posix_spawn", path, pid, path, actions, attributes, arguments, environment);
}
PL_EXPORT int posix_spawnp(pid_t* pid, const char* name, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  char path[PATH_MAX];
  return spawn("posix_spawnp", in_path(name, path), pid, name, actions, attributes, arguments, environment);
}
