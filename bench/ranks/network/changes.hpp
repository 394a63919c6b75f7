#pragma once
// Where the time of messages changes, to within some bytes: by comparing sizes that are measured in turn, so that what
// changes slowly on the machine falls on all alike. docs/models/calibration-loggp.md.

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/ranks/network/sizes.hpp"

namespace plumbline::bench::network {

// Times of the ends of a bracket, and twice of its middle, in turn: of each the same number.
struct Comparison {
  std::vector<double> low, middle, middle_again, high;
};

// In which half of a bracket the change lies. Along a line both halves add the same: from the low end to the middle,
// and from the middle, measured again so that the two differences share nothing, to the high end. The half that adds
// more has a change that rises, the other one that falls, when rank sums say so with `p`; else nobody knows.
enum class Half { kUnknown, kLower, kUpper };
inline constexpr double kSureOfHalf = 0.001;
Half half_of(const Comparison& comparison, bool rises, double p = kSureOfHalf);

// What there is to measure with. Times are of one message and its answer, or of a train.
struct Meter {
  std::function<SizePoint(std::uint64_t size)> point;
  // Adds so many times to `to`. False: the time is over, nothing was added.
  std::function<bool(const Bracket& bracket, bool train, std::uint32_t times, Comparison& to)> compare;
  std::function<bool()> is_over;
};

struct Change {
  Bracket within;
  bool train = false;              // seen in trains of messages, or in single ones
  double step = 0;                 // what the half that it is in adds more than the other, when last compared
  std::vector<double> times = {};  // at its high end, then
};

struct Refined {
  std::vector<Change> changes;     // ascending
  std::vector<Bracket> not_tried;  // the time was over, or there were sizes enough
};

// Looks for changes between `points`, which ascend, and adds points: both ends of each change, and what is beside them
// by the rule. A suspect where at last no half adds more, or hardly more, is no change: the time bends there, or it was
// noise.
Refined find_changes_between(std::vector<SizePoint>& points, const RefineRule& rule, const Meter& meter);

}  // namespace plumbline::bench::network
