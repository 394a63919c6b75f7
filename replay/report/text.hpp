#pragma once
// The report for a terminal: the answer in ten lines and, where details are asked for, findings with their evidence,
// the ranked table, and what to know before trusting it.

#include <string>

#include "replay/report/report.hpp"
#include "replay/report/text_options.hpp"

namespace plumbline::replay {

std::string to_text(const Report& report, const TextOptions& options = {});

}  // namespace plumbline::replay
