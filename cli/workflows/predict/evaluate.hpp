#pragma once
// Points evaluated: replays of their programs, which differ in their seed alone where chance has a part.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/team/shared_work.hpp"
#include "base/team/task.hpp"
#include "cli/workflows/predict/lines.hpp"
#include "cli/workflows/predict/prepare.hpp"
#include "cli/workflows/predict/races.hpp"
#include "cli/workflows/predict/runs.hpp"
#include "replay/expect/samples.hpp"

namespace plumbline::cli::predict {

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

// Of each point. Throws Error where one cannot finish: which, and who waits for whom.
std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, const Team& team);

// The same by the processes of a launcher.
std::vector<Outcome> evaluate(const Preparation& preparation, const Options& options, Workers& workers,
                              const std::function<void(double share)>& progress);

}  // namespace plumbline::cli::predict
