#pragma once
// Ticks of the tracer's clock as Time. All processes that share a boot id share their clocks, so one linear mapping
// serves them all and their order is kept; nodes are lined up by the real time that their readings also hold.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/units.hpp"
#include "tracer/spool/format.h"

namespace plumbline::record {

using ClockId = std::pair<std::string, std::uint32_t>;  // boot id, enum pl_clock

ClockId clock_of(const pl_file_header& header);

// ticks → picoseconds since a common origin, by a straight line through two readings.
struct LinearClock {
  std::uint64_t ticks = 0;       // of the anchor
  std::int64_t at_ps = 0;        // of the anchor, since the origin
  std::uint64_t span_ticks = 1;  // slope: span_ps / span_ticks
  std::uint64_t span_ps = 1;

  // Limited to ±53 days: a damaged stamp must not overflow what follows.
  std::int64_t ps(std::uint64_t at_ticks) const;
  Duration duration(std::uint64_t ticks_long) const;
};

class Clocks {
 public:
  // All readings of all spools first,
  void add(const ClockId& clock, std::span<const pl_clock_reading> readings);
  // then the fit; time 0 is the origin until set_zero() moves it.
  void fit();
  // Makes the earliest of these moments time 0.
  void set_zero(std::span<const std::pair<ClockId, std::uint64_t>> moments);

  Time time(const ClockId& clock, std::uint64_t ticks) const { return time(linear(clock), ticks); }
  Time time(const LinearClock& clock, std::uint64_t ticks) const;  // of linear(), found once
  const LinearClock& linear(const ClockId& clock) const { return linear_.at(clock); }
  std::uint64_t zero_realtime_ns() const;  // 0: unknown

 private:
  struct Readings {
    pl_clock_reading first{}, last{};  // earliest and latest by ticks
    bool any = false;
  };
  std::map<ClockId, Readings> readings_;
  std::map<ClockId, LinearClock> linear_;
  std::uint64_t origin_realtime_ns_ = 0;
  std::int64_t zero_ps_ = 0;
};

}  // namespace plumbline::record
