#pragma once
// When a thread's records were wanted: recording is on at the start, and switched for all threads at once
// (MPI_Pcontrol, limits of the user's). A thread whose first records have given way to newer ones is off until the
// first one that is left.

#include <cstdint>
#include <optional>
#include <span>

#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

class RecordingSwitches {
 public:
  // `switches`: by time, off first and then in turns; they outlive this.
  explicit RecordingSwitches(std::span<const SwitchFact> switches) : left_(switches) {}

  void lacks_beginning() { lacks_beginning_ = true; }
  bool awaits_first() const { return lacks_beginning_; }

  // `mark(on, ticks)` tells each switch; without ticks it is at the start of the trace.

  // The first record that is left begins; what was switched meanwhile changes nothing.
  template <class Mark>
  void begin_late(std::uint64_t ticks, const Mark& mark) {
    lacks_beginning_ = false;
    mark(false, std::nullopt);
    mark(true, std::optional(ticks));
    while (!left_.empty() && left_.front().ticks <= ticks) left_ = left_.subspan(1);
  }

  // Up to these ticks.
  template <class Mark>
  void reach(std::uint64_t ticks, const Mark& mark) {
    for (; !left_.empty() && left_.front().ticks <= ticks; left_ = left_.subspan(1))
      mark(left_.front().on, std::optional(left_.front().ticks));
  }

  // There are no more records.
  template <class Mark>
  void finish(const Mark& mark) {
    if (lacks_beginning_) mark(false, std::nullopt);
    reach(UINT64_MAX, mark);
  }

 private:
  std::span<const SwitchFact> left_;
  bool lacks_beginning_ = false;
};

}  // namespace plumbline::record
