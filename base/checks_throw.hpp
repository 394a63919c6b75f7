#pragma once
// Failed checks (base/check.hpp) that end one part of a job, and not the process.

#include <stdexcept>
#include <utility>

namespace plumbline {

// Its text is what would have been printed.
struct InternalFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// While one lives, a failed check of its thread throws InternalFault instead of aborting: for jobs of many parts, where
// the others are worth having. What the part worked on is to be thrown away.
class ChecksThrow {
 public:
  ChecksThrow() : before_(std::exchange(active_, true)) {}
  ~ChecksThrow() { active_ = before_; }
  ChecksThrow(const ChecksThrow&) = delete;
  ChecksThrow& operator=(const ChecksThrow&) = delete;
  static bool active() { return active_; }

 private:
  static inline thread_local bool active_ = false;
  bool before_;
};

}  // namespace plumbline
