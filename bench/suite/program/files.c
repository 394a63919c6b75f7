// The directory of a start, views with gaps, and what went wrong with a file.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

static int status_of(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG ? kBadInput : kCannotRunHere;
}

static const char* advice_on(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "make it, or give another one with --directory";
    case ENOSPC:
    case EDQUOT:
      return "make room, or give another directory with --directory";
    default:
      return "give a directory with --directory that all ranks may write to";
  }
}

// Ends all ranks when one of them sees no such directory: nodes may have file systems of their own there.
static void check_that_all_see(const char* path, int rank) {
  struct stat found;
  int ranks, mine, first;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mine = stat(path, &found) == 0 ? ranks : rank;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks) return;
  if (rank == 0) {
    fprintf(stderr,
            "plumbline-suite: %s: rank %d does not see what rank 0 made; give a directory with --directory "
            "that all nodes share\n",
            path, first);
    rmdir(path);
    wait_until_forwarded();
    MPI_Abort(MPI_COMM_WORLD, kBadInput);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // until rank 0 has said it
}

// The same name each time, if it can be: reports of two runs are held against each other. Returns an errno.
static int make_new(const char* within, char path[kPathBytes]) {
  enum { kNamesOfFiles = 64, kMostAtOnce = 1000 };
  for (int i = 0; i < kMostAtOnce; ++i) {
    const int length = snprintf(path, kPathBytes, i ? "%s/plumbline-suite-%d" : "%s/plumbline-suite", within, i);
    if (length >= kPathBytes - kNamesOfFiles) return ENAMETOOLONG;
    if (mkdir(path, 0700) == 0) return 0;
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

void make_directory(const Options* options, int rank, char path[kPathBytes]) {
  if (rank == 0) {
    const int error = make_new(options->directory, path);
    if (error) {
      fprintf(stderr, "plumbline-suite: %s: no directory can be made there: %s; %s\n", options->directory,
              strerror(error), advice_on(error));
      wait_until_forwarded();
      MPI_Abort(MPI_COMM_WORLD, status_of(error));
    }
  }
  MPI_Bcast(path, kPathBytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  check_that_all_see(path, rank);
}

static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

void remove_directory(const char* path) {
  enum { kOpenAtOnce = 8 };
  if (*path) nftw(path, remove_entry, kOpenAtOnce, FTW_DEPTH | FTW_PHYS);
}

void path_of(const Run* run, const char* name, int number, char path[kPathBytes]) {
  if (number < 0)
    snprintf(path, kPathBytes, "%s/%s", run->directory, name);
  else
    snprintf(path, kPathBytes, "%s/%s.%d", run->directory, name, number);
}

// The errno that a class of MPI stands for.
static int error_of(int class) {
  switch (class) {
    case MPI_ERR_NO_SUCH_FILE:
    case MPI_ERR_BAD_FILE:
      return ENOENT;
    case MPI_ERR_NO_SPACE:
      return ENOSPC;
    case MPI_ERR_QUOTA:
      return EDQUOT;
    case MPI_ERR_ACCESS:
    case MPI_ERR_READ_ONLY:
      return EACCES;
    default:
      return EIO;
  }
}

void check(const Run* run, int mpi_status, const char* doing, const char* path) {
  if (mpi_status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length, class = MPI_ERR_OTHER;
  MPI_Error_string(mpi_status, text, &length);
  MPI_Error_class(mpi_status, &class);
  const int error = error_of(class);
  stop(run, status_of(error), "%s %s: %s; %s", doing, path, text, advice_on(error));
}

void check_moved(const Run* run, int mpi_status, const MPI_Status* moved, int bytes, const char* doing,
                 const char* path) {
  int count = 0;
  check(run, mpi_status, doing, path);
  MPI_Get_count(moved, MPI_BYTE, &count);
  if (count != bytes)
    stop(run, kCannotRunHere, "%s %s: %d of %d bytes were moved; make room, or give another directory with --directory",
         doing, path, count, bytes);
}

MPI_Datatype with_gaps(int piece, MPI_Aint pitch) {
  MPI_Datatype contiguous, spaced;
  MPI_Type_contiguous(piece, MPI_BYTE, &contiguous);
  MPI_Type_create_resized(contiguous, 0, pitch, &spaced);
  MPI_Type_commit(&spaced);
  MPI_Type_free(&contiguous);
  return spaced;
}

void check_posix(const Run* run, long result, const char* doing, const char* path) {
  if (result >= 0) return;
  const int error = errno;
  stop(run, status_of(error), "%s %s: %s; %s", doing, path, strerror(error), advice_on(error));
}
