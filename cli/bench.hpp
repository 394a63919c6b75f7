#pragma once
// The faces of `plumbline bench`: run a campaign, show one, draw one. Each function is one of them, and returns the
// exit status.

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

}  // namespace plumbline::cli
