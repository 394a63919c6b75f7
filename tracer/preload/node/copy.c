/* Copies files of /proc and /sys into memory, within bounds of room and time. */
#include "tracer/preload/node/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/node/paths.h"

enum { kDigits = 7, kLastEntry = 64, kHead = 4096 };

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Entries */

/* "file 0000123 /proc/stat\n"; the number is written once it is known. NULL: there is no room. */
static char* put_entry(struct pl_node_copy* copy, const char* kind) {
  const char* path = copy->path + copy->root;
  size_t bytes = strlen(kind) + 1 + kDigits + 1 + strlen(path) + 1;
  if ((size_t)(copy->limit - copy->at) < bytes + 2) {
    copy->stopped = PL_NODE_OUT_OF_ROOM;
    return NULL;
  }
  char* at = pl_put_text(pl_put_text(copy->at, copy->limit, kind), copy->limit, " 0000000 ");
  at = pl_put_text(at, copy->limit, path);
  *at++ = '\n';
  return at;
}

static void put_number(struct pl_node_copy* copy, const char* kind, size_t number) {
  char* digit = copy->at + strlen(kind) + 1 + kDigits;
  for (int i = 0; i < kDigits; ++i, number /= 10) *--digit = (char)('0' + number % 10);
}

/* The entry ends at `end`, behind so many bytes of content. */
static void end_entry(struct pl_node_copy* copy, const char* kind, char* end, size_t bytes) {
  put_number(copy, kind, bytes);
  *end++ = '\n';
  copy->at = end;
}

static void note(struct pl_node_copy* copy, const char* kind, int number) {
  char* end = put_entry(copy, kind);
  if (end == NULL) return;
  put_number(copy, kind, (size_t)number);
  copy->at = end;
}

/* What the kernel says of something that a device does not have (base/node/source.cpp). */
static int does_not_apply(long error) {
  return error == -ENOENT || error == -ENOTDIR || error == -EINVAL || error == -ENODEV || error == -EOPNOTSUPP ||
         error == -ENXIO || error == -EAGAIN;
}

/* ---- Files */

/* Up to n bytes; -errno. Not blocking: somebody may have put a pipe where a file should be. */
static long read_file(const char* path, char* to, size_t n) {
  struct stat status;
  long fd = pl_sys_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0), got = 0;
  if (fd < 0) return fd;
  size_t have = 0;
  if (pl_sys_fstat((int)fd, &status) != 0 || !S_ISREG(status.st_mode)) n = 0;
  while (have < n) {
    got = pl_sys_read((int)fd, to + have, n - have);
    if (got == -EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  pl_sys_close((int)fd);
  return got < 0 ? got : (long)have;
}

/* `most`: bytes that are wanted; of a longer file none, or, where its beginning will do, its whole lines. */
static void copy_content(struct pl_node_copy* copy, size_t most, int is_head) {
  char* content = put_entry(copy, "file");
  if (content == NULL) return;
  const size_t room = (size_t)(copy->limit - content) - 1;
  const size_t n = most < room ? most : room;
  long got = read_file(copy->path, content, n);
  if (got == (long)n && is_head) /* the last line may be cut off */
    while (got > 0 && content[got - 1] != '\n') --got;
  if (got < 0 && !does_not_apply(got)) note(copy, "none", (int)-got);
  if (got == (long)n && !is_head) {
    if (n < most)
      copy->stopped = PL_NODE_OUT_OF_ROOM;
    else
      note(copy, "long", 0);
  } else if (got > 0) {
    end_entry(copy, "file", content + got, (size_t)got);
  }
}

static int may_go_on(struct pl_node_copy* copy) {
  if (copy->stopped == PL_NODE_ALL && nanoseconds(CLOCK_MONOTONIC) - copy->begin_ns > PL_NODE_MOST_NS)
    copy->stopped = PL_NODE_OUT_OF_TIME;
  return copy->stopped == PL_NODE_ALL;
}

void pl_copy_file(struct pl_node_copy* copy) {
  if (may_go_on(copy)) copy_content(copy, PL_NODE_MOST_FILE, 0);
}

static void copy_link(struct pl_node_copy* copy) {
  char target[512];
  long n = pl_sys_readlink(copy->path, target, sizeof target);
  if (n <= 0 || n == (long)sizeof target) return;
  char* content = put_entry(copy, "link");
  if (content == NULL || copy->limit - content < n + 1) return;
  memcpy(content, target, (size_t)n);
  end_entry(copy, "link", content + n, (size_t)n);
}

/* ---- Directories: getdents64(2), because the C library's opendir takes memory of the heap */

struct entry {
  uint64_t inode, offset;
  unsigned short bytes;
  unsigned char type;
  char name[];
};

/* A name that can stand in a line, and is none of the directory itself. */
static int is_plain(const char* name) {
  if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) return 0;
  for (; *name != '\0'; ++name)
    if ((unsigned char)*name < 0x20 || *name == 0x7f) return 0;
  return 1;
}

static int is_number(const char* text) { return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0'; }

struct visit {
  struct pl_node_copy* copy;
  const struct pl_node_path* row;
  const char *rest, *prefix; /* of the pattern behind the name; what the name begins with */
  char* end;                 /* of the directory in copy->path */
  int numbers;               /* behind the prefix */
  char* names;               /* where they are put, in a list; NULL: they are followed */
};

static void for_each_name(struct visit* visit, void (*see)(struct visit* visit, const char* name)) {
  char block[2048] __attribute__((aligned(8)));
  long fd = pl_sys_open(visit->copy->path, O_RDONLY | O_DIRECTORY, 0), got;
  if (fd < 0) return;
  while (visit->copy->stopped == PL_NODE_ALL && (got = pl_sys_getdents((int)fd, block, sizeof block)) > 0)
    for (long at = 0; at < got;) {
      const struct entry* entry = (const struct entry*)(const void*)(block + at);
      if (is_plain(entry->name)) see(visit, entry->name);
      at += entry->bytes;
    }
  pl_sys_close((int)fd);
}

static void add_name(struct visit* visit, const char* name) {
  size_t length = strlen(name);
  if ((size_t)(visit->copy->limit - visit->names) < length + 2) {
    visit->copy->stopped = PL_NODE_OUT_OF_ROOM;
    return;
  }
  memcpy(visit->names, name, length);
  visit->names[length] = '\n';
  visit->names += length + 1;
}

static void copy_names(struct pl_node_copy* copy) {
  char* content = put_entry(copy, "names");
  if (content == NULL) return;
  struct visit visit = {.copy = copy, .names = content};
  for_each_name(&visit, add_name);
  if (visit.names > content && copy->stopped == PL_NODE_ALL)
    end_entry(copy, "names", visit.names, (size_t)(visit.names - content));
}

/* ---- The list */

static void copy_part(struct pl_node_copy* copy, enum pl_node_part part) {
  if (!may_go_on(copy)) return;
  switch (part) {
    case PL_NODE_FILE:
      copy_content(copy, PL_NODE_MOST_FILE, 0);
      break;
    case PL_NODE_HEAD:
      copy_content(copy, kHead, 1);
      break;
    case PL_NODE_LINK:
      copy_link(copy);
      break;
    case PL_NODE_NAMES:
      copy_names(copy);
      break;
  }
}

static void copy_matching(struct pl_node_copy* copy, const struct pl_node_path* row, char* end, const char* pattern);

static void follow(struct visit* visit, const char* name) {
  const size_t length = strcspn(visit->prefix, "*#");
  if (strncmp(name, visit->prefix, length) != 0) return;
  if (visit->numbers && !is_number(name + length)) return;
  char* end = pl_put_text(visit->end, visit->copy->path + sizeof visit->copy->path, name);
  copy_matching(visit->copy, visit->row, end, visit->rest);
  *visit->end = '\0';
}

/* The path up to `end` is there; `pattern` follows. */
static void copy_matching(struct pl_node_copy* copy, const struct pl_node_path* row, char* end, const char* pattern) {
  char* limit = copy->path + sizeof copy->path;
  const char* wild = strpbrk(pattern, "*#");
  if (wild == NULL) {
    end = pl_put_text(end, limit, pattern);
    if (row->names[0] == '\0') copy_part(copy, row->part);
    for (const char* name = row->names; *name != '\0';) {
      size_t length = strcspn(name, " ");
      if ((size_t)(limit - end) <= length) return;
      memcpy(end, name, length);
      end[length] = '\0';
      copy_part(copy, row->part);
      name += length + (name[length] == ' ');
    }
    return;
  }
  const char* prefix = wild;
  while (prefix > pattern && prefix[-1] != '/') --prefix;
  if (limit - end <= prefix - pattern) return;
  memcpy(end, pattern, (size_t)(prefix - pattern));
  end += prefix - pattern;
  *end = '\0';
  struct visit visit = {copy, row, wild + 1, prefix, end, *wild == '#', NULL};
  for_each_name(&visit, follow);
}

char* pl_copy_node(char* room, const char* root, const char* when) {
  struct pl_node_copy copy = {.at = room, .limit = room + PL_NODE_MOST - kLastEntry};
  copy.begin_ns = nanoseconds(CLOCK_MONOTONIC);
  copy.again = strcmp(when, "end") == 0;
  copy.at = pl_put_text(pl_put_text(pl_put_text(copy.at, copy.limit, "reading "), copy.limit, when), copy.limit, " ");
  copy.at = pl_put_number(copy.at, copy.limit, (int64_t)nanoseconds(CLOCK_REALTIME));
  *copy.at++ = '\n';
  char* end = pl_put_text(copy.path, copy.path + sizeof copy.path / 2, root);
  copy.root = (size_t)(end - copy.path);
  pl_copy_control_groups(&copy);
  for (size_t i = 0; i < sizeof pl_node_paths / sizeof pl_node_paths[0]; ++i) {
    if (copy.again && !pl_node_paths[i].again) continue;
    *end = '\0';
    copy_matching(&copy, &pl_node_paths[i], end, pl_node_paths[i].directory);
  }
  char* limit = copy.limit + kLastEntry;
  char* at = pl_put_number(pl_put_text(copy.at, limit, "done "), limit, copy.stopped);
  at = pl_put_number(pl_put_text(at, limit, " "), limit, (int64_t)(nanoseconds(CLOCK_MONOTONIC) - copy.begin_ns));
  *at++ = '\n';
  return at;
}
