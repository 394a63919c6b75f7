#pragma once
// Progress of long work: one line on stderr, only when it is a terminal, at most ten times a second.

#include <chrono>
#include <cstdint>
#include <string>

namespace plumbline {

class Progress {
 public:
  // `what` says what is being done ("replaying"); `total` in units of the caller, 0 when unknown.
  Progress(std::string what, std::uint64_t total);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done);

 private:
  std::string what_;
  std::uint64_t total_;
  bool shown_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace plumbline
