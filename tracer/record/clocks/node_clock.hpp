#pragma once
// The part of one process in comparing the clocks of a run's nodes. All of them meet in the directory where spools are
// gathered: the first to come serves its clock and says in a file (`clock-server`) where; of every other node the first
// process there compares its clock with that one, at the start, every kInterval and at the end, and writes what it has
// learnt to a file of exchanges (clock_file.hpp).
//
// Nothing here throws or ends the program: what cannot be is said once, and then the assembly has the real time only.

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "tracer/record/clocks/clock_file.hpp"
#include "tracer/record/clocks/exchange.hpp"
#include "tracer/record/clocks/recording_clock.hpp"

namespace plumbline::record {

// Exchanges go on until half of the distance between the bounds is below this, ..
inline constexpr std::int64_t kClockTargetNs = 20'000;
// .. but never longer than this at the start and at the end, finding the server included.
inline constexpr std::chrono::milliseconds kClockPatience{2000};
inline constexpr std::chrono::seconds kClockInterval{10};

// Takes away what an earlier run that was killed may have left in the place where this one will meet. What is alive, of
// a server that is being recorded for one, stays.
void forget_earlier_meeting(const std::filesystem::path& gather);

class NodeClock {
 public:
  // Takes its part, and makes the first exchanges. `name` and `now` are of this node's clock.
  explicit NodeClock(const std::filesystem::path& gather, const NodeClockName& name = this_clock(),
                     Now now = monotonic_ns);
  ~NodeClock();

  // The program has been started: serves, or compares now and then.
  void watch(std::chrono::milliseconds interval = kClockInterval);
  // The program has ended: compares once more; a server waits for the others.
  void finish();

  bool serves() const { return server_ != nullptr; }
  bool compares() const { return client_ != nullptr; }

 private:
  void take_part(const std::filesystem::path& gather, const NodeClockName& name);
  bool serve_first(const std::filesystem::path& gather, const NodeClockName& name);
  void compare(const Effort& effort);
  void compare_now_and_then(std::chrono::milliseconds interval);

  Now now_;
  std::filesystem::path published_;  // by this process
  std::unique_ptr<ClockServer> server_;
  std::unique_ptr<ClockClient> client_;
  ClockAddress reference_;  // that it asks
  std::unique_ptr<ExchangeFile> file_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool finishing_ = false;
};

}  // namespace plumbline::record
