#pragma once
// A prediction for people: the answer first, in ten lines.

#include <string>

#include "cli/workflows/predict/prediction.hpp"

namespace plumbline::cli::predict {

std::string answer(const Prediction& prediction, bool details);  // of one point
std::string table(const Prediction& prediction, bool details);   // of a sweep: a line a point

}  // namespace plumbline::cli::predict
