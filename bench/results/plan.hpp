#pragma once
// What the host asks the ranks of one run to measure, as JSON in a file that rank 0 reads.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace plumbline::bench {

// As plumbline_settings, with the words of docs/models/measuring.md for the methods.
struct Effort {
  std::string timing = "max", isolation = "barrier", stop = "median";
  std::uint32_t root = 0, warm_up = 3, least = 30, most = 1000;
  double confidence = 0.95, precision = 0.025;
  double budget_s = 10, window_s = 0, clock_limit_s = 1e-6;

  bool operator==(const Effort&) const = default;
};

// One measurement of one family (bench/ranks/runtime/family.hpp), as the host has drawn its place in the order.
struct Request {
  std::string operation, implementation = "library";
  std::vector<std::uint64_t> sizes = {};          // in the order to measure them; {0} where the family has no sizes
  bool adaptive = false;                          // sizes are the two ends: points between them by the rule of MPIBlib
  std::map<std::string, double> numbers = {};     // parameters of the family, defaults filled in
  std::map<std::string, std::string> words = {};  // "directory", "hint.cb_nodes", "send" = "Ssend"
  Effort effort = {};
  bool keep_ranks = false;  // Cell::of_ranks too

  bool operator==(const Request&) const = default;
};

struct Plan {
  std::uint64_t seed = 0;  // of this run
  std::vector<Request> requests;

  bool operator==(const Plan&) const = default;
};

void write_plan(const Plan& plan, const std::filesystem::path& path);
Plan parse_plan(const std::string& text, const std::string& name);  // throws Error

}  // namespace plumbline::bench
