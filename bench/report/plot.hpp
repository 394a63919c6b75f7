#pragma once
// A campaign as a picture (SVG). Every value that is drawn is one of the rows; nothing is smoothed.

#include <span>
#include <string>
#include <vector>

#include "bench/report/summary.hpp"

namespace plumbline::bench {

enum class PlotKind {
  kLines,      // time by size or by ranks: medians of runs with their interval, joined
  kBox,        // time by size: quartiles, 1st and 99th percentile, least and most of all repetitions
  kHistogram,  // how often each time was seen, least and most exact
};

// What lines go over. Over ranks there is a curve for each size, and layouts are points of one curve.
enum class PlotOver { kSize, kRanks };

// Throws Error when nothing is left to draw, or there are more curves than can be told apart (curves.hpp). `over`: of
// kLines.
std::string plot(std::span<const SummaryRow> rows, PlotKind kind, const std::string& title,
                 PlotOver over = PlotOver::kSize);

}  // namespace plumbline::bench
