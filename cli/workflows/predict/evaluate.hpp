#pragma once
// Points evaluated: replays of their programs, which differ in their seed alone where chance has a part.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/team/task.hpp"
#include "cli/workflows/predict/lines.hpp"
#include "cli/workflows/predict/prepare.hpp"
#include "cli/workflows/predict/races.hpp"
#include "replay/expect/samples.hpp"

namespace plumbline::cli::predict {

// What messages are taken to cost, on a sampled network.
enum class Data : std::uint8_t {
  kDistributions,  // each message draws from the times of its size and of the number in flight
  kMeans,          // each takes their mean
  kPingPongMeans,  // the mean of the fewest in flight that were measured: 2 x 1
  kPingPongLeast,  // the least time of those
};
std::string_view name_of(Data data);
// What is evaluated of each point, kDistributions first.
std::vector<Data> kinds_of_data(const hw::Platform& platform, const Options& options);

struct Evaluated {
  Data data = Data::kDistributions;
  replay::expect::Samples samples;
  std::uint64_t beyond_measured = 0;  // messages, of the first run
};

struct Outcome {
  std::vector<Evaluated> by_data;  // kDistributions first
  Lines lines;                     // of the runs of kDistributions, or of the first ones
  Races races;

  const replay::expect::Samples& samples() const { return by_data.front().samples; }
};

double mean_seconds(const replay::expect::Samples& samples);

// How many replays evaluate() makes.
std::size_t replays_of(const Preparation& preparation, const Options& options);

// Of each point. Throws Error where one cannot finish: which, and who waits for whom.
std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, const Team& team);

}  // namespace plumbline::cli::predict
