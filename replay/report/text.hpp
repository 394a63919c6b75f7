#pragma once
// The report for a terminal: the answer in ten lines and, where details are asked for, findings with their evidence,
// the ranked table, and what to know before trusting it.

#include <cstddef>
#include <string>

#include "replay/report/report.hpp"

namespace plumbline::replay {

struct TextOptions {
  bool details = false;  // all of it, not the answer alone
  std::size_t top = 15;  // rows of the table
  bool color = false;
  std::size_t width = 110;     // of paragraphs; the table needs up to 120
  std::string elsewhere = {};  // last line of the answer: where the rest is; may be empty
};

std::string to_text(const Report& report, const TextOptions& options = {});

}  // namespace plumbline::replay
