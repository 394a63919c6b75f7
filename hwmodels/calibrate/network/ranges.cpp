#include "hwmodels/calibrate/network/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "hwmodels/calibrate/costs.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestOfPiece = 4;  // of a piece
constexpr double kGoodRange = 0.1;         // a piece whose points are all this near its line stays whole
constexpr double kWorthARange = 0.6;       // a cut must reduce the sum of deviations to this share
constexpr double kNoByteCost = 1e-7;       // ns/B, 10 PB/s; less is no cost per byte

double nanoseconds_of(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

double largest_deviation(const Line& line, std::span<const RestPoint> points) {
  double largest = 0;
  for (const RestPoint& point : points)
    largest = std::max(largest, std::abs(line.at(point.size) - point.value) / point.whole);
  return largest;
}

double median_deviation(const Line& line, std::span<const RestPoint> points) {
  std::vector<double> deviations;
  for (const RestPoint& point : points) deviations.push_back(std::abs(line.at(point.size) - point.value) / point.whole);
  return median(deviations);
}

// Last index before the best cut of points that are no line.
std::optional<std::size_t> cut_of(std::span<const RestPoint> points) {
  const Line whole = fit_rest(points);
  if (points.size() < 2 * kFewestOfPiece || largest_deviation(whole, points) <= kGoodRange) return std::nullopt;
  double best = kWorthARange * sum_of_deviations(whole, points);
  std::optional<std::size_t> cut;
  for (std::size_t left = kFewestOfPiece; left + kFewestOfPiece <= points.size(); ++left) {
    const auto first = points.first(left), second = points.subspan(left);
    const double both = sum_of_deviations(fit_rest(first), first) + sum_of_deviations(fit_rest(second), second);
    if (both >= best) continue;
    best = both;
    cut = left - 1;
  }
  return cut;
}

class RangeFitter {
 public:
  explicit RangeFitter(const RangeFitInput& input) : input_(input) {}

  RangeFit run() {
    std::vector<RestPoint> eager, rendezvous;
    for (const auto& [size, figure] : input_.one_way) {
      if (figure.value <= 0) continue;
      const double rest = figure.value - nanoseconds_of(input_.route(Bytes{size}));
      const bool waits = input_.rendezvous && size >= *input_.rendezvous;
      (waits ? rendezvous : eager).push_back({static_cast<double>(size), rest, figure.value});
    }
    add(eager, Protocol::kEager);
    if (eager.empty() && !rendezvous.empty())
      result_.notes.push_back("no size was sent without waiting: the costs of the request are those of a third");
    add(rendezvous, Protocol::kRendezvous);
    if (!result_.ranges.empty()) result_.ranges.back().upto.reset();
    return std::move(result_);
  }

 private:
  void add(std::span<const RestPoint> points, Protocol protocol) {
    while (!points.empty()) {
      const std::size_t count = cut_of(points).value_or(points.size() - 1) + 1;
      add_range(points.first(count), protocol);
      points = points.subspan(count);
    }
  }

  // The request and the clear-to-send that go before.
  double handshake() const { return first_ ? 2 * (first_->fixed() + nanoseconds_of(input_.route(Bytes{0}))) : 0; }

  void add_range(std::span<const RestPoint> all, Protocol protocol) {
    std::vector<RestPoint> points(all.begin(), all.end());
    const bool waits = protocol == Protocol::kRendezvous;
    for (RestPoint& point : points) point.value -= waits ? handshake() : 0;
    const double first = points.front().size, last = points.back().size;
    Line total = fit_rest(points);
    const double deviation = largest_deviation(total, points);
    result_.reports.push_back({static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last),
                               static_cast<std::uint32_t>(points.size()), median_deviation(total, points), deviation});
    if (waits && !first_) total.intercept /= 3;
    const Line send = waits && first_ ? Line{first_->send, 0} : line_of(input_.sends, first, last),
               receive = waits && first_ ? Line{first_->receive, 0} : line_of(input_.receives, first, last);
    bool scaled = false;
    const Costs costs = divide(total, send, receive, scaled);
    if (scaled)
      result_.notes.push_back(
          fmt::format("{:.0f} to {:.0f} B: sending and receiving alone take {:.3g} and {:.3g} ns, "
                      "more than the way leaves: both are cut and the latency is 0",
                      first, last, send.intercept, receive.intercept));
    if (!first_) first_ = costs;
    append(points, costs, protocol, deviation);
  }

  static Line line_of(const Curve& calls, double first, double last) {
    std::vector<Point> points = points_between(calls, first, last);
    if (points.empty() && !calls.empty()) points = points_of(calls);
    return points.empty() ? Line{} : fit_line(points);
  }

  void append(std::span<const RestPoint> points, const Costs& costs, Protocol protocol, double deviation) {
    const double trip = std::max(deviation, spread_of(input_.one_way, points));
    const double send = std::max(trip, spread_of(input_.sends, points)),
                 receive = std::max(trip, spread_of(input_.receives, points));
    std::uint32_t repetitions = 0;
    for (const RestPoint& point : points)
      repetitions += input_.one_way.at(static_cast<std::uint64_t>(point.size)).repetitions;
    const auto source = [&](const char* what) {
      return fmt::format("{}: {}, {} sizes, {} repetitions", input_.source, what, points.size(), repetitions);
    };
    const auto duration = [](double ns) { return duration_from_seconds(ns * 1e-9); };
    const auto rate = [](double per_byte) {
      return BytesPerSecond{static_cast<std::uint64_t>(std::llround(1e9 / per_byte))};
    };
    MessageRange range;
    range.upto = Bytes{upper_end(points.back().size)};
    range.protocol = protocol;
    range.send = {duration(costs.send), send, source("duration of the send call")};
    range.receive = {duration(costs.receive), receive, source("duration of the receive call")};
    range.latency = {duration(costs.latency), trip, source("rest of the round trip")};
    if (costs.send_per_byte > kNoByteCost)
      range.send_rate = {rate(costs.send_per_byte), send, source("growth of the send call")};
    if (costs.receive_per_byte > kNoByteCost)
      range.receive_rate = {rate(costs.receive_per_byte), receive, source("growth of the round trip beside the wires")};
    result_.ranges.push_back(std::move(range));
  }

  static double spread_of(const Curve& curve, std::span<const RestPoint> points) {
    Curve part;
    for (const RestPoint& point : points)
      if (const auto found = curve.find(static_cast<std::uint64_t>(point.size)); found != curve.end())
        part.insert(*found);
    return typical_spread(part);
  }

  // The change of protocol is where the search for it says; other changes lie somewhere behind the last point.
  std::uint64_t upper_end(double last) const {
    const auto size = static_cast<std::uint64_t>(last);
    const auto next = input_.one_way.upper_bound(size);
    const bool changes = input_.rendezvous && *input_.rendezvous > size &&
                         (next == input_.one_way.end() || next->first >= *input_.rendezvous);
    return changes ? *input_.rendezvous - 1 : size;
  }

  const RangeFitInput& input_;
  RangeFit result_;
  std::optional<Costs> first_;  // of the first range
};

}  // namespace

RangeFit fit_ranges(const RangeFitInput& input) { return RangeFitter(input).run(); }

Parameter<Duration> take_latency_out(std::vector<MessageRange>& ranges, Duration keep) {
  PLUMBLINE_CHECK(!ranges.empty(), "a transport has ranges");
  Parameter<Duration> taken = ranges.front().latency;
  taken.value -= std::min(keep, taken.value);
  for (MessageRange& range : ranges) range.latency.value = std::max(Duration{}, range.latency.value - taken.value);
  return taken;
}

}  // namespace plumbline::hw::calibration
