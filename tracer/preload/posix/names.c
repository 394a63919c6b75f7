/* Calls on the name of a file. Of what does not exist, and of what is asked about without being opened, the kind is not
 * known: recorded by the path alone. The stat family knows, and leaves out what is no regular file. */
#include "tracer/preload/posix/posix.h"

/* Both paths are looked up before there is a record: they may have to be defined. 0: not recorded. */
static int begin_naming(struct pl_operation* o, uint16_t function, int directory, const char* path, int other_directory,
                        const char* other, void* address) {
  struct pl_operation second;
  uint32_t other_file = other == NULL ? 0 : pl_enter_on_path(&second, other_directory, other);
  if (other_file != 0) pl_set_mode(second.t, second.outer);
  uint32_t file = pl_enter_on_path(o, directory, path);
  if (file == 0 && other_file != 0) o->t = pl_enter_posix(&o->outer);
  if ((file | other_file) == 0 || o->t == NULL) return 0;
  pl_begin_operation(o, function, 2, pl_pair(file, other_file), 0, 0, address);
  return 1;
}

#define PL_ON_PATHS(name, function, directory, path, other_directory, other, arguments, call)                     \
  PL_EXPORT int name arguments {                                                                                  \
    struct pl_operation o;                                                                                        \
    if (!begin_naming(&o, PL_F_##function, directory, path, other_directory, other, __builtin_return_address(0))) \
      return (int)(call);                                                                                         \
    int result = (int)(call);                                                                                     \
    pl_end_operation(&o, result);                                                                                 \
    return result;                                                                                                \
  }
#define PL_ON_PATH(name, function, directory, path, arguments, call) \
  PL_ON_PATHS(name, function, directory, path, AT_FDCWD, NULL, arguments, call)

/* ---- Names come and go */

PL_ON_PATHS(rename, rename, AT_FDCWD, from, AT_FDCWD, to, (const char* from, const char* to),
            PL_SYSTEM(renameat, AT_FDCWD, from, AT_FDCWD, to))
PL_ON_PATHS(renameat, renameat, from_at, from, to_at, to, (int from_at, const char* from, int to_at, const char* to),
            PL_SYSTEM(renameat, from_at, from, to_at, to))
PL_ON_PATHS(renameat2, renameat2, from_at, from, to_at, to,
            (int from_at, const char* from, int to_at, const char* to, unsigned how),
            PL_SYSTEM(renameat2, from_at, from, to_at, to, how))
PL_ON_PATH(unlink, unlink, AT_FDCWD, path, (const char* path), PL_SYSTEM(unlinkat, AT_FDCWD, path, 0))
PL_ON_PATH(unlinkat, unlinkat, at, path, (int at, const char* path, int how), PL_SYSTEM(unlinkat, at, path, how))
PL_ON_PATH(remove, remove, AT_FDCWD, path, (const char* path), PL_LIBRARY(remove, -1, path))
PL_ON_PATH(rmdir, rmdir, AT_FDCWD, path, (const char* path), PL_SYSTEM(unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
PL_ON_PATH(mkdir, mkdir, AT_FDCWD, path, (const char* path, mode_t mode), PL_SYSTEM(mkdirat, AT_FDCWD, path, mode))
PL_ON_PATH(mkdirat, mkdirat, at, path, (int at, const char* path, mode_t mode), PL_SYSTEM(mkdirat, at, path, mode))
PL_ON_PATH(truncate, truncate, AT_FDCWD, path, (const char* path, off_t length), PL_SYSTEM(truncate, path, length))
PL_ON_PATH(truncate64, truncate, AT_FDCWD, path, (const char* path, off_t length), PL_SYSTEM(truncate, path, length))

/* ---- Asking */

PL_ON_PATH(access, access, AT_FDCWD, path, (const char* path, int mode),
           PL_LIKELY(pl_posix.access != NULL) ? pl_posix.access(path, mode)
                                              : syscall(SYS_faccessat, AT_FDCWD, path, mode))
PL_ON_PATH(euidaccess, euidaccess, AT_FDCWD, path, (const char* path, int mode), PL_LIBRARY(euidaccess, -1, path, mode))
PL_ON_PATH(eaccess, euidaccess, AT_FDCWD, path, (const char* path, int mode), PL_LIBRARY(euidaccess, -1, path, mode))
PL_ON_PATH(faccessat, faccessat, at, path, (int at, const char* path, int mode, int how),
           PL_LIBRARY(faccessat, -1, at, path, mode, how))

static void end_asking(struct pl_operation* o, int result, int is_other) {
  if (result != 0 || !is_other) return pl_end_operation(o, result);
  pl_withdraw(o->t, &o->call);
  pl_set_mode(o->t, o->outer);
}

#define PL_ON_STATUS(name, function, directory, path, arguments, is_other, call)                          \
  PL_EXPORT int name arguments {                                                                          \
    struct pl_operation o;                                                                                \
    if (!begin_naming(&o, PL_F_##function, directory, path, AT_FDCWD, NULL, __builtin_return_address(0))) \
      return (int)(call);                                                                                 \
    int result = (int)(call);                                                                             \
    end_asking(&o, result, result == 0 && (is_other));                                                    \
    return result;                                                                                        \
  }
#define PL_STATUS(name, function, directory, path, how, arguments)                \
  PL_ON_STATUS(name, function, directory, path, arguments, !S_ISREG(to->st_mode), \
               PL_SYSTEM_AS(fstatat, SYS_newfstatat, directory, path, (struct stat*)(void*)to, how))
PL_STATUS(stat, stat, AT_FDCWD, path, 0, (const char* path, struct stat* to))
PL_STATUS(stat64, stat, AT_FDCWD, path, 0, (const char* path, struct stat64* to))
PL_STATUS(lstat, lstat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, (const char* path, struct stat* to))
PL_STATUS(lstat64, lstat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, (const char* path, struct stat64* to))
PL_STATUS(fstatat, fstatat, at, path, how, (int at, const char* path, struct stat* to, int how))
PL_STATUS(fstatat64, fstatat, at, path, how, (int at, const char* path, struct stat64* to, int how))
PL_ON_STATUS(statx, statx, at, path, (int at, const char* path, int how, unsigned mask, struct statx* to),
             !S_ISREG(to->stx_mode), PL_SYSTEM(statx, at, path, how, mask, to))

#define PL_STATUS_OF_DESCRIPTOR(name, type)                                      \
  PL_ON_DESCRIPTOR(int, name, fstat, 2, PL_FD_WORD(0), 0, 0, (int fd, type* to), \
                   PL_SYSTEM(fstat, fd, (struct stat*)(void*)to))
PL_STATUS_OF_DESCRIPTOR(fstat, struct stat)
PL_STATUS_OF_DESCRIPTOR(fstat64, struct stat64)

/* What programs call that were built with glibc before 2.33. Of 64-bit systems all versions have one structure. */
#define PL_OLD_STATUS(name, function, directory, path, how, arguments)                                        \
  PL_EXPORT int name arguments;                                                                               \
  PL_ON_STATUS(name, function, directory, path, arguments, !S_ISREG(to->st_mode),                             \
               version == 0 || version == 1 ? PL_SYSTEM_AS(fstatat, SYS_newfstatat, directory, path, to, how) \
                                            : (errno = EINVAL, -1))
PL_OLD_STATUS(__xstat, stat, AT_FDCWD, path, 0, (int version, const char* path, struct stat* to))
PL_OLD_STATUS(__xstat64, stat, AT_FDCWD, path, 0, (int version, const char* path, struct stat* to))
PL_OLD_STATUS(__lxstat, lstat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, (int version, const char* path, struct stat* to))
PL_OLD_STATUS(__lxstat64, lstat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, (int version, const char* path, struct stat* to))
PL_OLD_STATUS(__fxstatat, fstatat, at, path, how, (int version, int at, const char* path, struct stat* to, int how))
PL_OLD_STATUS(__fxstatat64, fstatat, at, path, how, (int version, int at, const char* path, struct stat* to, int how))

#define PL_OLD_STATUS_OF_DESCRIPTOR(name)                                                            \
  PL_EXPORT int name(int version, int fd, struct stat* to);                                          \
  PL_ON_DESCRIPTOR(int, name, fstat, 2, PL_FD_WORD(0), 0, 0, (int version, int fd, struct stat* to), \
                   version == 0 || version == 1 ? PL_SYSTEM(fstat, fd, to) : (errno = EINVAL, -1))
PL_OLD_STATUS_OF_DESCRIPTOR(__fxstat)
PL_OLD_STATUS_OF_DESCRIPTOR(__fxstat64)

/* ---- Of the file system that it is on */

#define PL_SPACE(name, function, type)                                                           \
  PL_ON_PATH(name, function, AT_FDCWD, path, (const char* path, struct type* to),                \
             PL_LIBRARY(function, -1, path, (struct function*)(void*)to))                        \
  PL_ON_DESCRIPTOR(int, f##name, f##function, 2, PL_FD_WORD(0), 0, 0, (int fd, struct type* to), \
                   PL_LIBRARY(f##function, -1, fd, (struct function*)(void*)to))
PL_SPACE(statfs, statfs, statfs)
PL_SPACE(statfs64, statfs, statfs64)
PL_SPACE(statvfs, statvfs, statvfs)
PL_SPACE(statvfs64, statvfs, statvfs64)
