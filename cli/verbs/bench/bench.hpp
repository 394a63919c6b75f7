#pragma once
// The faces of `plumbline bench`: run a campaign, show one, draw one, hold MPI to guidelines. Each function is one of
// them, and returns the exit status.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::cli {

struct BenchRunOptions {
  std::filesystem::path campaign, output;
  bool resume = false, force = false, dry_run = false;
};
int run_bench(const BenchRunOptions& options);
int print_operations();                       // what can be measured here
int print_example(const std::string& which);  // "campaign" or "machine"     // a campaign to begin with

struct BenchChoice {
  std::filesystem::path file;
  std::vector<std::string> operations, implementations, mpis, sizes;
};

struct BenchShowOptions {
  BenchChoice choice;
  std::filesystem::path against;
  bool cells = false, raw = false, json = false, csv = false;
  double rate = 0.05;  // of false discoveries
};
int show_bench(const BenchShowOptions& options);

struct BenchPlotOptions {
  BenchChoice choice;
  std::filesystem::path output;
  std::string kind = "lines", over = "size", title;
  bool force = false;
};
int plot_bench(const BenchPlotOptions& options);

struct BenchGuidelinesOptions {
  std::filesystem::path table, output = "guidelines.h5", from, csv, plots, io;
  std::string mpi, launcher, sizes;
  std::vector<std::string> hosts, only;
  std::uint32_t ranks = 0, nodes = 1, runs = 0;  // 0: as the machine and the level have them
  std::uint64_t seed = 1;
  double ratio = 1.1, rate = 0.05;
  bool quick = false, full = false, details = false, try_proposals = false;
  bool resume = false, force = false, dry_run = false, list = false, example = false;
};
int bench_guidelines(const BenchGuidelinesOptions& options);

}  // namespace plumbline::cli
