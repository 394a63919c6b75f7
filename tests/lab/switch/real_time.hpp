#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/units.hpp"
#include "tests/lab/switch/descriptor.hpp"

namespace plumbline::lab {

// Asks the kernel to wake this thread without delay: timer slack 1 ns, memory locked, SCHED_FIFO 10. Returns what was
// refused, for a message; empty when nothing was.
std::string become_real_time();

// Makes this thread a real-time one (SCHED_FIFO 10) or an ordinary one; false when the kernel refuses.
bool be_real_time(bool yes);

// While it is open no core of this machine goes to sleep (PM QoS, /dev/cpu_dma_latency: 0 us): one that waits is there
// at once when something comes. Empty where the kernel refuses, or has no such thing; errno says why.
Descriptor keep_cores_awake();

// Keeps this thread to one core; -1: to none. Throws Error when there is no such core.
void keep_to_core(std::int32_t core);

// A thread that never sleeps must not be a real-time one all the time: after 950 ms of each second the kernel stops it
// for the rest (sched_rt_runtime_us), 50 ms in which no frame moves. So it is an ordinary thread of the highest
// weight for the last tenth of each second.
class RealTimeShare {
 public:
  // `be` is what switches the thread over.
  explicit RealTimeShare(std::function<bool(bool)> be = be_real_time) : be_(std::move(be)) {}

  // Called often while the thread spins.
  void spend(Time now);

 private:
  std::function<bool(bool)> be_;
  Time second_began_;
  bool ordinary_ = false;
};

}  // namespace plumbline::lab
