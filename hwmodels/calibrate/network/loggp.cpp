#include "hwmodels/calibrate/network/loggp.hpp"

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
std::vector<Point> sends_of(std::span<const RoundTrips> points, std::uint32_t messages) {
  std::vector<Point> sends;
  for (const RoundTrips& each : points)
    if (each.delay > busy(each, messages))
      sends.push_back({each.size, std::max(share(each.spaced, each, messages) - each.delay, kLeast)});
  return sends;
}

// The delayed receives find their messages there: what is left of their time is theirs.
std::vector<Point> receives_of(std::span<const RoundTrips> points, std::uint32_t messages) {
  std::vector<Point> receives;
  for (const RoundTrips& each : points) {
    if (each.receives <= 0) continue;
    const double waited = (messages - 1) * each.receive_delay;
    receives.push_back({each.size, std::max((each.receives - waited) / (messages - 1), kLeast)});
  }
  return receives;
}

// Of an interval, or of all sizes where it has none.
Line overhead(const std::vector<Point>& own, const std::vector<Point>& all) {
  if (own.empty() && all.empty()) return {};
  return fit_line(own.empty() ? all : own);
}

// Indices of the last points of intervals.
std::vector<std::size_t> ends_of_intervals(const std::vector<Point>& gaps, const ChangeRule& rule,
                                           std::span<const double> known) {
  std::vector<std::size_t> ends;
  std::size_t first = 0;
  const auto close = [&](std::size_t behind) {
    if (behind <= first) return;
    const std::span<const Point> piece = std::span(gaps).subspan(first, behind - first);
    if (piece.size() >= kFewestSizes)
      for (const std::size_t end : find_changes(piece, rule)) ends.push_back(first + end);
    ends.push_back(behind - 1);
    first = behind;
  };
  for (const double size : known) {
    std::size_t behind = first;
    while (behind < gaps.size() && gaps[behind].size + 1 < size) ++behind;
    if (behind < gaps.size()) close(behind);
  }
  close(gaps.size());
  return ends;
}

LogGPInterval interval_of(std::span<const RoundTrips> points, std::span<const RoundTrips> all, std::uint32_t messages) {
  LogGPInterval interval;
  interval.first = points.front().size;
  interval.last = points.back().size;
  interval.sends = overhead(sends_of(points, messages), sends_of(all, messages));
  interval.receives = overhead(receives_of(points, messages), receives_of(all, messages));
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

LogGPFit fit_loggp(std::span<const RoundTrips> points, std::uint32_t messages, const ChangeRule& rule,
                   std::span<const double> known) {
  PLUMBLINE_CHECK(points.size() >= kFewestSizes && messages > 1, "LogGP needs four sizes and trains of messages");
  LogGPFit fit;
  for (const RoundTrips& each : points)
    if (each.delay > 0 && each.delay <= busy(each, messages)) fit.delay_too_short.push_back(each.size);
  std::size_t first = 0;
  for (const std::size_t end : ends_of_intervals(gaps(points, messages), rule, known)) {
    fit.intervals.push_back(interval_of(points.subspan(first, end - first + 1), points, messages));
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
  for (std::size_t i = 0; i < fit.intervals.size(); ++i) {
    const LogGPInterval& interval = fit.intervals[i];
    const auto first = static_cast<std::uint64_t>(interval.first), last = static_cast<std::uint64_t>(interval.last);
    const bool all_wait = rendezvous != 0 && rendezvous <= first;
    const bool some_wait = rendezvous > first && rendezvous <= last;
    if (some_wait) append(interval, Protocol::kEager, rendezvous - 1);
    const bool next_waits = i + 1 < fit.intervals.size() && rendezvous > last &&
                            static_cast<double>(rendezvous) <= fit.intervals[i + 1].first;
    append(interval, all_wait || some_wait ? Protocol::kRendezvous : Protocol::kEager,
           next_waits ? rendezvous - 1 : last);
  }
  transport.ranges.back().upto.reset();
  return transport;
}

}  // namespace plumbline::hw::calibration
