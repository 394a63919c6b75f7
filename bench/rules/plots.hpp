#pragma once
// A comparison as pictures (SVG): over its sizes, and run by run at one of them.

#include <string>

#include "bench/rules/tracks.hpp"

namespace plumbline::bench {

// Medians of the medians of runs of both sides, with their interval, by size. Empty where there are no sizes.
std::string overview_plot(const GuidelineTrack& track, const RulesVerdict& verdict);

// Of one outcome the repetitions of each run as boxes, over the median of the medians of the fast side's runs.
std::string focus_plot(const GuidelineTrack& track, const RuleOutcome& outcome);

}  // namespace plumbline::bench
