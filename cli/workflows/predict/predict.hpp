#pragma once
// `plumbline predict`: every point of a sweep compiled, then evaluated, one after the other.

#include "cli/workflows/predict/options.hpp"
#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {

// Progress on a terminal. Throws Error with all that is wrong with the model, at any point.
Prediction predict(const Options& options);

}  // namespace plumbline::cli::predict
