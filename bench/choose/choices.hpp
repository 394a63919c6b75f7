#pragma once
// What was chosen, and the file that keeps it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bench/choose/arguments.hpp"

namespace plumbline::bench::choose {

// From a size up to that of the next one.
struct Choice {
  std::size_t bytes = 0;
  std::string name;
  double seconds = 0, library_seconds = 0;

  bool operator==(const Choice&) const = default;
};

// By size.
using Choices = std::array<std::vector<Choice>, kCollectives>;

// What choices hold for: the same ranks as far as one can tell, and the same library.
struct Circumstances {
  std::string library;  // what MPI_Get_library_version says, first line
  int ranks = 0, nodes = 0;

  bool operator==(const Circumstances&) const = default;
};

// "bcast".
std::string_view name_of(plumbline_collective collective);

// Text of lines: "plumbline choices 1", circumstances, then one choice each (docs/models/choosing.md).
std::string to_text(const Circumstances& circumstances, const Choices& choices);

struct ChoicesFile {
  Circumstances circumstances;
  Choices choices;
};
// Throws Error, located in `name`.
ChoicesFile parse_choices(std::string_view text, const std::string& name);

}  // namespace plumbline::bench::choose
