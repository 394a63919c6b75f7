#include "tracer/record/clocks/recording_clock.hpp"

#include <ctime>
#include <fstream>
#include <limits>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace plumbline::record {
namespace {

bool tsc_is_a_clock() {
#if defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  std::string flags(8191, '\0');
  file.read(flags.data(), static_cast<std::streamsize>(flags.size()));
  return flags.find(" constant_tsc") != std::string::npos && flags.find(" nonstop_tsc") != std::string::npos;
#else
  return false;
#endif
}

std::uint64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

RecordingClock::RecordingClock() : use_tsc_(tsc_is_a_clock()) {}

std::uint64_t RecordingClock::ticks() const {
#if defined(__x86_64__)
  if (use_tsc_) return __rdtsc();
#endif
  return nanoseconds_of(CLOCK_MONOTONIC);
}

// The best of five: the one during which the fewest ticks passed.
pl_clock_reading RecordingClock::reading() const {
  pl_clock_reading best{};
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ticks();
    const std::uint64_t monotonic = nanoseconds_of(CLOCK_MONOTONIC);
    const std::uint64_t after = ticks();
    const std::uint64_t realtime = nanoseconds_of(CLOCK_REALTIME);
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {before + (after - before) / 2, monotonic, realtime};
  }
  return best;
}

std::int64_t monotonic_ns() { return static_cast<std::int64_t>(nanoseconds_of(CLOCK_MONOTONIC)); }
std::uint64_t processor_time_ns() { return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace plumbline::record
