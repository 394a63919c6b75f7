#pragma once
// Lines of text, and what `details` adds to the answer.

#include <cstddef>
#include <string>
#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

using Lines = std::vector<std::string>;

// `head` stands before the first line, as many blanks before the others.
void append(Lines& lines, const std::string& head, const std::string& text, std::size_t width);

Lines detail_lines(const Validation& validation, std::size_t width);

}  // namespace plumbline::replay::validate
