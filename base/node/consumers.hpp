#pragma once
// Which processes use the processors of a node besides those of a program.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::node {

// What one process has used since it began: utime + stime of /proc/PID/stat, of all its threads.
struct ProcessTime {
  std::string command;  // as the kernel cuts it, to 15 characters
  std::uint64_t ticks = 0, began = 0;
};
using ProcessTimes = std::map<int, ProcessTime>;  // by process

// Processes that end meanwhile are left out, and so are all where /proc hides those of other users (hidepid).
ProcessTimes read_process_times(const std::filesystem::path& root = "/");

struct Consumer {
  int process = 0;
  std::string command;
  double processors = 0;  // 0.5: half of one

  bool operator==(const Consumer&) const = default;
};

// Those that used a twentieth of a processor or more between two readings that lie `seconds` apart, the largest first.
// A tick is 10 ms on most kernels: over 0.3 s that is a thirtieth.
std::vector<Consumer> consumers_between(const ProcessTimes& before, const ProcessTimes& after, double seconds,
                                        double ticks_per_second);

// Launchers of MPI and programs of ours are part of what is measured.
bool is_of_launch(std::string_view command);

// Looks twice, and puts what was seen of others: "busy.PROCESS.command", "busy.PROCESS.processors".
void add_consumers(Facts& facts, std::chrono::milliseconds between = std::chrono::milliseconds(300));

// What add_consumers() has put, the largest first.
std::vector<Consumer> consumers_in(const Facts& facts);

// Those that were seen both times, with the smaller of both shares: what is there all the time.
std::vector<Consumer> seen_twice(const std::vector<Consumer>& before, const std::vector<Consumer>& after);

}  // namespace plumbline::node
