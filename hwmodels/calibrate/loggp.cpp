#include "hwmodels/calibrate/loggp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/quantity.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestSizes = 4;
constexpr double kLeast = 1e-3;  // ns: errors are relative, so that no value may be 0

// Of one message: what n of them take more than one, each.
double share(double trips, const RoundTrips& of, std::uint32_t messages) { return (trips - of.one) / (messages - 1); }

// G_all = g + (s - 1) G (equations 2 and 5).
double busy(const RoundTrips& of, std::uint32_t messages) { return std::max(share(of.many, of, messages), kLeast); }

// Over s - 1, so that the intercept is g.
std::vector<Point> gaps(std::span<const RoundTrips> points, std::uint32_t messages) {
  std::vector<Point> gaps;
  for (const RoundTrips& each : points) gaps.push_back({each.size - 1, busy(each, messages)});
  return gaps;
}

// o_s(s) by equation 4, where the delay was long enough.
Line sends_of(std::span<const RoundTrips> points, std::uint32_t messages) {
  std::vector<Point> sends;
  for (const RoundTrips& each : points)
    if (each.delay > busy(each, messages))
      sends.push_back({each.size, std::max(share(each.spaced, each, messages) - each.delay, kLeast)});
  return sends.empty() ? Line{} : fit_line(sends);
}

// The delayed receives find their messages there: what is left of their time is theirs.
Line receives_of(std::span<const RoundTrips> points, std::uint32_t messages) {
  std::vector<Point> receives;
  for (const RoundTrips& each : points) {
    if (each.receives <= 0) continue;
    const double waited = (messages - 1) * each.receive_delay;
    receives.push_back({each.size, std::max((each.receives - waited) / (messages - 1), kLeast)});
  }
  return receives.empty() ? Line{} : fit_line(receives);
}

LogGPInterval interval_of(std::span<const RoundTrips> points, std::uint32_t messages) {
  LogGPInterval interval;
  interval.first = points.front().size;
  interval.last = points.back().size;
  interval.sends = sends_of(points, messages);
  interval.receives = receives_of(points, messages);
  const std::vector<Point> own = gaps(points, messages);
  Line line = least_squares(own);
  if (line.intercept < 0 || line.slope < 0) line = fit_line(own);  // noise: nothing takes less than no time
  interval.gap = line.intercept;
  interval.gap_per_byte = line.slope;
  interval.deviation = largest_deviation(line, own);
  return interval;
}

MessageRange range_of(const LogGPInterval& interval, const LogGPFit& fit, Protocol protocol,
                      const std::string& source) {
  const double spread = interval.deviation;
  const auto duration = [&](double ns) {
    return Parameter<Duration>{duration_from_seconds(std::max(ns, 0.0) * 1e-9), spread, source};
  };
  const auto rate = [&](double per_byte) -> std::optional<Parameter<BytesPerSecond>> {
    constexpr double kNoSlope = 1e-9;  // ns/B
    if (per_byte <= kNoSlope) return std::nullopt;
    return Parameter<BytesPerSecond>{{static_cast<std::uint64_t>(std::llround(1e9 / per_byte))}, spread, source};
  };
  MessageRange range;
  range.protocol = protocol;
  range.send = duration(interval.sends.intercept);
  range.receive = duration(interval.receives.intercept);
  range.latency = duration(fit.latency);
  range.send_rate = rate(interval.sends.slope);
  range.receive_rate = rate(interval.receives.slope);
  range.gap = duration(interval.gap);
  range.gap_rate = rate(interval.gap_per_byte);
  return range;
}

}  // namespace

LogGPFit fit_loggp(std::span<const RoundTrips> points, std::uint32_t messages, const ChangeRule& rule) {
  PLUMBLINE_CHECK(points.size() >= kFewestSizes && messages > 1, "LogGP needs four sizes and trains of messages");
  LogGPFit fit;
  for (const RoundTrips& each : points)
    if (each.delay <= busy(each, messages)) fit.delay_too_short.push_back(each.size);
  std::size_t first = 0;
  std::vector<std::size_t> ends = find_changes(gaps(points, messages), rule);
  ends.push_back(points.size() - 1);
  for (const std::size_t end : ends) {
    fit.intervals.push_back(interval_of(points.subspan(first, end - first + 1), messages));
    first = end + 1;
  }
  fit.half_trip = points.front().one / 2;
  const double size = points.front().size;
  const LogGPInterval& small = fit.intervals.front();
  const double calls = small.sends.at(size) + small.receives.at(size);
  fit.latency = std::max(0.0, fit.half_trip - calls - (size - 1) * small.gap_per_byte);
  return fit;
}

Transport loggp_transport(const LogGPFit& fit, std::uint64_t rendezvous, const std::string& source) {
  Transport transport;
  const auto append = [&](const LogGPInterval& interval, Protocol protocol, std::uint64_t upto) {
    transport.ranges.push_back(range_of(interval, fit, protocol, source));
    transport.ranges.back().upto = Bytes{upto};
  };
  for (const LogGPInterval& interval : fit.intervals) {
    const auto first = static_cast<std::uint64_t>(interval.first), last = static_cast<std::uint64_t>(interval.last);
    const bool all_wait = rendezvous != 0 && rendezvous <= first;
    const bool some_wait = rendezvous > first && rendezvous <= last;
    if (some_wait) append(interval, Protocol::kEager, rendezvous - 1);
    append(interval, all_wait || some_wait ? Protocol::kRendezvous : Protocol::kEager, last);
  }
  transport.ranges.back().upto.reset();
  return transport;
}

}  // namespace plumbline::hw::calibration
