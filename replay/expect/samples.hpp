#pragma once
// How long a run takes where chance has a part in it: free replays that differ in their seed alone (Monte Carlo).

#include <cstdint>
#include <vector>

#include "base/statistics/order.hpp"
#include "base/statistics/student.hpp"
#include "base/team/task.hpp"
#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/engine/choices.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

struct Samples {
  std::uint64_t seed = 1;         // of the first run; each further one has the next
  std::vector<Duration> lengths;  // of the runs, in turn
};

struct SampleOptions {
  replay::Choices choices{};
  double compute = 1.0;  // factor on recorded compute time
  std::uint64_t seed = 1;
  std::uint32_t count = 100;
  Team team{};  // of the runs
};

// Replayed as configured.
Samples sample(const replay::Program& program, const hw::Platform& platform, const SampleOptions& options);

// In seconds. Intervals hold the true mean and median with 95 %; 95 % of all runs lie in the band.
struct SampleSummary {
  double least = 0, median = 0, greatest = 0;
  statistics::MeanInterval mean;  // Student's, though lengths need not be normal: it is for runs of many messages
  statistics::Interval median_interval, band;
};

inline constexpr std::uint32_t kLeastSamples = 6;  // fewer bound no median with 95 %

// Of at least so many.
SampleSummary summary_of(const Samples& samples);

}  // namespace plumbline::replay::expect
