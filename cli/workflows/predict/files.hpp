#pragma once
// A prediction for programs: comma-separated values, JSON, and a picture.

#include <string>

#include "cli/workflows/predict/options.hpp"
#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {

// A line a point; times in seconds. docs/predict.md names the columns.
std::string csv(const Prediction& prediction);

// {"format": "plumbline-prediction", ..}: what csv() has, and each directive's times and the races of each point.
std::string json(const Prediction& prediction);

// Throws Error (kWrongUse) where speed_up_svg() would have one number of ranks only, or too many curves.
void require_drawable(const Preparation& preparation, const Options& options);

// Speed-up over ranks as SVG, a curve for each combination of constants, and for each kind of data; dashed, the ideal
// line. It can be drawn.
std::string speed_up_svg(const Prediction& prediction);

}  // namespace plumbline::cli::predict
