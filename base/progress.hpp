#pragma once
// Progress of long work on stderr: one line that is drawn anew on a terminal, at most ten times a second; elsewhere (a
// pipe, the log of a batch job) nothing for the first seconds, then a line each time something is done, at most one in
// ten seconds.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // `what` says what is being done ("replaying"); `total` in units of the caller, 0 when unknown.
  Progress(std::string what, std::uint64_t total, Clock::time_point begin = Clock::now());
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `what`: just done, if it has a name ("pingpong").
  void update(std::uint64_t done, std::string_view what = {});

  // Says how long the rest takes if it goes on as so far, once enough has been done to tell.
  void tell_time_left() { tells_time_left_ = true; }

 private:
  std::string text_of(std::uint64_t done, Clock::time_point now) const;

  std::string what_;
  std::uint64_t total_;
  bool on_terminal_;
  Clock::time_point next_;
  Clock::time_point begin_;
  bool tells_time_left_ = false;
  std::optional<std::uint64_t> done_before_;  // when it was first told
  std::uint64_t told_ = 0;                    // done, in the last line
};

}  // namespace plumbline
