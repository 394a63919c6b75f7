// Calls of POSIX on many files: what builds, checkpoints of one file a process, and scripts do to a file system.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

// All ranks in one directory, or each in its own.
static void place_files(const Run* run, bool together, char directory[kPathBytes]) {
  path_of(run, run->cell->name, together ? -1 : run->rank, directory);
  if (!together || run->rank == 0) check_posix(run, mkdir(directory, 0777), "make", directory);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void remove_place(const Run* run, bool together, const char* directory) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (!together || run->rank == 0) check_posix(run, rmdir(directory), "remove", directory);
}

static void name_file(const Run* run, const char* directory, int i, char path[kPathBytes]) {
  if (snprintf(path, kPathBytes, "%s/%d-%d", directory, run->rank, i) >= kPathBytes)
    stop(run, kBadInput, "the path of file %d is too long; give a shorter --directory", i);
}

void metadata(Run* run) {
  const bool together = int_of(run, "together") != 0;
  char directory[kPathBytes], path[kPathBytes];
  place_files(run, together, directory);
  begin(run, int_of(run, "files"));
  for (int i = 0; more(run, i); ++i) {
    name_file(run, directory, i, path);
    const int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    check_posix(run, file, "create", path);
    close(file);
  }
  for (int i = 0; i < run->repetitions; ++i) {
    struct stat found;
    name_file(run, directory, i, path);
    check_posix(run, stat(path, &found), "look at", path);
    if (found.st_size != 0) stop(run, kWrongData, "%s has %lld bytes, and is new", path, (long long)found.st_size);
  }
  for (int i = 0; i < run->repetitions; ++i) {
    name_file(run, directory, i, path);
    check_posix(run, unlink(path), "remove", path);
  }
  end(run);
  remove_place(run, together, directory);
}

static void write_file(const Run* run, const char* path, const char* data, size_t bytes) {
  const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
  check_posix(run, file, "create", path);
  for (size_t done = 0; done < bytes;) {
    const ssize_t written = write(file, data + done, bytes - done);
    check_posix(run, written, "write", path);
    done += (size_t)written;
  }
  check_posix(run, close(file), "close", path);
}

static void read_file(const Run* run, const char* path, char* data, size_t bytes) {
  const int file = open(path, O_RDONLY);
  check_posix(run, file, "open", path);
  const ssize_t got = read(file, data, bytes);
  check_posix(run, got, "read", path);
  if ((size_t)got != bytes) stop(run, kWrongData, "%s ends after %zd of %zu bytes", path, got, bytes);
  close(file);
}

void small_files(Run* run) {
  const size_t bytes = (size_t)int_of(run, "bytes");
  const bool together = int_of(run, "together") != 0;
  char directory[kPathBytes], path[kPathBytes];
  char* const data = touched(run, bytes);
  place_files(run, together, directory);
  begin(run, int_of(run, "files"));
  for (int i = 0; more(run, i); ++i) {
    name_file(run, directory, i, path);
    fill(data, (Mark){i, 0}, 0, bytes);
    write_file(run, path, data, bytes);
  }
  for (int i = 0; i < run->repetitions; ++i) {
    name_file(run, directory, i, path);
    read_file(run, path, data, bytes);
    expect(run, data, (Mark){i, 0}, 0, bytes, path);
  }
  end(run);
  for (int i = 0; i < run->repetitions; ++i) {
    name_file(run, directory, i, path);
    check_posix(run, unlink(path), "remove", path);
  }
  remove_place(run, together, directory);
  free(data);
}
