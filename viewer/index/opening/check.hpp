#pragma once
// Whether an opening that was read from a file is one of a program: every index and link in it is used without a look
// at how long the list is that it points into.

#include "viewer/index/opening/opening.hpp"

namespace plumbline::viewer {

bool is_of(const Opening& opening, const replay::Program& observed);

}  // namespace plumbline::viewer
