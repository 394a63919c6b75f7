#pragma once
// The answer in ten lines: the verdict, what was found and what to do about it, how much was judged, and where the rest
// of the report is.

#include <cstddef>
#include <string>
#include <vector>

#include "replay/report/report.hpp"
#include "replay/report/text_options.hpp"

namespace plumbline::replay {

constexpr std::size_t kSummaryLines = 10;

// Lines without their ends. At most kSummaryLines, unless the first finding or what limits the verdict alone needs
// more; what does not fit is counted ("and 3 more findings").
std::vector<std::string> summary_lines(const Report& report, const TextOptions& options);

}  // namespace plumbline::replay
