/* Files of control groups, found by the path of this process's own group and where hierarchies are usually mounted. */
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/node/copy.h"

static void copy_files(struct pl_node_copy* copy, char* end, const char* names) {
  char* limit = copy->path + sizeof copy->path;
  *end = '\0';
  end = pl_put_text(end, limit, "/");
  for (; *names != '\0'; names += names[0] == ' ') {
    size_t length = strcspn(names, " ");
    if ((size_t)(limit - end) <= length) return;
    memcpy(end, names, length);
    end[length] = '\0';
    pl_copy_file(copy);
    names += length;
  }
}

/* Of the group and of those above it: a limit anywhere on the way is one. */
static void copy_chain(struct pl_node_copy* copy, const char* mount, const char* group, const char* names) {
  char* limit = copy->path + sizeof copy->path;
  char* top = pl_put_text(copy->path + copy->root, limit, mount);
  char* end = strstr(group, "..") != NULL ? top : pl_put_text(top, limit - 64, group);
  while (end > top && end[-1] == '/') --end;
  for (;;) {
    copy_files(copy, end, names);
    if (end == top) return;
    while (end > top && *--end != '/') continue;
  }
}

static int shares_out_processors(const char* controllers) {
  for (const char* item = controllers; *item != '\0'; item += item[0] == ',') {
    size_t length = strcspn(item, ",");
    if (length == 3 && memcmp(item, "cpu", 3) == 0) return 1;
    item += length;
  }
  return 0;
}

/* "0::/user.slice" of version 2, "4:cpu,cpuacct:/job_7" of version 1. */
static void copy_group(struct pl_node_copy* copy, char* line) {
  static const char version_1[] = "cpu.cfs_quota_us cpu.cfs_period_us cpu.stat", version_2[] = "cpu.max cpu.stat";
  char* controllers = strchr(line, ':');
  char* group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
  if (group == NULL) return;
  *group++ = '\0';
  ++controllers;
  if (*controllers == '\0') {
    copy_chain(copy, "/sys/fs/cgroup", group, version_2);
    copy_chain(copy, "/sys/fs/cgroup/unified", group, version_2);
  } else if (shares_out_processors(controllers)) {
    copy_chain(copy, "/sys/fs/cgroup/cpu", group, version_1);
    copy_chain(copy, "/sys/fs/cgroup/cpu,cpuacct", group, version_1);
  }
}

void pl_copy_control_groups(struct pl_node_copy* copy) {
  char text[4096];
  pl_put_text(copy->path + copy->root, copy->path + sizeof copy->path, "/proc/self/cgroup");
  long n = pl_read_file(copy->path, text, sizeof text - 1);
  if (n <= 0) return;
  text[n] = '\0';
  for (char* line = text; *line != '\0';) {
    char* end = line + strcspn(line, "\n");
    const int is_last = *end == '\0';
    *end = '\0';
    copy_group(copy, line);
    if (is_last) return;
    line = end + 1;
  }
}
