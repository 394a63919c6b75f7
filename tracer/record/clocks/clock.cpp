#include "tracer/record/clocks/clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tracer/record/clocks/wide.hpp"

namespace plumbline::record {

ClockId clock_of(const pl_file_header& header) {
  return {std::string(header.boot_id, strnlen(header.boot_id, sizeof header.boot_id)), header.clock,
          header.time_namespace_ns};
}

std::int64_t LinearClock::ps_far_away(std::uint64_t at_ticks) const {
  const Wide passed = static_cast<Wide>(at_ticks) - static_cast<Wide>(ticks);
  const Wide bounded = std::clamp<Wide>(passed, -Wide{kFarthest}, Wide{kFarthest});
  return limited(ps_per_tick.times(bounded) + at_ps);
}

std::uint64_t LinearClock::ticks_at(std::int64_t since_origin_ps) const {
  const Wide scaled = (static_cast<Wide>(since_origin_ps) - at_ps) * static_cast<Wide>(ps_per_tick.q());
  Wide quotient = scaled / static_cast<Wide>(ps_per_tick.p());
  if (scaled % static_cast<Wide>(ps_per_tick.p()) < 0) --quotient;
  return static_cast<std::uint64_t>(
      std::clamp<Wide>(quotient + static_cast<Wide>(ticks), 0, std::numeric_limits<std::uint64_t>::max()));
}

Duration LinearClock::duration(std::uint64_t ticks_long) const {
  const Wide bounded = std::min<Wide>(ticks_long, kFarthest);
  return {limited(ps_per_tick.times(bounded))};
}

void Clocks::add(const ClockId& clock, std::span<const pl_clock_reading> readings) {
  Readings& known = readings_[clock];
  for (const pl_clock_reading& reading : readings)
    if (reading.ticks != 0 && reading.realtime_ns != 0) known.all.push_back(reading);  // else not taken
}

void Clocks::Readings::order(std::uint32_t kind) {
  if (all.empty()) return;
  const auto [earliest, latest] = std::ranges::minmax_element(all, {}, &pl_clock_reading::ticks);
  first = *earliest;
  last = *latest;
  const std::uint64_t ticks = last.ticks - first.ticks, ns = last.monotonic_ns - first.monotonic_ns;
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 52;  // 52 days in ns
  tell_the_scale = kind != PL_CLOCK_MONOTONIC_NS && ticks > 0 && last.monotonic_ns > first.monotonic_ns &&
                   ns < kLongest && ticks < 16 * ns;
}

std::int64_t Clocks::Readings::node_ns(std::uint64_t ticks) const {
  const Wide passed =
      std::clamp<Wide>(static_cast<Wide>(ticks) - static_cast<Wide>(first.ticks), -(Wide{1} << 62), Wide{1} << 62);
  const Wide ns = tell_the_scale ? passed * static_cast<Wide>(last.monotonic_ns - first.monotonic_ns) /
                                       static_cast<Wide>(last.ticks - first.ticks)
                                 : passed;
  return limited(ns + static_cast<Wide>(first.monotonic_ns));
}

// The kernel's clock may be made to run faster or slower meanwhile (adjtimex(2)).
double Clocks::Readings::deviation_ns() const {
  double largest = 0;
  for (const pl_clock_reading& reading : all) {
    const Wide apart = static_cast<Wide>(reading.monotonic_ns) - node_ns(reading.ticks);
    largest = std::max(largest, std::abs(static_cast<double>(apart)));
  }
  return largest;
}

void Clocks::fit() {
  for (auto& [clock, readings] : readings_) {
    readings.order(clock.kind);
    if (readings.all.empty()) continue;
    const NodeReading first{readings.node_ns(readings.first.ticks), readings.first.realtime_ns};
    // Of a clock without a scale the later readings may be damaged.
    const bool sane = readings.tell_the_scale || clock.kind == PL_CLOCK_MONOTONIC_NS;
    const NodeReading last{sane ? readings.node_ns(readings.last.ticks) : first.node_ns, readings.last.realtime_ns};
    common_.add(clock.node(), first, last);
  }
  common_.fit();
  draw_lines();
}

std::vector<Disagreement> Clocks::respect(std::span<const MessageBound> messages) {
  std::vector<Disagreement> disagreements = common_.respect(messages);
  draw_lines();
  return disagreements;
}

// From ticks to the node's ns and from there to the common time, both straight: one line.
void Clocks::draw_lines() {
  constexpr std::uint64_t kLongEnough = 1'000'000'000;
  for (const auto& [clock, readings] : readings_) {
    LinearClock& linear = linear_[clock] = {};
    linear.ticks = readings.first.ticks;
    const std::uint64_t span = readings.tell_the_scale ? readings.last.ticks - readings.first.ticks : kLongEnough;
    const std::int64_t begin = readings.node_ns(linear.ticks), end = readings.node_ns(linear.ticks + span);
    linear.at_ps = readings.all.empty() ? 0 : common_.ps(clock.node(), begin);
    const std::int64_t span_ps = common_.ps(clock.node(), end) - common_.ps(clock.node(), begin);
    linear.ps_per_tick = {span_ps > 0 ? static_cast<std::uint64_t>(span_ps)
                                      : static_cast<std::uint64_t>(end - begin) * kPsPerNs,  // beyond what can be told
                          span};
  }
}

std::int64_t Clocks::node_ns(const ClockId& clock, std::uint64_t ticks) const {
  return readings_.at(clock).node_ns(ticks);
}

Alignment Clocks::alignment(const ClockId& clock) const {
  Alignment alignment = common_.alignment(clock.node());
  if (alignment.uncertainty_ns) *alignment.uncertainty_ns += readings_.at(clock).deviation_ns();
  return alignment;
}

void Clocks::set_zero(std::span<const std::pair<ClockId, std::uint64_t>> moments) {
  zero_ps_ = std::numeric_limits<std::int64_t>::max();
  for (const auto& [clock, ticks] : moments) zero_ps_ = std::min(zero_ps_, linear(clock).ps(ticks));
  if (moments.empty()) zero_ps_ = 0;
}

bool Clocks::knows(const ClockId& clock) const {
  const auto entry = readings_.find(clock);
  return entry != readings_.end() && !entry->second.all.empty();
}

std::uint64_t Clocks::zero_realtime_ns() const {
  if (common_.origin_realtime_ns() == 0) return 0;
  return common_.origin_realtime_ns() + static_cast<std::uint64_t>(zero_ps_ / kPsPerNs);
}

}  // namespace plumbline::record
