#pragma once
// A validation for a terminal: the answer in at most twelve lines, and with details everything else.

#include <cstddef>
#include <string>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

inline constexpr std::size_t kSummaryLines = 12;

struct TextOptions {
  bool details = false;
  bool color = false;
  std::size_t width = 110;
  std::string elsewhere = {};  // last line of the answer: where the rest is; may be empty
};

// The verdict; what was checked, could not be run and is not judged; time; whether the machine was disturbed; then the
// findings, of which those that do not fit are counted. More lines only where the head and the first finding need them.
std::string to_text(const Validation& validation, const TextOptions& options = {});

// A finding in two to four lines, without their ends.
std::vector<std::string> finding_lines(const Diagnosis& diagnosis, std::size_t number, std::size_t width);

}  // namespace plumbline::replay::validate
