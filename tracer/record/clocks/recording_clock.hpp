#pragma once
// The clock that the preload library stamps its records with (tracer/preload/core/recorder.c), for what is recorded
// beside the ranks: the time stamp counter where it neither changes its rate nor stops, else CLOCK_MONOTONIC.

#include <cstdint>

#include "tracer/spool/format/format.h"

namespace plumbline::record {

class RecordingClock {
 public:
  RecordingClock();

  pl_clock kind() const { return use_tsc_ ? PL_CLOCK_TSC : PL_CLOCK_MONOTONIC_NS; }
  std::uint64_t ticks() const;
  pl_clock_reading reading() const;

 private:
  bool use_tsc_;
};

// CLOCK_MONOTONIC.
std::int64_t monotonic_ns();
// That this thread has used of a processor.
std::uint64_t processor_time_ns();

}  // namespace plumbline::record
