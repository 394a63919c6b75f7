#pragma once
// Ticks of the tracer's clock as Time. All processes of one node share its clock, so one linear mapping serves them all
// and their order is kept; nodes are lined up by common_time.hpp.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "tracer/record/clocks/common_time.hpp"
#include "tracer/record/clocks/ratio.hpp"
#include "tracer/record/clocks/wide.hpp"
#include "tracer/spool/format/format.h"

namespace plumbline::record {

struct ClockId {
  std::string boot_id;
  std::uint32_t kind = 0;  // enum pl_clock
  std::int64_t namespace_ns = 0;

  auto operator<=>(const ClockId&) const = default;
  NodeClockName node() const { return {boot_id, namespace_ns}; }
};

ClockId clock_of(const pl_file_header& header);

// ticks → picoseconds since a common origin, by a straight line through two readings.
struct LinearClock {
  std::uint64_t ticks = 0;  // of the anchor
  std::int64_t at_ps = 0;   // of the anchor, since the origin
  Ratio ps_per_tick{1, 1};

  // Limited to ±53 days: a damaged stamp must not overflow what follows.
  std::int64_t ps(std::uint64_t at_ticks) const {  // down, so that order is kept across the anchor
    const std::uint64_t passed = at_ticks - ticks;
    return at_ticks >= ticks && passed <= kFarthest ? limited(ps_per_tick.times(passed) + at_ps)
                                                    : ps_far_away(at_ticks);
  }
  // The inverse, rounded down.
  std::uint64_t ticks_at(std::int64_t since_origin_ps) const;
  Duration duration(std::uint64_t ticks_long) const;

  // Ticks from its readings; a stamp beyond is damaged, and the product must stay within 128 bits.
  static constexpr std::uint64_t kFarthest = std::uint64_t{1} << 62;

 private:
  std::int64_t ps_far_away(std::uint64_t at_ticks) const;  // before the anchor, or beyond the farthest
};

class Clocks {
 public:
  // All readings of all spools, and all exchanges, first,
  void add(const ClockId& clock, std::span<const pl_clock_reading> readings);
  void add(ExchangeRecord exchanges) { common_.add(std::move(exchanges)); }
  // then the fit; time 0 is the origin until set_zero() moves it.
  void fit();
  // As CommonTime has it.
  std::vector<Disagreement> respect(std::span<const MessageBound> messages);
  // Makes the earliest of these moments time 0.
  void set_zero(std::span<const std::pair<ClockId, std::uint64_t>> moments);

  bool knows(const ClockId& clock) const;  // there is a reading of it
  Time time(const ClockId& clock, std::uint64_t ticks) const { return time(linear(clock), ticks); }
  // `clock` of linear(), found once.
  Time time(const LinearClock& clock, std::uint64_t ticks) const {
    return {std::clamp<std::int64_t>(clock.ps(ticks) - zero_ps_, 0, kLimitPs)};  // both are limited
  }
  const LinearClock& linear(const ClockId& clock) const { return linear_.at(clock); }
  // CLOCK_MONOTONIC of the node.
  std::int64_t node_ns(const ClockId& clock, std::uint64_t ticks) const;
  // With what readings deviate from the straight line added to the uncertainty.
  Alignment alignment(const ClockId& clock) const;
  const CommonTime& common() const { return common_; }
  std::uint64_t zero_realtime_ns() const;  // 0: unknown

 private:
  struct Readings {
    std::vector<pl_clock_reading> all;
    pl_clock_reading first{}, last{};  // earliest and latest by ticks
    bool tell_the_scale = false;       // else a tick is a ns

    void order(std::uint32_t kind);
    std::int64_t node_ns(std::uint64_t ticks) const;
    double deviation_ns() const;
  };

  void draw_lines();

  std::map<ClockId, Readings> readings_;
  std::map<ClockId, LinearClock> linear_;
  CommonTime common_;
  std::int64_t zero_ps_ = 0;
};

// A moment by CLOCK_REALTIME, as nearly as the trace's zero is known by it.
constexpr Time time_stamp(std::uint64_t realtime_ns, std::uint64_t zero_realtime_ns) {
  return Time{} + nanoseconds(static_cast<std::int64_t>(realtime_ns - zero_realtime_ns));
}

}  // namespace plumbline::record
