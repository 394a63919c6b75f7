#pragma once
// The figures of one point, as every output gives them.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {

struct Interval {
  double low = 0, high = 0;
};

// Seconds. Intervals hold the true value with 95 %; of fewer than kLeastSamples runs they are what was seen.
struct Figures {
  std::uint32_t runs = 1;
  double mean = 0, median = 0, least = 0, greatest = 0;
  Interval mean_interval, median_interval;
  bool has_intervals() const { return runs >= replay::expect::kLeastSamples; }
  double speed_up = 0, efficiency = 0;
  // Of a process, on average; the first four add up to the length of the runs that were looked at.
  double computing = 0, transfer = 0, waiting = 0, idle = 0;
  double imbalance = 0;             // of computing: that of the process that computes longest, less the mean
  std::vector<double> by_averages;  // means, as in Outcome::by_data from the second on
};

Figures figures_of(const Prediction& prediction, std::size_t point);

}  // namespace plumbline::cli::predict
