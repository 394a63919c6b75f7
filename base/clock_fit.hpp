#pragma once
// How far one clock is ahead of another over a run, from exchanges of messages between the two: a straight line with a
// bound that holds whatever the delays were and however they were shared out between the two directions.
//
// A message is not taken before it is sent, so each direction of an exchange bounds the offset from one side at one
// moment. The lines within all bounds form a convex polygon; its middle is the estimate, its extent the uncertainty.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plumbline::clocks {

// Readings in ns: the node sends, the reference takes and answers, the node receives.
struct Exchange {
  std::int64_t sent = 0;      // by the node's clock
  std::int64_t taken = 0;     // by the clock of reference
  std::int64_t answered = 0;  // likewise
  std::int64_t received = 0;  // by the node's clock
};

// Exchanges in quick succession.
using Burst = std::vector<Exchange>;

// No two clocks drift apart faster: 500 ppm is what the kernel corrects at most (adjtimex(2)), on either side.
inline constexpr double kSteepest = 1e-3;

// What is ahead by how much: values at both ends of an interval.
struct Ends {
  double begin = 0, end = 0;
};

// The straight lines over [0, length] that meet all requirements: a convex polygon in the plane of their values at both
// ends. Numbers are ns.
class Lines {
 public:
  // Lines with values of up to ±`highest` at the beginning.
  Lines(double length, double highest);

  // At x, the line is at most (at least) y.
  void stay_below(double x, double y);
  void stay_above(double x, double y);

  bool none() const { return corners_.empty(); }
  Ends lowest() const;
  Ends highest() const;
  // The middle between the two; always one of the lines.
  Ends middle() const;
  // The one of the lines that is closest to `wanted`.
  Ends closest_to(Ends wanted) const;
  double length() const { return length_; }

 private:
  // a * begin + b * end <= c
  void require(double a, double b, double c);

  double length_;
  std::vector<Ends> corners_;
};

// Reference minus node, as a line over the node's clock.
struct ClockFit {
  std::int64_t begin = 0, end = 0;  // of the interval, by the node's clock
  std::int64_t offset = 0;          // reference - node = offset + the line
  Ends line;
  double uncertainty_ns = 0;  // the true difference lies no farther from the line anywhere in the interval
  double slack_ns = 0;  // not 0: no straight line is within all bounds; the clock was stepped, or changed its rate
  std::size_t exchanges = 0;
  Lines possible{1, 0};  // less `offset`, widened by the slack

  // Reference minus node, to the nearest ns.
  std::int64_t difference(std::int64_t node_ns) const;
  // To another one of the possible lines, which is not in their middle.
  void move(Ends by);
  double drift() const { return (line.end - line.begin) / static_cast<double>(end - begin); }
};

// The fit over [from, to] of the node's clock and over the exchanges; nothing without exchanges. Where no straight line
// meets all bounds, the one that violates them least, and an uncertainty that covers what was seen between bursts.
std::optional<ClockFit> fit_clock(std::span<const Burst> bursts, std::int64_t from, std::int64_t to);

// Reference minus node at these exchanges: lower and upper bound, taking the clocks to run alike meanwhile.
struct Bounds {
  std::int64_t lower = 0, upper = 0;

  std::int64_t half_width() const { return (upper - lower) / 2; }
};
Bounds bounds_of(const Burst& burst);

// The few exchanges of a burst that bound the offset most tightly: up to `each` from either side.
Burst tightest(const Burst& burst, std::size_t each);

}  // namespace plumbline::clocks
