#pragma once
// The style sheet of the one-file report: light, dark and paper.

#include <string>

namespace plumbline::viewer {

std::string style_sheet();

}  // namespace plumbline::viewer
