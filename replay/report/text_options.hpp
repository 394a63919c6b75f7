#pragma once
// How much of a report a terminal is told.

#include <cstddef>
#include <string>

namespace plumbline::replay {

struct TextOptions {
  bool details = false;  // all of it, not the answer alone
  std::size_t top = 15;  // rows of the table
  bool color = false;
  std::size_t width = 110;     // of paragraphs; the table needs up to 120
  std::string elsewhere = {};  // last line of the answer: where the rest is; may be empty
};

}  // namespace plumbline::replay
