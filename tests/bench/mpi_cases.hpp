#pragma once
// Cases that are tried inside of an MPI job, on all of its ranks: PROGRAM CASE [DIRECTORY]. Status 0, or 1 with what
// was wrong.

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace plumbline::test {

inline int rank, size;         // of MPI_COMM_WORLD
inline int faults;             // of this rank
inline std::string directory;  // where a case may write

#define EXPECT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++plumbline::test::faults;                                                                   \
      fmt::print(stderr, "{}: rank {}: not {}: {}\n", __LINE__, plumbline::test::rank, #condition, \
                 fmt::format(__VA_ARGS__));                                                        \
    }                                                                                              \
  } while (false)

// The whole of main(): runs the case that the command line names.
inline int run_cases(int argc, char** argv, const std::map<std::string, std::function<void()>>& cases) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    if (argc > 2) directory = std::filesystem::canonical(argv[2]).string();
    cases.at(argc > 1 ? argv[1] : "")();
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {}: {}\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return faults > 0;
}

}  // namespace plumbline::test
