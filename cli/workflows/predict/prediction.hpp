#pragma once
// Every point of a sweep, and what was evaluated of it.

#include <cstddef>
#include <vector>

#include "cli/workflows/predict/evaluate.hpp"

namespace plumbline::cli::predict {

struct Prediction {
  Preparation preparation;
  std::vector<Outcome> outcomes;  // of each point
};

// How many times faster than one process: where the sweep has one with the same constants, by its length; else by the
// computation of all processes together.
double speed_up(const Prediction& prediction, std::size_t point, std::size_t data = 0);
bool is_by_one_process(const Prediction& prediction, std::size_t point);

}  // namespace plumbline::cli::predict
