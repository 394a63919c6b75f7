#pragma once
// What many replays with different seeds came to, for people and for programs.

#include <string>

#include "replay/expect/samples.hpp"

namespace plumbline::cli {

// Mean and median with their intervals, extremes, and the band that holds 95 % of the runs.
std::string sample_table(const replay::expect::Samples& samples);

// {"seed": .., "lengths_ps": [..], "mean_s": .., "mean_interval_s": [..], ..}, one object, with a line feed.
std::string sample_json(const replay::expect::Samples& samples);

}  // namespace plumbline::cli
