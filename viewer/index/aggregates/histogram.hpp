#pragma once
// How long operations took that are alike.

#include <cstdint>
#include <vector>

#include "viewer/index/runs/alike.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Bin i is [bounds[i], bounds[i + 1]); bounds grow by a constant factor, of which 8 or fewer make one octave.
struct Histogram {
  std::vector<Duration> bounds;                   // one more than bins; the first may be 0
  std::vector<std::uint64_t> observed, expected;  // expected: anchored, upper end of the bracket; judged ones only
};
inline constexpr std::size_t kMostBins = 64;

Histogram histogram_of(const Runs& runs, const OperationsAlike& alike);

// The share of the operations in the histogram that took less than `duration`, in percent; to the nearest bin.
double percentile_of(const Histogram& histogram, Duration duration);

}  // namespace plumbline::viewer
