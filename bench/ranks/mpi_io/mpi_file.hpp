#pragma once
// A file of our own for the time of a measurement: shared by all ranks, or one for each.

#include <mpi.h>

#include <string>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

inline constexpr FamilyParameter kDirectory = {"directory", "where the files are", "", true};
inline constexpr FamilyParameter kWhoseFile = {"file", "shared: one of all ranks; own: one for each rank", "shared",
                                               true};
inline constexpr FamilyParameter kHints = {"hint.NAME", "a hint for MPI_File_open, as hint.cb_nodes", "", true};

// The words "hint.NAME" of a request.
class Hints {
 public:
  explicit Hints(const Request& request);
  ~Hints();
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;

  operator MPI_Info() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

bool is_shared(const Request& request);

// A name that no other run uses, the same on all ranks but for the rank, where each has its own. Collective.
std::string new_file_name(const Context& context, const Request& request);

// Open from begin to end; then it is gone. Collective; throws Error on all ranks where it fails on one.
class MeasuredFile {
 public:
  MeasuredFile(const Context& context, const Request& request);
  ~MeasuredFile();
  MeasuredFile(const MeasuredFile&) = delete;
  MeasuredFile& operator=(const MeasuredFile&) = delete;

  MPI_File handle() const { return file_; }

 private:
  const Context& context_;
  bool shared_;
  std::string name_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace plumbline::bench
