#pragma once
// What the verbs share when they print for people.

#include <string>

namespace plumbline::cli {

enum class Colour { kAuto, kAlways, kNever };

// kAuto: a terminal that is not Open MPI's launcher's, and neither NO_COLOR nor TERM=dumb.
bool use_colour(Colour colour, int file_descriptor);

// Terminal width, or 110 where there is none.
int terminal_width();

}  // namespace plumbline::cli
