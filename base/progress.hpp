#pragma once
// Progress of long work: one line on stderr, only when it is a terminal, at most ten times a second.

#include <chrono>
#include <cstdint>
#include <optional>
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

  // Says how long the rest takes if it goes on as so far, once it is known.
  void tell_time_left() { tells_time_left_ = true; }

 private:
  std::string what_;
  std::uint64_t total_;
  bool shown_;
  std::chrono::steady_clock::time_point next_;
  std::chrono::steady_clock::time_point begin_;
  bool tells_time_left_ = false;
  std::optional<std::uint64_t> done_before_;  // when it was first told
};

}  // namespace plumbline
