#include "tracer/record/clock.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace plumbline::record {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kLimitPs = std::numeric_limits<std::int64_t>::max() / 2;
constexpr std::uint64_t kPsPerNs = 1000;

std::int64_t limited(Wide ps) { return static_cast<std::int64_t>(std::clamp<Wide>(ps, -kLimitPs, kLimitPs)); }

}  // namespace

ClockId clock_of(const pl_file_header& header) {
  return {std::string(header.boot_id, strnlen(header.boot_id, sizeof header.boot_id)), header.clock};
}

std::int64_t LinearClock::ps(std::uint64_t at_ticks) const {
  const Wide passed = static_cast<Wide>(at_ticks) - static_cast<Wide>(ticks);
  // Beyond 2^62 ticks from its readings a stamp is damaged: keep the product within 128 bits.
  const Wide bounded = std::clamp<Wide>(passed, -(Wide{1} << 62), Wide{1} << 62);
  const Wide scaled = bounded * static_cast<Wide>(span_ps);
  Wide quotient = scaled / static_cast<Wide>(span_ticks);
  if (quotient * static_cast<Wide>(span_ticks) > scaled) --quotient;  // down, so that order is kept across the anchor
  return limited(quotient + at_ps);
}

Duration LinearClock::duration(std::uint64_t ticks_long) const {
  const Wide bounded = std::min<Wide>(ticks_long, Wide{1} << 62);
  return {limited(bounded * static_cast<Wide>(span_ps) / static_cast<Wide>(span_ticks))};
}

void Clocks::add(const ClockId& clock, std::span<const pl_clock_reading> readings) {
  Readings& known = readings_[clock];
  for (const pl_clock_reading& reading : readings) {
    if (reading.ticks == 0 || reading.realtime_ns == 0) continue;  // not taken
    if (!known.any || reading.ticks < known.first.ticks) known.first = reading;
    if (!known.any || reading.ticks > known.last.ticks) known.last = reading;
    known.any = true;
  }
}

void Clocks::fit() {
  origin_realtime_ns_ = 0;
  for (const auto& [clock, readings] : readings_)
    if (readings.any && (origin_realtime_ns_ == 0 || readings.first.realtime_ns < origin_realtime_ns_))
      origin_realtime_ns_ = readings.first.realtime_ns;
  for (const auto& [clock, readings] : readings_) {
    LinearClock linear;
    linear.span_ps = kPsPerNs;  // a nanosecond per tick, unless two readings say otherwise
    linear.ticks = readings.first.ticks;
    const std::uint64_t ticks = readings.last.ticks - readings.first.ticks;
    const std::uint64_t ns = readings.last.monotonic_ns - readings.first.monotonic_ns;
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 52;  // 52 days in ns
    const bool sane = readings.last.monotonic_ns > readings.first.monotonic_ns && ns < kLongest && ticks < 16 * ns;
    if (clock.second != PL_CLOCK_MONOTONIC_NS && ticks > 0 && sane) {
      linear.span_ticks = ticks;
      linear.span_ps = ns * kPsPerNs;
    }
    const Wide apart_ns = static_cast<Wide>(readings.first.realtime_ns) - static_cast<Wide>(origin_realtime_ns_);
    linear.at_ps = limited(apart_ns * static_cast<Wide>(kPsPerNs));
    linear_[clock] = linear;
  }
}

void Clocks::set_zero(std::span<const std::pair<ClockId, std::uint64_t>> moments) {
  zero_ps_ = std::numeric_limits<std::int64_t>::max();
  for (const auto& [clock, ticks] : moments) zero_ps_ = std::min(zero_ps_, linear(clock).ps(ticks));
  if (moments.empty()) zero_ps_ = 0;
}

Time Clocks::time(const LinearClock& clock, std::uint64_t ticks) const {
  return {std::max<std::int64_t>(0, limited(static_cast<Wide>(clock.ps(ticks)) - zero_ps_))};
}

std::uint64_t Clocks::zero_realtime_ns() const {
  if (origin_realtime_ns_ == 0) return 0;
  return origin_realtime_ns_ + static_cast<std::uint64_t>(zero_ps_ / static_cast<std::int64_t>(kPsPerNs));
}

}  // namespace plumbline::record
