#pragma once
// Every point as a program that can be replayed. All that is wrong at any of them is told before the first replay.

#include <memory>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "cli/workflows/predict/options.hpp"
#include "cli/workflows/predict/points.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/engine/choices.hpp"
#include "replay/model/language/directives.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli::predict {

struct Prepared {
  Point point;
  replay::model::Instance instance;
  replay::Program program;
  std::uint32_t nodes = 1, per_node = 1;
  TimeSum computation;  // of all processes together, each on its node
};

struct Preparation {
  std::string model_text;
  std::unique_ptr<const replay::model::Model> model;
  hw::Platform platform;
  replay::Choices choices;
  Sweeps sweeps;
  std::vector<Prepared> points;
};

// Throws Error. Programs lie in files without a name, or in options.program.
Preparation prepare(const Options& options);

}  // namespace plumbline::cli::predict
