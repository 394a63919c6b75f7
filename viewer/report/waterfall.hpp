#pragma once
// Where the time of runs went: parts that add up to ranks x length of each run.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/compare/result/comparison.hpp"

namespace plumbline::viewer {

struct WaterfallPart {
  std::string_view name;   // of its colour and pattern in the style sheet: "stack"
  std::string_view label;  // "hardware and stack"
  std::string_view meaning;
  TimeSum time;  // negative: gained
};

// Always the same parts in the same order; those of several runs are added up.
std::vector<WaterfallPart> waterfall_of(std::span<const replay::Totals* const> totals);

struct WaterfallNames {
  std::string_view title = "Where the time of the suite went";
  std::string_view all = "all ranks, all runs";  // of the bar that all parts add up to
};

// "" where no time passed.
std::string waterfall_figure(const std::vector<WaterfallPart>& parts, const WaterfallNames& names = {});

}  // namespace plumbline::viewer
