#pragma once
// Tasks on several threads of this process.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/team/task.hpp"

namespace plumbline {

// The caller's thread takes results and tells progress; it runs no task itself, so that neither needs to be safe for
// several threads.
class Threads {
 public:
  Threads(const Team& team, std::size_t count, const std::function<void(const Task&)>& work,
          const std::function<void(std::size_t)>& take);

  void run();

 private:
  void stop();
  void take_all();
  void tell_progress(std::unique_lock<std::mutex>& lock);

  void work_on();
  std::optional<std::size_t> begin_next();
  void end(std::size_t index, std::exception_ptr error);
  void told(std::size_t index, double share);

  const Team& team_;
  const std::size_t count_, ahead_;
  const std::function<void(const Task&)>& work_;
  const std::function<void(std::size_t)>& take_;
  const Task::Told told_;

  std::mutex mutex_;  // of all below
  std::condition_variable done_, room_;
  std::vector<bool> is_done_;   // by index
  std::vector<double> shares_;  // by index
  double sum_ = 0;              // of the shares
  std::size_t next_ = 0, taken_ = 0;
  std::size_t failed_;  // the lowest index that did; nobody waits for those behind it
  std::exception_ptr error_;
};

}  // namespace plumbline
