#pragma once
// Finding the directives of a model: in the comments of a C, C++ or Fortran source, or by themselves in a file
// (docs/reference/model-language.md).

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace plumbline::replay::model {

// In the file of the model; both count from 1.
struct Place {
  std::uint32_t line = 0, column = 0;

  auto operator<=>(const Place&) const = default;
};

// What stands behind the marker PEVPM on one line.
struct DirectiveLine {
  std::string_view text;
  Place begin;             // of the text
  bool continues = false;  // the directive of the line before; the & is not in the text
};

// A directive line has the word PEVPM directly behind what opens a comment: `//`, `/*` or `!` anywhere on it outside of
// quotes, `C` or `c` in the first column, a `*` of a longer comment, or nothing. Of a file without any such line
// that begins with a directive, every line is one that is neither empty nor begins with `//`, `!` or `#`. The views are
// into `text`.
std::vector<DirectiveLine> directive_lines(std::string_view text);

}  // namespace plumbline::replay::model
