#pragma once
// What is measured quickly, and with what.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace plumbline::bench {

struct QuickOptions {
  std::filesystem::path directory = ".";  // whose storage is measured
  std::string mpi;                        // "openmpi" or "mpich"; empty: the first that is installed
  std::string launcher;                   // empty: mpirun.<mpi>, looked up in PATH
  std::filesystem::path probe;            // empty: ../lib/plumbline/plumbline-probe-<mpi> beside this program
  double seconds = 20;                    // for everything together; at most about a third more is taken
  std::function<void(double fraction, std::string_view what)> progress;
};

}  // namespace plumbline::bench
