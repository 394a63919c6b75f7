#pragma once
// `plumbline predict`: every point of a sweep compiled, then evaluated, one after the other.

#include <vector>

#include "cli/workflows/predict/evaluate.hpp"

namespace plumbline::cli::predict {

struct Prediction {
  Preparation preparation;
  std::vector<Outcome> outcomes;  // of each point
};

// Progress on a terminal. Throws Error with all that is wrong with the model, at any point.
Prediction predict(const Options& options);

// How many times faster than one process: where the sweep has one with the same constants, by its length; else by the
// computation of all processes together.
double speed_up(const Prediction& prediction, std::size_t point, std::size_t data = 0);
bool is_by_one_process(const Prediction& prediction, std::size_t point);

}  // namespace plumbline::cli::predict
