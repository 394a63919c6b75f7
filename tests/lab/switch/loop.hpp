#pragma once
// The switch at work: reads frames from the TAP devices, asks the model, and hands them out as near to the model's time
// as this machine can.

#include <sys/epoll.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/lab/switch/descriptor.hpp"
#include "tests/lab/switch/frame_pool.hpp"
#include "tests/lab/switch/plant.hpp"
#include "tests/lab/switch/real_time.hpp"
#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

class Loop {
 public:
  // One open TAP device per port.
  Loop(Plant& plant, const Settings& settings, std::vector<Descriptor> taps);

  // Until stop(); once.
  void run();

  // From another thread, one at a time: runs `task` between two frames and returns when it is done (false: the loop had
  // ended and it was not run).
  bool execute(const std::function<void()>& task);
  void stop();

  // Nanoseconds on the clock of the loop (CLOCK_MONOTONIC).
  static std::int64_t clock_ns();

 private:
  struct Port {
    Descriptor tap;  // closed: the node is gone
    std::string name;
  };
  enum class TaskState : std::uint32_t { kWaiting, kDone, kNotRun };

  Time now() const { return Time{(clock_ns() - start_ns_) * 1'000}; }
  std::span<const epoll_event> wait(std::span<epoll_event> room);
  std::span<const epoll_event> look(std::span<epoll_event> room, Duration patience);
  void learn_lead(Duration wake_up);
  void read_frames(PortId port);
  void hand_out(Time now_is);
  void write_frame(const Delivery& delivery);
  void reclaim();
  void give_up(PortId port, int error);
  void serve_task();
  void end_task(TaskState state);
  PortId receiver_of(const std::byte* frame) const;
  void watch(int descriptor, std::uint32_t name);
  void wake();

  Plant& plant_;
  std::vector<Port> ports_;
  std::vector<std::pair<std::uint64_t, PortId>> stations_;  // address and port, sorted
  FramePool pool_;
  std::vector<std::size_t> lengths_;  // by FrameId, with the vnet header
  Descriptor epoll_, wake_up_;
  std::int64_t start_ns_ = 0;
  const Duration spin_;
  Time last_frame_;
  RealTimeShare share_;
  Duration lead_;  // how long waking up takes here: the timer is set that much earlier
  std::atomic<bool> stopping_{false};
  std::atomic<bool> ended_{false};
  std::atomic<const std::function<void()>*> task_{nullptr};
  std::atomic<TaskState> task_state_{TaskState::kWaiting};
};

}  // namespace plumbline::lab
